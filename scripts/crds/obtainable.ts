import { existsSync } from 'node:fs';
import { CRD_SOURCES, CrdSource } from './crd-source';
import { localFile } from './load';

/**
 * The sources as far as they can be had here. Upstream publishes no definitions of some KubeVirt kinds, so without a
 * directory that has them, their API groups are left out as a whole.
 */
export function obtainableSources(): readonly CrdSource[] {
  const absent = new Set(CRD_SOURCES.filter(source => !canBeHad(source)).flatMap(source => source.crds.map(crd => groupOf(crd.name))));
  return CRD_SOURCES
    .map(source => ({ ...source, crds: source.crds.filter(crd => !absent.has(groupOf(crd.name))) }))
    .filter(source => source.crds.length > 0);
}

/** Sources that can be had, without those of kinds that the servers of the suite do not have. */
export function servedSources(): readonly CrdSource[] {
  return obtainableSources().filter(({ unserved }) => !unserved);
}

/** The API groups that cannot be generated or compared here. */
export function absentGroups(): string[] {
  const obtainable = new Set(obtainableSources().flatMap(source => source.crds.map(crd => groupOf(crd.name))));
  return [...new Set(CRD_SOURCES.flatMap(source => source.crds.map(crd => groupOf(crd.name))))].filter(group => !obtainable.has(group)).sort();
}

function canBeHad(source: CrdSource): boolean {
  return source.urls.length > 0 || existsSync(localFile(source));
}

/** A definition is named `<plural>.<group>`. */
function groupOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
