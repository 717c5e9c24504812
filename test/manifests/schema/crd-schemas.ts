import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StructuralSchema } from './structural-schema';
import { DefinitionFile } from '../../../scripts/structure/definition-files';

/** Written by `npm run structure`. */
const DEFINITIONS = join(__dirname, 'definitions');

/** One version of a custom resource definition. */
export interface KindSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Whether objects are stored in this version. */
  readonly stored: boolean;
  readonly schema: StructuralSchema;
}

/** The schemas of the pinned upstream releases, by API version and kind; only versions that a server serves. */
export class CrdSchemas {
  /** Reads the custom resource definitions. */
  static load(): CrdSchemas {
    return new CrdSchemas(readdirSync(DEFINITIONS).flatMap((name) => kindsIn(name)));
  }

  private readonly kinds: ReadonlyMap<string, KindSchema>;

  private constructor(kinds: readonly KindSchema[]) {
    this.kinds = new Map(kinds.map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind]));
  }

  /** The schema of a kind, if an upstream release serves it. */
  find(apiVersion: string, kind: string): KindSchema | undefined {
    return this.kinds.get(`${apiVersion}/${kind}`);
  }

  /** Every schema. */
  all(): readonly KindSchema[] {
    return [...this.kinds.values()];
  }
}

function kindsIn(name: string): KindSchema[] {
  const { kinds, schemas } = JSON.parse(readFileSync(join(DEFINITIONS, name), 'utf8')) as DefinitionFile;
  const resolved: unknown[] = [];
  for (const schema of schemas) resolved.push(withParts(schema, resolved));
  return Object.entries(kinds).flatMap(([kind, { scope, storage, versions }]) => Object.entries(versions).map(([version, position]) => ({
    apiVersion: `${basename(name, '.json')}/${version}`,
    kind,
    scope,
    stored: version === storage,
    schema: resolved[position] as StructuralSchema,
  })));
}

/** A value with the parts that its references stand for. */
function withParts(value: unknown, parts: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withParts(item, parts));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return parts[value.$ref as number];
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withParts(inner, parts)]));
}
