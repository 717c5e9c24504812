import { RELEASE_TEXT } from './pod-network-examples';
import { knownPodNetworks, releaseKinds } from './pod-networks';
import { releasesOf, tenantOf } from './tenants';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { isCloudController, runs } from '../rules/changes/controller-changes';
import { TransitionRule } from '../rules/changes/transition-rule';
import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { isAsleep, membersOfCluster } from '../rules/cluster-api/cluster-members';
import { documents } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS } from '../rules/pod-objects';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT } from '../rules/references/examples';
import { deliveryFacts, providers } from '../systems/providers';
import { fieldAt, stringAt } from '../values/fields';

const COMMANDS = '      preKubeadmCommands: ["true"]\n';
const PARTS: readonly string[] = [CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, POOL_TEXT, RELEASE_TEXT];
const EXTERNAL_TEXT = BOOTSTRAP_TEXT.replace(COMMANDS, '      joinConfiguration: {nodeRegistration: {kubeletExtraArgs: [{name: cloud-provider, value: external}]}}\n');

/** Words that speak of a cloud controller manager, in charts of any name and in files and commands of machines. */
const WORDS = /cloud-?controller|cloud-?provider(?!"|-)|\bccm\b|-ccm\b|\bcpi\b/i;

/** Names of charts whose content is known, and that bring no cloud controller manager. */
function plainCharts(): ReadonlySet<string> {
  return new Set([...knownPodNetworks(), ...providers().flatMap(({ dnsServers = [] }) => dnsServers)].map(({ chart }) => chart));
}

const MISSING: ManifestRule = {
  id: 'TC-TRAP-CLOUD-CONTROLLER-MISSING',
  title: 'A cluster whose kubelets join with --cloud-provider=external should have a cloud controller manager: nothing is scheduled on its nodes otherwise.',
  source: 'kubernetes/kubernetes pkg/kubelet/kubelet_node_status.go (TaintExternalCloudProvider); kubernetes/cloud-provider controllers/node/node_controller.go',
  kinds: [CLUSTER],
  trap: true,
  warning: true,
  elsewhere: true,
  example: { failing: documents(...PARTS, EXTERNAL_TEXT), corrected: documents(...PARTS, BOOTSTRAP_TEXT) },
  check: (object, index) => {
    const waiting = configurationsOf(object, index).find((one) => awaits(one));
    return waiting === undefined || !isVisible(object, index) ? [] : [{
      path: [],
      message: `nodes of ${String(waiting.kind)} ${nameOf(waiting) ?? ''} join with --cloud-provider=external, and no cloud controller manager is among what is delivered to the cluster`,
      fix: 'deliver the cloud controller manager of the platform, or remove cloud-provider from the arguments of the kubelets',
    }];
  },
};

/** Charts of cloud controller managers. */
const MANAGER_CHART = /(?:^|-)(?:cloud-controller-manager|ccm|cpi)$/;

/** Settings of a kubelet by which its node gets the identifier of its machine. */
const IDENTIFIED = /cloud-provider|provider-?id/i;

const MANAGER_TEXT = RELEASE_TEXT.slice(0, RELEASE_TEXT.indexOf('  values:')).replaceAll('cilium', 'acme-cloud-controller-manager').replace('1.20.0', '2.35.0');

const IDLE: ManifestRule = {
  id: 'TC-TRAP-CLOUD-CONTROLLER-IDLE',
  title: 'Kubelets must join with --cloud-provider=external where a cloud controller manager is delivered: it leaves other nodes alone, '
    + 'they get no provider ID, and Cluster API finds no node of its machines.',
  source: 'kubernetes/cloud-provider controllers/node/node_controller.go (syncNode); kubernetes-sigs/cluster-api internal/controllers/machine/machine_controller_noderef.go',
  kinds: [CLUSTER],
  trap: true,
  warning: true,
  example: { failing: documents(...PARTS, BOOTSTRAP_TEXT, MANAGER_TEXT), corrected: documents(...PARTS, EXTERNAL_TEXT, MANAGER_TEXT) },
  check: (object, index) => {
    const other = configurationsOf(object, index).find((one) => states(one) && !IDENTIFIED.test(JSON.stringify(one)));
    const manager = other && deliveredParts(index).managers.get(object);
    return !manager ? [] : [{
      path: [],
      message: `${String(manager.kind)} ${nameOf(manager) ?? ''} installs a cloud controller manager, and kubelets of ${String(other!.kind)} ${nameOf(other!) ?? ''} do not wait for one`,
      fix: 'add cloud-provider: external to kubeletExtraArgs of the machines, or remove the cloud controller manager',
    }];
  },
};

const GONE: TransitionRule = {
  id: 'TC-CHANGE-CLOUD-CONTROLLER-CHART',
  title: 'The chart of a cloud controller manager must stay as long as kubelets of its cluster join with --cloud-provider=external: nothing is scheduled on new nodes otherwise, '
    + 'and a CSI driver finds no zone of them.',
  source: 'kubernetes/kubernetes pkg/kubelet/kubelet_node_status.go (TaintExternalCloudProvider); kubernetes/cloud-provider controllers/node/node_controller.go',
  get kinds() { return releaseKinds(); },
  trap: true,
  example: {
    before: documents(...PARTS, EXTERNAL_TEXT, MANAGER_TEXT),
    failing: documents(...PARTS, EXTERNAL_TEXT),
    corrected: documents(...PARTS, EXTERNAL_TEXT, MANAGER_TEXT.replace('2.35.0', '2.35.1')),
  },
  check: ({ before, after, old, now }) => {
    if (!before || after) return [];
    const tenants = releasesOf(before, old).flatMap(({ chart, tenant }) => (tenant && MANAGER_CHART.test(chart) ? [tenant.object] : []));
    const kept = tenants.map((object) => now.find(groupKind(object), namespaceOf(object), nameOf(object))).filter((object) => object !== undefined);
    const staying = kept.filter((object) => (
      !isAsleep(object, now) && !deliveredParts(now).managers.has(object) && configurationsOf(object, now).some((one) => awaits(one))));
    return staying.length === 0 || isReplaced(old, now) ? [] : [{
      path: [],
      message: `nodes of ${staying.map((object) => `${String(object.kind)} ${nameOf(object) ?? ''}`).join(', ')} join with --cloud-provider=external, and nothing else that is delivered is a cloud controller manager`,
      fix: 'put it back, or deliver another one in the same change',
    }];
  },
};

/** True if something new may be a cloud controller manager. */
function isReplaced(old: ManifestIndex, now: ManifestIndex): boolean {
  const isNew = (object: ManifestObject): boolean => old.find(groupKind(object), namespaceOf(object), nameOf(object)) === undefined;
  return deliveriesIn(now).some((object) => isNew(object) && WORDS.test(JSON.stringify(object)))
    || POD_KINDS.flatMap((kind) => now.all(kind)).some((object) => runs(object, isCloudController));
}

/** True if it is known whether the kubelets of machines wait for a cloud controller manager. */
function states(object: ManifestObject): boolean {
  return providers().some(({ awaitsCloudController = {} }) => awaitsCloudController[groupKind(object)] !== undefined);
}

function deliveriesIn(index: ManifestIndex): ManifestObject[] {
  return [...new Set(providers().flatMap(({ deliveries = [] }) => deliveries).map(({ kind }) => kind))].flatMap((kind) => index.all(kind));
}

function awaits(object: ManifestObject): boolean {
  return providers().some(({ awaitsCloudController = {} }) => awaitsCloudController[groupKind(object)]?.(object));
}

/** The objects with the configuration of the machines of a Cluster. */
function configurationsOf(cluster: ManifestObject, index: ManifestIndex): ManifestObject[] {
  const { name, namespace, controlPlane } = tenantOf(cluster, index);
  const pools = [MACHINE_DEPLOYMENT, MACHINE_POOL].flatMap((kind) => membersOfCluster(namespace, name, index, kind));
  const templates = pools.flatMap((pool): ManifestObject[] => {
    const reference = fieldAt(pool, 'spec', 'template', 'spec', 'bootstrap', 'configRef');
    const [group, kind] = [stringAt(reference, 'apiGroup') ?? stringAt(reference, 'apiVersion')?.split('/')[0], stringAt(reference, 'kind')];
    const found = index.find(`${group ?? ''}/${kind ?? ''}`, namespace, stringAt(reference, 'name'));
    return found ? [found] : [];
  });
  return [...controlPlane ? [controlPlane] : [], ...templates];
}

/** Facts about what is delivered to tenants, and runs beside them. */
interface DeliveredParts {
  /** True if all that is delivered is known, and nothing that runs may be a cloud controller manager. */
  readonly isPlain: boolean;

  /** Clusters with a pod network of a known chart. */
  readonly networked: ReadonlySet<ManifestObject>;

  /** The first delivery of a cloud controller manager to each cluster. */
  readonly managers: ReadonlyMap<ManifestObject, ManifestObject>;
}

const DELIVERED = new WeakMap<ManifestIndex, DeliveredParts>();

/** Goes over all deliveries once for all clusters, for there may be thousands. */
function deliveredParts(index: ManifestIndex): DeliveredParts {
  const known = DELIVERED.get(index);
  if (known) return known;
  const plain = plainCharts();
  const networks = new Set(knownPodNetworks().map(({ chart }) => chart));
  const networked = new Set<ManifestObject>();
  const managers = new Map<ManifestObject, ManifestObject>();
  let isPlain = true;
  for (const object of deliveriesIn(index)) {
    const releases = releasesOf(object, index);
    // Its content, or the cluster that it is for, is not known.
    if (deliveryFacts(object)?.isForTenant(object)) isPlain &&= releases.length > 0 && releases.every(({ chart }) => plain.has(chart));
    for (const { chart, tenant } of releases) {
      if (tenant && networks.has(chart) && deliveryFacts(object)?.isForTenant(object)) networked.add(tenant.object);
      if (tenant && MANAGER_CHART.test(chart) && !managers.has(tenant.object)) managers.set(tenant.object, object);
    }
  }
  isPlain &&= !POD_KINDS.flatMap((kind) => index.all(kind)).some((one) => runs(one, isCloudController));
  const found = { isPlain, networked, managers };
  DELIVERED.set(index, found);
  return found;
}

/** True if all that is delivered to a cluster is known, its pod network is part of it, and nothing may be a cloud controller manager. */
function isVisible(cluster: ManifestObject, index: ManifestIndex): boolean {
  const { isPlain, networked } = deliveredParts(index);
  return isPlain && networked.has(cluster) && !configurationsOf(cluster, index).some((one) => WORDS.test(JSON.stringify(one)));
}

/** Rules over cloud controller managers of tenants. */
export const CLOUD_PROVIDER_RULES: readonly ManifestRule[] = [MISSING, IDLE];

/** Rules over changes of what delivers them. */
export const CLOUD_PROVIDER_CHANGES: readonly TransitionRule[] = [GONE];
