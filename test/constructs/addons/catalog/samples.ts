import { Duration, Size } from 'cdk8s';
import { BundledAddonProps } from '../../../../src/constructs/addons/bundled-addon';
import { CertManager } from '../../../../src/constructs/addons/catalog/cert-manager';
import { CoreDns } from '../../../../src/constructs/addons/catalog/core-dns';
import { EnvoyGateway } from '../../../../src/constructs/addons/catalog/envoy-gateway';
import { DnsRecordPolicy, ExternalDns } from '../../../../src/constructs/addons/catalog/external-dns';
import { ExternalSecrets } from '../../../../src/constructs/addons/catalog/external-secrets';
import { FluentBit } from '../../../../src/constructs/addons/catalog/fluent-bit';
import { GpuOperator } from '../../../../src/constructs/addons/catalog/gpu-operator';
import { IngressNginx } from '../../../../src/constructs/addons/catalog/ingress-nginx';
import { KubePrometheusStack } from '../../../../src/constructs/addons/catalog/kube-prometheus-stack';
import { Kyverno } from '../../../../src/constructs/addons/catalog/kyverno';
import { MetalLb } from '../../../../src/constructs/addons/catalog/metal-lb';
import { MetricsServer } from '../../../../src/constructs/addons/catalog/metrics-server';
import { NodeFeatureDiscovery } from '../../../../src/constructs/addons/catalog/node-feature-discovery';
import { NodeLocalDns } from '../../../../src/constructs/addons/catalog/node-local-dns';
import { Reloader, ReloadStrategy } from '../../../../src/constructs/addons/catalog/reloader';
import { SnapshotController, SnapshotDeletionPolicy } from '../../../../src/constructs/addons/catalog/snapshot-controller';
import { Traefik } from '../../../../src/constructs/addons/catalog/traefik';
import { Vector } from '../../../../src/constructs/addons/catalog/vector';
import { Velero } from '../../../../src/constructs/addons/catalog/velero';
import { VerticalPodAutoscaler } from '../../../../src/constructs/addons/catalog/vertical-pod-autoscaler';
import { VictoriaMetricsAgent } from '../../../../src/constructs/addons/catalog/victoria-metrics-agent';
import { Addon } from '../../../../src/constructs/contracts/addon';

/** One addon of the catalogue, with the least and the most that can be said, and what it is expected to be. */
export interface CatalogueSample {
  readonly least: (common?: BundledAddonProps) => Addon;
  readonly most: (common?: BundledAddonProps) => Addon;
  readonly chart: string;
  readonly repository: string;
  readonly version: string;
  readonly namespace: string;
  readonly privileged?: boolean;
  readonly provides?: string[];
  readonly requires?: string[];
  /** Requirements of the addon with the most, where they are more. */
  readonly mostRequires?: string[];
  /** Paths of tolerations, of the addon with the most. */
  readonly tolerations: string[];
}

const credentials = [{ name: 'TOKEN', secretName: 'credentials', secretKey: 'token' }];

