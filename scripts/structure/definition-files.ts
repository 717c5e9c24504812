import { CustomResourceDefinition } from '../crds/definition';

/** Objects with a shorter text are written where they are used. */
const SHORTEST_SHARED_TEXT = 40;

/** The served versions of kinds, with the whole schema but its prose: what the tests validate objects against. */
export interface DefinitionFile {
  readonly kinds: { readonly [kind: string]: DefinitionKind };
  /** Parts of schemas. `{ "$ref": n }` in a part stands for the part `n`, which comes before it. */
  readonly schemas: readonly unknown[];
}

export interface DefinitionKind {
  readonly scope: 'Namespaced' | 'Cluster';
  /** The version that objects are stored in. */
  readonly storage: string;
  /** For each served version the part that is its schema. */
  readonly versions: { readonly [version: string]: number };
}

/** The files of all definitions: one per API group, by name. Equal parts of schemas are written once. */
export function definitionFiles(crds: readonly CustomResourceDefinition[]): Map<string, string> {
  const groups = [...new Set(crds.map(({ spec }) => spec.group))].sort();
  return new Map(groups.map((group) => [`${group}.json`, groupFile(crds.filter(({ spec }) => spec.group === group))]));
}

function groupFile(crds: readonly CustomResourceDefinition[]): string {
  const parts = new Map<string, number>();
  const kinds = crds.map(({ spec }) => {
    const served = spec.versions.filter((version) => version.served);
    const kind: DefinitionKind = {
      scope: spec.scope,
      storage: spec.versions.find((version) => version.storage)!.name,
      versions: Object.fromEntries(served.map(({ name, schema }) => [name, add(parts, JSON.stringify(withShared(schema.openAPIV3Schema, parts)))])),
    };
    return `${JSON.stringify(spec.names.kind)}: ${JSON.stringify(kind)}`;
  });
  return `{\n  "kinds": {${rows(kinds)}\n  },\n  "schemas": [${rows([...parts.keys()])}\n  ]\n}\n`;
}

/** A copy of a value without descriptions, in which references stand for the longer objects. */
function withShared(value: unknown, parts: Map<string, number>): unknown {
  if (Array.isArray(value)) return value.map((item) => shared(item, parts));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, inner]) => !(key === 'description' && typeof inner === 'string'));
  return Object.fromEntries(entries.map(([key, inner]) => [key, shared(inner, parts)]));
}

function shared(value: unknown, parts: Map<string, number>): unknown {
  const copy = withShared(value, parts);
  const text = JSON.stringify(copy);
  const isObject = typeof copy === 'object' && copy !== null && !Array.isArray(copy);
  return isObject && text.length >= SHORTEST_SHARED_TEXT ? { $ref: add(parts, text) } : copy;
}

function add(parts: Map<string, number>, text: string): number {
  const position = parts.get(text) ?? parts.size;
  parts.set(text, position);
  return position;
}

function rows(texts: readonly string[]): string {
  return texts.map((text) => `\n    ${text}`).join(',');
}
