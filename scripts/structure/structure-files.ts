import { NodeTable } from './node-table';
import { FileKind } from '../../src/validation/manifests/structure/structure-file';
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
    return [spec.names.kind, { release: releases.get(metadata.name)!, versions: Object.fromEntries(versions) }];
  });
  const rows = (texts: readonly string[]): string => texts.map((text) => `\n    ${text}`).join(',');
  return '{\n'
    + `  "kinds": {${rows(kinds.map(([kind, value]) => `${JSON.stringify(kind)}: ${JSON.stringify(value)}`))}\n  },\n`
    + `  "nodes": [${rows(table.nodes.map((node) => JSON.stringify(node)))}\n  ]\n`
    + '}\n';
}

/**
 * The schema of an object. Where the status is a subresource, a server ignores what a manifest says of it, so that it may be anything. What is
 * demanded of the metadata is the same for all kinds.
 */
function rootOf({ schema, subresources }: CrdVersion, place: string): OpenApiSchema {
  const root = schema.openAPIV3Schema;
  const narrowed = Object.keys(root.properties?.metadata ?? {}).filter((keyword) => keyword !== 'type' && keyword !== 'description');
  if (narrowed.length > 0) throw new Error(`${place}.metadata has demands of its own, which nobody would look at: ${narrowed.join(', ')}`);
  const isSubresource = (subresources as { readonly status?: object } | undefined)?.status !== undefined;
  if (!isSubresource || !root.properties?.status) return root;
  return { ...root, properties: { ...root.properties, status: { 'x-kubernetes-preserve-unknown-fields': true } } };
}
