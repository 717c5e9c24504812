import { ApiObject } from 'cdk8s';
import { ResolvedCluster } from './resolved-cluster';
import { KUBEADM_CLUSTER_RULES } from './rules';
import { Addon } from '../addons/addon';
import { AddonCapability } from '../addons/addon-capability';
import { checkJoin, checkNames } from '../bootstrap/kubeadm/join-checks';
import { checkTimeout } from '../bootstrap/kubeadm/join-timeouts';
import { checkAddons } from '../control-plane/kubeadm/addons';
import { checkCertificateNames } from '../control-plane/kubeadm/certificate-names';
import { checkCertificates } from '../control-plane/kubeadm/certificates';
import { checkComponents } from '../control-plane/kubeadm/components';
import { checkEtcd, KubeadmEtcd } from '../control-plane/kubeadm/etcd';
import { checkRepository } from '../control-plane/kubeadm/images';
import { checkKubeadmFeatureGates } from '../control-plane/kubeadm/kubeadm-feature-gates';
import { checkCidr } from '../network/cidr';
import { checkNetwork } from '../network/cluster-network';
import { checkDnsLabel, checkHostPort, checkPort } from '../network/dns';
import { nodeRangeText, nodesWithin } from '../network/node-ranges';
import { NETWORK_RULES } from '../network/rules';
import { checkKubelet, DEFAULT_MAX_PODS } from '../node-pool/kubelet-configuration';
import { checkWritten } from '../synth/written-object';
import { checkVersion } from '../tenant-cluster/cluster-checks';
import { Problem, problemIf } from '../validation/problem';

const PHASE_MAX_LENGTH = 256;

/** Checks what the cluster as a whole was told. */
export function checkCluster(cluster: ResolvedCluster): Problem[] {
  const { props, name, network, kubernetesVersion } = cluster;
  const rules = KUBEADM_CLUSTER_RULES;
  const kubelet = { ...props.kubelet, maxPods: props.kubelet?.maxPods ?? DEFAULT_MAX_PODS };
  return [
    ...problemIf(rules.name, 'name', checkDnsLabel(name), 'choose such a name, in the name property or as the construct id'),
    ...checkVersion(props.kubernetesVersion),
    ...problemIf(rules.endpoint, 'controlPlaneEndpoint', checkHostPort(props.controlPlaneEndpoint), 'write the host and the port that the load balancer answers at'),
    ...problemIf(rules.lbPort, 'apiServerPort', checkPort(cluster.apiServerPort), 'choose a port that is free on the nodes of the control plane'),
    ...checkCount(cluster),
    ...checkNetworks(cluster),
    ...checkKubelet(kubelet, undefined, kubernetesVersion.minorVersion, network.podsPerNode),
    ...checkKubeadm(cluster),
    ...checkControlPlane(cluster),
  ];
}

function checkCount({ props: { controlPlaneNodes, etcd } }: ResolvedCluster): Problem[] {
  const count = controlPlaneNodes.length;
  const at = { rule: KUBEADM_CLUSTER_RULES.nodeCount, property: 'controlPlaneNodes' };
  if (count === 0) return [{ ...at, message: 'the control plane has no node', accepted: 'one node or more', fix: 'name three, or one where an outage does no harm' }];
  return etcd?._external || count % 2 === 1 ? [] : [{
    ...at, message: `${count} members of etcd survive no more failures than ${count - 1} would`, accepted: 'odd numbers', fix: 'add or remove a node, or use KubeadmEtcd.external',
  }];
}

function checkNetworks({ props, network, kubernetesVersion, workers, endpoint }: ResolvedCluster): Problem[] {
  const { machineCidrs = [], controlPlaneNodes } = props;
  const nodes = controlPlaneNodes.length + workers.length;
  const room = nodesWithin(network);
  return [
    ...machineCidrs.flatMap((text, index) => problemIf(NETWORK_RULES.cidr, `machineCidrs[${index}]`, checkCidr(text), 'write the first address of the range and its prefix length')),
    ...checkNetwork(network, { reservedCidrs: machineCidrs, dualStack: true, kubernetesVersion, kubeadm: true, apiServerHost: endpoint.host }),
    ...(room >= 1 && nodes > room ? [{
      rule: NETWORK_RULES.podCapacity, property: 'podCidrs', message: `there are ${nodes} nodes, and ${network.podCidrs.join(' and ')} has room for ${room}`, accepted: `a range with a ${nodeRangeText(network)} for each node`, fix: 'choose a larger range, or a longer prefix in nodeCidrMaskSizes',
    }] : []),
  ];
}

