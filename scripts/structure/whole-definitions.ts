import { DefinitionsFile, PackagedDefinition } from '../../src/manifests/rules/structure/structures';
import { CrdSource } from '../crds/crd-source';
import { CustomResourceDefinition, OpenApiSchema } from '../crds/definition';

/** Keywords of schemas that say nothing about which values are accepted. */
const PROSE: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs']);

/**
 * The files of definitions that become part of the package: one per API group, by name.
 *
 * @param crds the definitions, sorted by name
 * @param sources where they come from
 */
export function wholeDefinitions(crds: readonly CustomResourceDefinition[], sources: readonly CrdSource[]): Map<string, string> {
  const releases = new Map(sources.flatMap(({ project, version, crds: pins }) => pins.map(({ name }) => [name, `${project} ${version}`])));
  const groups = [...new Set(crds.map(({ spec }) => spec.group))].sort();
  return new Map(groups.map((group) => {
    const file: DefinitionsFile = crds.filter(({ spec }) => spec.group === group).map((crd) => packaged(crd, releases.get(crd.metadata.name)!));
    return [`${group}.json`, `[${file.map((one) => `\n  ${JSON.stringify(one)}`).join(',')}\n]\n`];
  }));
}

/** The status in a schema where it has an address of its own: servers ignore it in an object, and so do checks. */
const STATUS = { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true };

function packaged({ apiVersion, kind, metadata: { name }, spec }: CustomResourceDefinition, release: string): PackagedDefinition {
  const { group, scope, names, versions } = spec;
  return {
    kind: names.kind,
    release,
    definition: {
      apiVersion,
      kind,
      metadata: { name },
      spec: {
        group,
        scope,
        names: { kind: names.kind, plural: names.plural },
        versions: versions.filter(({ served }) => served).map(({ name: version, served, storage, schema, subresources }) => {
          const openAPIV3Schema = withoutProse(checkedSchema(schema.openAPIV3Schema, subresources));
          return { name: version, served, storage, schema: { openAPIV3Schema }, subresources };
        }),
      },
    },
  };
}

function checkedSchema(schema: OpenApiSchema, subresources: unknown): OpenApiSchema {
  const hasStatus = schema.properties?.status !== undefined && (subresources as { readonly status?: object } | undefined)?.status !== undefined;
  return hasStatus ? { ...schema, properties: { ...schema.properties, status: STATUS } } : schema;
}

/** A schema without prose. Fields may have the names of keywords. */
function withoutProse(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutProse);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !PROSE.has(keyword)).map(([keyword, value]) => {
    if (keyword === 'properties') return [keyword, Object.fromEntries(Object.entries(value as object).map(([field, inside]) => [field, withoutProse(inside)]))];
    return [keyword, keyword === 'default' || keyword === 'enum' ? value : withoutProse(value)];
  }));
}
