import { controlPlanePods, dataStoresOf, isUnlimited, managementRanges, rangesMatchNodes } from './cluster-policies';
import { NetworkIsolation, NetworkIsolationOptions, PolicyEngine, policyEngine } from './network-isolation';
import { checkCidr, checkException, Cidr } from '../../../manifests/values/cidr';
import { checkPort } from '../../../manifests/values/dns';
import { IpFamily, parseIp } from '../../../manifests/values/ip-address';
import { checkLabels } from '../../../manifests/values/labels';
import { Problem, problemIf, problemsOf, Rule } from '../../../manifests/values/problem';
import { IsolationPeer, IsolationPort, PeerChoice } from '../../contracts/capabilities/isolation-peer';
import { ClusterContext } from '../../contracts/cluster-context';

const PROPERTY = 'isolation.network';

const PEER_LISTS = ['machineSources', 'machineDestinations', 'controlPlaneDestinations', 'controllerDestinations', 'metricsSources', 'managementApiServers', 'dns'] as const;

const NETWORK_PLUGIN_UNKNOWN_RULE: Rule = {
  id: 'TC-ISOLATION-NETWORK-PLUGIN-UNKNOWN',
  title: 'The kind of policies should follow from the network plug-in of the management cluster, or be chosen.',
  source: 'docs.cilium.io/en/stable/security/policy/language (CIDR based)',
  warning: true,
};

/** Reported if the kind of policies cannot follow from the network plug-in. */
export const UNKNOWN_PLUGIN: Problem = {
  rule: NETWORK_PLUGIN_UNKNOWN_RULE,
  property: PROPERTY,
  message: 'the network plug-in of the management cluster is not stated, so NetworkPolicies are made; under Cilium they would cut controllers '
    + 'off from the management API server',
  fix: 'state networkPlugin in the capabilities of the managementCluster, such as ManagementNetworkPlugin.CALICO or CILIUM, or choose '
    + 'NetworkIsolation.networkPolicies() or ciliumNetworkPolicies()',
};

/** True if the network plug-in chooses the kind of policies, and is not stated. */
export function isUnknownEngine({ _choice }: NetworkIsolation, { management }: ClusterContext): boolean {
  return _choice === 'by plug-in' && management?.networkPlugin === undefined;
}

const PORT_RULE: Rule = {
  id: 'TC-ISOLATION-PORT',
  title: 'Ports must be integers from 1 to 65535.',
  source: 'kubernetes/kubernetes pkg/apis/networking/validation/validation.go',
};

/** Checks the options of the network policies of a cluster. */
export function checkNetworkIsolation(isolation: NetworkIsolation, context: ClusterContext): Problem[] {
  const { _options: options } = isolation;
  const engine = policyEngine(isolation, context.management);
  if (engine === undefined) return [];
  const pluginProblems = checkPlugin(engine, context);
  return [
    ...(options.managementCidrs ?? []).flatMap((text, index) => checkRange(`${PROPERTY}.managementCidrs[${index}]`, text)),
    ...PEER_LISTS.flatMap((name) => (options[name] ?? []).flatMap((peer, index) => checkPeer(`${PROPERTY}.${name}[${index}]`, peer, engine === 'cilium.io'))),
    ...(options.controlPlanePorts ?? []).flatMap((port, index) => problemIf(PORT_RULE, `${PROPERTY}.controlPlanePorts[${index}]`, checkPort(port), 'give the port that the pods listen on')),
    ...checkPodLabels(options),
    ...pluginProblems,
    ...checkMachinesKnown(context),
    ...(pluginProblems.length > 0 || !rangesMatchNodes(engine, context) ? [] : checkRangesKnown(options, context)),
    ...checkDataStoresKnown(options, context),
    ...checkApiRoute(options, context),
  ];
}

const RANGE_RULE: Rule = {
  id: 'TC-ISOLATION-RANGE',
  title: 'Ranges of addresses must be CIDR blocks, and exceptions must lie inside their block.',
  source: 'kubernetes/kubernetes pkg/apis/networking/validation/validation.go',
};

function checkRange(property: string, text: string): Problem[] {
  return problemIf(RANGE_RULE, property, checkCidr(text), 'write a range such as "10.42.0.0/16", with "/32" behind a single address');
}

