import { CarriedFile } from './carried-files';
import { stringText } from './expression-text';
import { groupPages } from './fleet-model';
import { fleetText, LIST_FILE, listText } from './fleet-text';
import { PageProblem } from './page-run';
import { pageText } from './page-text';
import { SolvedPage } from './solved-page';

/** Reason of a silence. */
export const SILENCE_REASON = 'as it was before';

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
  const texts = single.map(({ page, parts: { namespace, name } }) => ({ file: page.id, ...pageText(page, `${namespace}/${name}`) }));
  return new Map([
    ['main.ts', mainText(carried)],
    ['silences.ts', silencesText(silencedRules(problems))],
    ['tenants.ts', tenantsText(withAliases(texts), groups.length > 0)],
    ...groups.length > 0 ? [['fleet.ts', fleetText(groups)], [LIST_FILE, listText(groups)]] as const : [],
    ...texts.map(({ file, text }) => [`tenants/${file}.ts`, text] as const),
    ...carried.map(({ file, text }) => [file, text] as const),
    ...pages.flatMap(({ files }) => [...files]),
  ]);
}

/** A page that is imported. */
interface ImportedPage {
  readonly functionName: string;
  readonly file: string;
  readonly alias: string;
}

/** Functions that `tenants.ts` has of its own. */
const OWN_FUNCTIONS: readonly string[] = ['addTenants', 'addFleet'];

/** Gives each function of a page a name of its own where it is imported. */
function withAliases(pages: readonly Omit<ImportedPage, 'alias'>[]): ImportedPage[] {
  const taken = new Set(OWN_FUNCTIONS);
  return pages.map(({ functionName, file }) => {
    let alias = functionName;
    for (let number = 2; taken.has(alias); number++) alias = `${functionName}${number}`;
    taken.add(alias);
    return { functionName, file, alias };
  });
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

/** The rules that are silenced, in the order of their ids. */
export function silencedRules(problems: readonly PageProblem[]): readonly string[] {
  return [...new Set(problems.map(({ rule }) => rule))].sort();
}

function silencesText(rules: readonly string[]): string {
  return `import type { validation } from 'cdk8s-cluster-api';

/**
 * Rules that the adopted manifests break; the command explain describes each. They are silent for new clusters of the app as well: remove a line
 * when its objects are mended, here, in package.json, in cdk8s.yaml and in the workflow.
 */
export const SILENCES: validation.ManifestSilence[] = [
${rules.map((rule) => `  { rule: ${stringText(rule)}, reason: ${stringText(SILENCE_REASON)} },\n`).join('')}];
`;
}

function mainText(carried: readonly CarriedFile[]): string {
  const names = ['GitOpsApp', ...carried.length > 0 ? ['ManifestFileChart'] : [], 'validation'];
  const charts = carried.map(({ id, file }) => `new ManifestFileChart(app, ${stringText(id)}, ${stringText(file)});\n`);
  return `import { ${names.join(', ')} } from 'cdk8s-cluster-api';
import { SILENCES } from './silences';
import { addTenants } from './tenants';

const app = new GitOpsApp({
  // CI compares with the target branch, everything else with the last commit.
  base: process.env.BASE || undefined,
  validation: validation.ManifestValidation.of({ silences: SILENCES }),
});

addTenants(app);

${charts.length === 0 ? '' : `// Manifests that no class of the library makes, as they were.\n${charts.join('')}\n`}app.synth();
`;
}
