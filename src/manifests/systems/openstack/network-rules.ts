import { clusterText, OPENSTACK_CLUSTER, OPENSTACK_CLUSTER_TEMPLATE } from './openstack-objects';
import {
  changedText, clusterOf, documents, fieldAt, Finding, isSet, listAt, ManifestObject, ManifestRule, numberAt, objectsAt, objectsInLists, partsYaml,
  PlacedFields, replaced, specPath, stringAt, stringsAt, TransitionRule,
} from '../../rules/contract';
import { Cidr } from '../../values/cidr';
import { parseIp } from '../../values/ip-address';

const PROJECT = 'kubernetes-sigs/cluster-api-provider-openstack v0.14.7';
const WEBHOOK = `${PROJECT} pkg/webhooks/openstackcluster_webhook.go`;

/** The list whose remote ends the webhook compares. */
const CHECKED = 'allNodesSecurityGroupRules';
const LISTS = [CHECKED, 'controlPlaneNodesSecurityGroupRules', 'workerNodesSecurityGroupRules'];

const NETWORK = 'managedSubnets: [{cidr: 10.6.0.0/24}]\n';
const groups = (rule: string, list = CHECKED) => clusterText(`${NETWORK}managedSecurityGroups:
  ${list}:
    - {name: web, direction: ingress, etherType: IPv4, ${rule}}
`);

const REMOTE_END: ManifestRule = {
  id: 'TC-ADMIT-OPENSTACK-SECURITY-GROUP-RULE',
  title: 'A rule of a security group must have at most one of remoteManagedGroups, remoteGroupID and remoteIPPrefix.',
  source: WEBHOOK,
  kinds: [OPENSTACK_CLUSTER],
  example: replaced(groups('remoteIPPrefix: 192.0.2.0/24'), 'remoteIPPrefix', 'remoteManagedGroups: [worker], remoteIPPrefix'),
  check: (object) => rulesOf(object).filter(({ list }) => list === CHECKED).flatMap(twoEnds),
};

const GROUP_RULE: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-SECURITY-GROUP-RULE',
  title: 'A rule of a security group must have an etherType, one remote end of this family, a protocol where it has ports, and must not name the group of a bastion that is off: the provider fails to create it, and the cluster waits.',
  source: `${PROJECT} pkg/cloud/services/networking/securitygroups.go, gophercloud/gophercloud openstack/networking/v2/extensions/security/rules/requests.go, openstack/neutron neutron/db/securitygroups_db.py (_validate_port_range, _validate_ethertype_and_protocol, _validate_ip_prefix)`,
  trap: true,
  kinds: [OPENSTACK_CLUSTER, OPENSTACK_CLUSTER_TEMPLATE],
  example: replaced(groups('protocol: tcp'), ' etherType: IPv4,', ''),
  check: (object) => {
    const path = specPath(object);
    const bastion = fieldAt(object, ...path, 'bastion');
    const hasBastion = isSet(bastion) && fieldAt(bastion, 'enabled') !== false;
    return rulesOf(object).flatMap((rule) => [
      // The webhook refuses it in a cluster, and does not look at templates.
      ...(rule.list === CHECKED && path.length === 1 ? [] : twoEnds(rule)),
      ...(isSet(rule.fields, 'etherType') ? [] : [{
        path: [...rule.path, 'etherType'], message: 'it has no etherType, which is required to create it', accepted: 'IPv4, IPv6', fix: 'write etherType: IPv4',
      }]),
      ...refusedByNeutron(rule),
      ...(hasBastion ? [] : stringsAt(rule.fields, 'remoteManagedGroups').filter(([name]) => name === 'bastion').map(([, index]) => ({
        path: [...rule.path, 'remoteManagedGroups', index], message: 'a cluster without a bastion has no such group', fix: 'remove it, or enable the bastion',
      }))),
    ]);
  },
};

