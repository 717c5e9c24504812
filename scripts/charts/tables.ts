import { KUBERNETES_WINDOWS } from './kubernetes-windows';
import { ReferenceChart } from './reference';

/** The rows of a table, by chart. */
export type Rows = Readonly<Record<string, unknown>>;

/** The row of each chart. */
export function rowsOf(charts: readonly ReferenceChart[], row: (chart: ReferenceChart) => unknown): Rows {
  return Object.fromEntries(charts.map((chart) => [chart.chart, row(chart)]));
}

/** Repository and version of a chart, the version of the program in it, the Kubernetes that it is for, and the source that was read. */
export function catalogEntry({ chart, repository, chartVersion: version, appVersion, kubeVersion, source }: ReferenceChart): object {
  // An OCI address ends in the name of the chart, and Helm ignores a slash at the end.
  const plain = repository.replace(/\/$/, '');
  const isWhole = plain.startsWith('oci://') && plain.endsWith(`/${chart}`);
  const address = isWhole ? plain.slice(0, -chart.length - 1) : plain;
  return { repository: address, version, appVersion, kubeVersion, source, testedKubernetes: KUBERNETES_WINDOWS[chart] };
}

/** Keys of a chart: below a name more keys, or the kind of its value: `v` a scalar, `m` a map of any keys, `l` a list. */
export interface KeyTree {
  [key: string]: KeyTree | 'v' | 'm' | 'l';
}

/** The keys of the values of a chart. */
export function keyTree(chart: ReferenceChart): KeyTree {
  const tree: KeyTree = {};
  const keys = { ...chart.values, ...chart.keysNotInValuesYaml };
  for (const key of Object.keys(keys).sort()) {
    const { path, list } = partsOf(key);
    insert(tree, path, list ? 'l' : keys[key] === '{}' || keys[key] === 'null' ? 'm' : 'v');
  }
  return tree;
}

/** The names of the keys: joined by commas, and in braces those below a key. */
export function keyNames(chart: ReferenceChart): string {
  const names = (tree: KeyTree): string => Object.entries(tree).map(([name, below]) => {
    if (/[{},]/.test(name)) throw new Error(`the key ${name} of ${chart.chart} has a character that separates keys in the table`);
    return typeof below === 'object' ? `${name}{${names(below)}}` : name;
  }).join(',');
  return names(keyTree(chart));
}

/** Splits `a."b.c"[].d` into a, b.c; keys below a list are left out. */
function partsOf(key: string): { path: string[]; list: boolean } {
  const path: string[] = [];
  for (const [, quoted, plain, list] of key.matchAll(/(?:"([^"]+)"|([^.[\]"]+))(\[\])?(?:\.|$)/g)) {
    path.push(quoted ?? plain);
    if (list) return { path, list: true };
  }
  return { path, list: false };
}

function insert(tree: KeyTree, [first, ...rest]: readonly string[], leaf: 'v' | 'm' | 'l'): void {
  const below = tree[first];
  if (rest.length === 0) {
    // A key that is listed with keys below it stays a map with known keys.
    if (typeof below !== 'object') tree[first] = leaf;
    return;
  }
  const inner = typeof below === 'object' ? below : {};
  tree[first] = inner;
  insert(inner, rest, leaf);
}
