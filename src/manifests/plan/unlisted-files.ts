import { ChangeKind, UnreadFile } from './plan-model';
import { AppliedStates } from '../landscape/applied-objects';
import { inputFiles, ManifestState, pathWithin } from '../landscape/manifest-state';
import { ManifestObject, objectName } from '../objects/manifest-object';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { sameValue } from '../values/fields';

/** Reason that the objects of a file are not in a plan. */
const UNLISTED = 'no kustomization or delivery applies it';

/** Nature of a file with manifests that kustomize puts into others, such as a ConfigMap. */
const INPUT = 'input of kustomize';

/** Files that differ in objects that are applied in neither state. What is applied in one of them is created or removed. */
export function unlistedFiles(unlisted: AppliedStates['unlisted'], states: readonly ManifestState[]): UnreadFile[] {
  const [old, now] = unlisted.map((objects, index) => {
    const files = new Map<string, ManifestObject[]>();
    for (const { object, place } of objects) {
      const file = pathWithin(states[index], place.file);
      files.set(file, [...files.get(file) ?? [], object]);
    }
    return files;
  });
  const inputs = inputFiles(states);
  return [...new Set([...old.keys(), ...now.keys()])].filter((file) => !sameValue(old.get(file) ?? [], now.get(file) ?? []))
    .map((file) => {
      const change = !old.has(file) ? ChangeKind.CREATED : now.has(file) ? ChangeKind.CHANGED : ChangeKind.REMOVED;
      if (inputs.isContent(file)) return { file, change, what: INPUT, fields: [] };
      const clusters = new Set([...old.get(file) ?? [], ...now.get(file) ?? []].filter(isCluster).map(objectName));
      return { file, change, what: UNLISTED, fields: [], isUnapplied: true, ...(clusters.size > 0 && { clusters: [...clusters] }) };
    });
}
