import { Fields, isFields } from '../values/fields';
import { nearestName } from '../values/nearest-name';

/** Types of fields of a kustomization. */
type FieldType = 'a string' | 'a list of strings' | 'an object' | 'an object of strings' | 'a list of objects';

/** Fields of a kustomization. Source: kubernetes-sigs/kustomize api/types/kustomization.go. */
const FIELDS: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ...typed('a string', 'apiVersion kind namePrefix nameSuffix namespace'),
  ...typed('a list of strings', 'resources components crds bases configurations generators transformers validators buildMetadata patchesStrategicMerge'),
  ...typed('an object', 'metadata helmGlobals generatorOptions sortOptions'),
  ...typed('an object of strings', 'openapi commonLabels commonAnnotations'),
  ...typed('a list of objects', 'labels patches patchesJson6902 images imageTags replacements replicas vars configMapGenerator secretGenerator helmCharts helmChartInflationGenerator'),
]);

/** Go takes keys for a field in any case (encoding/json Unmarshal). */
const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map([...FIELDS.keys()].map((field) => [field.toLowerCase(), field]));

/**
 * Reason that kustomize does not read a kustomization; undefined if it does. Values of fields inside of objects are not looked at.
 *
 * Source: kubernetes-sigs/kustomize api/types/kustomization.go (Unmarshal).
 */
export function kustomizationFault(kustomization: Fields): string | undefined {
  const reasons = Object.entries(kustomization).flatMap(([key, value]) => {
    const field = BY_LOWER_CASE.get(key.toLowerCase());
    if (field === undefined) {
      const near = nearestName(key, FIELDS.keys());
      return [`there is no field ${JSON.stringify(key)}${near === undefined ? '' : `: did you mean ${near}?`}`];
    }
    const type = FIELDS.get(field)!;
    return value === null || hasType(value, type) ? [] : [`${key} must be ${type}`];
  });
  return reasons[0];
}

function hasType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'a string': return typeof value === 'string';
    case 'an object': return isFields(value);
    case 'an object of strings': return isFields(value) && Object.values(value).every((entry) => entry === null || typeof entry === 'string');
    default: return Array.isArray(value) && (value as unknown[]).every((entry) => entry === null || (type === 'a list of strings' ? typeof entry === 'string' : isFields(entry)));
  }
}

function typed(type: FieldType, names: string): [string, FieldType][] {
  return names.split(' ').map((name) => [name, type]);
}
