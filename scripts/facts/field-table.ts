import { FieldChange, FieldTree, minorOf } from './reference';

/**
 * The fields of a configuration kind, one line for each: its path with `[]` for the elements of a list and `*` for any key, then
 * its type, then `+1.36` if it exists from that minor on. Objects are not listed beside their fields. Lines are sorted.
 *
 * The tree is that of the newest version; a field that was removed on the way would be missing, so that stops it.
 */
export function fieldTable(tree: FieldTree, changes: readonly FieldChange[]): string[] {
  const removed = changes.flatMap((change) => change.removed);
  if (removed.length > 0) {
    throw new Error(`fields were removed, which the notation does not know: ${removed.join(', ')}`);
  }
  const since = changes.flatMap((change) => change.added.map((path) => ({ path, minor: minorOf(change.to) })));
  return leaves(tree, '').map(({ path, type }) => {
    const added = since.find((change) => path === change.path || path.startsWith(`${change.path}.`) || path.startsWith(`${change.path}[]`));
    return `${path} ${type}${added ? `+${added.minor}` : ''}`;
  }).sort();
}

function leaves(tree: FieldTree, path: string): { path: string; type: string }[] {
  if (typeof tree === 'string') {
    return [{ path, type: tree }];
  }
  if (Array.isArray(tree)) {
    return leaves(tree[0] as FieldTree, `${path}[]`);
  }
  return Object.entries(tree).flatMap(([field, inner]) => leaves(inner as FieldTree, path === '' ? field : `${path}.${field}`));
}
