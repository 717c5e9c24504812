import { RingGate } from './ring-gate';
import { checkKubernetesVersion, KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem, Rule } from '../../../manifests/values/problem';
import { TimeWindow } from '../../contracts/delivery/time-window';
import { Versions } from '../../contracts/versions';
import { checkVersion, checkVersions } from '../../tenant/cluster-checks';

/** A part of a fleet that gets changes at the same time. */
export interface FleetRing {
  /** Name of the ring, unique in the fleet (`TC-FLEET-RING`). */
  readonly name: string;

  /** Kubernetes version of its clusters (`TC-CLUSTER-VERSION`, `TC-FLEET-RING-ORDER`, `TC-FLEET-RING-STEP`). */
  readonly kubernetesVersion: string;

  /**
   * The versions of charts, images and controllers that its clusters get where neither their entry nor the profile says others: with a
   * newer package, the rings move to a newer catalog one after the other.
   *
   * Rule: `TC-CLUSTER-CATALOG`.
   *
   * @default - those of the fleet
   */
  readonly versions?: Versions;

  /**
   * Values for profiles, by key, such as versions of charts or tags of images. Values of the cluster and of overrides win.
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };

  /**
   * The reason why nothing of its clusters may change. A profile may freeze a cluster for a reason of its own.
   *
   * Rules: `TC-CLUSTER-FROZEN`, `TC-CLUSTER-FREEZE-REASON`.
   *
   * @default - they may change
   */
  readonly freeze?: string;

  /**
   * Times at which changes may reach its clusters. A profile may give a cluster windows of its own. See `changeWindows` of a
   * `TenantCluster`.
   *
   * @default - at any time
   */
  readonly changeWindows?: TimeWindow[];

  /**
   * Conditions under which clusters of later rings get changes. Clusters of the ring itself come one batch after the other.
   *
   * Rules: `TC-FLEET-RING-GATE`, `TC-FLEET-RING-GATE-NAME`.
   *
   * @default - none: later rings get changes at the same time
   */
  readonly gate?: RingGate;

  /**
   * Clusters of the ring that gates pass by, with the reason: later clusters do not wait for them, and they wait for no others. A sick
   * cluster no longer stops a rollout, an urgent change reaches one cluster at once. A name is `acme`, or with the namespace
   * `tenant-acme/acme`.
   *
   * Rule: `TC-FLEET-RING-MEMBER`.
   *
   * @default - none
   */
  readonly exceptFor?: { [cluster: string]: string };
}

/**
 * Checks names, versions and order of rings.
 *
 * @param rings the rings
 * @param versions the versions of rings that name none
 */
export function checkRings(rings: readonly FleetRing[], versions: Versions = Versions.newest()): Problem[] {
  return rings.flatMap((ring, index) => [
    ...checkName(rings, index),
    ...[...checkVersion(ring.kubernetesVersion), ...checkVersions(ring.versions)].map((problem) => ({ ...problem, property: `rings[${index}].${problem.property}` })),
    ...(index === 0 ? [] : [...checkOrder(rings[index - 1], ring, index), ...checkCatalogOrder(rings[index - 1], ring, index, versions)]),
  ]);
}

/** True if a cluster can be created with the version. */
export function isUsableVersion(version: string): boolean {
  return checkVersion(version).length === 0;
}

export const RING_RULE: Rule = {
  id: 'TC-FLEET-RING',
  title: 'Names of rings must be unique, and the ring of a cluster must exist.',
};

function checkName(rings: readonly FleetRing[], index: number): Problem[] {
  const { name } = rings[index];
  const first = rings.findIndex((ring) => ring.name === name);
  const at = { rule: RING_RULE, property: `rings[${index}].name` };
  if (name.trim() === '') return [{ ...at, message: 'the name is empty', fix: 'name the ring' }];
  return first === index ? [] : [{ ...at, message: `"${name}" is already the name of rings[${first}]`, fix: 'rename one of the two' }];
}

export const RING_ORDER_RULE: Rule = {
  id: 'TC-FLEET-RING-ORDER',
  title: 'A ring must not run a newer Kubernetes version, or a newer catalog of versions, than the ring before it. Only clusters of the first ring may run a newer Kubernetes than that ring.',
};

const RING_STEP_RULE: Rule = {
  id: 'TC-FLEET-RING-STEP',
  title: 'A ring must be at most one minor release behind the ring before it, so that the ring before it already runs its next version.',
  source: 'kubernetes.io/releases/version-skew-policy (Kubernetes is upgraded one minor release at a time), '
    + 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go (refuses more)',
};

function checkOrder(before: FleetRing, ring: FleetRing, index: number): Problem[] {
  if ([before, ring].some(({ kubernetesVersion }) => checkKubernetesVersion(kubernetesVersion) !== undefined)) return [];
  const [earlier, later] = [before, ring].map(({ kubernetesVersion }) => KubernetesVersion.of(kubernetesVersion));
  const property = `rings[${index}].kubernetesVersion`;
  if (later.compare(earlier) > 0) {
    return [{
      rule: RING_ORDER_RULE,
      property,
      message: `ring "${ring.name}" would run ${later}, and ring "${before.name}", which comes before it, runs ${earlier}`,
      accepted: `up to ${earlier}`,
      fix: `raise ring "${before.name}" first`,
    }];
  }
  if (earlier.major === later.major && earlier.minor - later.minor <= 1) return [];
  return [{
    rule: RING_STEP_RULE,
    property,
    message: `ring "${ring.name}" runs ${later}, ring "${before.name}" ${earlier}, and no ring between them tests the next version of ring "${ring.name}"`,
    accepted: `${earlier.minorVersion}.x and ${earlier.major}.${earlier.minor - 1}.x`,
    fix: `keep the version of ring "${before.name}" until ring "${ring.name}" has followed, or add a ring between them`,
  }];
}

/** Checks that newer catalogs start in the first ring, too. */
function checkCatalogOrder(before: FleetRing, ring: FleetRing, index: number, versions: Versions): Problem[] {
  const [earlier, later] = [before, ring].map((one) => one.versions ?? versions);
  if (checkVersions(earlier).length > 0 || checkVersions(later).length > 0 || later.catalog <= earlier.catalog) return [];
  return [{
    rule: RING_ORDER_RULE,
    property: `rings[${index}].versions`,
    message: `ring "${ring.name}" would get the versions of ${later.catalog}, and ring "${before.name}", which comes before it, has those of ${earlier.catalog}`,
    accepted: `Versions.of('${earlier.catalog}') and older ones`,
    fix: `move ring "${before.name}" first`,
  }];
}
