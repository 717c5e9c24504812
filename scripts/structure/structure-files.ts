import { KubernetesKind } from './kubernetes-kinds';
import { NodeTable } from './node-table';
import { FileKind, KindScope } from '../../src/manifests/rules/structure/kind-structure';
import { CrdSource } from '../crds/crd-source';
import { CrdVersion, CustomResourceDefinition, OpenApiSchema } from '../crds/definition';

/**
 * The files with the structure of all kinds: one per API group, by name. All versions that are served, without prose.
 *
 * @param crds the definitions, sorted by name
 * @param sources where they come from
 */
export function structureFiles(crds: readonly CustomResourceDefinition[], sources: readonly CrdSource[]): Map<string, string> {
  const releases = new Map(sources.flatMap(({ project, version, crds: pins }) => pins.map(({ name }) => [name, `${project} ${version}`])));
  const groups = [...new Set(crds.map(({ spec }) => spec.group))].sort();
  return new Map(groups.map((group) => [`${group}.json`, groupFile(crds.filter(({ spec }) => spec.group === group), releases)]));
}

function groupFile(crds: readonly CustomResourceDefinition[], releases: ReadonlyMap<string, string>): string {
  const table = new NodeTable();
  const kinds = crds.map(({ metadata, spec }): [string, FileKind] => {
    const versions = spec.versions.filter(({ served }) => served).map((version): [string, number] => {
      const place = `${spec.names.kind}/${version.name}`;
      return [version.name, table.add(rootOf(version, place), place)];
    });
    const { kind, plural } = spec.names;
    return [kind, { release: releases.get(metadata.name)!, plural, scope: spec.scope, versions: Object.fromEntries(versions) }];
  });
  return '{\n'
    + `  "kinds": {${rows(kinds.map(([kind, value]) => `${JSON.stringify(kind)}: ${JSON.stringify(value)}`))}\n  },\n`
    + `  "nodes": [${rows(table.nodes.map((node) => JSON.stringify(node)))}\n  ]\n`
    + '}\n';
}

/**
 * The file with the structure of Kubernetes' own kinds.
 *
 * @param kinds the kinds, sorted; versions of one kind from alpha to stable
 * @param release project and release that they are from
 */
export function kubernetesFile(kinds: readonly KubernetesKind[], release: string): string {
  const table = new NodeTable();
  const groups: Record<string, Record<string, { plural: string; scope: KindScope; versions: Record<string, number> }>> = {};
  for (const { group, version, kind, plural, scope, schema } of kinds) {
    ((groups[group] ??= {})[kind] ??= { plural, scope, versions: {} }).versions[version] = table.add(schema, `${group}/${version} ${kind}`);
  }
  return '{\n'
    + `  "release": ${JSON.stringify(release)},\n`
    + `  "groups": {${rows(Object.entries(groups).map(([group, value]) => `${JSON.stringify(group)}: ${JSON.stringify(value)}`))}\n  },\n`
    + `  "nodes": [${rows(table.nodes.map((node) => JSON.stringify(node)))}\n  ]\n`
    + '}\n';
}

function rows(texts: readonly string[]): string {
  return texts.map((text) => `\n    ${text}`).join(',');
}

/**
 * The schema of an object. Where the status is a subresource, a server ignores what a manifest says of it, so that it may be anything. What is
 * demanded of the metadata is the same for all kinds.
 */
function rootOf({ schema, subresources }: CrdVersion, place: string): OpenApiSchema {
  const root = schema.openAPIV3Schema;
  const narrowed = Object.keys(root.properties?.metadata ?? {}).filter((keyword) => keyword !== 'type' && keyword !== 'description');
  if (narrowed.length > 0) throw new Error(`${place}.metadata has demands of its own, which nobody would look at: ${narrowed.join(', ')}`);
  const { status, scale } = (subresources ?? {}) as Subresources;
  const properties = root.properties ?? {};
  const fields = status && properties.status ? { ...properties, status: { 'x-kubernetes-preserve-unknown-fields': true } } : properties;
  return notNegative({ ...root, properties: fields }, scale?.specReplicasPath.split('.').slice(1) ?? []);
}

/** Parts of an object with an address of their own. */
interface Subresources {
  readonly status?: object;
  readonly scale?: { readonly specReplicasPath: string };
}

/**
 * A schema with a field that is not negative, as a server demands of the number that can be scaled.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go (ValidateScaleSpec).
 */
function notNegative(schema: OpenApiSchema, [field, ...rest]: readonly string[]): OpenApiSchema {
  if (field === undefined) return schema;
  const inside = schema.properties?.[field];
  if (!inside) throw new Error(`the field ${field} that can be scaled is not described`);
  const limited = rest.length > 0 ? notNegative(inside, rest) : { ...inside, minimum: Math.max(0, (inside.minimum as number | undefined) ?? 0) };
  return { ...schema, properties: { ...schema.properties, [field]: limited } };
}