const PLACE: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-NETWORK',
  title: 'A cluster must have a network: one that the provider creates (managedSubnets), or one that exists (network, subnets), not both.',
  source: `${PROJECT} controllers/openstackcluster_controller.go (getClusterSubnets), controllers/openstackmachine_controller.go`,
  trap: true,
  kinds: [OPENSTACK_CLUSTER, OPENSTACK_CLUSTER_TEMPLATE],
  example: { failing: clusterText(''), corrected: clusterText(NETWORK) },
  check: (object) => {
    const path = specPath(object);
    const spec = fieldAt(object, ...path);
    const existing = ['network', 'subnets'].filter((field) => (field === 'subnets' ? listAt(spec, field).length > 0 : isSet(spec, field)));
    if (listAt(spec, 'managedSubnets').length > 0) {
      return existing.map((field) => ({ path: [...path, field], message: 'the provider creates the network of managedSubnets', fix: `remove ${field}, or managedSubnets` }));
    }
    return existing.length > 0 ? [] : [{ path: [...path, 'network'], message: 'the cluster has no network', accepted: 'managedSubnets, network, subnets', fix: 'write one of them' }];
  },
};

const SUBNET: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-SUBNET',
  title: 'The range of a managed subnet must be one of IPv4, and its DNS servers addresses: the provider fails to create it, and the cluster waits.',
  source: `${PROJECT} pkg/cloud/services/networking/network.go (createSubnet)`,
  trap: true,
  kinds: [OPENSTACK_CLUSTER, OPENSTACK_CLUSTER_TEMPLATE],
  example: replaced(clusterText(NETWORK), '10.6.0.0/24', 'fd00:6::/64'),
  check: (object) => objectsAt(object, ...specPath(object), 'managedSubnets').flatMap(([subnet, index]): Finding[] => {
    const path = [...specPath(object), 'managedSubnets', index];
    const cidr = stringAt(subnet, 'cidr');
    return [
      ...(cidr === undefined || Cidr.parse(cidr)?.family === 'IPv4' ? [] : [{
        path: [...path, 'cidr'], message: `${JSON.stringify(cidr)} is no range of IPv4`, accepted: 'ranges such as 10.6.0.0/24', fix: 'write the address and the prefix length of a range of IPv4',
      }]),
      ...stringsAt(subnet, 'dnsNameservers').filter(([text]) => !parseIp(text)).map(([text, at]) => ({
        path: [...path, 'dnsNameservers', at], message: `${JSON.stringify(text)} is no address`, fix: 'write the address of the DNS server',
      })),
    ];
  }),
};

const ALLOWED: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-ALLOWED-RANGE',
  title: 'Ranges that may reach the API server must be addresses or ranges of IPv4: the provider leaves out others, and those behind them do not reach it.',
  source: `${PROJECT} pkg/cloud/services/loadbalancer/loadbalancer.go (getCanonicalAllowedCIDRs)`,
  trap: true,
  kinds: [OPENSTACK_CLUSTER, OPENSTACK_CLUSTER_TEMPLATE],
  example: replaced(clusterText(`${NETWORK}apiServerLoadBalancer: {enabled: true, allowedCIDRs: [198.51.100.0/24]}\n`), '[198.51.100.0/24]', '[198.51.100.0/33]'),
  check: (object) => {
    const path = [...specPath(object), 'apiServerLoadBalancer', 'allowedCIDRs'];
    return stringsAt(object, ...path).filter(([text]) => (Cidr.parse(text) ?? parseIp(text))?.family !== 'IPv4').map(([text, index]) => ({
      path: [...path, index], message: `${JSON.stringify(text)} is neither an address nor a range of IPv4`, accepted: 'such as 198.51.100.0/24', fix: 'correct it',
    }));
  },
};

const EXISTING = 'network: {filter: {name: nodes}}\nmanagedSecurityGroups:\n  allowAllInClusterTraffic: true\n';
const OPEN = '  allNodesSecurityGroupRules:\n    - {name: machines, direction: ingress, etherType: IPv6, remoteManagedGroups: [controlplane, worker]}\n';

