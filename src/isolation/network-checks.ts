import { controlPlanePods, managementRanges } from './cluster-policies';
import { IsolationPeer, IsolationPort, PeerChoice } from './isolation-peer';
import { NetworkIsolation, NetworkIsolationOptions } from './network-isolation';
import { ISOLATION_RULES } from './rules';
import { ClusterContext } from '../cluster-context';
import { checkLabels } from '../kubernetes/labels';
import { rangesOf } from '../management/capabilities/infra-cluster-capabilities';
import { checkCidr, Cidr } from '../network/cidr';
import { checkPort } from '../network/dns';
import { parseIp } from '../network/ip-address';
import { Problem, problemIf } from '../validation/problem';

const PROPERTY = 'isolation.network';

const PEER_LISTS = ['machineSources', 'machineDestinations', 'controlPlaneDestinations', 'controllerDestinations', 'managementApiServers', 'dns'] as const;

/** Checks what the network policies of a cluster are made from. */
export function checkNetworkIsolation(isolation: NetworkIsolation, context: ClusterContext): Problem[] {
  const { _options: options, _engine: engine } = isolation;
  // Settings without types: nothing would be kept apart, in silence.
  if (options === undefined) {
    return [{
      rule: ISOLATION_RULES.network,
      property: PROPERTY,
      message: `${JSON.stringify(isolation)} does not say how the network is kept apart`,
      fix: 'write NetworkIsolation.networkPolicies(), NetworkIsolation.ciliumNetworkPolicies() or NetworkIsolation.none()',
    }];
  }
  if (engine === undefined) return [];
  return [
    ...(options.managementCidrs ?? []).flatMap((text, index) => checkRange(`${PROPERTY}.managementCidrs[${index}]`, text)),
    ...PEER_LISTS.flatMap((name) => (options[name] ?? []).flatMap((peer, index) => checkPeer(`${PROPERTY}.${name}[${index}]`, peer, engine === 'cilium.io'))),
    ...(options.controlPlanePorts ?? []).flatMap((port, index) => problemIf(ISOLATION_RULES.port, `${PROPERTY}.controlPlanePorts[${index}]`, checkPort(port), 'give the port that the pods listen on')),
    ...checkPodLabels(options),
    ...(engine === 'cilium.io' ? [] : [...checkRangesKnown(options, context), ...checkApiServersKnown(options, context)]),
    ...checkApiRoute(options, context),
  ];
}

function checkRange(property: string, text: string): Problem[] {
  return problemIf(ISOLATION_RULES.range, property, checkCidr(text), 'write a range such as "10.42.0.0/16", with "/32" behind a single address');
}

function checkPeer(property: string, { _choice, ports }: IsolationPeer, cilium: boolean): Problem[] {
  return [
    ...checkCidrPeer(property, _choice),
    ...checkPodsPeer(property, _choice),
    ...checkEntity(property, _choice, cilium),
    ...ports.flatMap((port, index) => checkPeerPort(`${property}.ports[${index}]`, port)),
  ];
}

function checkPeerPort(property: string, { port }: IsolationPort): Problem[] {
  return problemIf(ISOLATION_RULES.port, property, checkPort(port), 'give the port that the receiving pods listen on');
}

function checkCidrPeer(property: string, { cidr: block }: PeerChoice): Problem[] {
  if (!block) return [];
  const whole = Cidr.parse(block.cidr);
  const within = (text: string) => {
    const part = Cidr.parse(text);
    return !whole || !part || (whole.covers(part) && whole.prefixLength < part.prefixLength) ? undefined
      : `"${text}" is not a part of "${block.cidr}"; accepted are smaller ranges inside it`;
  };
  return [
    ...checkRange(property, block.cidr),
    ...block.except.flatMap((text, index) => [
      ...checkRange(`${property}.except[${index}]`, text),
      ...problemIf(ISOLATION_RULES.range, `${property}.except[${index}]`, within(text), 'leave it out, or correct one of the two'),
    ]),
  ];
}

function checkPodsPeer(property: string, { pods }: PeerChoice): Problem[] {
  return [...checkLabels(pods?.namespaceLabels ?? {}), ...checkLabels(pods?.podLabels ?? {})].map(({ key, message }) => ({
    rule: ISOLATION_RULES.peer, property, message: `the label "${key}": ${message}`, fix: 'write key and value as the pods or their namespace have them',
  }));
}