/** Options of kubeadm that nodes of Cluster API have too. */
function checkKubeadm({ props }: ResolvedCluster): Problem[] {
  const { criSocket, ignorePreflightErrors, skipPhases, timeouts, initSkipPhases = [], controlPlaneTimeouts = {} } = props;
  return [
    ...within('kubeadm', checkJoin({ criSocket, ignorePreflightErrors, skipPhases, timeouts }, 'kubeadm')),
    ...checkNames(initSkipPhases, PHASE_MAX_LENGTH, 'initSkipPhases'),
    ...checkTimeout(controlPlaneTimeouts.componentHealthCheck, 'controlPlaneTimeouts.componentHealthCheck'),
    ...checkTimeout(controlPlaneTimeouts.etcdApiCall, 'controlPlaneTimeouts.etcdApiCall'),
  ];
}

/** Options that a `KubeadmControlPlane` has too. */
function checkControlPlane({ props, kubernetesVersion, certSans }: ResolvedCluster): Problem[] {
  return within('controlPlane', [
    ...checkCertificates(props, kubernetesVersion),
    ...checkCertificateNames('controlPlane.certSans', props.certSans ?? [], certSans.length),
    ...checkEtcd('controlPlane.etcd', props.etcd ?? KubeadmEtcd.stacked()),
    ...checkRepository('controlPlane.imageRepository', props.imageRepository),
    ...checkAddons(props, props.cni?.replacesKubeProxy),
    ...checkComponents(props, kubernetesVersion),
    ...checkKubeadmFeatureGates('controlPlane.kubeadmFeatureGates', props.kubeadmFeatureGates ?? {}, kubernetesVersion.minorVersion),
  ]);
}

/** What is a property of a part elsewhere is one of the cluster here. */
function within(part: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, property: problem.property?.replace(`${part}.`, '') }));
}

/** Checks that kubelets wait for a cloud controller manager if, and only if, there is one. */
export function checkCloudProvider({ externalCloudProvider }: ResolvedCluster, addons: readonly Addon[]): Problem[] {
  const manager = addons.find(({ provides }) => provides.includes(AddonCapability.CLOUD_CONTROLLER_MANAGER));
  const at = { rule: KUBEADM_CLUSTER_RULES.cloudProvider, property: 'platform' };
  if (externalCloudProvider && !manager) {
    return [{ ...at, message: 'kubelets register with --cloud-provider=external, and no addon is a cloud controller manager: nodes would stay tainted, and no pod start', fix: 'add the cloud controller manager of the platform' }];
  }
  return !externalCloudProvider && manager ? [{
    ...at, message: `"${manager.name}" is a cloud controller manager, and kubelets register without --cloud-provider=external, so that it leaves their nodes alone`, fix: 'give the cluster the platform of that cloud, or remove the addon',
  }] : [];
}

/** Checks that something publishes Services of type LoadBalancer. One with a class waits for the implementation that it names. */
export function checkLoadBalancerServices(
  { externalCloudProvider }: ResolvedCluster, addons: readonly Addon[], objects: readonly ApiObject[],
): Problem[] {
  if (externalCloudProvider || addons.some(({ provides }) => provides.includes(AddonCapability.DEFAULT_LOAD_BALANCER))) return [];
  return objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Service').flatMap((service) => checkWritten(service, ({ spec }) => (
    spec?.type !== 'LoadBalancer' || spec.loadBalancerClass !== undefined ? [] : [{
      rule: KUBEADM_CLUSTER_RULES.loadBalancerService,
      property: 'workloads',
      message: `nothing in the cluster publishes the Service "${service.name}" of type LoadBalancer, whose address stays pending`,
      fix: 'add new MetalLb(…), or an addon that lists AddonCapability.DEFAULT_LOAD_BALANCER in provides; or use another type',
    }]
  )));
}