/** Checks a peer and its ports. */
export function checkPeer(property: string, peer: IsolationPeer, cilium: boolean): Problem[] {
  const { _choice, ports } = peer;
  return [
    ...checkCidrPeer(property, _choice),
    ...checkPodsPeer(property, _choice),
    ...checkEntity(property, _choice, cilium),
    ...ports.flatMap((port, index) => checkPeerPort(`${property}.ports[${index}]`, port)),
  ];
}

function checkPeerPort(property: string, { port }: IsolationPort): Problem[] {
  return problemIf(PORT_RULE, property, checkPort(port), 'give the port that the receiving pods listen on');
}

function checkCidrPeer(property: string, { cidr: block }: PeerChoice): Problem[] {
  if (!block) return [];
  return [
    ...checkRange(property, block.cidr),
    ...block.except.flatMap((text, index) => (
      problemIf(RANGE_RULE, `${property}.except[${index}]`, checkException(text, block.cidr), 'write a smaller range within the block, or leave it out'))),
  ];
}

const PEER_RULE: Rule = {
  id: 'TC-ISOLATION-PEER',
  title: 'Labels and namespaces of peers must be valid, and entities of Cilium must stand in policies of Cilium only.',
  source: 'kubernetes/kubernetes pkg/apis/networking/validation/validation.go, docs.cilium.io/en/stable/security/policy/language',
};

function checkPodsPeer(property: string, { pods }: PeerChoice): Problem[] {
  return [
    ...problemsOf(PEER_RULE, `${property}.namespaceLabels`, checkLabels(pods?.namespaceLabels ?? {})),
    ...problemsOf(PEER_RULE, `${property}.podLabels`, checkLabels(pods?.podLabels ?? {})),
  ];
}

function checkEntity(property: string, { entity }: PeerChoice, cilium: boolean): Problem[] {
  if (entity === undefined) return [];
  if (!cilium) {
    return [{
      rule: PEER_RULE,
      property,
      message: `only Cilium's own policies know the entity "${entity}"`,
      accepted: 'IsolationPeer.cidr and IsolationPeer.pods',
      fix: 'name pods or ranges, or use NetworkIsolation.ciliumNetworkPolicies',
    }];
  }
  return problemIf(PEER_RULE, property, entity === '' ? 'the entity has no name' : undefined, 'name one of Cilium\'s entities, such as "ingress"');
}

function checkPodLabels({ controlPlanePodLabels }: NetworkIsolationOptions): Problem[] {
  if (!controlPlanePodLabels) return [];
  const property = `${PROPERTY}.controlPlanePodLabels`;
  return [
    ...problemIf(PEER_RULE, property, Object.keys(controlPlanePodLabels).length === 0 ? 'no label would mean every pod of the namespace' : undefined,
      'give the labels of the control plane\'s pods'),
    ...problemsOf(PEER_RULE, property, checkLabels(controlPlanePodLabels)),
  ];
}

const NETWORK_PLUGIN_RULE: Rule = {
  id: 'TC-ISOLATION-NETWORK-PLUGIN',
  title: 'The network plug-in of the management cluster must enforce the policies of a tenant, and match nodes if ranges mean nodes.',
  source: 'docs.cilium.io/en/stable/security/policy/language (CIDR based), github.com/flannel-io/flannel README.md (networking details)',
};

/** Checks that the network plug-in of the management cluster enforces the policies. */
function checkPlugin(engine: PolicyEngine, { management }: ClusterContext): Problem[] {
  const plugin = management?.networkPlugin;
  // Another value is refused with the capabilities.
  if (!plugin?._enforcement) return [];
  const { policies, rangesMatchNodes: matching } = plugin._enforcement;
  const at = { rule: NETWORK_PLUGIN_RULE, property: PROPERTY };
  if (policies === undefined) {
    return [{ ...at, message: `${plugin.name} enforces no policies, and nothing would be isolated`, fix: 'use another network plug-in, or write NetworkIsolation.none()' }];
  }
  if (engine === 'cilium.io' && policies !== engine) {
    return [{ ...at, message: `${plugin.name} does not know CiliumNetworkPolicies`, fix: 'write NetworkIsolation.byNetworkPlugin()' }];
  }
  return engine === 'cilium.io' || matching ? [] : [{
    ...at,
    message: `ranges in NetworkPolicies do not match nodes with ${plugin.name}: controllers would not reach the management API server`,
    fix: 'write NetworkIsolation.byNetworkPlugin(), or state ManagementNetworkPlugin.CILIUM_MATCHING_NODES if policy-cidr-match-mode has "nodes"',
  }];
}