/** The catalogue by usual name of the addon. */
export const SAMPLES: { readonly [name: string]: CatalogueSample } = {
  'cert-manager': {
    least: (common) => new CertManager(common),
    most: (common) => new CertManager({ ...common, gatewayApi: true, replicas: 2 }),
    chart: 'cert-manager',
    repository: 'https://charts.jetstack.io',
    version: 'v1.21.1',
    namespace: 'cert-manager',
    provides: ['certificates'],
    mostRequires: ['pod-network', 'gateway-api'],
    tolerations: ['tolerations', 'webhook.tolerations', 'cainjector.tolerations'],
  },
  'envoy-gateway': {
    least: (common) => new EnvoyGateway(common),
    most: (common) => new EnvoyGateway({ ...common, replicas: 2 }),
    chart: 'gateway-helm',
    repository: 'oci://docker.io/envoyproxy',
    version: 'v1.9.0',
    namespace: 'envoy-gateway-system',
    requires: ['pod-network', 'gateway-api'],
    tolerations: ['deployment.pod.tolerations', 'certgen.job.tolerations'],
  },
  'traefik': {
    least: (common) => new Traefik(common),
    most: (common) => new Traefik({ ...common, replicas: 2, defaultClass: false, gatewayApi: true, serviceAnnotations: { a: 'b' } }),
    chart: 'traefik',
    repository: 'https://traefik.github.io/charts',
    version: '41.3.0',
    namespace: 'traefik',
    provides: ['ingress', 'default-ingress-class'],
    mostRequires: ['pod-network', 'gateway-api'],
    tolerations: ['tolerations'],
  },
  'ingress-nginx': {
    least: (common) => new IngressNginx(common),
    most: (common) => new IngressNginx({ ...common, replicas: 2, defaultClass: true, serviceAnnotations: { a: 'b' }, certManager: true }),
    chart: 'ingress-nginx',
    repository: 'https://kubernetes.github.io/ingress-nginx',
    version: '4.15.1',
    namespace: 'ingress-nginx',
    provides: ['ingress'],
    mostRequires: ['pod-network', 'certificates'],
    tolerations: ['controller.tolerations', 'controller.admissionWebhooks.patch.tolerations'],
  },
  'metrics-server': {
    least: (common) => new MetricsServer(common),
    most: (common) => new MetricsServer({ ...common, replicas: 2, kubeletInsecureTls: false }),
    chart: 'metrics-server',
    repository: 'https://kubernetes-sigs.github.io/metrics-server',
    version: '3.13.1',
    namespace: 'kube-system',
    provides: ['resource-metrics'],
    tolerations: ['tolerations'],
  },
  'snapshot-controller': {
    least: (common) => new SnapshotController(common),
    most: (common) => new SnapshotController({
      ...common,
      replicas: 2,
      classes: [{ name: 'fast', driver: 'csi.kubevirt.io', deletionPolicy: SnapshotDeletionPolicy.RETAIN, labels: { a: 'b' }, annotations: { c: 'd' } }],
    }),
    chart: 'snapshot-controller',
    repository: 'https://piraeus.io/helm-charts',
    version: '5.2.0',
    namespace: 'kube-system',
    provides: ['volume-snapshots'],
    tolerations: ['controller.tolerations'],
  },
  'external-dns': {
    least: (common) => new ExternalDns({ ...common, provider: 'cloudflare' }),
    most: (common) => new ExternalDns({
      ...common, provider: 'pdns', domainFilters: ['acme.example.com'], txtOwnerId: 'own', policy: DnsRecordPolicy.SYNC, sources: ['service'], credentials,
    }),
    chart: 'external-dns',
    repository: 'https://kubernetes-sigs.github.io/external-dns',
    version: '1.21.1',
    namespace: 'external-dns',
    tolerations: ['tolerations'],
  },
  'node-local-dns': {
    least: (common) => new NodeLocalDns(common),
    most: (common) => new NodeLocalDns({ ...common, localAddress: '169.254.20.11', upstreamLabels: { app: 'dns' } }),
    chart: 'node-local-dns',
    repository: 'https://raw.githubusercontent.com/deliveryhero/helm-charts/refs/heads/master',
    version: '2.9.2',
    namespace: 'kube-system',
    tolerations: [],
  },
  'coredns': {
    least: (common) => new CoreDns(common),
    most: (common) => new CoreDns({ ...common, replicas: 3 }),
    chart: 'coredns',
    repository: 'https://coredns.github.io/helm',
    version: '1.46.2',
    namespace: 'kube-system',
    provides: ['cluster-dns'],
    tolerations: ['tolerations'],
  },
  'vertical-pod-autoscaler': {
    least: (common) => new VerticalPodAutoscaler(common),
    most: (common) => new VerticalPodAutoscaler({ ...common, replicas: 2, applyRecommendations: false }),
    chart: 'vertical-pod-autoscaler',
    repository: 'https://kubernetes.github.io/autoscaler',
    version: '0.11.0',
    namespace: 'vertical-pod-autoscaler',
    requires: ['pod-network', 'resource-metrics'],
    tolerations: ['admissionController.tolerations', 'admissionController.certGen.tolerations', 'recommender.tolerations', 'updater.tolerations'],
  },
  'victoria-metrics-agent': {
    least: (common) => new VictoriaMetricsAgent({ ...common, remoteWrite: [{ url: 'https://metrics.example.com/api/v1/write' }] }),
    most: (common) => new VictoriaMetricsAgent({
      ...common,
      remoteWrite: [{ url: 'https://metrics.example.com/api/v1/write', headers: ['X-A: b', 'X-C: d'] }],
      externalLabels: { site: 'x' },
      buffer: Size.gibibytes(5),
      bufferStorageClass: 'fast',
      credentials,
    }),
    chart: 'victoria-metrics-agent',
    repository: 'https://victoriametrics.github.io/helm-charts',
    version: '0.46.0',
    namespace: 'monitoring',
    tolerations: ['tolerations'],
  },
  'kube-prometheus-stack': {
    least: (common) => new KubePrometheusStack(common),
    most: (common) => new KubePrometheusStack({
      ...common, replicas: 2, retention: '30d', storage: Size.gibibytes(50), storageClass: 'fast', grafana: false, alertmanager: false, selectAll: false,
    }),
    chart: 'kube-prometheus-stack',
    repository: 'https://prometheus-community.github.io/helm-charts',
    version: '88.5.3',
    namespace: 'monitoring',
    privileged: true,
    provides: ['prometheus-operator-crds'],
    tolerations: [
      'prometheusOperator.tolerations', 'prometheusOperator.admissionWebhooks.patch.tolerations', 'prometheus.prometheusSpec.tolerations',
      'alertmanager.alertmanagerSpec.tolerations', 'grafana.tolerations', 'kube-state-metrics.tolerations', 'prometheus-node-exporter.tolerations',
    ],
  },
  'fluent-bit': {
    least: (common) => new FluentBit({ ...common, outputs: '[OUTPUT]\n    Name stdout\n' }),
    most: (common) => new FluentBit({ ...common, outputs: '[OUTPUT]\n    Name stdout\n', filters: '[FILTER]\n    Name x\n', credentials }),
    chart: 'fluent-bit',
    repository: 'https://fluent.github.io/helm-charts',
    version: '0.58.1',
    namespace: 'logging',
    privileged: true,
    tolerations: [],
  },
  'vector': {
    least: (common) => new Vector({ ...common, sinks: { out: { type: 'console' } } }),
    most: (common) => new Vector({ ...common, sinks: { out: { type: 'console' } }, transforms: { t: { type: 'remap' } }, sources: { s: { type: 'journald' } }, credentials }),
    chart: 'vector',
    repository: 'https://helm.vector.dev',
    version: '0.56.0',
    namespace: 'logging',
    privileged: true,
    tolerations: [],
  },
  'velero': {
    least: (common) => new Velero({ ...common, provider: 'aws', bucket: 'backups' }),
    most: (common) => new Velero({
      ...common,
      provider: 'gcp',
      bucket: 'backups',
      prefix: 'acme',
      config: { region: 'eu' },
      plugins: ['registry.example.com:5000/velero/plugin_gcp:v1@sha256:0'],
      credentialsSecret: 'velero',
      volumeSnapshots: true,
      nodeAgent: true,
      schedule: '0 3 * * *',
      retention: Duration.days(7),
    }),
    chart: 'velero',
    repository: 'https://vmware-tanzu.github.io/helm-charts',
    version: '12.1.0',
    namespace: 'velero',
    mostRequires: ['pod-network', 'volume-snapshots'],
    tolerations: ['tolerations'],
  },
  'gpu-operator': {
    least: (common) => new GpuOperator(common),
    most: (common) => new GpuOperator({ ...common, driver: false, toolkit: false }),
    chart: 'gpu-operator',
    repository: 'https://helm.ngc.nvidia.com/nvidia',
    version: 'v26.7.0',
    namespace: 'gpu-operator',
    privileged: true,
    provides: ['node-features'],
    tolerations: [
      'operator.tolerations', 'daemonsets.tolerations', 'node-feature-discovery.worker.tolerations', 'node-feature-discovery.master.tolerations',
      'node-feature-discovery.gc.tolerations',
    ],
  },
  'node-feature-discovery': {
    least: (common) => new NodeFeatureDiscovery(common),
    most: (common) => new NodeFeatureDiscovery({ ...common, workerConfig: { core: { sleepInterval: '60s' } } }),
    chart: 'node-feature-discovery',
    repository: 'oci://registry.k8s.io/nfd/charts',
    version: '0.19.0',
    namespace: 'node-feature-discovery',
    privileged: true,
    provides: ['node-features'],
    tolerations: ['master.tolerations', 'gc.tolerations'],
  },
  'kyverno': {
    least: (common) => new Kyverno(common),
    most: (common) => new Kyverno({ ...common, replicas: 3, excludedNamespaces: ['x'], ignoreFailures: true }),
    chart: 'kyverno',
    repository: 'https://kyverno.github.io/kyverno',
    version: '3.9.0',
    namespace: 'kyverno',
    tolerations: ['global.tolerations', 'webhooksCleanup.tolerations', 'crds.migration.tolerations'],
  },
  'external-secrets': {
    least: (common) => new ExternalSecrets(common),
    most: (common) => new ExternalSecrets({ ...common, replicas: 2 }),
    chart: 'external-secrets',
    repository: 'https://charts.external-secrets.io',
    version: '2.9.0',
    namespace: 'external-secrets',
    tolerations: ['tolerations', 'webhook.tolerations', 'certController.tolerations'],
  },
  'reloader': {
    least: (common) => new Reloader(common),
    most: (common) => new Reloader({ ...common, autoReloadAll: true, strategy: ReloadStrategy.ENV_VARS, replicas: 2 }),
    chart: 'reloader',
    repository: 'https://stakater.github.io/stakater-charts',
    version: '2.2.16',
    namespace: 'reloader',
    tolerations: ['reloader.deployment.tolerations'],
  },
  'metallb': {
    least: (common) => new MetalLb(common),
    most: (common) => new MetalLb({ ...common, loadBalancerClass: 'metallb', frr: true }),
    chart: 'metallb',
    repository: 'https://metallb.github.io/metallb',
    version: '0.16.1',
    namespace: 'metallb-system',
    privileged: true,
    provides: ['default-load-balancer'],
    tolerations: ['controller.tolerations'],
  },
};
