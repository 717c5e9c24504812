import { NamedByProgram, UnknownChartImages } from '../../src/manifests/images/chart-image-entry';

/** The values of a chart that name one image, and the condition under which it is used. */
export interface ImageKeys {
  /** Key that the image's own keys are below: `repository` or `image`, `registry`, `tag` or `version`, `digest` or `sha`. */
  readonly at: string;

  /** Tag where `values.yaml` names none: the chart's `appVersion`, with a `v` before it, or what is written here. */
  readonly tag?: 'app' | 'v-app' | { readonly is: string };

  /** Registry and repository where `values.yaml` names none. */
  readonly name?: { readonly registry?: string; readonly repository: string };

  /** Suffix that the chart appends to the repository. */
  readonly suffix?: string;

  /** Keys that differ from the usual ones. */
  readonly keys?: { readonly registry?: string; readonly repository?: string; readonly tag?: string; readonly digest?: string };

  /** The chart itself names digests, whose text the reference does not hold. */
  readonly pinned?: boolean;

  /** Values that must be set (`a.b`), not set (`!a.b`), equal to something (`a.b=c`) or not (`!a.b=c`) for the image to be used. */
  readonly when?: readonly string[];
}

/** The images of one chart. */
export interface ChartImageKeys {
  /** Source from which the rules for joining names were read. */
  readonly source: string;

  readonly images: readonly ImageKeys[];

  /** Key of a registry that goes before those of all images, subcharts' too. */
  readonly globalRegistry?: string;

  /** Keys of lists of containers. */
  readonly containers?: readonly string[];

  readonly unknown?: readonly UnknownChartImages[];

  /** Keys that look like those of images, and why they are left alone. */
  readonly skipped?: Readonly<Record<string, string>>;
}

const TEST = 'only "helm test" runs it';
const SANDBOX = ['sandboxWorkloads.enabled'];

/** An image of a subchart, whose keys the reference does not hold. */
function subchartImage(at: string, name: NonNullable<ImageKeys['name']>, tag: string, when: readonly string[]): ImageKeys {
  const keys = { ...(name.registry !== undefined && { registry: `${at}.registry` }), repository: `${at}.repository`, tag: `${at}.tag` };
  return { at, name, keys, tag: { is: tag }, when };
}

/** Images of the chart grafana 12.11.1: its key "sha" wants the digest without "sha256:". */
const GRAFANA_IMAGES: readonly ImageKeys[] = ([
  ['grafana.image', { registry: 'docker.io', repository: 'grafana/grafana' }, '13.2.0', []],
  ['grafana.sidecar.image', { registry: 'quay.io', repository: 'kiwigrid/k8s-sidecar' }, '2.10.1', []],
  ['grafana.initChownData.image', { registry: 'docker.io', repository: 'library/busybox' }, '1.38.0', ['grafana.persistence.enabled', 'grafana.initChownData.enabled']],
  ['grafana.imageRenderer.image', { registry: 'docker.io', repository: 'grafana/grafana-image-renderer' }, 'latest', ['grafana.imageRenderer.enabled']],
  ['grafana.downloadDashboardsImage', { registry: 'docker.io', repository: 'curlimages/curl' }, '8.21.0', ['grafana.dashboards']],
] as const).map(([at, name, tag, when]) => {
  const image = subchartImage(at, name, tag, ['grafana.enabled', ...when]);
  return { ...image, keys: { ...image.keys, digest: `${at}.sha` } };
});

/** The images of Calico v3.32.1 that the operator v1.42.3 starts for the objects of its chart. */
const CALICO_IMAGES: NamedByProgram = {
  images: [
    ['node'], ['cni'], ['typha'], ['kube-controllers'], ['apiserver', 'apiServer.enabled'],
    ['goldmane', 'goldmane.enabled'], ['whisker', 'whisker.enabled'], ['whisker-backend', 'whisker.enabled'],
    ['pod2daemon-flexvol', '!installation.flexVolumePath=None'],
    ...['csi', 'node-driver-registrar'].map((image) => [image, '!installation.kubeletVolumePluginPath=None']),
  ].map(([image, ...when]) => ({ name: `calico/${image}:v3.32.1`, ...(when.length > 0 && { when }) })),
  provided: [
    '!installation.imagePath', '!installation.imagePrefix', '!installation.fipsMode=Enabled', '!installation.variant=TigeraSecureEnterprise',
    '!installation.certificateManagement', '!installation.calicoNetwork.windowsDataplane',
  ],
};

