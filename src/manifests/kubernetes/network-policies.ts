import { checkPortName } from './containers';
import { objectText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf, fieldFaultIf } from './findings';
import { selectorFaults } from './scheduling';
import { allOf } from '../rules/all-of';
import { ManifestRule } from '../rules/manifest-rule';
import { checkCidr, checkException } from '../values/cidr';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';

const SOURCE = apiValidation('networking');
const NETWORK_POLICY = 'networking.k8s.io/NetworkPolicy';
const HIGHEST_PORT = 65535;
const FIX_CIDR = 'write the first address of the range and its prefix length';
const DIRECTIONS = [['ingress', 'from'], ['egress', 'to']] as const;

function policy(fields: string): string {
  return objectText('networking.k8s.io/v1', 'NetworkPolicy', `spec:\n  podSelector: {}\n${fields}`);
}

const peers: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-NETWORK-PEER',
  title: 'A peer of a NetworkPolicy must have either selectors or an ipBlock; exceptions must be smaller blocks within it.',
  source: `${SOURCE} (ValidateNetworkPolicyPeer, ValidateIPBlock)`,
  kinds: [NETWORK_POLICY],
  example: pair((except) => policy(`  egress:\n    - to:\n        - ipBlock:\n            cidr: 10.0.0.0/8\n            except: [${except}]\n`), '192.168.0.0/16', '10.1.0.0/16'),
  check: (object) => allOf(
    selectorFaults(fieldAt(object, 'spec', 'podSelector'), ['spec', 'podSelector']),
    DIRECTIONS.flatMap(([direction, list]) => objectsAt(object, 'spec', direction).flatMap(([rule, index]) => (
      objectsAt(rule, list).flatMap(([peer, position]) => peerFaults(peer, ['spec', direction, index, list, position]))))),
  ),
};

function peerFaults(peer: Fields, path: FieldPath): readonly Finding[] {
  const kinds = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((field) => isSet(peer, field));
  if (kinds.length === 0) return [fault(path, 'it selects no peer', 'write one of them', 'podSelector, namespaceSelector, ipBlock')];
  if (kinds.length > 1 && kinds.includes('ipBlock')) return [fault([...path, 'ipBlock'], 'a range of addresses stands beside a selector', 'write two peers')];
  return allOf(
    selectorFaults(peer.podSelector, [...path, 'podSelector']),
    selectorFaults(peer.namespaceSelector, [...path, 'namespaceSelector']),
    isFields(peer.ipBlock) ? blockFaults(peer.ipBlock, [...path, 'ipBlock']) : [],
  );
}

function blockFaults(block: Fields, path: FieldPath): readonly Finding[] {
  const text = stringAt(block, 'cidr');
  const exceptions = stringsAt(block, 'except');
  return allOf(
    text === undefined ? [] : fieldFaultIf(path, 'cidr', checkCidr(text), FIX_CIDR),
    exceptions.flatMap(([except, index]) => faultIf([...path, 'except', index], checkException(except, text), 'write a smaller range within the block, or leave it out')),
  );
}

const ports: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-NETWORK-PORT',
  title: 'A port of a NetworkPolicy must be a number, optionally with a larger endPort, or a port name; policy types must be unique.',
  source: `${SOURCE} (ValidateNetworkPolicyPort, ValidateNetworkPolicySpec)`,
  kinds: [NETWORK_POLICY],
  example: pair((port) => policy(`  ingress:\n    - ports:\n        - ${port}\n`), '{port: 9000, endPort: 8000}', '{port: 8000, endPort: 9000}'),
  check: (object) => allOf(
    listAt(object, 'spec', 'policyTypes').length > 2 ? [fault(['spec', 'policyTypes'], 'there are more than two', 'write each one once', 'Ingress, Egress')] : [],
    DIRECTIONS.flatMap(([direction]) => objectsAt(object, 'spec', direction).flatMap(([rule, index]) => (
      objectsAt(rule, 'ports').flatMap(([port, position]) => portFaults(port, ['spec', direction, index, 'ports', position]))))),
  ),
};

function portFaults({ port, endPort }: Fields, path: FieldPath): readonly Finding[] {
  const end = [...path, 'endPort'];
  const isEnd = endPort !== undefined && endPort !== null;
  return allOf(
    boundsFault([...path, 'port'], port, 1, HIGHEST_PORT),
    boundsFault(end, endPort, 1, HIGHEST_PORT),
    typeof port === 'string' ? fieldFaultIf(path, 'port', checkPortName(port), 'name a port of the pods, or write its number without quotes') : [],
    isEnd && typeof port !== 'number' ? [fault(end, 'a range needs the number of its first port', 'write port as a number')] : [],
    typeof port === 'number' && typeof endPort === 'number' && endPort < port ? [fault(end, `${endPort} is less than the first port, ${port}`, 'write the larger number here')] : [],
  );
}

/** NetworkPolicies. */
export const NETWORK_POLICIES: readonly ManifestRule[] = [peers, ports];
