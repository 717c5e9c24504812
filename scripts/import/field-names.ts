import { Declarations, StructDeclaration } from './declarations';
import { FieldNames } from '../../src/constructs/app/synth/api-fields';

/**
 * Collects the fields of a kind that TypeScript calls differently than the API.
 *
 * @param root name of the struct with the props
 * @param declarations all structs of the file
 * @returns the tree, or `undefined` when no name differs
 */
export function fieldNames(root: string, declarations: Declarations): FieldNames | undefined {
  const structs = new Map(declarations.structs.map(struct => [struct.name, struct]));
  const known = new Map<string, FieldNames | undefined>();

  return ofType(root);

  function ofType(type: string): FieldNames | undefined {
    const map = /^\{ \[key: string\]: (.+) \}$/.exec(type);
    if (map) {
      const values = ofType(map[1]);
      return values && { '*': values };
    }
    if (type.endsWith('[]')) { return ofType(type.slice(0, -2)); }
    const struct = structs.get(type);
    if (!struct) { return undefined; }
    if (!known.has(type)) { known.set(type, ofStruct(struct)); }
    return known.get(type);
  }

  function ofStruct(struct: StructDeclaration): FieldNames | undefined {
    const entries: Array<[string, FieldNames[string]]> = [];
    for (const { api, typescript, type } of struct.fields) {
      const below = ofType(type);
      if (api !== typescript) {
        entries.push([typescript, below ? [api, below] : api]);
      } else if (below) {
        entries.push([typescript, below]);
      }
    }
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
}

/** Refuses structs in which fields got lost because two API names became one TypeScript name. */
export function checkFields(struct: StructDeclaration, apiNames: readonly string[]): void {
  const written = new Set(struct.fields.map(field => field.api));
  const lost = apiNames.filter(name => !written.has(name));
  if (lost.length > 0) {
    throw new Error(`${struct.place}: no TypeScript name is left for ${lost.join(', ')}, because another field has the same one`);
  }
  const names = new Set(struct.fields.flatMap(({ api, typescript }) => (api === typescript ? [] : [typescript])));
  const ambiguous = apiNames.filter(name => names.has(name));
  if (ambiguous.length > 0) {
    throw new Error(`${struct.place}: ${ambiguous.join(', ')} is a field of the API and the TypeScript name of another one`);
  }
}