/** The images of each chart. Keys and their defaults are those of the reference, what the templates do was read as said. */
export const CHART_IMAGE_KEYS: Readonly<Record<string, ChartImageKeys>> = {
  'cert-manager': {
    source: 'cert-manager/cert-manager deploy/charts/cert-manager/values.yaml',
    images: ([
      { at: 'image', tag: 'app', name: { registry: 'quay.io', repository: 'jetstack/cert-manager-controller' } },
      { at: 'webhook.image', tag: 'app', name: { registry: 'quay.io', repository: 'jetstack/cert-manager-webhook' } },
      { at: 'cainjector.image', tag: 'app', name: { registry: 'quay.io', repository: 'jetstack/cert-manager-cainjector' }, when: ['cainjector.enabled'] },
      { at: 'acmesolver.image', tag: 'app', name: { registry: 'quay.io', repository: 'jetstack/cert-manager-acmesolver' } },
      { at: 'startupapicheck.image', tag: 'app', name: { registry: 'quay.io', repository: 'jetstack/cert-manager-startupapicheck' }, when: ['startupapicheck.enabled'] },
    ] satisfies ImageKeys[]).map((image) => ({ ...image, keys: { tag: `${image.at}.tag`, digest: `${image.at}.digest` } })),
    skipped: {
      'imageRegistry': 'image.repository goes before it',
      'imageNamespace': 'image.repository goes before it',
      'image.name': 'image.repository goes before it',
      'webhook.image.name': 'webhook.image.repository goes before it',
      'cainjector.image.name': 'cainjector.image.repository goes before it',
      'acmesolver.image.name': 'acmesolver.image.repository goes before it',
      'startupapicheck.image.name': 'startupapicheck.image.repository goes before it',
    },
  },
  'cilium': {
    source: 'cilium/charts cilium-1.20.0.tgz (values.yaml, templates/_helpers.tpl)',
    images: [
      { at: 'image', pinned: true },
      { at: 'envoy.image', pinned: true, when: ['envoy.enabled'] },
      { at: 'operator.image', suffix: '-generic', pinned: true, keys: { digest: 'operator.image.genericDigest' }, when: ['operator.enabled'] },
      { at: 'certgen.image', pinned: true, when: ['hubble.enabled', 'hubble.tls.enabled', 'hubble.tls.auto.enabled', 'hubble.tls.auto.method=cronJob'] },
      { at: 'hubble.relay.image', pinned: true, when: ['hubble.enabled', 'hubble.relay.enabled'] },
      { at: 'hubble.ui.backend.image', pinned: true, when: ['hubble.enabled', 'hubble.ui.enabled'] },
      { at: 'hubble.ui.frontend.image', pinned: true, when: ['hubble.enabled', 'hubble.ui.enabled'] },
      { at: 'encryption.ztunnel.image', pinned: true, when: ['encryption.enabled', 'encryption.type=ztunnel'] },
      { at: 'nodeinit.image', pinned: true, when: ['nodeinit.enabled'] },
      { at: 'preflight.image', pinned: true, when: ['preflight.enabled'] },
      { at: 'preflight.envoy.image', pinned: true, when: ['preflight.enabled'] },
      { at: 'clustermesh.apiserver.image', pinned: true, when: ['clustermesh.useAPIServer'] },
      ...['initImage', 'agent.image', 'server.image'].map((image) => ({
        at: `authentication.mutual.spire.install.${image}`, pinned: true, when: ['authentication.mutual.spire.enabled', 'authentication.mutual.spire.install.enabled'],
      })),
    ],
    containers: ['extraContainers', 'extraInitContainers'],
    skipped: {
      'standaloneDnsProxy.image': 'the chart names no image, so that whoever switches it on does',
      'operator.image.azureDigest': 'for clusters in Azure',
      'operator.image.awsDigest': 'for clusters in AWS',
      'operator.image.alibabacloudDigest': 'for clusters in Alibaba Cloud',
      'operator.image.suffix': 'for builds of the project\'s CI',
    },
  },
  'coredns': {
    source: 'coredns/helm charts/coredns/templates/deployment.yaml',
    images: [{ at: 'image', tag: 'app', when: ['deployment.enabled'] }, { at: 'autoscaler.image', when: ['autoscaler.enabled'] }],
    containers: ['extraContainers', 'initContainers'],
  },
  'crd.projectcalico.org.v1': { source: 'projectcalico/calico charts/crd.projectcalico.org.v1 (definitions only)', images: [] },
  'external-dns': {
    source: 'kubernetes-sigs/external-dns charts/external-dns/templates/_helpers.tpl',
    images: [{ at: 'image', tag: 'v-app' }],
    containers: ['extraContainers', 'initContainers'],
    skipped: {
      'registry': 'where external-dns keeps its own records, and no registry of images',
      'provider.webhook.image': 'the chart names no image, so that whoever switches it on does',
    },
  },
  'external-secrets': {
    source: 'external-secrets/external-secrets deploy/charts/external-secrets/templates/_helpers.tpl',
    images: [
      { at: 'image', tag: 'app' }, { at: 'webhook.image', tag: 'app', when: ['webhook.create'] },
      { at: 'certController.image', tag: 'app', when: ['certController.create', '!webhook.certManager.enabled'] },
    ],
    unknown: [{ what: 'the subchart bitwarden-sdk-server', when: ['bitwarden-sdk-server.enabled'] }],
    skipped: {
      'global.repository': 'the repository of all three images',
      'image.flavour': 'a variant of the tag',
      'webhook.image.flavour': 'a variant of the tag',
      'certController.image.flavour': 'a variant of the tag',
    },
  },
  'flannel': {
    source: 'flannel-io/flannel chart/kube-flannel/values.yaml',
    images: [{ at: 'flannel.image' }, { at: 'flannel.flannel_cni.image' }, { at: 'netpol.image', when: ['netpol.enabled'] }],
  },
  'fluent-bit': {
    source: 'fluent/helm-charts charts/fluent-bit/values.yaml',
    images: [{ at: 'image', tag: 'app' }, { at: 'hotReload.image', when: ['hotReload.enabled'] }],
    containers: ['extraContainers', 'initContainers'],
    skipped: { 'testFramework.image': TEST },
  },
  'gateway-helm': {
    source: 'envoyproxy/gateway charts/gateway-helm/templates/_helpers.tpl',
    globalRegistry: 'global.imageRegistry',
    images: [
      { at: 'deployment.envoyGateway.image', tag: 'app', name: { repository: 'docker.io/envoyproxy/gateway' } },
      { at: 'global.images.ratelimit.image', keys: { repository: 'global.images.ratelimit.image' } },
      {
        at: 'global.images.envoyProxy.image',
        keys: { repository: 'global.images.envoyProxy.image' },
        // envoyproxy/gateway api/v1alpha1/shared_types.go, v1.9.0: what the controller starts where the value is empty.
        name: { repository: 'docker.io/envoyproxy/envoy' },
        tag: { is: 'distroless-v1.39.0' },
      },
    ],
    skipped: { 'global.images.envoyGateway.image': 'deployment.envoyGateway.image goes before it' },
  },
  'gpu-operator': {
    source: 'NVIDIA/gpu-operator deployments/gpu-operator/templates/_helpers.tpl, values.yaml',
    images: [
      ...['operator', 'validator'].map((at) => ({ at, tag: 'app' as const, keys: { tag: `${at}.version` } })),
      { at: 'driver', when: ['driver.enabled'], tag: { is: '' }, keys: { tag: 'driver.version' } },
      { at: 'driver.manager', when: ['driver.enabled'] },
      { at: 'toolkit', when: ['toolkit.enabled'] }, { at: 'devicePlugin', when: ['devicePlugin.enabled'] },
      { at: 'dcgm', when: ['dcgm.enabled'] }, { at: 'dcgmExporter', when: ['dcgmExporter.enabled'] },
      { at: 'gfd', when: ['gfd.enabled'] }, { at: 'migManager', when: ['migManager.enabled'] },
      { at: 'nodeStatusExporter', tag: 'app', keys: { tag: 'nodeStatusExporter.version' }, when: ['nodeStatusExporter.enabled'] }, { at: 'gds', when: ['gds.enabled'] }, { at: 'gdrcopy', when: ['gdrcopy.enabled'] },
      { at: 'vgpuManager.driverManager', when: [...SANDBOX, 'vgpuManager.enabled'] },
      { at: 'vgpuDeviceManager', when: [...SANDBOX, 'vgpuDeviceManager.enabled'] },
      { at: 'vfioManager', when: [...SANDBOX, 'vfioManager.enabled'] }, { at: 'vfioManager.driverManager', when: [...SANDBOX, 'vfioManager.enabled'] },
      { at: 'sandboxDevicePlugin', when: [...SANDBOX, 'sandboxDevicePlugin.enabled'] },
      { at: 'kataSandboxDevicePlugin', when: [...SANDBOX, 'kataSandboxDevicePlugin.enabled'] },
      { at: 'ccManager', when: [...SANDBOX, 'ccManager.enabled'] },
      { at: 'draDriver', when: ['gpuCluster.deployCR'] },
      {
        at: 'node-feature-discovery.image',
        when: ['nfd.enabled'],
        tag: { is: 'v0.19.0' },
        name: { repository: 'registry.k8s.io/nfd/node-feature-discovery' },
        keys: { repository: 'node-feature-discovery.image.repository', tag: 'node-feature-discovery.image.tag' },
      },
    ],
    skipped: { vgpuManager: 'the chart names no registry: the image is built by whoever has the licence' },
  },
  'ingress-nginx': {
    source: 'kubernetes/ingress-nginx charts/ingress-nginx/templates/_helpers.tpl, templates/controller-deployment.yaml',
    images: [
      { at: 'controller.image', pinned: true, keys: { registry: 'controller.image.registry' }, name: { registry: 'registry.k8s.io', repository: 'ingress-nginx/controller' } },
      {
        at: 'controller.admissionWebhooks.patch.image',
        pinned: true,
        keys: { registry: 'controller.admissionWebhooks.patch.image.registry' },
        name: { registry: 'registry.k8s.io', repository: 'ingress-nginx/kube-webhook-certgen' },
        when: ['controller.admissionWebhooks.enabled', 'controller.admissionWebhooks.patch.enabled', '!controller.admissionWebhooks.certManager.enabled'],
      },
      {
        at: 'defaultBackend.image',
        keys: { registry: 'defaultBackend.image.registry', digest: 'defaultBackend.image.digest' },
        name: { registry: 'registry.k8s.io', repository: 'defaultbackend-amd64' },
        when: ['defaultBackend.enabled'],
      },
    ],
    containers: ['controller.extraContainers', 'controller.extraInitContainers'],
    skipped: { 'global.image.registry': 'the registry of each image goes before it', 'controller.image.digestChroot': 'of another variant of the image' },
  },
  'kube-prometheus-stack': {
    source: 'prometheus-community/helm-charts charts/kube-prometheus-stack/values.yaml (global.imageRegistry reaches the subcharts: '
      + 'charts/kube-state-metrics 8.4.0, charts/prometheus-node-exporter 4.56.1, grafana-community/helm-charts charts/grafana 12.11.1)',
    globalRegistry: 'global.imageRegistry',
    images: [
      { at: 'prometheusOperator.image', tag: 'app', when: ['prometheusOperator.enabled'] },
      { at: 'prometheusOperator.prometheusConfigReloader.image', tag: 'app', when: ['prometheusOperator.enabled'] },
      { at: 'prometheusOperator.thanosImage', when: ['prometheusOperator.enabled', 'prometheus.prometheusSpec.thanos'] },
      { at: 'prometheusOperator.admissionWebhooks.deployment.image', tag: 'app', when: ['prometheusOperator.admissionWebhooks.deployment.enabled'] },
      {
        at: 'prometheusOperator.admissionWebhooks.patch.image',
        when: ['prometheusOperator.admissionWebhooks.enabled', 'prometheusOperator.admissionWebhooks.patch.enabled', '!prometheusOperator.admissionWebhooks.certManager.enabled'],
      },
      { at: 'prometheus.prometheusSpec.image', when: ['prometheus.enabled'] },
      { at: 'alertmanager.alertmanagerSpec.image', when: ['alertmanager.enabled'] },
      { at: 'thanosRuler.thanosRulerSpec.image', when: ['thanosRuler.enabled'] },
      { at: 'crds.upgradeJob.image.busybox', when: ['crds.upgradeJob.enabled'] },
      { at: 'crds.upgradeJob.image.kubectl', when: ['crds.upgradeJob.enabled'] },
      ...GRAFANA_IMAGES,
      // Its key "sha" takes the digest with "sha256:", unlike other keys of that name: the digest goes behind the tag.
      subchartImage('kube-state-metrics.image', { registry: 'registry.k8s.io', repository: 'kube-state-metrics/kube-state-metrics' }, 'v2.20.0', ['kubeStateMetrics.enabled']),
      {
        at: 'prometheus-node-exporter.image',
        // The chart appends "-distroless" to the tag that its value names.
        keys: {
          registry: 'prometheus-node-exporter.image.registry',
          repository: 'prometheus-node-exporter.image.repository',
          digest: 'prometheus-node-exporter.image.digest',
        },
        name: { registry: 'quay.io', repository: 'prometheus/node-exporter' },
        tag: { is: 'v1.12.1-distroless' },
        when: ['nodeExporter.enabled'],
      },
    ],
    unknown: [
      { what: 'the subchart prometheus-windows-exporter', registryKey: 'global.imageRegistry', when: ['windowsMonitoring.enabled'] },
    ],
    skipped: { 'prometheus-node-exporter.image.distroless': 'a variant of the tag' },
  },
  'kyverno': {
    source: 'kyverno/kyverno charts/kyverno/templates/_helpers/_image.tpl',
    images: [
      { at: 'admissionController.container.image' }, { at: 'admissionController.initContainer.image' },
      { at: 'backgroundController.image', when: ['backgroundController.enabled'] },
      { at: 'cleanupController.image', when: ['cleanupController.enabled'] },
      { at: 'reportsController.image', when: ['reportsController.enabled'] },
      { at: 'crds.migration.image', when: ['crds.migration.enabled'] },
      { at: 'webhooksCleanup.image', when: ['webhooksCleanup.enabled'] },
    ].map((image) => ({ ...image, tag: 'app' as const })),
    unknown: [{ what: 'the subchart reports-server', when: ['reportsServer.enabled'] }],
    skipped: {
      'global.image.registry': 'the registry of each image goes before it',
      'config.defaultRegistry': 'what Kyverno takes images of others for that name no registry',
      'test.image': TEST,
      ...Object.fromEntries([
        'crds.migration', 'admissionController.initContainer', 'admissionController.container', 'backgroundController', 'cleanupController', 'reportsController',
      ].map((part) => [`${part}.image.defaultRegistry`, 'image.registry goes before it'])),
    },
  },
  'metallb': {
    source: 'metallb/metallb charts/metallb/values.yaml, metallb/frr-k8s charts/frr-k8s 0.0.25 templates/controller.yaml',
    images: [
      { at: 'controller.image', tag: 'app', when: ['controller.enabled'] }, { at: 'speaker.image', tag: 'app', when: ['speaker.enabled'] },
      { at: 'speaker.frr.image', when: ['speaker.enabled', 'speaker.frr.enabled'] },
      subchartImage('frr-k8s.frrk8s.image', { repository: 'quay.io/metallb/frr-k8s' }, 'v0.0.25', ['frrk8s.enabled']),
      subchartImage('frr-k8s.frrk8s.frr.image', { repository: 'quay.io/frrouting/frr' }, '10.4.3', ['frrk8s.enabled']),
    ],
  },
  'metrics-server': {
    source: 'kubernetes-sigs/metrics-server charts/metrics-server/templates/_helpers.tpl',
    images: [{ at: 'image', tag: 'v-app' }, { at: 'addonResizer.image', when: ['addonResizer.enabled'] }],
  },
  'nifcloud-additional-storage-csi-driver': {
    source: 'nifcloud/nifcloud-additional-storage-csi-driver charts/nifcloud-additional-storage-csi-driver/templates/controller.yaml, node.yaml',
    images: [
      { at: 'image', tag: 'app' },
      { at: 'sidecars.provisioner.image' }, { at: 'sidecars.attacher.image' }, { at: 'sidecars.resizer.image' },
      { at: 'sidecars.nodeDriverRegistrar.image' }, { at: 'sidecars.livenessProbe.image' },
    ],
  },
  'nifcloud-cloud-controller-manager': {
    source: 'nifcloud/nifcloud-cloud-controller-manager charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml',
    images: [{ at: 'image', tag: 'app' }],
  },
  'node-feature-discovery': {
    source: 'kubernetes-sigs/node-feature-discovery deployment/helm/node-feature-discovery/values.yaml',
    images: [{ at: 'image', tag: 'app' }],
  },
  'node-local-dns': {
    source: 'deliveryhero/helm-charts stable/node-local-dns/templates/daemonset.yaml',
    images: [{ at: 'image', tag: 'app' }],
    containers: ['initContainers'],
  },
  'reloader': {
    source: 'stakater/Reloader deployments/kubernetes/chart/reloader/values.yaml',
    images: [{ at: 'image' }],
    skipped: { 'global.imageRegistry': 'image.repository is a whole name without it', 'image.name': 'appended to global.imageRegistry' },
  },
  'snapshot-controller': {
    source: 'piraeusdatastore/helm-charts charts/snapshot-controller/values.yaml',
    images: [{ at: 'controller.image', tag: 'app', when: ['controller.enabled'] }, { at: 'webhook.image', tag: 'app', when: ['webhook.enabled'] }],
  },
  'tigera-operator': {
    source: 'projectcalico/calico charts/tigera-operator/templates/_helpers.tpl; tigera/operator api/v1/installation_types.go (registry), pkg/components/calico.go, pkg/render, v1.42.3',
    images: [
      { at: 'tigeraOperator' },
      { at: 'calicoctl', keys: { repository: 'calicoctl.image', tag: 'calicoctl.tag' }, when: ['installation.kubernetesProvider=openshift'] },
    ],
    unknown: [{
      what: 'Calico itself, whose images the operator knows', registryKey: 'installation.registry', registry: 'quay.io', slash: true, when: ['installation.enabled'], named: CALICO_IMAGES,
    }],
  },
  'traefik': {
    source: 'traefik/traefik-helm-chart traefik/templates/_helpers.tpl',
    images: [{ at: 'image', tag: 'app', name: { registry: 'docker.io', repository: 'traefik' } }],
    containers: ['deployment.additionalContainers', 'deployment.initContainers'],
    skipped: { 'global.azure.images': 'for the marketplace of Azure', 'oci_meta.images': 'for the marketplace of Oracle', 'hub.pluginRegistry': 'plug-ins, and no images' },
  },
  'vector': {
    source: 'vectordotdev/helm-charts charts/vector/templates/_helpers.tpl',
    images: [{ at: 'image', tag: 'app' }, { at: 'haproxy.image', when: ['haproxy.enabled'] }],
    containers: ['extraContainers', 'initContainers'],
    skipped: { 'image.base': 'a variant of the tag' },
  },
  'velero': {
    source: 'vmware-tanzu/helm-charts charts/velero/templates/upgrade-crds/upgrade-crds.yaml, templates/label-namespace/labelnamespace.yaml',
    images: [
      { at: 'image', keys: { digest: 'image.digest' } },
      { at: 'kubectl.image', keys: { tag: 'kubectl.image.tag', digest: 'kubectl.image.digest' }, when: ['namespace.labels'] },
    ],
    containers: ['initContainers', 'extraContainers'],
  },
  'vertical-pod-autoscaler': {
    source: 'kubernetes/autoscaler vertical-pod-autoscaler/charts/vertical-pod-autoscaler/templates/_helpers.tpl',
    images: [
      { at: 'admissionController.image', tag: 'app', when: ['admissionController.enabled'] },
      { at: 'admissionController.certGen.image', when: ['admissionController.enabled', 'admissionController.certGen.enabled', '!admissionController.certManager.enabled'] },
      { at: 'recommender.image', tag: 'app', when: ['recommender.enabled'] }, { at: 'updater.image', tag: 'app', when: ['updater.enabled'] },
    ],
  },
  'victoria-metrics-agent': {
    source: 'VictoriaMetrics/helm-charts charts/victoria-metrics-common/templates/_image.tpl',
    images: [{ at: 'image', tag: 'app', name: { registry: 'docker.io', repository: 'victoriametrics/vmagent' } }],
    containers: ['extraContainers', 'initContainers'],
    skipped: { 'global.image.registry': 'image.registry goes before it', 'image.variant': 'a variant of the tag' },
  },
  'kamaji': {
    source: 'clastix/kamaji charts/kamaji/values.yaml',
    images: [{ at: 'image', tag: 'app' }],
    unknown: [{ what: 'the subchart kamaji-etcd, whose version the chart leaves open', when: ['kamaji-etcd.deploy'] }],
  },
  'kamaji-crds': { source: 'clastix/kamaji charts/kamaji-crds (definitions only)', images: [] },
  'kamaji-etcd': {
    source: 'clastix/charts charts/kamaji-etcd/values.yaml',
    images: [
      { at: 'image' }, { at: 'jobs.etcd', keys: { repository: 'jobs.etcd.image' } }, { at: 'jobs.kubectl', keys: { repository: 'jobs.kubectl.image' } },
      { at: 'jobs.cfssl', keys: { repository: 'jobs.cfssl.image' }, when: ['selfSignedCertificates.enabled'] },
    ],
  },
  'cluster-api-operator': {
    source: 'kubernetes-sigs/cluster-api-operator hack/charts/cluster-api-operator/values.yaml (a release writes other defaults)',
    images: [{ at: 'image.manager', tag: { is: '' }, name: { repository: '' } }],
  },
};
