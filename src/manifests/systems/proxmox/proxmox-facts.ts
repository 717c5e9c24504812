import { PROXMOX_CLUSTER_RULES } from './clusters';
import { PROXMOX_MACHINE_RULES } from './machines';
import { CLUSTER, MACHINE } from './page-parts';
import { machineNetworks, processors, PROXMOX_CLUSTER, PROXMOX_MACHINE_TEMPLATE } from './proxmox-objects';
import { formFacts, ManifestObject, numberAt, Provider, stringAt, TEMPLATE_FIELDS } from '../../rules/contract';
import { IN_CLUSTER_API_VERSION, IN_CLUSTER_POOL } from '../in-cluster-ipam/in-cluster-pools';

const MEBIBYTE = 1024 * 1024;

/** Facts of Cluster API's provider for Proxmox VE that its table does not hold. */
export const PROXMOX_FACTS: Partial<Provider> = {
  ...formFacts(CLUSTER, MACHINE),
  rules: [...PROXMOX_CLUSTER_RULES, ...PROXMOX_MACHINE_RULES],
  machineSizes: {
    [PROXMOX_MACHINE_TEMPLATE]: (template) => {
      const memory = numberAt(template, ...TEMPLATE_FIELDS, 'memoryMiB');
      return { cpu: processors(template), memory: memory === undefined ? undefined : memory * MEBIBYTE, gpus: [] };
    },
  },
  makes: { [PROXMOX_CLUSTER]: poolsOf },
  images: { [PROXMOX_MACHINE_TEMPLATE]: { unknown: (template) => [`images in ${templateText(template)} of Proxmox VE, which machines are cloned from`] } },
};

/**
 * The pools of addresses that the provider makes of a cluster.
 *
 * Source: ionos-cloud/cluster-api-provider-proxmox pkg/kubernetes/ipam/ipam.go (InClusterPoolFormat, CreateOrUpdateInClusterIPPool).
 */
function poolsOf(cluster: ManifestObject): ManifestObject[] {
  const { name = '', namespace } = cluster.metadata as { readonly name?: string; readonly namespace?: string };
  return machineNetworks(cluster).map(({ fields, family, zone }) => ({
    apiVersion: IN_CLUSTER_API_VERSION,
    kind: IN_CLUSTER_POOL,
    metadata: { name: [name, ...(zone === undefined ? [] : [zone]), family === 'IPv4' ? 'v4' : 'v6', 'icip'].join('-'), namespace },
    spec: { addresses: fields.addresses, prefix: fields.prefix, gateway: fields.gateway },
  }));
}

function templateText(template: ManifestObject): string {
  const id = numberAt(template, ...TEMPLATE_FIELDS, 'templateID');
  return id === undefined ? 'templates that are found by tags' : `template ${id} on ${stringAt(template, ...TEMPLATE_FIELDS, 'sourceNode') ?? 'its node'}`;
}
