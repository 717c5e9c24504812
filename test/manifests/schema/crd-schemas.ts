import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StructuralSchema } from './structural-schema';
import { DefinitionFile } from '../../../scripts/structure/definition-files';
import { StructureFile } from '../../../src/manifests/rules/structure/kind-structure';

/** Written by `npm run structure`. */
const DEFINITIONS = join(__dirname, 'definitions');
const DATA = join(__dirname, '..', '..', '..', 'data');
const SCHEMAS = join(DATA, 'schemas');

/** Definitions of providers of which the library has the whole. */
const WHOLE = join(DATA, 'definitions');

/** Definitions that come with the packages of an example. */
const OF_EXAMPLES = join(__dirname, '..', '..', '..', 'examples', 'own-strategies');

/** One version of a custom resource definition. */
export interface KindSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** True if objects are stored in this version. */
  readonly stored: boolean;
  readonly schema: StructuralSchema;
}

/** The schemas of the pinned upstream releases, by API version and kind; only versions that a server serves. */
export class CrdSchemas {
  /** Reads the custom resource definitions. */
  static load(): CrdSchemas {
    return new CrdSchemas(readdirSync(DEFINITIONS).flatMap((name) => kindsIn(name)), packagedDefinitions().flatMap(kindsOf));
  }

  /** Reads them with those of the packages of an example. */
  static loadWithExamples(): CrdSchemas {
    return new CrdSchemas(CrdSchemas.load().all(), [...packagedDefinitions(), ...exampleDefinitions()].flatMap(kindsOf));
  }

  private readonly kinds: ReadonlyMap<string, KindSchema>;
  private readonly whole: ReadonlyMap<string, KindSchema>;

  private constructor(kinds: readonly KindSchema[], whole: readonly KindSchema[]) {
    [this.kinds, this.whole] = [kinds, whole].map((some) => new Map(some.map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind])));
  }

  /** The schema of a kind, if an upstream release serves it. */
  find(apiVersion: string, kind: string): KindSchema | undefined {
    const key = `${apiVersion}/${kind}`;
    return this.kinds.get(key) ?? this.whole.get(key);
  }

  /** Every schema of the kinds that the library has rules for. */
  all(): readonly KindSchema[] {
    return [...this.kinds.values()];
  }
}

/** A definition as servers have it. */
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: KindSchema['scope'];
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string; readonly served: boolean; readonly storage: boolean; readonly schema: { readonly openAPIV3Schema: StructuralSchema };
    }[];
  };
}

function packagedDefinitions(): Definition[] {
  const files = readdirSync(WHOLE).map((name) => JSON.parse(readFileSync(join(WHOLE, name), 'utf8')) as { readonly definition: Definition }[]);
  return files.flat().map(({ definition }) => definition);
}

function exampleDefinitions(): Definition[] {
  const names = readdirSync(OF_EXAMPLES, { recursive: true, encoding: 'utf8' }).filter((name) => /\bcrds\b.*\.json$/.test(name));
  return names.map((name) => JSON.parse(readFileSync(join(OF_EXAMPLES, name), 'utf8')) as Definition);
}

function kindsOf({ spec: { group, scope, names: { kind }, versions } }: Definition): KindSchema[] {
  return versions.filter(({ served }) => served).map(({ name: version, storage: stored, schema: { openAPIV3Schema: schema } }) => (
    { apiVersion: `${group}/${version}`, kind, scope, stored, schema }));
}

function kindsIn(name: string): KindSchema[] {
  const { kinds, validations } = JSON.parse(readFileSync(join(DEFINITIONS, name), 'utf8')) as DefinitionFile;
  const { kinds: structures, nodes } = JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8')) as StructureFile;
  const rules = new Map(validations.flatMap((placed) => placed.places.map((place): [string, readonly object[]] => [place, placed.rules])));
  const places = [...rules.keys()];
  const shared = new Map<number, StructuralSchema>();

  /** The schema of a node: the same one for all places below which there are no rules in CEL. */
  function schemaOf(position: number, place: string): StructuralSchema {
    const known = shared.get(position);
    const hasRules = places.some((one) => one.startsWith(place));
    if (known && !hasRules) return known;
    const { type, open, embedded, set, keys, fields, values, items, ...limits } = nodes[position];
    const schema = {
      ...limits,
      ...(type === 'int-or-string' ? { 'x-kubernetes-int-or-string': true } : type && { type }),
      ...(open && { 'x-kubernetes-preserve-unknown-fields': true }),
      ...(embedded && { 'x-kubernetes-embedded-resource': true }),
      ...((set || keys) && { 'x-kubernetes-list-type': set ? 'set' : 'map' }),
      ...(keys && { 'x-kubernetes-list-map-keys': keys }),
      ...(fields && { properties: Object.fromEntries(Object.entries(fields).map(([field, inside]) => [field, schemaOf(inside, `${place}.${field}`)])) }),
      ...(values !== undefined && { additionalProperties: schemaOf(values, `${place}.*`) }),
      ...(items !== undefined && { items: schemaOf(items, `${place}[]`) }),
      ...(rules.has(place) && { 'x-kubernetes-validations': rules.get(place) }),
    } as StructuralSchema;
    if (!hasRules) shared.set(position, schema);
    return schema;
  }

  return Object.entries(kinds).flatMap(([kind, { scope, storage }]) => Object.entries(structures[kind].versions).map(([version, position]) => ({
    apiVersion: `${basename(name, '.json')}/${version}`,
    kind,
    scope,
    stored: version === storage,
    schema: schemaOf(position, `${kind}/${version}`),
  })));
}
