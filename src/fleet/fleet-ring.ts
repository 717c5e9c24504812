import { FLEET_RULES } from './rules';
import { checkKubernetesVersion, KubernetesVersion } from '../kubernetes/kubernetes-version';
import { checkVersion } from '../tenant-cluster/cluster-checks';
import { Problem } from '../validation/problem';

/** A part of a fleet that gets changes at one time. */
export interface FleetRing {
  /** Name of the ring, once among the rings (`TC-FLEET-RING`). */
  readonly name: string;

  /** Kubernetes version of its clusters (`TC-CLUSTER-VERSION`, `TC-FLEET-RING-ORDER`, `TC-FLEET-RING-STEP`). */
  readonly kubernetesVersion: string;

  /**
   * What profiles read of the clusters in the ring, by key, unless the cluster itself or an override says otherwise: versions of charts,
   * tags of images, anything that a cluster of the list could say.
   *
   * @default - nothing
   */
  readonly values?: { [key: string]: any };
}

/** Checks names, versions and order of rings. */
export function checkRings(rings: readonly FleetRing[]): Problem[] {
  return rings.flatMap((ring, index) => [
    ...checkName(rings, index),
    ...checkVersion(ring.kubernetesVersion).map((problem) => ({ ...problem, property: `rings[${index}].kubernetesVersion` })),
    ...(index === 0 ? [] : checkOrder(rings[index - 1], ring, index)),
  ]);
}

/** Whether a cluster can be made with a version at all. */
export function isUsableVersion(version: string): boolean {
  return checkVersion(version).length === 0;
}

function checkName(rings: readonly FleetRing[], index: number): Problem[] {
  const { name } = rings[index];
  const first = rings.findIndex((ring) => ring.name === name);
  const at = { rule: FLEET_RULES.ring, property: `rings[${index}].name` };
  if (name.trim() === '') return [{ ...at, message: 'the name is empty', fix: 'name the ring' }];
  return first === index ? [] : [{ ...at, message: `"${name}" is the name of rings[${first}] already`, fix: 'rename one of the two' }];
}

function checkOrder(before: FleetRing, ring: FleetRing, index: number): Problem[] {
  if ([before, ring].some(({ kubernetesVersion }) => checkKubernetesVersion(kubernetesVersion) !== undefined)) return [];
  const [earlier, later] = [before, ring].map(({ kubernetesVersion }) => KubernetesVersion.of(kubernetesVersion));
  const property = `rings[${index}].kubernetesVersion`;
  if (later.compare(earlier) > 0) {
    return [{
      rule: FLEET_RULES.ringOrder,
      property,
      message: `ring "${ring.name}" would run ${later}, and ring "${before.name}", which comes before it, runs ${earlier}`,
      accepted: `up to ${earlier}`,
      fix: `raise ring "${before.name}" first`,
    }];
  }
  if (earlier.major === later.major && earlier.minor - later.minor <= 1) return [];
  return [{
    rule: FLEET_RULES.ringStep,
    property,
    message: `ring "${ring.name}" runs ${later}, ring "${before.name}" ${earlier}, and nothing between them would try what ring "${ring.name}" is raised to next`,
    accepted: `${earlier.minorVersion}.x and ${earlier.major}.${earlier.minor - 1}.x`,
    fix: `leave ring "${before.name}" where it was until ring "${ring.name}" has followed, or put a ring between them`,
  }];
}
