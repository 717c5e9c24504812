/** Manifests of others on which adoption is measured. */
export interface Source {
  /** Heading of its row. */
  readonly title: string;
  readonly repository: string;

  /** Files that belong to it, by their paths in the repository. */
  readonly files: RegExp;

  /** `each` if a file is a case of its own, `all` if they are one, `folder` if those of a folder are. */
  readonly cases: 'each' | 'all' | 'folder';

  /** Namespace of objects that state none. */
  readonly namespace: string;
}

/** A chart, which is rendered with each of its files of values. */
export interface ChartSource {
  readonly title: string;
  readonly repository: string;

  /** Folder of the chart in the repository. */
  readonly chart: string;

  /** Folders of charts that are beside it, and linked to. */
  readonly beside?: readonly string[];

  /** Files of values in `values/` begin with this name. */
  readonly values: string;
}

const TEMPLATES = /^templates\/cluster-template[^/]*\.yaml$/;

const ofProvider = (title: string, repository: string, files = TEMPLATES): Source => ({ title, repository, files, cases: 'each', namespace: 'tenant-acme' });

/** Templates that providers publish for `clusterctl generate cluster`. */
export const TEMPLATE_SOURCES: readonly Source[] = [
  ofProvider('AWS', 'kubernetes-sigs/cluster-api-provider-aws'),
  ofProvider('Azure', 'kubernetes-sigs/cluster-api-provider-azure'),
  ofProvider('CloudStack', 'kubernetes-sigs/cluster-api-provider-cloudstack'),
  ofProvider('DigitalOcean', 'kubernetes-sigs/cluster-api-provider-digitalocean'),
  ofProvider('Docker', 'kubernetes-sigs/cluster-api', /^test\/infrastructure\/docker\/templates\/cluster[^/]*\.yaml$/),
  ofProvider('Equinix Metal', 'kubernetes-sigs/cluster-api-provider-packet'),
  ofProvider('GCP', 'kubernetes-sigs/cluster-api-provider-gcp'),
  ofProvider('IBM Cloud', 'kubernetes-sigs/cluster-api-provider-ibmcloud'),
  ofProvider('Incus', 'neoaggelos/cluster-api-provider-lxc'),
  ofProvider('IONOS Cloud', 'ionos-cloud/cluster-api-provider-ionoscloud'),
  ofProvider('Kamaji', 'clastix/cluster-api-control-plane-provider-kamaji', /^templates\/(?:[^/]+\/)?[^/]*template[^/]*\.yaml$/),
  ofProvider('KubeVirt', 'kubernetes-sigs/cluster-api-provider-kubevirt'),
  ofProvider('MAAS', 'spectrocloud/cluster-api-provider-maas'),
  ofProvider('Nutanix', 'nutanix-cloud-native/cluster-api-provider-nutanix'),
  ofProvider('OpenStack', 'kubernetes-sigs/cluster-api-provider-openstack'),
  ofProvider('Proxmox VE', 'ionos-cloud/cluster-api-provider-proxmox'),
  ofProvider('RKE2', 'rancher/cluster-api-provider-rke2', /^examples\/templates\/[^/]+\/cluster-template[^/]*\.yaml$/),
  ofProvider('Scaleway', 'scaleway/cluster-api-provider-scaleway'),
  ofProvider('vSphere', 'kubernetes-sigs/cluster-api-provider-vsphere'),
];

/** Manifests of clusters in public repositories. */
export const REPOSITORY_SOURCES: readonly Source[] = [
  { title: 'metal3-io/metal3-dev-env', repository: 'metal3-io/metal3-dev-env', files: /^PoCs\/.*\.ya?ml$/, cases: 'folder', namespace: 'default' },
  { title: 'rancher/turtles', repository: 'rancher/turtles', files: /^examples\/.*\.ya?ml$/, cases: 'folder', namespace: 'default' },
  { title: 'k3s-io/cluster-api-k3s', repository: 'k3s-io/cluster-api-k3s', files: /^samples\/.*\.ya?ml$/, cases: 'folder', namespace: 'tenant-acme' },
  { title: 'SovereignCloudStack/k8s-cluster-api-provider', repository: 'SovereignCloudStack/k8s-cluster-api-provider', files: /^terraform\/files\/.*\.ya?ml$/, cases: 'folder', namespace: 'default' },
  { title: 'stackhpc/capi-helm-fluxcd-config', repository: 'stackhpc/capi-helm-fluxcd-config', files: /\.ya?ml$/, cases: 'all', namespace: 'default' },
  { title: 'fluxcd/flux2-kustomize-helm-example', repository: 'fluxcd/flux2-kustomize-helm-example', files: /^(?!\.github).*\.ya?ml$/, cases: 'all', namespace: 'default' },
];

/** Charts of clusters. */
export const CHART_SOURCES: readonly ChartSource[] = [
  { title: 'azimuth-cloud/capi-helm-charts', repository: 'azimuth-cloud/capi-helm-charts', chart: 'charts/openstack-cluster', beside: ['charts/cluster-addons'], values: 'azimuth' },
  { title: 'cozystack/cozystack', repository: 'cozystack/cozystack', chart: 'packages/apps/kubernetes', beside: ['packages/library/cozy-lib'], values: 'cozystack' },
  { title: 'phuchoang2603/hybrid-k8s', repository: 'phuchoang2603/hybrid-k8s', chart: 'charts/capi-kamaji-proxmox', values: 'hybrid' },
];
