/** A part of the reference. */
export interface ReferenceModule {
  /** Its folder in the reference. */
  readonly name: string;
  readonly title: string;
  /** Folders and files of `src/` whose types it has. */
  readonly folders: readonly string[];
}

/** The parts of the reference, in the order in which a reader needs them. */
export const MODULES: readonly ReferenceModule[] = [
  { name: 'tenant-cluster', title: 'Tenant clusters, node pools and the contracts of strategies', folders: ['constructs/tenant', 'constructs/contracts', 'constructs/addons/controllers'] },
  { name: 'blueprints', title: 'Blueprints: whole tenant clusters for one purpose', folders: ['constructs/blueprints'] },
  { name: 'kamaji', title: 'Kamaji control planes', folders: ['constructs/control-planes/kamaji'] },
  { name: 'kubeadm', title: 'Kubeadm control planes and bootstrap', folders: ['constructs/control-planes/kubeadm'] },
  { name: 'kubevirt', title: 'KubeVirt machines, volumes and load balancers', folders: ['constructs/infrastructures/kubevirt', 'constructs/addons/csi'] },
  { name: 'vultr', title: 'Vultr', folders: ['constructs/infrastructures/vultr', 'manifests/systems/vultr'] },
  { name: 'dev', title: 'The development provider: clusters for trials and tests', folders: ['constructs/infrastructures/dev', 'manifests/systems/dev'] },
  { name: 'metal3', title: 'Metal3', folders: ['constructs/infrastructures/metal3', 'manifests/systems/metal3'] },
  { name: 'openstack', title: 'OpenStack', folders: ['constructs/infrastructures/openstack', 'manifests/systems/openstack'] },
  { name: 'proxmox', title: 'Proxmox VE', folders: ['constructs/infrastructures/proxmox', 'manifests/systems/proxmox'] },
  { name: 'vsphere', title: 'vSphere', folders: ['constructs/infrastructures/vsphere', 'manifests/systems/vsphere'] },
  { name: 'addons', title: 'Addons, pod networks and the cluster autoscaler', folders: ['constructs/addons'] },
  { name: 'delivery', title: 'Delivery by Flux, Argo CD and Cluster API', folders: ['constructs/deliveries'] },
  { name: 'gitops', title: 'The tree of a GitOps repository', folders: ['constructs/repository', 'constructs/app/synth'] },
  { name: 'fleet', title: 'Fleets: many clusters from one list', folders: ['constructs/repository/fleet'] },
  { name: 'isolation', title: 'Isolation of tenants', folders: ['constructs/tenant/isolation'] },
  { name: 'monitoring', title: 'Alerts and dashboards', folders: ['constructs/monitoring'] },
  { name: 'images', title: 'Images: registries, mirrors and digests', folders: ['constructs/images', 'manifests/images'] },
  { name: 'management', title: 'The management cluster', folders: ['constructs/management'] },
  { name: 'hosts', title: 'Clusters on existing machines, without Cluster API', folders: ['constructs/hosts'] },
  { name: 'nifcloud', title: 'Nifcloud', folders: ['constructs/hosts/nifcloud'] },
  { name: 'operators', title: 'Custom resources and their controllers', folders: ['constructs/operators'] },
  { name: 'testing', title: 'Assertions and snapshots for tests', folders: ['constructs/testing'] },
  { name: 'plan', title: 'Plans: what a change does', folders: ['manifests/plan', 'manifests/landscape', 'constructs/testing/plan.ts'] },
  { name: 'validation', title: 'Validation', folders: ['constructs/validation-plugin', 'constructs/app', 'manifests/validation', 'manifests/rules'] },
  { name: 'extension', title: 'Extension: for authors of strategies', folders: ['constructs/extension', 'constructs/app/problems', 'constructs/app/synth/field-sources.ts', 'manifests/values/problem.ts'] },
  { name: 'values', title: 'Values that several modules use', folders: ['manifests'] },
];

/** The module that has the types of a source file: the one with the longest of the paths that it is in. */
export function moduleOf(file: string): ReferenceModule {
  const places = MODULES.flatMap((module) => module.folders.map((folder) => ({ module, folder })));
  const [found] = places.filter(({ folder }) => file.startsWith(`src/${folder}`)).sort((one, other) => other.folder.length - one.folder.length);
  if (!found) throw new Error(`${file}: no module of the reference has its folder. Fix: add it to MODULES in scripts/api-reference/modules.ts.`);
  return found.module;
}
