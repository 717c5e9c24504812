import { FLEET_RULES } from './rules';
import { Problem } from '../problems/problem';
import { checkVersion } from '../tenant-cluster/cluster-checks';
import { checkKubernetesVersion, KubernetesVersion } from '../values/kubernetes-version';

/** A part of a fleet that gets changes at the same time. */
export interface FleetRing {
  /** Name of the ring, unique in the fleet (`TC-FLEET-RING`). */
  readonly name: string;

  /** Kubernetes version of its clusters (`TC-CLUSTER-VERSION`, `TC-FLEET-RING-ORDER`, `TC-FLEET-RING-STEP`). */
  readonly kubernetesVersion: string;

  /**
   * Values for profiles, by key, such as versions of charts or tags of images. Values of the cluster and of overrides win.
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };

  /**
   * The reason why nothing of its clusters may change (`TC-CLUSTER-FROZEN`, `TC-CLUSTER-FREEZE-REASON`). A profile may freeze a cluster for a
   * reason of its own.
   *
   * @default - they may change
   */
  readonly freeze?: string;
}

/** Checks names, versions and order of rings. */
export function checkRings(rings: readonly FleetRing[]): Problem[] {
  return rings.flatMap((ring, index) => [
    ...checkName(rings, index),
    ...checkVersion(ring.kubernetesVersion).map((problem) => ({ ...problem, property: `rings[${index}].kubernetesVersion` })),
    ...(index === 0 ? [] : checkOrder(rings[index - 1], ring, index)),
  ]);
}

/** True if a cluster can be created with the version. */
export function isUsableVersion(version: string): boolean {
  return checkVersion(version).length === 0;
}

function checkName(rings: readonly FleetRing[], index: number): Problem[] {
  const { name } = rings[index];
  const first = rings.findIndex((ring) => ring.name === name);
  const at = { rule: FLEET_RULES.ring, property: `rings[${index}].name` };
  if (name.trim() === '') return [{ ...at, message: 'the name is empty', fix: 'name the ring' }];
  return first === index ? [] : [{ ...at, message: `"${name}" is already the name of rings[${first}]`, fix: 'rename one of the two' }];
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
    message: `ring "${ring.name}" runs ${later}, ring "${before.name}" ${earlier}, and no ring between them tests the next version of ring "${ring.name}"`,
    accepted: `${earlier.minorVersion}.x and ${earlier.major}.${earlier.minor - 1}.x`,
    fix: `keep the version of ring "${before.name}" until ring "${ring.name}" has followed, or add a ring between them`,
  }];
}
