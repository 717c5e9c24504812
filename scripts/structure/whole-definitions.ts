import { DefinitionsFile, PackagedDefinition } from '../../src/manifests/rules/structure/structures';
import { CrdSource } from '../crds/crd-source';
import { CustomResourceDefinition } from '../crds/definition';

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

function packaged({ apiVersion, kind, metadata: { name }, spec }: CustomResourceDefinition, release: string): PackagedDefinition {
  const { group, scope, names, versions } = spec;
  return {
    release,
    definition: {
      apiVersion,
      kind,
      metadata: { name },
      spec: {
        group,
        scope,
        names: { kind: names.kind, plural: names.plural },
        versions: versions.map(({ name: version, served, storage, schema, subresources }) => (
          { name: version, served, storage, schema: { openAPIV3Schema: withoutProse(schema.openAPIV3Schema) }, subresources })),
      },
    },
  };
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
