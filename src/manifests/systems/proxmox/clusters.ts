import { machineNetworks, PROXMOX_API_VERSION, PROXMOX_CLUSTER, PROXMOX_CLUSTER_TEMPLATE } from './proxmox-objects';
import {
  fieldAt, FieldPath, Finding, groupKind, isSet, ManifestRule, otherNamespace, providerYaml, replaced, specPath, stringAt, stringsAt,
} from '../../rules/contract';
import { AddressRange, parseAddressRange } from '../../values/address-ranges';
import { parseIp } from '../../values/ip-address';
import { subnetWithoutGateway } from '../in-cluster-ipam/in-cluster-pools';

const SOURCE = 'ionos-cloud/cluster-api-provider-proxmox internal/webhook/proxmoxcluster_webhook.go';

const CLUSTER_TEXT = providerYaml(PROXMOX_API_VERSION, 'ProxmoxCluster', `controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
dnsServers: [192.0.2.2]
ipv4Config: {addresses: [192.0.2.11-192.0.2.60], gateway: 192.0.2.1, metric: 100, prefix: 24}
credentialsRef: {name: acme-proxmox}
`);

// One name without dots, or names of which the last one has letters alone (isHostname). Each text matches in one way: a long one takes no time.
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const SHORT_NAME = '[a-z0-9](?:[a-z0-9-]{0,251}[a-z0-9])?';
const HOST_NAME = new RegExp(`^(?:${SHORT_NAME}|(?:[a-z0-9]{1,63})?(?:${LABEL}\\.)+[a-z]{2,63})$`, 'i');

const endpoint: ManifestRule = {
  id: 'TC-ADMIT-PROXMOX-ENDPOINT',
  title: 'The endpoint of a ProxmoxCluster must be a host name or an address that no machine can get, unless its control plane is managed from outside; beside an address, '
    + 'addresses of machines must be readable, and a template must have some.',
  source: `${SOURCE}, proxmoxclustertemplate_webhook.go, config/webhook/manifests.yaml (matchPolicy Exact for templates)`,
  kinds: [PROXMOX_CLUSTER, PROXMOX_CLUSTER_TEMPLATE],
  example: replaced(CLUSTER_TEXT, 'host: 192.0.2.10', 'host: 192.0.2.20'),
  check: (object) => {
    const spec = specPath(object);
    const isTemplate = groupKind(object) === PROXMOX_CLUSTER_TEMPLATE;
    // The webhook of templates sees those of its own version alone; the definition requires what is in a spec.
    if (isTemplate ? object.apiVersion !== PROXMOX_API_VERSION || !isSet(object, ...spec) : object.apiVersion === PROXMOX_API_VERSION && !isSet(object, 'spec')) return [];
    const networks = machineNetworks(object).filter(({ zone }) => zone === undefined);
    if (isTemplate && networks.length === 0) return [{ path: [...spec, 'ipv4Config'], message: 'machines have no network', accepted: 'ipv4Config, ipv6Config or both', fix: 'write one of them' }];
    if (fieldAt(object, ...spec, 'externalManagedControlPlane') === true) return [];
    const path = [...spec, 'controlPlaneEndpoint', 'host'];
    const host = stringAt(object, ...path);
    if (host === undefined) {
      return isSet(object, ...path) && fieldAt(object, ...path) !== '' ? [] : [{
        path: [...spec, 'controlPlaneEndpoint'],
        message: 'the cluster has no endpoint, and the provider makes none',
        accepted: 'a host name or an address in the network of the machines',
        fix: 'give the control plane an endpoint, such as an address that kube-vip moves (ControlPlaneEndpoint.kubeVip), or set externalManagedControlPlane if its control plane writes one',
      }];
    }
    if (HOST_NAME.test(host)) return [];
    const address = parseIp(host);
    if (!address) return [{ path, message: `${JSON.stringify(host)} is neither a host name nor an address`, fix: 'write an address such as "192.0.2.10"' }];
    const entries = networks.flatMap(({ path: network, family }) => stringsAt(object, ...network, 'addresses').map(([text, index]) => ({
      text, family, place: [...network, 'addresses', index], range: parseAddressRange(text),
    })));
    const unreadable = entries.filter(({ range }) => range === undefined);
    if (unreadable.length > 0) return unreadable.flatMap(({ text, family, place }) => checkFamily(place, text, undefined, family));
    const taken = entries.find(({ range }) => contains(range, address));
    return taken ? [{
      path, message: `"${host}" is in "${taken.text}", whose addresses machines get`, fix: 'take another address of the network for the endpoint, or leave it out of the ranges',
    }] : [];
  },
};

