import { CatalogName, CatalogVersion, versionIn } from './catalog';
import { KubernetesVersion } from './kubernetes-version';

/** A released version, and where it was read from. */
export interface PinnedVersion extends CatalogVersion {
  /** Place from which the version, and what is known about it, was read. */
  readonly source: string;
}

/** Kamaji, the manager that runs hosted control planes. */
export const KAMAJI: PinnedVersion = {
  version: '26.8.2-edge',
  source: 'clastix/kamaji tag 26.8.2-edge, internal/upgrade/kubeadm_version.go',
};

/** Kamaji's control plane provider for Cluster API. */
export const KAMAJI_PROVIDER: PinnedVersion = {
  version: 'v0.20.0',
  source: 'clastix/cluster-api-control-plane-provider-kamaji tag v0.20.0, config/metadata.yaml',
};

/** Releases of konnectivity's server and agent that have images, oldest first: each is made with the Kubernetes minor of the same number. */
export const KONNECTIVITY: readonly PinnedVersion[] = [
  { version: 'v0.33.0', source: 'clastix/kamaji internal/builders/controlplane/konnectivity_server.go (v0.<minor>.0)' },
  { version: 'v0.34.0', source: 'kubernetes-sigs/apiserver-network-proxy tag v0.34.0' },
  // There is no image v0.35.0 (cozystack/cozystack commit 3d89d3732).
  { version: 'v0.36.0', source: 'kubernetes-sigs/apiserver-network-proxy tag v0.36.0; kubernetes/kubernetes v1.37.2 is built with its client' },
];

/** An image of a released version. */
export interface PinnedImage extends PinnedVersion {
  /** Registry and repository. */
  readonly image: string;
}

/**
 * Image with which the controllers beside a control plane wait for its kubeconfig. It is docker.io/library/busybox:1.37.0 in the registry of
 * Kubernetes: the limits of Docker Hub would stop these controllers on each new host.
 */
export const BUSYBOX: PinnedImage = {
  image: 'registry.k8s.io/e2e-test-images/busybox',
  version: '1.37.0-2',
  source: 'kubernetes/kubernetes v1.37.2 test/utils/image/manifest.go, test/images/busybox (BASEIMAGE, Dockerfile)',
};

/** KubeVirt's cloud controller manager. */
export const KUBEVIRT_CLOUD_CONTROLLER_MANAGER: PinnedImage = {
  image: 'quay.io/kubevirt/kubevirt-cloud-controller-manager',
  version: 'v0.6.0',
  source: 'kubevirt/cloud-provider-kubevirt tag v0.6.0',
};

/**
 * KubeVirt's CSI driver. It is built from the main branch and published as `latest` only: there is no released version to name here.
 */
export const KUBEVIRT_CSI_DRIVER: PinnedImage = {
  image: 'quay.io/kubevirt/kubevirt-csi-driver',
  version: 'latest',
  source: 'kubevirt/csi-driver deploy/controller-infra/base/deploy.yaml (no tags)',
};

/** Makes and deletes volumes for claims. */
export const CSI_PROVISIONER: PinnedImage = {
  image: 'registry.k8s.io/sig-storage/csi-provisioner',
  version: 'v6.4.0',
  until: { 2026.08: 'v6.3.0' },
  source: 'kubernetes-csi/external-provisioner tag v6.4.0',
};

/** Attaches volumes to nodes. */
export const CSI_ATTACHER: PinnedImage = {
  image: 'registry.k8s.io/sig-storage/csi-attacher',
  version: 'v4.13.0',
  until: { 2026.08: 'v4.12.0' },
  source: 'kubernetes-csi/external-attacher tag v4.13.0',
};

/** Expands volumes. From v2.3.0 on `--resize-timeout` and `--modify-timeout` tell apart what `--timeout` sets together (pull request 596). */
export const CSI_RESIZER: PinnedImage = {
  image: 'registry.k8s.io/sig-storage/csi-resizer',
  version: 'v2.3.0',
  until: { 2026.08: 'v2.2.1' },
  source: 'kubernetes-csi/external-resizer tag v2.3.0',
};

/** Makes and deletes snapshots of volumes. */
export const CSI_SNAPSHOTTER: PinnedImage = {
  image: 'registry.k8s.io/sig-storage/csi-snapshotter',
  version: 'v8.7.0',
  until: { 2026.08: 'v8.6.0' },
  source: 'kubernetes-csi/external-snapshotter tag v8.7.0',
};

/** Asks a CSI driver whether it is well, and passes that on over HTTP. */
export const CSI_LIVENESS_PROBE: PinnedImage = {
  image: 'registry.k8s.io/sig-storage/livenessprobe',
  version: 'v2.19.0',
  source: 'kubernetes-csi/livenessprobe tag v2.19.0',
};

/** Makes a CSI driver known to the kubelet of its node. */
export const CSI_NODE_DRIVER_REGISTRAR: PinnedImage = {
  image: 'registry.k8s.io/sig-storage/csi-node-driver-registrar',
  version: 'v2.17.0',
  source: 'kubernetes-csi/node-driver-registrar tag v2.17.0',
};

/**
 * Vultr's cloud controller manager.
 *
 * Newer releases are known, v0.18.1 to v0.18.4 (CHANGELOG.md), and were not looked at. Before one of them is taken: its manifests, its flags,
 * and whether it still finds the machine of a node without `spec.providerID` by the node's name (vultr/instancesv2.go), since the library
 * leaves that field to it.
 */
export const VULTR_CLOUD_CONTROLLER_MANAGER: PinnedImage = {
  image: 'docker.io/vultr/vultr-cloud-controller-manager',
  version: 'v0.18.0',
  source: 'vultr/vultr-cloud-controller-manager docs/releases/v0.18.0.yml',
};