function checkEntity(property: string, { entity }: PeerChoice, cilium: boolean): Problem[] {
  if (entity === undefined) return [];
  if (!cilium) {
    return [{
      rule: ISOLATION_RULES.peer,
      property,
      message: `only Cilium's own policies know the entity "${entity}"`,
      accepted: 'IsolationPeer.cidr and IsolationPeer.pods',
      fix: 'name pods or ranges, or use NetworkIsolation.ciliumNetworkPolicies',
    }];
  }
  return problemIf(ISOLATION_RULES.peer, property, entity === '' ? 'the entity has no name' : undefined, 'name one of Cilium\'s entities, such as "ingress"');
}

function checkPodLabels({ controlPlanePodLabels }: NetworkIsolationOptions): Problem[] {
  if (!controlPlanePodLabels) return [];
  const property = `${PROPERTY}.controlPlanePodLabels`;
  const fix = 'give the labels of the control plane\'s pods';
  return [
    ...problemIf(ISOLATION_RULES.peer, property, Object.keys(controlPlanePodLabels).length === 0 ? 'no label would mean every pod of the namespace' : undefined, fix),
    ...checkLabels(controlPlanePodLabels).map(({ key, message }) => ({ rule: ISOLATION_RULES.peer, property: `${property}["${key}"]`, message, fix })),
  ];
}

function checkRangesKnown(options: NetworkIsolationOptions, context: ClusterContext): Problem[] {
  const worldOnly = [
    ...(context.infrastructure.inManagementCluster ? ['machines'] : []),
    ...(options.controlPlaneDestinations && controlPlanePods(options, context) ? ['the control plane'] : []),
  ];
  if (worldOnly.length === 0 || managementRanges(options, context).length > 0) return [];
  return [{
    rule: ISOLATION_RULES.rangesUnknown,
    property: `${PROPERTY}.managementCidrs`,
    message: `the ranges of the management cluster are not known, so ${worldOnly.join(' and ')} could not be kept from reaching it`,
    accepted: 'its pod, Service and node ranges',
    fix: 'give them here, to the infrastructure or as the management cluster\'s capabilities, or use NetworkIsolation.ciliumNetworkPolicies, or NetworkIsolation.none() to go without',
  }];
}

/** Ranges of which nobody says what they are may be those of nodes. */
function checkApiServersKnown(options: NetworkIsolationOptions, { management = {}, infrastructure }: ClusterContext): Problem[] {
  const isTold = options.managementApiServers !== undefined || (management.nodeCidrs ?? []).length > 0;
  const mayBeNodes = [...(options.managementCidrs ?? []), ...(infrastructure.reservedCidrs ?? [])].length > 0;
  if (isTold || mayBeNodes || rangesOf(management).length === 0) return [];
  return [{
    rule: ISOLATION_RULES.apiServersUnknown,
    property: `${PROPERTY}.managementApiServers`,
    message: 'of the management cluster, only the ranges of pods and Services are known; its API servers are on nodes, and the controllers would not get through to them',
    accepted: 'addresses or ranges of its nodes',
    fix: 'state the nodeCidrs of the managementCluster, or name the API servers here',
  }];
}

/** A host name leads to an Ingress or Gateway controller; machines that cannot reach it never join. */
function checkApiRoute(options: NetworkIsolationOptions, context: ClusterContext): Problem[] {
  const { published } = context.apiServer;
  const isolated = context.infrastructure.inManagementCluster && controlPlanePods(options, context);
  if (!isolated || !published || parseIp(published.host) || options.machineDestinations?.length) return [];
  return [{
    rule: ISOLATION_RULES.apiRoute,
    property: `${PROPERTY}.machineDestinations`,
    message: `machines reach their API server at ${published.host}:${published.port}, and nothing lets them through to what serves that name`,
    accepted: 'at least one peer',
    fix: 'name the pods of the Ingress or Gateway controller with IsolationPeer.pods, or its address with IsolationPeer.cidr where it runs on nodes '
      + 'or outside the management cluster',
  }];
}
