/** A part of the reference. */
export interface ReferenceModule {
  /** Its folder in the reference. */
  readonly name: string;
  readonly title: string;
  /** Folders of `src/` whose types it has. */
  readonly folders: readonly string[];
}

/** The parts of the reference, in the order in which a reader needs them. */
export const MODULES: readonly ReferenceModule[] = [
  { name: 'tenant-cluster', title: 'Tenant clusters, node pools and the contracts of strategies', folders: ['tenant-cluster', 'cluster', 'controllers'] },
  { name: 'blueprints', title: 'Blueprints: whole tenant clusters for one purpose', folders: ['blueprints'] },
  { name: 'kamaji', title: 'Kamaji control planes', folders: ['kamaji'] },
  { name: 'kubeadm', title: 'Kubeadm control planes and bootstrap', folders: ['kubeadm'] },
  { name: 'kubevirt', title: 'KubeVirt machines, volumes and load balancers', folders: ['kubevirt', 'csi'] },
  { name: 'vultr', title: 'Vultr', folders: ['vultr'] },
  { name: 'addons', title: 'Addons, pod networks and the cluster autoscaler', folders: ['addons', 'cluster-autoscaler'] },
  { name: 'delivery', title: 'Delivery by Flux, Argo CD and Cluster API', folders: ['flux', 'argo-cd', 'helm-chart-proxy', 'cluster-resource-set'] },
  { name: 'gitops', title: 'The tree of a GitOps repository', folders: ['gitops', 'synth', 'git'] },
  { name: 'fleet', title: 'Fleets: many clusters from one list', folders: ['fleet'] },
  { name: 'isolation', title: 'Isolation of tenants', folders: ['isolation'] },
  { name: 'images', title: 'Images: registries, mirrors and digests', folders: ['images'] },
  { name: 'management', title: 'The management cluster', folders: ['management'] },
  { name: 'hosts', title: 'Clusters on existing machines, without Cluster API', folders: ['hosts'] },
  { name: 'nifcloud', title: 'Nifcloud', folders: ['nifcloud'] },
  { name: 'operators', title: 'Custom resources and their controllers', folders: ['operators'] },
  { name: 'testing', title: 'Assertions and snapshots for tests', folders: ['testing'] },
  { name: 'plan', title: 'Plans: what a change does', folders: ['plan', 'landscape'] },
  { name: 'validation', title: 'Validation and problems', folders: ['validation', 'rules', 'problems', 'cli'] },
  { name: 'extension', title: 'Extension: for authors of strategies', folders: ['extension'] },
  { name: 'values', title: 'Values that several modules use', folders: ['values', 'schema', 'manifests'] },
];

/** The module that has the types of a source file. */
export function moduleOf(file: string): ReferenceModule {
  const [, folder] = file.split('/');
  const found = MODULES.find(({ folders }) => folders.includes(folder));
  if (!found) throw new Error(`${file}: no module of the reference has the folder "${folder}". Fix: add it to MODULES in scripts/api-reference/modules.ts.`);
  return found;
}