/**
 * Vultr's CSI driver.
 *
 * Newer releases are known, v0.19.0 and v0.19.1 (CHANGELOG.md), and were not looked at. They make snapshots, for which they need another
 * companion, more rights, classes of snapshots, and `copies` of the volume classes.
 */
export const VULTR_CSI_DRIVER: PinnedImage = {
  image: 'docker.io/vultr/vultr-csi',
  version: 'v0.18.0',
  source: 'vultr/vultr-csi docs/releases/v0.18.0.yml',
};

/**
 * Releases of the cluster autoscaler, oldest first: each is made with the Kubernetes minor of the same number, and meant for tenants of it.
 */
export const CLUSTER_AUTOSCALER: readonly PinnedImage[] = ['1.33.6', '1.34.5', '1.35.2', '1.36.1'].map((version) => ({
  image: 'registry.k8s.io/autoscaling/cluster-autoscaler', version: `v${version}`, source: `kubernetes/autoscaler tag cluster-autoscaler-${version}`,
}));

/** The release that was made with a Kubernetes minor, else the last one before it; the first one where the minor is older than all. */
export function releaseFor<T extends PinnedVersion>(releases: readonly T[], kubernetes: KubernetesVersion): T {
  return releases.filter(({ version }) => Number(version.split('.')[1]) <= kubernetes.minor).at(-1) ?? releases[0];
}

/** The name of a pinned image as a container takes it. */
export function imageName(pinned: PinnedImage, versions: CatalogName): string {
  return `${pinned.image}:${versionIn(pinned, versions)}`;
}

/** Cluster API: core, kubeadm bootstrap and kubeadm control plane provider are one release. */
export const CLUSTER_API: PinnedVersion = {
  version: 'v1.14.2',
  source: 'kubernetes-sigs/cluster-api tag v1.14.2',
};

/** KubeVirt's infrastructure provider for Cluster API. */
export const KUBEVIRT_PROVIDER: PinnedVersion = {
  version: 'v0.11.2',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt tag v0.11.2',
};

/** Cluster API's add-on provider for Helm. */
export const HELM_ADDON_PROVIDER: PinnedVersion = {
  version: 'v0.6.4',
  source: 'kubernetes-sigs/cluster-api-addon-provider-helm tag v0.6.4',
};

/** KubeVirt. */
export const KUBEVIRT: PinnedVersion = {
  version: 'v1.9.0',
  source: 'kubevirt/kubevirt tag v1.9.0, asset kubevirt-operator.yaml',
};

/** KubeVirt's importer of disk images. */
export const CONTAINERIZED_DATA_IMPORTER: PinnedVersion = {
  version: 'v1.66.0',
  source: 'kubevirt/containerized-data-importer tag v1.66.0, asset cdi-operator.yaml',
};

/** A chart of a released version, and where it is kept. */
export interface PinnedChart extends PinnedVersion {
  /** Repository of charts, or Git repository. */
  readonly repository: string;
}

/** The chart of the Cluster API Operator. */
export const CLUSTER_API_OPERATOR_CHART: PinnedChart = {
  repository: 'https://kubernetes-sigs.github.io/cluster-api-operator',
  version: '0.28.0',
  source: 'kubernetes-sigs/cluster-api-operator tag v0.28.0, hack/charts/cluster-api-operator',
};

/** Kamaji's charts. They are published under one version that moves, so they are read from the tag. */
export const KAMAJI_CHARTS: PinnedChart = {
  repository: 'https://github.com/clastix/kamaji',
  version: KAMAJI.version,
  source: 'clastix/kamaji tag 26.8.2-edge, charts/kamaji and charts/kamaji-crds',
};

/** Copies files to object storage; its image is Alpine's, with a shell. */
export const RCLONE: PinnedImage = {
  image: 'docker.io/rclone/rclone',
  version: '1.75.1',
  source: 'rclone/rclone tag v1.75.1, Dockerfile',
};

/** The chart of etcd for Kamaji's data stores. */
export const KAMAJI_ETCD_CHART: PinnedChart = {
  repository: 'https://clastix.github.io/charts',
  version: '0.17.0',
  source: 'clastix/kamaji-etcd tag v0.17.0, charts/kamaji-etcd',
};

const ETCD_IMAGE = 'quay.io/coreos/etcd';

/** The etcd of that chart. Its image has `etcdctl` and `etcdutl`, and no shell. */
export const ETCD: PinnedImage = {
  image: ETCD_IMAGE,
  version: 'v3.6.12',
  source: 'clastix/kamaji-etcd tag v0.17.0, charts/kamaji-etcd/Chart.yaml (appVersion), etcd-io/etcd Dockerfile-release.amd64',
};

/** The last image of etcd with a shell, which the chart runs scripts with. */
export const ETCD_WITH_SHELL: PinnedImage = {
  image: ETCD_IMAGE,
  version: 'v3.5.6',
  source: 'clastix/kamaji-etcd tag v0.17.0, charts/kamaji-etcd/values.yaml (jobs.etcd.tag)',
};

/**
 * The image in which the chart waits for its StatefulSet. By default its tag is the minor of the management cluster: it cannot be mirrored in
 * advance, and may not be published yet for a new Kubernetes.
 */
export const ETCD_CHART_KUBECTL: PinnedImage = {
  image: 'docker.io/clastix/kubectl',
  version: 'v1.35',
  source: 'clastix/kamaji-etcd tag v0.17.0, charts/kamaji-etcd/templates/_helpers.tpl (etcd.jobsTagKubeVersion); defn/other catalog of mirrored images',
};
