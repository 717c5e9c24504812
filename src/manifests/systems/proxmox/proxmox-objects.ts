import {
  clusterOfOwner, fieldAt, FieldPath, Fields, isFields, machineOwnersOf, ManifestIndex, ManifestObject, numberAt, objectsAt, partOf, specPath,
  TEMPLATE_FIELDS,
} from '../../rules/contract';

const GROUP = 'infrastructure.cluster.x-k8s.io';

/** Version of the API that is stored. */
export const PROXMOX_API_VERSION = `${GROUP}/v1alpha2`;

export const PROXMOX_CLUSTER_KIND = 'ProxmoxCluster';
export const PROXMOX_CLUSTER = `${GROUP}/${PROXMOX_CLUSTER_KIND}`;
export const PROXMOX_CLUSTER_TEMPLATE = `${GROUP}/ProxmoxClusterTemplate`;
export const PROXMOX_MACHINE = `${GROUP}/ProxmoxMachine`;
export const PROXMOX_MACHINE_TEMPLATE = `${GROUP}/ProxmoxMachineTemplate`;

/** A network of machines in a ProxmoxCluster: `ipv4Config` or `ipv6Config`, of the cluster or of a zone. */
export interface MachineNetwork {
  readonly path: FieldPath;
  readonly fields: Fields;
  readonly family: 'IPv4' | 'IPv6';

  /** Name of the zone; undefined for the cluster's own. */
  readonly zone?: string;
}

/** The networks that a ProxmoxCluster describes. */
export function machineNetworks(object: ManifestObject): MachineNetwork[] {
  const spec = specPath(object);
  const zones = objectsAt(object, ...spec, 'zoneConfig').map(([{ zone }, index]) => ({ path: [...spec, 'zoneConfig', index], zone: typeof zone === 'string' ? zone : undefined }));
  return [{ path: spec, zone: undefined }, ...zones].flatMap(({ path, zone }) => (['IPv4', 'IPv6'] as const).flatMap((family) => {
    const place = [...path, family === 'IPv4' ? 'ipv4Config' : 'ipv6Config'];
    const fields = fieldAt(object, ...place);
    return isFields(fields) ? [{ path: place, fields, family, zone }] : [];
  }));
}

/** The ProxmoxClusters of the machines of a template. */
export function clustersOf(template: ManifestObject, index: ManifestIndex): ManifestObject[] {
  const clusters = machineOwnersOf(template, index).map((owner) => clusterOfOwner(owner, index)).filter((cluster) => cluster !== undefined);
  const objects = clusters.map((cluster) => partOf(cluster, 'infrastructureRef', index)).filter((object) => object?.kind === 'ProxmoxCluster');
  return [...new Set(objects)] as ManifestObject[];
}

/** Number of processors of a machine; undefined if the template of Proxmox VE decides. */
export function processors(template: ManifestObject): number | undefined {
  const cores = numberAt(template, ...TEMPLATE_FIELDS, 'numCores');
  const sockets = numberAt(template, ...TEMPLATE_FIELDS, 'numSockets');
  return cores === undefined || sockets === undefined ? undefined : cores * sockets;
}
