import { AWS_FACTS } from './aws/pool-sizes';
import AWS from './aws/provider.json';
import AZURE from './azure/provider.json';
import { LAST_SYSTEM_POOL } from './azure/system-pools';
import { AZURE_WEBHOOKS } from './azure/webhooks';
import CANONICAL_KUBERNETES from './canonical-kubernetes/provider.json';
import CLOUDSTACK from './cloudstack/provider.json';
import { DEV_FACTS } from './dev/facts';
import DEV from './dev/provider.json';
import DIGITALOCEAN from './digitalocean/provider.json';
import EKS_ANYWHERE from './eks-anywhere/provider.json';
import { EKS_ANYWHERE_REFERENCES } from './eks-anywhere/references';
import GCP from './gcp/provider.json';
import HARVESTER from './harvester/provider.json';
import { HETZNER_FACTS } from './hetzner/host-consequences';
import HETZNER from './hetzner/provider.json';
import HYPERSHIFT from './hypershift/provider.json';
import IBMCLOUD from './ibmcloud/provider.json';
import IN_CLUSTER from './in-cluster-ipam/provider.json';
import { IN_CLUSTER_FACTS } from './in-cluster-ipam/rules';
import IONOSCLOUD from './ionoscloud/provider.json';
import { hostedMove } from './k0s/moves';
import K0S from './k0s/provider.json';
import { K3S_FACTS } from './k3s/authorities';
import K3S from './k3s/provider.json';
import LINODE from './linode/provider.json';
import LXC from './lxc/provider.json';
import MAAS from './maas/provider.json';
import { METAL3_FACTS } from './metal3/metal3-facts';
import METAL3 from './metal3/provider.json';
import { METAL3_IPAM_FACTS } from './metal3-ipam/address-pools';
import METAL3_IPAM from './metal3-ipam/provider.json';
import MICROK8S from './microk8s/provider.json';
import { NUTANIX_SIZES } from './nutanix/machine-sizes';
import NUTANIX from './nutanix/provider.json';
import OCI from './oci/provider.json';
import { OPENSTACK_FACTS } from './openstack/openstack-facts';
import OPENSTACK from './openstack/provider.json';
import PACKET from './packet/provider.json';
import { PROXMOX_POOL_FACTS } from './proxmox/address-pools';
import PROXMOX from './proxmox/provider.json';
import { PROXMOX_FACTS } from './proxmox/proxmox-facts';
import { RKE2_FACTS } from './rke2/authorities';
import RKE2 from './rke2/provider.json';
import { RKE2_FORMS } from './rke2/stored-forms';
import SCALEWAY from './scaleway/provider.json';
import { MACHINE_TYPES } from './talos/machine-types';
import { TALOS_PATCHES } from './talos/patches';
import TALOS from './talos/provider.json';
import TINKERBELL from './tinkerbell/provider.json';
import { WORKFLOW_TEMPLATES } from './tinkerbell/templates';
import VCLUSTER from './vcluster/provider.json';
import VSPHERE from './vsphere/provider.json';
import { VSPHERE_FACTS } from './vsphere/vsphere-facts';
import { Provider } from '../rules/provider';
import { ProviderTable } from '../rules/tables/provider-table';
import { tableProvider } from '../rules/tables/table-provider';

/** Tables of providers of which nothing but data is known; a new one is a file `provider.json` in a folder and two lines here. */
export const PROVIDER_TABLES: readonly ProviderTable[] = [
  AWS, AZURE, CANONICAL_KUBERNETES, CLOUDSTACK, DEV, DIGITALOCEAN, EKS_ANYWHERE, GCP, HARVESTER, HETZNER, HYPERSHIFT, IBMCLOUD, IN_CLUSTER,
  IONOSCLOUD, K0S, K3S, LINODE, LXC, MAAS, METAL3, METAL3_IPAM, MICROK8S, NUTANIX, OCI, OPENSTACK, PACKET, PROXMOX, RKE2, SCALEWAY, TALOS,
  TINKERBELL, VCLUSTER, VSPHERE,
] as readonly unknown[] as readonly ProviderTable[];

/** Facts that a table cannot hold, by the name of the provider: rules, sizes of machines, words. */
const FACTS: Readonly<Record<string, Partial<Provider>>> = {
  [AWS.name]: AWS_FACTS,
  [AZURE.name]: { rules: AZURE_WEBHOOKS, changes: [LAST_SYSTEM_POOL] },
  [DEV.name]: DEV_FACTS,
  [EKS_ANYWHERE.name]: { referenceRules: EKS_ANYWHERE_REFERENCES },
  [HETZNER.name]: HETZNER_FACTS,
  [K0S.name]: { moves: { 'controlplane.cluster.x-k8s.io/K0smotronControlPlane': hostedMove } },
  [K3S.name]: K3S_FACTS,
  [METAL3.name]: METAL3_FACTS,
  [NUTANIX.name]: { rules: NUTANIX_SIZES },
  [OPENSTACK.name]: OPENSTACK_FACTS,
  [PROXMOX.name]: PROXMOX_FACTS,
  [RKE2.name]: { ...RKE2_FACTS, storedForms: RKE2_FORMS },
  [TALOS.name]: { rules: [...MACHINE_TYPES, ...TALOS_PATCHES] },
  [TINKERBELL.name]: { rules: WORKFLOW_TEMPLATES },
  [VSPHERE.name]: VSPHERE_FACTS,
};

/** Pools of addresses that a table cannot hold, by the name of the provider. */
const POOLS: Readonly<Record<string, Partial<Provider>>> = {
  [IN_CLUSTER.name]: IN_CLUSTER_FACTS,
  [METAL3_IPAM.name]: METAL3_IPAM_FACTS,
  [PROXMOX.name]: PROXMOX_POOL_FACTS,
};

/** The providers that are data. */
export const TABLE_PROVIDERS: readonly Provider[] = PROVIDER_TABLES.map((table) => {
  const [own, facts] = [tableProvider(table), FACTS[table.name]];
  const rules = [...own.rules ?? [], ...POOLS[table.name]?.rules ?? [], ...facts?.rules ?? []];
  const storedForms = { ...own.storedForms, ...facts?.storedForms };
  return { ...own, ...POOLS[table.name], ...facts, rules, storedForms, changes: [...own.changes ?? [], ...facts?.changes ?? []] };
});
