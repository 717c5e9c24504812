import { CustomResourceDefinition, OpenApiSchema } from '../crds/definition';

/** Facts of the kinds of one API group that `data/schemas/` leaves out, for tests. */
export interface DefinitionFile {
  readonly kinds: { readonly [kind: string]: DefinitionKind };

  /** Rules in CEL, and the places in schemas that have them: `Kind/version.field[].*`. */
  readonly validations: readonly PlacedValidations[];
}

export interface DefinitionKind {
  readonly scope: 'Namespaced' | 'Cluster';

  /** The version that objects are stored in. */
  readonly storage: string;
}

interface PlacedValidations {
  readonly rules: readonly object[];
  readonly places: readonly string[];
}

/** The files of all definitions: one per API group, by name. */
export function definitionFiles(crds: readonly CustomResourceDefinition[]): Map<string, string> {
  const groups = [...new Set(crds.map(({ spec }) => spec.group))].sort();
  return new Map(groups.map((group) => [`${group}.json`, groupFile(crds.filter(({ spec }) => spec.group === group))]));
}

function groupFile(crds: readonly CustomResourceDefinition[]): string {
  const kinds = crds.map(({ spec: { names, scope, versions } }) => {
    const kind: DefinitionKind = { scope, storage: versions.find(({ storage }) => storage)!.name };
    return `${JSON.stringify(names.kind)}: ${JSON.stringify(kind)}`;
  });
  const places = new Map<string, string[]>();
  for (const { spec } of crds) {
    for (const { name, schema } of spec.versions.filter(({ served }) => served)) collect(schema.openAPIV3Schema, `${spec.names.kind}/${name}`, places);
  }
  const validations = [...places].map(([rules, found]) => `{"rules":${rules},"places":${JSON.stringify(found)}}`);
  return `{\n  "kinds": {${rows(kinds)}\n  },\n  "validations": [${rows(validations)}\n  ]\n}\n`;
}

/** Adds the rules of a schema and those inside it, with their places. */
function collect(schema: OpenApiSchema, place: string, places: Map<string, string[]>): void {
  const rules = JSON.stringify(schema['x-kubernetes-validations']);
  if (rules) places.set(rules, [...places.get(rules) ?? [], place]);
  for (const [field, inside] of Object.entries(schema.properties ?? {})) collect(inside, `${place}.${field}`, places);
  if (typeof schema.additionalProperties === 'object') collect(schema.additionalProperties, `${place}.*`, places);
  if (schema.items) collect(schema.items, `${place}[]`, places);
}

function rows(texts: readonly string[]): string {
  return texts.map((text) => `\n    ${text}`).join(',');
}
