import { renderGroup } from './group';
import { Kind, readKind } from './kind';
import { CRD_SOURCES, CrdSource } from '../crds/crd-source';
import { CustomResourceDefinition } from '../crds/definition';

/**
 * Writes the types of all kinds that have a version in the sources.
 *
 * @param crds the pinned definitions
 * @param sources which kinds to import
 * @returns text by file name, sorted by name; the same definitions give the same bytes
 */
export function generateImports(crds: readonly CustomResourceDefinition[], sources: readonly CrdSource[] = CRD_SOURCES): Map<string, string> {
  const definitions = new Map(crds.map(crd => [crd.metadata.name, crd]));
  const groups = new Map<string, Kind[]>();
  for (const source of sources) {
    for (const pin of source.crds) {
      if (pin.version === undefined) continue;
      const crd = definitions.get(pin.name);
      if (!crd) { throw new Error(`the definition of ${pin.name} is missing`); }
      const kind = readKind(crd, pin.version, source);
      groups.set(kind.group, [...groups.get(kind.group) ?? [], kind]);
    }
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([group, kinds]) => [`${group}.ts`, renderGroup(kinds)]));
}
