import { clustersOf, machineNetworks, PROXMOX_CLUSTER, PROXMOX_MACHINE_TEMPLATE } from './proxmox-objects';
import { AddressPoolFacts, AddressPoolUse } from '../../rules/address-pools';
import {
  fieldAt, ManifestIndex, ManifestObject, nameOf, namespaceOf, objectsAt, Provider, stringAt, TEMPLATE_FIELDS as MACHINE,
} from '../../rules/contract';
import { IN_CLUSTER_POOL, inClusterAddresses, IPAM_GROUP } from '../in-cluster-ipam/in-cluster-pools';

/** A pool that the provider makes of a network of a cluster. */
interface ClusterPool extends AddressPoolFacts {
  readonly zone?: string;

  /** The field of the device that takes an address from the pool. */
  readonly field: string;
}

/** The pools that the provider makes of a ProxmoxCluster (pkg/kubernetes/ipam/ipam.go, InClusterPoolFormat, CreateOrUpdateInClusterIPPool). */
function poolsOfCluster(cluster: ManifestObject): ClusterPool[] {
  const name = nameOf(cluster) ?? '';
  return machineNetworks(cluster).map(({ path, fields, family, zone }) => ({
    kind: `${IPAM_GROUP}/${IN_CLUSTER_POOL}`,
    name: [name, ...(zone === undefined ? [] : [zone]), family === 'IPv4' ? 'v4' : 'v6', 'icip'].join('-'),
    namespace: namespaceOf(cluster),
    path: [...path, 'addresses'],
    ranges: inClusterAddresses({ spec: fields }),
    zone,
    field: `default${family}`,
  }));
}

/**
 * The pools that machines take addresses from: those of their devices, and those of their cluster for the device that has its default networks,
 * which the webhook makes the first one (internal/service/vmservice/ip.go, internal/webhook/proxmoxmachine_webhook.go). Version v1alpha1 has
 * other fields, and is not read.
 */
function usesOf(template: ManifestObject, index: ManifestIndex): AddressPoolUse[] {
  const network = [...MACHINE, 'network'];
  const devices = objectsAt(template, ...network, 'networkDevices');
  if (devices.length === 0) return [];
  const own = devices.flatMap(([device, position]) => objectsAt(device, 'ipPoolRef').map(([reference, item]): AddressPoolUse => ({
    kind: `${IPAM_GROUP}/${stringAt(reference, 'kind')}`,
    name: stringAt(reference, 'name') ?? '',
    path: [...network, 'networkDevices', position, 'ipPoolRef', item],
    each: 1,
  })));
  const zone = stringAt(template, ...network, 'zone') ?? 'default';
  const shared = clustersOf(template, index).flatMap(poolsOfCluster).filter((pool) => (pool.zone ?? 'default') === zone)
    .map(({ kind, name, field }): AddressPoolUse => {
      const named = devices.filter(([device]) => fieldAt(device, field) === true).length;
      return { kind, name, path: [...network, 'networkDevices'], each: Math.max(1, named) };
    });
  return merged([...own, ...shared]);
}

function merged(uses: readonly AddressPoolUse[]): AddressPoolUse[] {
  const all = new Map<string, AddressPoolUse>();
  for (const use of uses) {
    const key = `${use.kind} ${use.name}`;
    const known = all.get(key);
    all.set(key, known ? { ...known, each: known.each + use.each } : use);
  }
  return [...all.values()];
}

/** The pools of addresses of clusters and machines. */
export const PROXMOX_POOL_FACTS: Partial<Provider> = {
  addressPools: { [PROXMOX_CLUSTER]: poolsOfCluster },
  addressUses: { [PROXMOX_MACHINE_TEMPLATE]: usesOf },
};