const IPV6: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-IPV6-GROUPS',
  title: 'Managed security groups of a cluster with IPv6 must have rules of IPv6: those of the provider are of IPv4, and machines do not reach each other by IPv6 otherwise.',
  source: `${PROJECT} pkg/cloud/services/networking/securitygroups_rules.go; kubernetes/kubernetes cmd/kube-apiserver/app/options/validation.go (validatePublicIPServiceClusterIPRangeIPFamilies)`,
  trap: true,
  kinds: [OPENSTACK_CLUSTER],
  example: replaced(documents(
    clusterText(`${EXISTING}${OPEN}`), partsYaml('KubeadmControlPlane', 'OpenStackCluster', 'clusterNetwork: {pods: {cidrBlocks: [\'fd00:1::/56\']}}\n'),
  ), ', etherType: IPv6', ', etherType: IPv4'),
  check: (object, index) => {
    const cluster = clusterOf(object, index);
    const [[first] = []] = ['services', 'pods'].flatMap((part) => stringsAt(cluster, 'spec', 'clusterNetwork', part, 'cidrBlocks'));
    // The API server has an address of the first family; the second one may be tunnelled between machines that have the first alone.
    const hasIpv6 = first !== undefined && Cidr.parse(first)?.family === 'IPv6';
    // Machines in a network that the provider creates have IPv4 addresses alone.
    if (!hasIpv6 || !isSet(object, 'spec', 'managedSecurityGroups') || listAt(object, 'spec', 'managedSubnets').length > 0) return [];
    return rulesOf(object).some(({ fields }) => fields.etherType === 'IPv6') ? [] : [{
      path: ['spec', 'managedSecurityGroups'], message: 'the cluster has IPv6 addresses, and no rule lets IPv6 in', fix: 'add rules with etherType IPv6 for what machines send each other, or remove managedSecurityGroups',
    }];
  },
};

/** Rules over networks and security groups of a cluster. */
export const NETWORK_RULES: readonly ManifestRule[] = [REMOTE_END, GROUP_RULE, PLACE, SUBNET, ALLOWED, IPV6];

const BASTION = 'bastion: {enabled: true, spec: {flavor: m1.small, image: {filter: {name: ubuntu-2404}}}}\n';

/** The removal of a bastion. */
export const BASTION_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-OPENSTACK-BASTION',
  title: 'A bastion must be disabled before it is removed from the cluster.',
  source: WEBHOOK,
  kinds: [OPENSTACK_CLUSTER],
  example: changedText(clusterText(`${NETWORK}${BASTION}`), { [`  ${BASTION}`]: '' }, { 'enabled: true': 'enabled: false' }),
  check: ({ before, after }) => (!before || !after || !isSet(before, 'spec', 'bastion') || isSet(after, 'spec', 'bastion')
    || fieldAt(before, 'spec', 'bastion', 'enabled') === false ? [] : [{
      path: ['spec', 'bastion'], message: 'it is enabled, and was removed', fix: 'write enabled: false first, and remove it once it is gone',
    }]),
};

/** The rules of security groups, each with its list and its place. */
function rulesOf(object: ManifestObject): PlacedFields[] {
  return objectsInLists(object, [...specPath(object), 'managedSecurityGroups'], ...LISTS);
}

/** Protocols whose "ports" are a type and a code, in any order (openstack/neutron-lib neutron_lib/constants.py). */
const ICMP = /^(?:icmp|icmpv6|ipv6-icmp|1|58)$/i;

/** Finds what OpenStack refuses of a rule whose fields are there. */
function refusedByNeutron({ path, fields }: PlacedFields): Finding[] {
  const [prefix, first, last] = [stringAt(fields, 'remoteIPPrefix'), numberAt(fields, 'portRangeMin'), numberAt(fields, 'portRangeMax')];
  const family = prefix === undefined ? undefined : (Cidr.parse(prefix) ?? parseIp(prefix))?.family;
  const etherType = stringAt(fields, 'etherType');
  return [
    ...(prefix === undefined || etherType === undefined || family === etherType ? [] : [{
      path: [...path, 'remoteIPPrefix'], message: `${JSON.stringify(prefix)} is no range of ${etherType}`, fix: 'correct the range, or etherType',
    }]),
    ...(first !== undefined && last !== undefined && first > last && !ICMP.test(stringAt(fields, 'protocol') ?? '') ? [{ path: [...path, 'portRangeMin'], message: `the range of ports from ${first} to ${last} is empty`, fix: 'write the lower port first' }] : []),
    ...((first !== undefined || last !== undefined) && !isSet(fields, 'protocol') ? [{ path: [...path, 'protocol'], message: 'ports are of a protocol, and none is stated', fix: 'write protocol: tcp or udp' }] : []),
  ];
}

function twoEnds({ path, fields }: PlacedFields): Finding[] {
  const ends = ['remoteManagedGroups', 'remoteGroupID', 'remoteIPPrefix'].filter((field) => isSet(fields, field));
  return ends.length < 2 ? [] : [{ path: [...path, ends[1]], message: `a rule with ${ends[0]} has no ${ends.slice(1).join(', ')}`, fix: 'make a rule for each' }];
}
