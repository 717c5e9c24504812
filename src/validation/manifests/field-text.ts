import { FieldPath } from './manifest-rule';

/** A field as people write it: `spec.rules[0]`, `metadata.annotations["example.com/a"]`; empty for the object as a whole. */
export function fieldText(path: FieldPath): string {
  return path.map((part, index) => {
    if (typeof part === 'number') return `[${part}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(part)) return `[${JSON.stringify(part)}]`;
    return index === 0 ? part : `.${part}`;
  }).join('');
}
