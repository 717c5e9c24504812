import { expressionText, stringText } from './expression-text';
import { FleetGroup } from './fleet-model';
import { addonsText, importsOf, importText, patchesText, removedText, variableNames } from './page-text';

/** The name of the file with the list, in the app. */
export const LIST_FILE = 'clusters.csv';

/** The program of a fleet: a profile for each group of clusters. */
export function fleetText(groups: readonly FleetGroup[]): string {
  const imports = groups.flatMap(({ page }) => importsOf(page));
  const finds = groups.some(({ page }) => page.patches.some(({ target: { member } }) => typeof member !== 'string'));
  const patched = groups.some(({ page }) => page.patches.length > 0);
  const names = ['ClusterList', 'Fleet', 'type GitOpsApp', 'type IClusterProfile', 'type TenantCluster', ...imports];
  return `${importText([...new Set([...names, ...patched ? ['JsonPatch'] : [], ...finds ? ['ApiObject'] : []])])}
${groups.map(profileText).join('\n')}
/** Adds the clusters of ${LIST_FILE}. Another one is a line there. */
export function addFleet(app: GitOpsApp): TenantCluster[] {
  return new Fleet(app, 'fleet', {
    clusters: ClusterList.fromFile(${stringText(LIST_FILE)}),
    profiles: { ${groups.map(({ profile }) => profileEntry(profile)).join(', ')} },
  }).clusters;
}
`;
}

function profileEntry(profile: string): string {
  const name = constantName(profile);
  return name === profile ? name : `${stringText(profile)}: ${name}`;
}

function profileText({ profile, page, members }: FleetGroup): string {
  const names = variableNames(page);
  const tenant = names.get(undefined)!;
  const patched = new Set(page.patches.flatMap(({ target: { pool } }) => pool ?? []));
  const pools = page.pools.map(({ id, props }) => {
    const head = `${patched.has(id) ? `const ${names.get(id)} = ` : ''}${tenant}.addNodePool(${stringText(id)}, `;
    return `    ${head}${expressionText(props, '    ', head.length)});\n`;
  });
  const statements = [...pools, ...addonsText(page, names, '    '), ...removedText(page.removed, tenant, '    '), ...patchesText(page.patches, names, '    ')];
  return `/** ${members.length} clusters. */
const ${constantName(profile)}: IClusterProfile = {
  props: (cluster) => (${expressionText(page.props, '  ', 20)}),
  populate: (${tenant}, cluster) => {
${statements.join('')}  },
};
`;
}

function constantName(profile: string): string {
  return profile.replace(/-+(.)/g, (_, next: string) => next.toUpperCase()).replace(/^(?=\d)/, 'profile');
}

/** The list of a fleet. */
export function listText(groups: readonly FleetGroup[]): string {
  const columns = [...new Set(groups.flatMap((group) => group.columns))];
  const several = groups.length > 1;
  const head = ['name', 'namespace', ...several ? ['profile'] : [], 'kubernetesVersion', ...columns];
  const rows = groups.flatMap(({ profile, members }) => members.map(({ solved: { parts }, kubernetesVersion, values }) => [
    parts.name, parts.namespace, ...several ? [profile] : [], kubernetesVersion, ...columns.map((column) => values.get(column) ?? ''),
  ]));
  return [head, ...rows.sort(([one], [other]) => (one < other ? -1 : 1))].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
