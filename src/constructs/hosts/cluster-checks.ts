import { ApiObject, Duration } from 'cdk8s';
import { KubeadmClusterProps } from './kubeadm-cluster-props';
import { ENDPOINT_RULE, PORT_RULE } from './load-balancer/load-balancer-design';
import { ResolvedCluster } from './resolved-cluster';
import { checkCidr } from '../../manifests/values/cidr';
import { checkDnsLabel, checkHostPort, checkPort } from '../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';
import { checkWritten } from '../app/synth/synthesis';
import { Addon, AddonCapability } from '../contracts/addon';
import { checkNetwork, NETWORK_CIDR_RULE, NETWORK_POD_CAPACITY_RULE, nodeRangeText, nodesWithin } from '../contracts/network/cluster-network';
import { checkKubelet, DEFAULT_MAX_PODS } from '../contracts/node-pool/kubelet';
import { checkJoin, checkNames } from '../control-planes/kubeadm/bootstrap/bootstrap-checks';
import { checkTimeout } from '../control-planes/kubeadm/bootstrap/join-timeouts';
import { checkAddons, checkRepository } from '../control-planes/kubeadm/control-plane/addons';
import { checkAlgorithm, checkCertificateNames } from '../control-planes/kubeadm/control-plane/certificates';
import { checkKubeadmFeatureGates } from '../control-planes/kubeadm/control-plane/checks';
import { checkComponents, checkUnseenFlags } from '../control-planes/kubeadm/control-plane/components';
import { checkEtcd, KubeadmEtcd } from '../control-planes/kubeadm/control-plane/etcd';
import { checkNewerVersion, checkVersion, checkVersions } from '../tenant/cluster-checks';

/** Rule for the names of clusters. */
export const NAME_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-NAME',
  title: 'The name of a cluster must be a DNS label, and unique in the app: its folder has this name.',
};

/** Checks the options of the cluster as a whole. */
export function checkCluster(cluster: ResolvedCluster): Problem[] {
  const { props, name, network, kubernetesVersion } = cluster;
  const kubelet = { ...props.kubelet, maxPods: props.kubelet?.maxPods ?? DEFAULT_MAX_PODS };
  return [
    ...problemIf(NAME_RULE, 'name', checkDnsLabel(name), 'choose such a name, in the name property or as the construct id'),
    ...checkVersion(props.kubernetesVersion),
    ...checkNewerVersion(props.kubernetesVersion),
    ...checkVersions(props.versions),
    ...problemIf(ENDPOINT_RULE, 'controlPlaneEndpoint', checkHostPort(props.controlPlaneEndpoint), 'write the host and the port that the load balancer answers at'),
    ...problemIf(PORT_RULE, 'apiServerPort', checkPort(cluster.apiServerPort), 'choose a port that is free on the nodes of the control plane'),
    ...checkCount(cluster),
    ...checkNetworks(cluster),
    ...checkKubelet(kubelet, undefined, kubernetesVersion.minorVersion, network.podsPerNode),
    ...checkKubeadm(cluster),
    ...checkControlPlane(cluster),
  ];
}

const NODE_COUNT_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-NODE-COUNT',
  title: 'A control plane must have at least one node; with stacked etcd the number must be odd.',
  source: 'etcd.io/docs/v3.6/faq (why an odd number of cluster members)',
};

function checkCount({ props: { controlPlaneNodes, etcd } }: ResolvedCluster): Problem[] {
  const count = controlPlaneNodes.length;
  const at = { rule: NODE_COUNT_RULE, property: 'controlPlaneNodes' };
  if (count === 0) return [{ ...at, message: 'the control plane has no node', accepted: 'one node or more', fix: 'add three nodes, or one if an outage is acceptable' }];
  return etcd?._external || count % 2 === 1 ? [] : [{
    ...at, message: `${count} members of etcd tolerate no more failures than ${count - 1} members`, accepted: 'odd numbers', fix: 'add or remove a node, or use KubeadmEtcd.external',
  }];
}

function checkNetworks({ props, network, kubernetesVersion, workers, endpoint }: ResolvedCluster): Problem[] {
  const { machineCidrs = [], controlPlaneNodes } = props;
  const nodes = controlPlaneNodes.length + workers.length;
  const room = nodesWithin(network);
  return [
    ...machineCidrs.flatMap((text, index) => problemIf(NETWORK_CIDR_RULE, `machineCidrs[${index}]`, checkCidr(text), 'write the first address of the range and its prefix length')),
    ...checkNetwork(network, { reservedCidrs: machineCidrs, dualStack: true, kubernetesVersion, kubeadm: true, apiServerHost: endpoint.host }),
    ...(room >= 1 && nodes > room ? [{
      rule: NETWORK_POD_CAPACITY_RULE, property: 'podCidrs', message: `the cluster has ${nodes} nodes, but ${network.podCidrs.join(' and ')} has room for ${room}`, accepted: `a range with a ${nodeRangeText(network)} for each node`, fix: 'choose a larger range, or a longer prefix in nodeCidrMaskSizes',
    }] : []),
  ];
}

/** Options of kubeadm that nodes of Cluster API have too. */
function checkKubeadm({ props }: ResolvedCluster): Problem[] {
  const { criSocket, ignorePreflightErrors, skipPhases, timeouts, initSkipPhases = [], controlPlaneTimeouts = {} } = props;
  return [
    ...within('kubeadm', checkJoin({ criSocket, ignorePreflightErrors, skipPhases, timeouts }, 'kubeadm')),
    ...checkNames(initSkipPhases, 'initSkipPhases'),
    ...checkTimeout(controlPlaneTimeouts.componentHealthCheck, 'controlPlaneTimeouts.componentHealthCheck'),
    ...checkTimeout(controlPlaneTimeouts.etcdApiCall, 'controlPlaneTimeouts.etcdApiCall'),
  ];
}

