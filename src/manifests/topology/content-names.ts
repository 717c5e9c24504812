import { TopologyObjects } from './desired-objects';
import { MadeObject } from './pool-objects';
import { RANDOM } from './template-objects';
import { groupKind, ManifestObject, nameOf } from '../objects/manifest-object';
import { storedObject } from '../stored/stored-objects';
import { contentHash } from '../values/content-hash';
import { fieldAt, Fields, pointerTo, withValues } from '../values/fields';

/** Paths of the references of pools and control planes to their templates. */
const REFERENCES: readonly (readonly string[])[] = [
  ['spec', 'template', 'spec', 'infrastructureRef'],
  ['spec', 'template', 'spec', 'bootstrap', 'configRef'],
  ['spec', 'machineTemplate', 'spec', 'infrastructureRef'],
  ['spec', 'machineTemplate', 'infrastructureRef'],
];

/**
 * Names the copies of templates by their specs: the controller gives a copy a new name when its spec changes, and changes its metadata in place.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/reconcile_state.go (reconcileReferencedTemplate), v1.14.2.
 */
export function withContentNames(topology: TopologyObjects): TopologyObjects {
  const { controlPlane, pools } = topology;
  const copy = controlPlane.machines && named(controlPlane.machines.copy);
  return {
    ...topology,
    controlPlane: !copy ? controlPlane
      : { ...controlPlane, object: referring(controlPlane.object, [copy]), machines: { ...controlPlane.machines!, copy } },
    pools: pools.map((pool) => {
      if (pool.list === 'machinePools') return pool;
      const [bootstrap, infrastructure] = [pool.bootstrap, pool.infrastructure].map((made): MadeObject => ({ ...made, object: named(made.object) }));
      return { ...pool, bootstrap, infrastructure, object: referring(pool.object, [bootstrap.object, infrastructure.object]) };
    }),
  };
}

/** Hashes of what is stored, by what is written: most Clusters of a class have the same templates. */
const HASHES = new Map<string, string>();
const MOST_KEPT = 10_000;

function storedHash({ apiVersion, kind, spec }: ManifestObject): string {
  const written = contentHash({ apiVersion, kind, spec }, 64);
  const known = HASHES.get(written) ?? contentHash(storedObject({ apiVersion, kind, spec }).spec);
  if (HASHES.size >= MOST_KEPT) HASHES.clear();
  HASHES.set(written, known);
  return known;
}

function named(copy: ManifestObject): ManifestObject {
  const name = `${nameOf(copy)!.slice(0, -RANDOM.length)}${storedHash(copy)}`;
  return { ...copy, metadata: { ...copy.metadata as Fields, name } };
}

function referring(owner: ManifestObject, copies: readonly ManifestObject[]): ManifestObject {
  const changes = REFERENCES.flatMap((path) => {
    const reference = fieldAt(owner, ...path) as Fields | undefined;
    const copy = reference && copies.find((one) => groupKind(one).endsWith(`/${String(reference.kind)}`));
    return copy ? [[pointerTo([...path, 'name']), nameOf(copy)] as const] : [];
  });
  return withValues(owner, new Map(changes));
}
