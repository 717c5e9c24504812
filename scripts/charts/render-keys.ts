import { ReferenceChart } from './reference';

/** Keys of a chart: below a name more keys, or what stands there: `v` one value, `m` a map of any keys, `l` a list. */
export interface KeyTree {
  [key: string]: KeyTree | 'v' | 'm' | 'l';
}

/** The text of the list of keys that tests compare values with: one chart a line. */
export function renderKeys(charts: readonly ReferenceChart[]): string {
  const lines = charts.map((chart) => `  ${JSON.stringify(chart.chart)}: ${JSON.stringify(keyTree(chart))}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The keys of a chart. */
export function keyTree(chart: ReferenceChart): KeyTree {
  const tree: KeyTree = {};
  const keys = { ...chart.values, ...chart.keysNotInValuesYaml };
  for (const key of Object.keys(keys).sort()) {
    const { path, list } = partsOf(key);
    insert(tree, path, list ? 'l' : keys[key] === '{}' || keys[key] === 'null' ? 'm' : 'v');
  }
  return tree;
}

/** Splits `a."b.c"[].d` into a, b.c; what lies below a list is left out. */
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