const MACHINES_UNKNOWN_RULE: Rule = {
  id: 'TC-ISOLATION-MACHINES-UNKNOWN',
  title: 'An infrastructure that runs machines in the management cluster must state the labels of their pods, by which policies select them.',
  source: 'kubernetes.io/docs/concepts/services-networking/network-policies',
};

/** Checks that policies can select the machines that run in the management cluster. */
function checkMachinesKnown({ infrastructure }: ClusterContext): Problem[] {
  return infrastructure.inManagementCluster && !infrastructure.machinePods ? [{
    rule: MACHINES_UNKNOWN_RULE,
    property: PROPERTY,
    message: `machines of the ${infrastructure.clusterKind} are pods of the management cluster, and no policy can select them, because their labels are not known`,
    fix: 'state machinePods in the capabilities of the infrastructure, or write NetworkIsolation.none() to go without',
  }] : [];
}

const RANGES_UNKNOWN_RULE: Rule = {
  id: 'TC-ISOLATION-RANGES-UNKNOWN',
  title: 'A NetworkPolicy can only keep machines and control planes out of the management cluster when that cluster\'s ranges are known, in each address family of the tenant.',
  source: 'openshift/hypershift hypershift-operator/controllers/hostedcluster/network_policies.go',
};

/** Checks that the ranges of the management cluster are known, and which of them hold its nodes. */
function checkRangesKnown(options: NetworkIsolationOptions, context: ClusterContext): Problem[] {
  const worldOnly = [
    ...(context.infrastructure.inManagementCluster ? ['machines'] : []),
    ...(!isUnlimited(options) && controlPlanePods(options, context) ? ['the control plane'] : []),
  ];
  const ranges = managementRanges(options, context);
  if (ranges.length === 0 && worldOnly.length > 0) {
    return [{
      rule: RANGES_UNKNOWN_RULE,
      property: `${PROPERTY}.managementCidrs`,
      message: `the ranges of the management cluster are not known, so ${worldOnly.join(' and ')} could not be kept from reaching it`,
      accepted: 'its pod, Service and node ranges',
      fix: 'state podCidrs, serviceCidrs and nodeCidrs in the capabilities of the managementCluster, or its networkPlugin if it is Cilium, '
        + 'or write NetworkIsolation.none() to go without',
    }];
  }
  if (ranges.length === 0) return [];
  return [...checkFamiliesKnown(ranges, context), ...checkNodesKnown(options, context)];
}

/** Checks that ranges of the management cluster are known in each address family that its machines have. */
function checkFamiliesKnown(ranges: readonly Cidr[], { infrastructure, network }: ClusterContext): Problem[] {
  if (!infrastructure.inManagementCluster) return [];
  const unknown = familiesOf([...network.podCidrs, ...network.serviceCidrs]).filter((family) => !ranges.some((range) => range.family === family));
  return unknown.map((family) => ({
    rule: RANGES_UNKNOWN_RULE,
    property: `${PROPERTY}.managementCidrs`,
    message: `the tenant has ${family} addresses, and no ${family} range of the management cluster is known, so machines could not be kept from reaching it by ${family}`,
    accepted: `its ${family} ranges of pods, Services and nodes`,
    fix: `add them to podCidrs, serviceCidrs and nodeCidrs in the capabilities of the managementCluster; if it has none, remove the ${family} ranges `
      + 'from podCidrs and serviceCidrs of the tenant',
  }));
}

const API_SERVERS_UNKNOWN_RULE: Rule = {
  id: 'TC-ISOLATION-API-SERVERS-UNKNOWN',
  title: 'NetworkPolicies need the node range or the API server addresses of the management cluster: controllers must reach them, machines must not.',
  source: 'kubernetes.io/docs/concepts/services-networking/network-policies (addresses before and after translation)',
};

