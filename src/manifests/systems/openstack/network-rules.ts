import { clusterText, OPENSTACK_CLUSTER, OPENSTACK_CLUSTER_TEMPLATE } from './openstack-objects';
import {
  changedText, fieldAt, Finding, isSet, listAt, ManifestObject, ManifestRule, objectsInLists, PlacedFields, replaced, specPath, stringsAt,
  TransitionRule,
} from '../../rules/contract';

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
  title: 'A rule of a security group must have an etherType and one remote end, and must not name the group of a bastion that is off: the provider fails to create it, and the cluster waits.',
  source: `${PROJECT} pkg/cloud/services/networking/securitygroups.go, gophercloud/gophercloud openstack/networking/v2/extensions/security/rules/requests.go`,
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

/** Rules over networks and security groups of a cluster. */
export const NETWORK_RULES: readonly ManifestRule[] = [REMOTE_END, GROUP_RULE, PLACE];

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

function twoEnds({ path, fields }: PlacedFields): Finding[] {
  const ends = ['remoteManagedGroups', 'remoteGroupID', 'remoteIPPrefix'].filter((field) => isSet(fields, field));
  return ends.length < 2 ? [] : [{ path: [...path, ends[1]], message: `a rule with ${ends[0]} has no ${ends.slice(1).join(', ')}`, fix: 'make a rule for each' }];
}
