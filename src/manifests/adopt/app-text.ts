import { CarriedFile } from './carried-files';
import { stringText } from './expression-text';
import { groupPages } from './fleet-model';
import { fleetText, LIST_FILE, listText } from './fleet-text';
import { PageProblem } from './page-run';
import { camelCase, pageText } from './page-text';
import { SolvedPage } from './solved-page';

/** Reason of a silence. */
const REASON = 'as it was before';

/**
 * The files of an app that makes clusters, and takes other manifests along.
 *
 * @param pages the clusters
 * @param carried the other manifests
 * @param problems problems that synthesis would report, which can be silenced
 */
export function appTexts(
  pages: readonly SolvedPage[], carried: readonly CarriedFile[], problems: readonly PageProblem[],
): ReadonlyMap<string, string> {
  const { groups, single } = groupPages(pages);
  const names = fileNames(single);
  const texts = single.map((solved) => {
    const { page, parts: { namespace, name } } = solved;
    const { functionName, text } = pageText(page, `${namespace}/${name}`);
    return { solved, text, functionName, file: names.get(solved)! };
  });
  // Clusters of one name are in files of their own, under the same name.
  const aliases = texts.map(({ functionName, file }) => ({
    functionName, file, alias: texts.filter((other) => other.functionName === functionName).length === 1 ? functionName : `add${upper(camelCase(file))}`,
  }));
  return new Map([
    ['main.ts', mainText(carried, [...new Set(problems.map(({ rule }) => rule))].sort())],
    ['tenants.ts', tenantsText(aliases, groups.length > 0)],
    ...groups.length > 0 ? [['fleet.ts', fleetText(groups)], [LIST_FILE, listText(groups)]] as const : [],
    ...texts.map(({ file, text }) => [`tenants/${file}.ts`, text] as const),
    ...carried.map(({ file, text }) => [file, text] as const),
    ...pages.flatMap(({ files }) => [...files]),
  ]);
}

/** Names of the files of clusters, without extension. */
function fileNames(pages: readonly SolvedPage[]): ReadonlyMap<SolvedPage, string> {
  return new Map(pages.map((solved) => {
    const { parts: { name, namespace } } = solved;
    const isUnique = pages.filter(({ parts }) => parts.name === name).length === 1;
    return [solved, isUnique ? name : `${namespace}-${name}`];
  }));
}

/** A page that is imported. */
interface ImportedPage {
  readonly functionName: string;
  readonly file: string;
  readonly alias: string;
}

function tenantsText(pages: readonly ImportedPage[], hasFleet: boolean): string {
  const imports = pages.map(({ functionName, file, alias }) => (
    `import { ${functionName === alias ? alias : `${functionName} as ${alias}`} } from ${stringText(`./tenants/${file}`)};\n`));
  const calls = pages.map(({ alias }) => `    ${alias}(app),\n`);
  const fleet = hasFleet ? ["import { addFleet } from './fleet';\n"] : [];
  return `import type { GitOpsApp, TenantCluster } from 'cdk8s-cluster-api';
${[...fleet, ...imports.sort()].join('')}
/** Adds the clusters of this repository. Another one is ${hasFleet ? `a line in ${LIST_FILE}, or ` : ''}a file in tenants/ and a line here. */
export function addTenants(app: GitOpsApp): TenantCluster[] {
  return [
${hasFleet ? '    ...addFleet(app),\n' : ''}${calls.join('')}  ];
}
`;
}

function mainText(carried: readonly CarriedFile[], rules: readonly string[]): string {
  const names = ['GitOpsApp', ...carried.length > 0 ? ['ManifestFileChart'] : [], ...rules.length > 0 ? ['validation'] : []];
  const silences = rules.length === 0 ? '' : `  // What the adopted manifests break: explain TC-… says what it is. Remove a line when it is mended.
  validation: validation.ManifestValidation.of({
    silences: [
${rules.map((rule) => `      { rule: ${stringText(rule)}, reason: ${stringText(REASON)} },\n`).join('')}    ],
  }),
`;
  const charts = carried.map(({ id, file }) => `new ManifestFileChart(app, ${stringText(id)}, ${stringText(file)});\n`);
  return `import { ${names.join(', ')} } from 'cdk8s-cluster-api';
import { addTenants } from './tenants';

const app = new GitOpsApp({
  // CI compares with the target branch, everything else with the last commit.
  base: process.env.BASE || undefined,
${silences}});

addTenants(app);

${charts.length === 0 ? '' : `// Manifests that no class of the library makes, as they were.\n${charts.join('')}\n`}app.synth();
`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