/** Checks that the ranges of nodes are known, in each address family of the pods. */
function checkNodesKnown(options: NetworkIsolationOptions, { infrastructure, management = {} }: ClusterContext): Problem[] {
  const { podCidrs = [], serviceCidrs = [], nodeCidrs = [] } = management;
  const at = { rule: API_SERVERS_UNKNOWN_RULE, property: `${PROPERTY}.managementApiServers` };
  if (options.managementApiServers !== undefined) return [];
  if (nodeCidrs.length === 0) {
    return [{
      ...at,
      message: 'none of the ranges of the management cluster is stated to be the one of its nodes, where its API servers are: '
        + 'controllers might not reach them, and machines might reach kubelets and SSH',
      accepted: 'ranges or addresses of its nodes',
      fix: 'state nodeCidrs in the capabilities of the managementCluster, or name the API servers here',
    }];
  }
  // A range that does not say what it is may be that of the nodes. The infrastructure's also hold those of pods and Services.
  const others = [...options.managementCidrs ?? [], ...infrastructure.reservedCidrs ?? []]
    .filter((text) => ![...podCidrs, ...serviceCidrs].includes(text));
  const known = familiesOf([...nodeCidrs, ...others]);
  return familiesOf(podCidrs).filter((family) => !known.includes(family)).map((family) => ({
    ...at,
    message: `the management cluster has ${family} addresses for pods, and no ${family} range of its nodes is known: machines might reach kubelets, API servers and SSH by ${family}`,
    accepted: `${family} ranges of its nodes`,
    fix: 'add them to nodeCidrs in the capabilities of the managementCluster',
  }));
}

function familiesOf(texts: readonly string[]): IpFamily[] {
  return [...new Set(texts.flatMap((text) => Cidr.parse(text)?.family ?? []))].sort();
}

const DATA_STORE_UNKNOWN_RULE: Rule = {
  id: 'TC-ISOLATION-DATA-STORE-UNKNOWN',
  title: 'The policy of a hosted control plane must let it through to its data store.',
  source: 'clastix/kamaji internal/builders/controlplane/deployment.go (etcd-servers), 26.8.2-edge',
};

/** Checks that it is known where the data stores of a hosted control plane are. */
function checkDataStoresKnown(options: NetworkIsolationOptions, context: ClusterContext): Problem[] {
  if (options.controlPlaneDestinations !== undefined || !controlPlanePods(options, context)) return [];
  const names = dataStoresOf(context);
  const missing = names.filter((name) => !Object.hasOwn(context.management?.dataStorePeers ?? {}, name));
  if (names.length > 0 && missing.length === 0) return [];
  const which = missing.length > 0 ? `data store ${missing.map((name) => `"${name}"`).join(' and ')}` : 'its data store';
  return [{
    rule: DATA_STORE_UNKNOWN_RULE,
    property: `${PROPERTY}.controlPlaneDestinations`,
    message: `the pods or addresses of ${which} are not known, and the control plane would not reach it`,
    accepted: 'peers such as IsolationPeer.pods({ namespace: "kamaji-system", ports: [IsolationPort.tcp(2379)] })',
    fix: 'state them in dataStorePeers of the managementCluster, or name them here; [IsolationPeer.anything()] removes the limit',
  }];
}

const API_ROUTE_RULE: Rule = {
  id: 'TC-ISOLATION-API-ROUTE',
  title: 'Machines must be allowed to reach the Ingress or Gateway controller that serves their API server\'s host name.',
  source: 'openshift/hypershift hypershift-operator/controllers/hostedcluster/network_policies.go',
};

/** A host name leads to an Ingress or Gateway controller; machines that cannot reach it never join. */
function checkApiRoute(options: NetworkIsolationOptions, context: ClusterContext): Problem[] {
  const { published } = context.apiServer;
  const isolated = context.infrastructure.inManagementCluster && controlPlanePods(options, context);
  if (!isolated || !published || parseIp(published.host) || options.machineDestinations?.length) return [];
  return [{
    rule: API_ROUTE_RULE,
    property: `${PROPERTY}.machineDestinations`,
    message: `machines reach their API server at ${published.host}:${published.port}, and nothing lets them through to what serves that name`,
    accepted: 'at least one peer',
    fix: 'name the pods of the Ingress or Gateway controller with IsolationPeer.pods, or its address with IsolationPeer.cidr where it runs on nodes '
      + 'or outside the management cluster',
  }];
}
