import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { AddressPoolFacts, AddressPoolUse } from '../../rules/address-pools';
import { ManifestIndex } from '../../rules/manifest-index';
import { Provider } from '../../rules/provider';
import { clusterOfOwner, machineOwnersOf, partOf } from '../../rules/references/object-references';
import { Fields, fieldAt, isSet, objectsAt, stringAt } from '../../values/fields';
import { IN_CLUSTER_POOL, inClusterAddresses, IPAM_GROUP } from '../in-cluster-ipam/in-cluster-pools';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const CLUSTER = `${GROUP}/ProxmoxCluster`;
const TEMPLATE = `${GROUP}/ProxmoxMachineTemplate`;
const POOL_KIND = `${IPAM_GROUP}/${IN_CLUSTER_POOL}`;
const NETWORK = ['spec', 'template', 'spec', 'network'];

/** Fields of the networks of machines, and the parts of the names of their pools. */
const FAMILIES = [['ipv4Config', 'v4', 'defaultIPv4'], ['ipv6Config', 'v6', 'defaultIPv6']] as const;

/** Name of the pool that the provider makes of a network of a cluster (pkg/kubernetes/ipam/ipam.go, InClusterPoolFormat). */
function poolName(cluster: string, family: string, zone?: string): string {
  return [cluster, ...(zone === undefined ? [] : [zone]), family, 'icip'].join('-');
}

/** The pools that the provider makes of a ProxmoxCluster (pkg/kubernetes/ipam/ipam.go, CreateOrUpdateInClusterIPPool). */
function poolsOfCluster(object: ManifestObject): AddressPoolFacts[] {
  const name = nameOf(object);
  if (name === undefined) return [];
  const networks = [
    { network: object.spec, path: ['spec'], zone: undefined },
    ...objectsAt(object, 'spec', 'zoneConfig').map(([zone, index]) => ({ network: zone, path: ['spec', 'zoneConfig', index], zone: stringAt(zone, 'zone') })),
  ];
  return networks.flatMap(({ network, path, zone }) => FAMILIES.filter(([field]) => isSet(network, field)).map(([field, family]) => ({
    kind: POOL_KIND,
    name: poolName(name, family, zone),
    namespace: namespaceOf(object),
    path: [...path, field, 'addresses'],
    ranges: inClusterAddresses({ spec: fieldAt(network, field) }),
  })));
}

/**
 * The pools that machines take addresses from: those of their devices, and those of their cluster for the device that has its default networks,
 * which the webhook makes the first one (internal/service/vmservice/ip.go, internal/webhook/proxmoxmachine_webhook.go).
 */
function usesOf(template: ManifestObject, index: ManifestIndex): AddressPoolUse[] {
  const devices = objectsAt(template, ...NETWORK, 'networkDevices');
  // Version v1alpha1 has other fields.
  if (devices.length === 0) return [];
  const own = devices.flatMap(([device, position]) => objectsAt(device, 'ipPoolRef').flatMap(([reference, item]): AddressPoolUse[] => {
    const [kind, name] = [stringAt(reference, 'kind'), stringAt(reference, 'name')];
    return kind === undefined || name === undefined ? [] : [{
      kind: `${IPAM_GROUP}/${kind}`, name, path: [...NETWORK, 'networkDevices', position, 'ipPoolRef', item], each: 1,
    }];
  }));
  const zone = stringAt(template, ...NETWORK, 'zone');
  const pools = clustersOf(template, index).flatMap((cluster) => {
    const name = nameOf(cluster) ?? '';
    const made = new Set(poolsOfCluster(cluster).map((pool) => pool.name));
    return FAMILIES.map(([, family, field]) => ({ field, name: poolName(name, family, zone === 'default' ? undefined : zone) })).filter((pool) => made.has(pool.name));
  });
  const shared = pools.map(({ field, name }): AddressPoolUse => ({ kind: POOL_KIND, name, path: [...NETWORK, 'networkDevices'], each: withDefault(devices.map(([device]) => device), field) }));
  return merged([...own, ...shared]);
}

function withDefault(devices: readonly Fields[], field: string): number {
  return Math.max(1, devices.filter((device) => fieldAt(device, field) === true).length);
}

function clustersOf(template: ManifestObject, index: ManifestIndex): ManifestObject[] {
  const clusters = machineOwnersOf(template, index).map((owner) => clusterOfOwner(owner, index)).filter((cluster) => cluster !== undefined);
  const objects = clusters.map((cluster) => partOf(cluster, 'infrastructureRef', index)).filter((object) => object !== undefined);
  return [...new Set(objects)];
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
  addressPools: { [CLUSTER]: poolsOfCluster },
  addressUses: { [TEMPLATE]: usesOf },
};
