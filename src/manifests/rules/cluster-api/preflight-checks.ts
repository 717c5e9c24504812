import { KUBEADM_CONFIG_TEMPLATE } from './cluster-api-kinds';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, stringAt } from '../../values/fields';
import { parseSemanticVersion, SemanticVersion } from '../../values/semantic-version';
import { ManifestIndex } from '../manifest-index';
import { clusterOfOwner, objectReference, partOf } from '../references/object-references';

/** Annotation of a pool with the checks that Cluster API leaves out (api/core/v1beta2/machineset_types.go). */
export const SKIPPED_CHECKS = 'machineset.cluster.x-k8s.io/skip-preflight-checks';

/** The checks that Cluster API makes before it creates machines of a pool. */
export const PREFLIGHT = 'kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_preflight.go';

/** Minor versions that machines may be behind their control plane. */
export const OLDEST_WORKER = 3;

/** Versions of a pool and its control plane, between which Cluster API creates no machines. */
export interface VersionSkew {
  readonly pool: SemanticVersion;
  readonly controlPlane: SemanticVersion;

  /** The control plane. */
  readonly plane: ManifestObject;

  /** True if kubeadm sets up the machines, which requires the same minor version. */
  readonly isKubeadm: boolean;
}

/** True if Cluster API leaves out a check before it creates machines of a pool. The annotation of its bootstrap template counts if it has none. */
export function skipsCheck(pool: ManifestObject, index: ManifestIndex, ...names: readonly string[]): boolean {
  const reference = bootstrapOf(pool);
  const bootstrap = reference && index.find(reference.kind, namespaceOf(pool), reference.name);
  const annotations = [pool, bootstrap].map((object) => stringAt(object, 'metadata', 'annotations', SKIPPED_CHECKS));
  const skipped = annotations.find((text) => text !== undefined && text !== '')?.split(',').map((check) => check.trim()) ?? [];
  return ['All', ...names].some((name) => skipped.includes(name));
}

/** The versions of a MachineDeployment or MachineSet and its control plane, if Cluster API creates no machines because of them. */
export function versionSkew(pool: ManifestObject, index: ManifestIndex): VersionSkew | undefined {
  const cluster = clusterOfOwner(pool, index);
  const plane = cluster && partOf(cluster, 'controlPlaneRef', index);
  const [own, other] = [stringAt(pool, 'spec', 'template', 'spec', 'version'), stringAt(plane, 'spec', 'version')].map((text) => parseSemanticVersion(text ?? ''));
  if (!plane || !own || !other || (own.major === other.major && own.minor === other.minor)) return undefined;
  const isKubeadm = bootstrapOf(pool)?.kind === KUBEADM_CONFIG_TEMPLATE;
  const isTooFar = own.major !== other.major || own.minor > other.minor || own.minor < other.minor - OLDEST_WORKER;
  const isHeld = (isTooFar && !skipsCheck(pool, index, 'KubernetesVersionSkew')) || (isKubeadm && !skipsCheck(pool, index, 'KubeadmVersionSkew'));
  return isHeld ? { pool: own, controlPlane: other, plane, isKubeadm } : undefined;
}

function bootstrapOf(pool: ManifestObject): ReturnType<typeof objectReference> {
  return objectReference(fieldAt(pool, 'spec', 'template', 'spec', 'bootstrap', 'configRef'));
}