/** Options that a `KubeadmControlPlane` has too. */
function checkControlPlane({ props, kubernetesVersion }: ResolvedCluster): Problem[] {
  return within('controlPlane', [
    ...checkValidity(props),
    ...checkAlgorithm(props.encryptionAlgorithm, kubernetesVersion),
    ...checkCertificateNames('controlPlane.certSans', props.certSans ?? []),
    ...checkEtcd('controlPlane.etcd', props.etcd ?? KubeadmEtcd.stacked()),
    ...checkRepository('controlPlane.imageRepository', props.imageRepository),
    ...checkAddons(props, props.cni?.replacesKubeProxy),
    ...checkComponents(props, kubernetesVersion),
    ...checkUnseenFlags(props, kubernetesVersion),
    ...checkKubeadmFeatureGates('controlPlane.kubeadmFeatureGates', props.kubeadmFeatureGates ?? {}, kubernetesVersion.minorVersion),
  ]);
}

/** Greatest duration in Go: 64 bits of nanoseconds. */
const MOST_DAYS = 106_751;

const CERTIFICATE_VALIDITY_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-CERTIFICATE-VALIDITY',
  title: 'Certificates must be valid for at least a day, and must not outlive their authority.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go (CertificateValidityPeriod)',
};

/** Checks how long certificates are valid. The defaults are those of kubeadm. */
function checkValidity(props: KubeadmClusterProps): Problem[] {
  const { certificateValidity = Duration.days(365), caCertificateValidity = Duration.days(3650) } = props;
  const rule = CERTIFICATE_VALIDITY_RULE;
  const days = Object.entries({ certificateValidity, caCertificateValidity }).map(([property, duration]) => (
    { property, count: duration.toDays({ integral: false }) }
  ));
  const faults = days.filter(({ count }) => !(count >= 1 && count <= MOST_DAYS)).map(({ property, count }) => ({
    rule,
    property,
    message: count < 1 ? `certificates that are valid for ${count} days expire before the cluster is in use` : `certificates cannot be valid for ${count} days`,
    accepted: `1 to ${MOST_DAYS} days`,
    fix: 'write days, such as Duration.days(365)',
  }));
  const [own, authority] = days;
  return faults.length > 0 || own.count <= authority.count ? faults : [{
    rule,
    property: own.property,
    message: `certificates of ${own.count} days would outlive their authority, which is valid for ${authority.count} days`,
    accepted: `at most ${authority.count} days`,
    fix: 'shorten it, or raise caCertificateValidity',
  }];
}

/** Maps the path of a property to the property of the cluster. */
function within(part: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, property: problem.property?.replace(`${part}.`, '') }));
}

const CLOUD_PROVIDER_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-CLOUD-PROVIDER',
  title: 'Kubelets must wait for a cloud controller manager if, and only if, one is installed.',
  source: 'kubernetes.io/docs/tasks/administer-cluster/running-cloud-controller',
};

/** Checks that kubelets wait for a cloud controller manager if, and only if, the cluster has one. */
export function checkCloudProvider({ externalCloudProvider }: ResolvedCluster, addons: readonly Addon[]): Problem[] {
  const manager = addons.find(({ provides }) => provides.includes(AddonCapability.CLOUD_CONTROLLER_MANAGER));
  const at = { rule: CLOUD_PROVIDER_RULE, property: 'platform' };
  if (externalCloudProvider && !manager) {
    return [{ ...at, message: 'kubelets register with --cloud-provider=external, but no addon is a cloud controller manager: nodes would stay tainted, and pods would not start', fix: 'add the cloud controller manager of the platform' }];
  }
  return !externalCloudProvider && manager ? [{
    ...at, message: `"${manager.name}" is a cloud controller manager, but kubelets register without --cloud-provider=external, so that it ignores their nodes`, fix: 'give the cluster the platform of that cloud, or remove the addon',
  }] : [];
}

const LOAD_BALANCER_SERVICE_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LOAD-BALANCER',
  title: 'A Service of type LoadBalancer needs a cloud or an addon that publishes it: without one it has no address outside the cluster.',
  source: 'kubernetes.io/docs/concepts/services-networking/service (type: LoadBalancer)',
  warning: true,
};

/** Checks that an addon or a cloud publishes Services of type LoadBalancer. A Service with a class names its implementation. */
export function checkLoadBalancerServices(
  { externalCloudProvider }: ResolvedCluster, addons: readonly Addon[], objects: readonly ApiObject[],
): Problem[] {
  if (externalCloudProvider || addons.some(({ provides }) => provides.includes(AddonCapability.DEFAULT_LOAD_BALANCER))) return [];
  return objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Service').flatMap((service) => checkWritten(service, ({ spec }) => (
    spec?.type !== 'LoadBalancer' || spec.loadBalancerClass !== undefined ? [] : [{
      rule: LOAD_BALANCER_SERVICE_RULE,
      property: 'workloads',
      message: `nothing in the cluster publishes the Service "${service.name}" of type LoadBalancer, whose address stays pending`,
      fix: 'add new MetalLb(…), or an addon that lists AddonCapability.DEFAULT_LOAD_BALANCER in provides; or use another type',
    }]
  )));
}