const addresses: ManifestRule = {
  id: 'TC-TRAP-PROXMOX-ADDRESSES',
  title: 'Addresses of machines of a ProxmoxCluster must be addresses, ranges or blocks of the family of their field, and the gateway one of their subnet.',
  source: 'ionos-cloud/cluster-api-provider-proxmox pkg/kubernetes/ipam/ipam.go (CreateOrUpdateInClusterIPPool)',
  kinds: [PROXMOX_CLUSTER, PROXMOX_CLUSTER_TEMPLATE],
  trap: true,
  example: replaced(CLUSTER_TEXT, '192.0.2.11-192.0.2.60', '2001:db8::10-2001:db8::60'),
  check: (object, index) => {
    const isTemplate = groupKind(object) === PROXMOX_CLUSTER_TEMPLATE;
    // Values that the webhook refuses are not reported twice.
    const refused = endpoint.check(object, index).map(({ path }) => path.join('.'));
    return machineNetworks(object).flatMap(({ path, fields, family }) => [
      // Patches of a class may write the addresses of a template.
      ...[isTemplate ? undefined : subnetWithoutGateway({ spec: fields })].flatMap((block): Finding[] => (!block ? [] : [{
        path: [...path, 'gateway'], message: `"${stringAt(fields, 'gateway')}" is not in ${block}, the subnet of the machines`, fix: 'write the address of the router in the subnet, or correct prefix',
      }])),
      ...stringsAt(object, ...path, 'addresses').flatMap(([text, at]) => checkFamily([...path, 'addresses', at], text, parseAddressRange(text), family)),
      ...gatewayOf(object, path).flatMap((text) => checkFamily([...path, 'gateway'], text, parseIp(text), family)),
    ]).filter(({ path }) => !refused.includes(path.join('.')));
  },
};

const credentials: ManifestRule = {
  id: 'TC-TRAP-PROXMOX-CREDENTIALS',
  title: 'The Secret with credentials of a ProxmoxCluster must be in the namespace of the cluster: the provider makes the cluster its owner, and an owner in another namespace has it deleted.',
  source: 'ionos-cloud/cluster-api-provider-proxmox internal/controller/proxmoxcluster_controller.go (reconcileNormalCredentialsSecret), '
    + 'kubernetes.io/docs/concepts/architecture/garbage-collection (owner references across namespaces)',
  kinds: [PROXMOX_CLUSTER],
  trap: true,
  example: replaced(CLUSTER_TEXT, '{name: acme-proxmox}', '{name: acme-proxmox, namespace: capmox-system}'),
  check: (object) => otherNamespace(object, ['spec', 'credentialsRef', 'namespace'], 'create the Secret beside the cluster'),
};

function contains(range: AddressRange | undefined, { family, value }: { readonly family: string; readonly value: bigint }): boolean {
  return range !== undefined && range.family === family && range.first <= value && value <= range.last;
}

function gatewayOf(object: object, path: FieldPath): string[] {
  const gateway = stringAt(object, ...path, 'gateway');
  return gateway === undefined ? [] : [gateway];
}

function checkFamily(path: FieldPath, text: string, read: { readonly family: string } | undefined, family: 'IPv4' | 'IPv6'): Finding[] {
  const isGateway = path.at(-1) === 'gateway';
  const example = { IPv4: isGateway ? '"192.0.2.1"' : '"192.0.2.10-192.0.2.60"', IPv6: isGateway ? '"2001:db8::1"' : '"2001:db8::10-2001:db8::60"' }[family];
  if (!read) return [{ path, message: `${JSON.stringify(text)} is no ${isGateway ? 'address' : 'range of addresses'}`, accepted: `such as ${example}`, fix: 'correct it' }];
  return read.family === family ? [] : [{ path, message: `${JSON.stringify(text)} is of ${read.family}`, accepted: `${family}, such as ${example}`, fix: `write it into ${read.family === 'IPv4' ? 'ipv4Config' : 'ipv6Config'}` }];
}

/** Rules over ProxmoxClusters. */
export const PROXMOX_CLUSTER_RULES: readonly ManifestRule[] = [endpoint, addresses, credentials];
