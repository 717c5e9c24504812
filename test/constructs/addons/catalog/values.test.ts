import { Chart, Duration, Size, Testing } from 'cdk8s';
import { planAddons } from '../../../../src/constructs/addons/addon-plan';
import { CertManager } from '../../../../src/constructs/addons/catalog/cert-manager';
import { CoreDns } from '../../../../src/constructs/addons/catalog/core-dns';
import { EnvoyGateway } from '../../../../src/constructs/addons/catalog/envoy-gateway';
import { ExternalDns } from '../../../../src/constructs/addons/catalog/external-dns';
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
import { Reloader } from '../../../../src/constructs/addons/catalog/reloader';
import { SnapshotController } from '../../../../src/constructs/addons/catalog/snapshot-controller';
import { Traefik } from '../../../../src/constructs/addons/catalog/traefik';
import { Vector } from '../../../../src/constructs/addons/catalog/vector';
import { Velero } from '../../../../src/constructs/addons/catalog/velero';
import { VerticalPodAutoscaler } from '../../../../src/constructs/addons/catalog/vertical-pod-autoscaler';
import { VictoriaMetricsAgent } from '../../../../src/constructs/addons/catalog/victoria-metrics-agent';
import { Cilium } from '../../../../src/constructs/addons/cni/cilium';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { clusterContext } from '../../../support/contexts';
import { chartsOf, problemsOf, valuesOf } from '../bound';
import { dualStack } from '../cni/contexts';

const everywhere = [{ operator: 'Exists' }];
const credentials = [{ name: 'TOKEN', secretName: 'credentials', secretKey: 'token' }];
const env = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'credentials', key: 'token' } } }];

describe('DNS', () => {
  test('CoreDNS answers at the address that kubelets are told, for the domain of the cluster', () => {
    const values = valuesOf(new CoreDns(), dualStack);

    expect(values.service).toEqual({ name: 'kube-dns', clusterIP: '10.2.0.10', clusterIPs: ['10.2.0.10', 'fd00:2::a'], ipFamilyPolicy: 'RequireDualStack' });
    expect(values.servers[0].plugins).toContainEqual(expect.objectContaining({ name: 'kubernetes', parameters: 'acme.internal in-addr.arpa ip6.arpa' }));
    expect(values).toMatchObject({ k8sAppLabelOverride: 'kube-dns', replicaCount: 2 });
    expect(values.podDisruptionBudget).toEqual({ maxUnavailable: 1 });
    expect(values.topologySpreadConstraints).toMatchObject([{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }]);
    expect(valuesOf(new CoreDns()).service).toEqual({ name: 'kube-dns', clusterIP: '10.95.0.10' });
  });

  test('the cache of nodes asks there, and leaves Services alone where Cilium leads them', () => {
    expect(valuesOf(new NodeLocalDns(), dualStack).config).toEqual({ dnsServer: '10.2.0.10', dnsDomain: 'acme.internal', bindIp: true, setupIptables: true });
    expect(valuesOf(new NodeLocalDns(), { kubeProxyReplaced: true }).config.setupIptables).toBe(false);
    expect(valuesOf(new NodeLocalDns({ upstreamLabels: { app: 'dns' } })).config.upstreamServiceSelector).toEqual({ 'k8s-app': null, 'app': 'dns' });
  });

  test('ExternalDNS marks its records with namespace and name of the cluster', () => {
    expect(valuesOf(new ExternalDns({ provider: 'cloudflare', credentials }))).toEqual({
      provider: { name: 'cloudflare' }, policy: 'upsert-only', registry: 'txt', txtOwnerId: 'tenant-acme-acme', sources: ['service', 'ingress'], env,
    });
    expect(valuesOf(new ExternalDns({ provider: 'x', txtOwnerId: 'own' })).txtOwnerId).toBe('own');
  });

  test('ExternalDNS wants a provider, a mark, and names of Secrets', () => {
    const addon = new ExternalDns({ provider: '', txtOwnerId: '', credentials: [{ name: '', secretName: 'Upper', secretKey: '' }] });

    expect(problemsOf(addon).map(({ id, text }) => `${id} ${text.split(':')[0]}`)).toEqual([
      'TC-ADDON-REQUIRED external-dns.provider',
      'TC-ADDON-REQUIRED external-dns.txtOwnerId',
      'TC-ADDON-REQUIRED external-dns.credentials[0].name',
      'TC-ADDON-OBJECT-NAME external-dns.credentials[0].secretName',
      'TC-ADDON-REQUIRED external-dns.credentials[0].secretKey',
    ]);
  });
});

describe('annotations of Services that are published in the management cluster', () => {
  const publishedAnnotations = ['example.com/pool'];
  const serviceAnnotations = { 'example.com/pool': 'public', 'example.com/address': '192.0.2.7' };

  test('TC-ADDON-REFUSED-ANNOTATION: those of an addon are allowed by the isolation of the tenant', () => {
    expect(problemsOf(new Traefik({ serviceAnnotations }))).toEqual([]);
    for (const addon of [new Traefik({ serviceAnnotations }), new IngressNginx({ serviceAnnotations })]) {
      const found = problemsOf(addon, { publishedAnnotations });
      expect(found.map(({ id, text }) => `${id} ${text.split(': ')[0]}`)).toEqual([`TC-ADDON-REFUSED-ANNOTATION ${addon.name}.serviceAnnotations["example.com/address"]`]);
    }
  });

  test.each<[what: string, sources: string[] | undefined, published: string[] | undefined, warned: boolean]>([
    ['any are', undefined, undefined, false],
    ['the names of records are not', undefined, publishedAnnotations, true],
    ['the names of records are', undefined, ['external-dns.alpha.kubernetes.io/hostname'], false],
    ['they do not count', ['ingress'], publishedAnnotations, false],
  ])('TC-ADDON-SERVICE-ANNOTATION: ExternalDNS reads Services, of which %s allowed', (_, sources, published, warned) => {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(problemsOf(new ExternalDns({ provider: 'cloudflare', sources }), { publishedAnnotations: published })).toEqual([]);
    expect(emitted.mock.calls.map(([text]) => String(text).includes('TC-ADDON-SERVICE-ANNOTATION'))).toEqual(warned ? [true] : []);
    emitted.mockRestore();
  });
});

describe('certificates and traffic', () => {
  test('cert-manager brings its definitions and waits for no hook', () => {
    expect(valuesOf(new CertManager())).toEqual({ crds: { enabled: true, keep: true }, startupapicheck: { enabled: false } });
    expect(valuesOf(new CertManager({ gatewayApi: true, replicas: 2 }))).toMatchObject({
      replicaCount: 2, webhook: { replicaCount: 2 }, cainjector: { replicaCount: 2 }, config: { gatewayAPI: { enabled: true } },
    });
  });

  test('Envoy Gateway brings no definitions', () => {
    expect(valuesOf(new EnvoyGateway({ replicas: 2 }), dualStack)).toEqual({
      crds: { enabled: false }, deployment: { replicas: 2 }, kubernetesClusterDomain: 'acme.internal',
    });
  });

  test('Traefik is the default class unless told otherwise, ingress-nginx is not', () => {
    expect(valuesOf(new Traefik())).toEqual({ ingressClass: { enabled: true, isDefaultClass: true } });
    expect(valuesOf(new Traefik({ defaultClass: false, gatewayApi: true, serviceAnnotations: { a: 'b' } }))).toEqual({
      ingressClass: { enabled: true, isDefaultClass: false }, providers: { kubernetesGateway: { enabled: true } }, service: { annotations: { a: 'b' } },
    });
    expect(valuesOf(new IngressNginx())).toEqual({ controller: { ingressClassResource: { default: false } } });
    expect(valuesOf(new IngressNginx({ certManager: true })).controller.admissionWebhooks).toEqual({ certManager: { enabled: true } });
  });

  test('TC-ADDON-RETIRED: ingress-nginx gives a warning', () => {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(problemsOf(new IngressNginx())).toEqual([]);
    expect(emitted.mock.calls.map(([text]) => String(text))).toEqual([expect.stringMatching(/TC-ADDON-RETIRED .*ingress-nginx is retired.* use Traefik/)]);
    emitted.mockRestore();
  });

  test('two of them go together as long as one is the default', () => {
    const problems = (...addons: (Traefik | IngressNginx)[]) => planAddons([new Cilium(), ...addons]).problems.map(({ rule }) => rule.id);

    expect(problems(new Traefik(), new IngressNginx())).toEqual([]);
    expect(problems(new Traefik(), new IngressNginx({ defaultClass: true }))).toEqual(['TC-ADDON-EXCLUSIVE']);
    expect(problems(new Traefik({ defaultClass: false }), new IngressNginx({ defaultClass: true }))).toEqual([]);
  });

  test('MetalLB runs without FRR, on every node', () => {
    expect(valuesOf(new MetalLb())).toEqual({ crds: { enabled: true }, frrk8s: { enabled: false }, speaker: { tolerations: everywhere } });
    expect(valuesOf(new MetalLb({ loadBalancerClass: 'metallb', frr: true }))).toMatchObject({ loadBalancerClass: 'metallb', frrk8s: { enabled: true } });
  });
});

describe('metrics and logs', () => {
  test('metrics-server trusts kubeadm\'s kubelets', () => {
    expect(valuesOf(new MetricsServer(), dualStack)).toEqual({ replicas: 1, args: ['--kubelet-insecure-tls'], tls: { clusterDomain: 'acme.internal' } });
    expect(valuesOf(new MetricsServer({ replicas: 2, kubeletInsecureTls: false }))).toEqual({
      replicas: 2, podDisruptionBudget: { enabled: true, minAvailable: 1 }, tls: { clusterDomain: 'cluster.local' },
    });
  });

  test('the vertical pod autoscaler keeps one of several, and may only recommend', () => {
    const alone = { replicas: 1, podDisruptionBudget: { enabled: false } };

    expect(valuesOf(new VerticalPodAutoscaler())).toEqual({
      recommender: alone, updater: { enabled: true, ...alone }, admissionController: { enabled: true, ...alone },
    });
    expect(valuesOf(new VerticalPodAutoscaler({ applyRecommendations: false, replicas: 2 }))).toMatchObject({
      recommender: { replicas: 2, podDisruptionBudget: { enabled: true } }, updater: { enabled: false }, admissionController: { enabled: false },
    });
  });

  test('the agent of VictoriaMetrics says which cluster metrics are from', () => {
    const url = 'https://metrics.example.com/api/v1/write';

    expect(valuesOf(new VictoriaMetricsAgent({ remoteWrite: [{ url }] }), dualStack)).toEqual({
      mode: 'deployment',
      remoteWrite: [{ url }],
      config: { global: { external_labels: { cluster: 'acme', tenant: 'tenant-acme' } } },
      global: { cluster: { dnsDomain: 'acme.internal.' } },
    });
    expect(valuesOf(new VictoriaMetricsAgent({
      remoteWrite: [{ url, headers: ['A: b', 'C: d'] }], externalLabels: { a: 'b' }, buffer: Size.gibibytes(5), bufferStorageClass: 'fast', credentials,
    }))).toMatchObject({
      mode: 'statefulSet',
      remoteWrite: [{ url, headers: 'A: b^^C: d' }],
      config: { global: { external_labels: { a: 'b' } } },
      persistentVolume: { enabled: true, size: '5120Mi', storageClassName: 'fast' },
      env,
    });
  });

  test('the agent of VictoriaMetrics wants addresses', () => {
    expect(problemsOf(new VictoriaMetricsAgent({ remoteWrite: [] }))).toMatchObject([{ id: 'TC-ADDON-REQUIRED', text: expect.stringContaining('victoria-metrics-agent.remoteWrite: ') }]);

    const found = problemsOf(new VictoriaMetricsAgent({ remoteWrite: [{ url: 'metrics:8429' }, { url: 'ftp://x' }] }));
    expect(found.map(({ id, text }) => `${id} ${text.split(':')[0]}`)).toEqual([
      'TC-ADDON-URL victoria-metrics-agent.remoteWrite[0].url',
      'TC-ADDON-URL victoria-metrics-agent.remoteWrite[1].url',
    ]);
  });

  test('Prometheus scrapes nothing that runs outside the tenant', () => {
    const off = { enabled: false };

    expect(valuesOf(new KubePrometheusStack(), { kubeProxyReplaced: true })).toMatchObject({
      kubeControllerManager: off,
      kubeScheduler: off,
      kubeEtcd: off,
      kubeProxy: off,
      defaultRules: {
        rules: { etcd: false, kubeControllerManager: false, kubeSchedulerAlerting: false, kubeSchedulerRecording: false, kubeProxy: false },
      },
      prometheus: { prometheusSpec: { externalLabels: { cluster: 'acme', tenant: 'tenant-acme' }, serviceMonitorSelectorNilUsesHelmValues: false } },
    });
    expect(valuesOf(new KubePrometheusStack())).toMatchObject({ kubeProxy: off, defaultRules: { rules: { kubeProxy: false } } });
  });

  test('Prometheus keeps metrics in a volume', () => {
    const spec = valuesOf(new KubePrometheusStack({ storage: Size.gibibytes(50), storageClass: 'fast', retention: '30d', selectAll: false })).prometheus.prometheusSpec;

    expect(spec).toEqual({
      retention: '30d',
      externalLabels: { cluster: 'acme', tenant: 'tenant-acme' },
      storageSpec: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '51200Mi' } } } },
      },
    });
    expect(problemsOf(new KubePrometheusStack({ retention: '' }))).toMatchObject([{ id: 'TC-ADDON-REQUIRED' }]);
  });

  test('Grafana takes its password from a Secret that is named', () => {
    expect(valuesOf(new KubePrometheusStack({ grafanaAdminSecret: 'grafana-admin' })).grafana).toEqual({ enabled: true, admin: { existingSecret: 'grafana-admin' } });
    expect(valuesOf(new KubePrometheusStack()).grafana).toEqual({ enabled: true });
    expect(problemsOf(new KubePrometheusStack({ grafanaAdminSecret: 'Grafana' })))
      .toMatchObject([{ id: 'TC-ADDON-OBJECT-NAME', text: expect.stringContaining('grafanaAdminSecret') }]);
  });

  test('logs are collected on every node, and go where the user says', () => {
    expect(valuesOf(new FluentBit({ outputs: '[OUTPUT]', credentials }))).toEqual({ kind: 'DaemonSet', tolerations: everywhere, config: { outputs: '[OUTPUT]' }, env });
    expect(valuesOf(new Vector({ sinks: { out: { type: 'console' } }, credentials }))).toEqual({
      role: 'Agent',
      tolerations: everywhere,
      customConfig: { data_dir: '/vector-data-dir', sources: { kubernetes_logs: { type: 'kubernetes_logs' } }, sinks: { out: { type: 'console' } } },
      service: { enabled: false },
      serviceHeadless: { enabled: false },
      env,
    });
    expect(problemsOf(new FluentBit({ outputs: ' \n' }))).toMatchObject([{ id: 'TC-ADDON-REQUIRED', text: expect.stringContaining('fluent-bit.outputs') }]);
    expect(problemsOf(new Vector({ sinks: {} }))).toMatchObject([{ id: 'TC-ADDON-REQUIRED', text: expect.stringContaining('vector.sinks') }]);
  });
});

describe('backup', () => {
  test('Velero keeps the backups of a cluster in a folder of its own', () => {
    expect(valuesOf(new Velero({ provider: 'aws', bucket: 'backups', config: { region: 'eu' }, credentialsSecret: 'velero' }))).toEqual({
      configuration: {
        backupStorageLocation: [{
          name: 'default', default: true, provider: 'aws', bucket: 'backups', prefix: 'tenant-acme-acme', accessMode: 'ReadWrite', config: { region: 'eu' },
        }],
      },
      snapshotsEnabled: false,
      initContainers: [{
        name: 'velero-plugin-for-aws', image: 'velero/velero-plugin-for-aws:v1.14.2', volumeMounts: [{ mountPath: '/target', name: 'plugins' }],
      }],
      credentials: { useSecret: true, existingSecret: 'velero' },
      deployNodeAgent: false,
    });
  });

  test('Velero with snapshots, an agent and a schedule', () => {
    const addon = new Velero({
      provider: 'gcp',
      bucket: 'backups',
      plugins: ['registry.example.com:5000/velero/plugin_gcp:v1@sha256:0'],
      volumeSnapshots: true,
      nodeAgent: true,
      schedule: '0 3 * * *',
      retention: Duration.days(7),
    });

    expect(valuesOf(addon)).toMatchObject({
      configuration: { features: 'EnableCSI' },
      initContainers: [{ name: 'plugin-gcp' }],
      credentials: { useSecret: false },
      deployNodeAgent: true,
      nodeAgent: { tolerations: everywhere },
      schedules: { all: { schedule: '0 3 * * *', template: { ttl: '168h0m0s' } } },
    });
    expect(chartsOf(addon)[0].namespaceLabels).toEqual({ 'pod-security.kubernetes.io/enforce': 'privileged' });
  });

  test('Velero wants a provider with its plug-in, a bucket, and a schedule that says something', () => {
    const addon = new Velero({ provider: 'azure', bucket: '', credentialsSecret: 'A', schedule: ' ' });

    expect(problemsOf(addon).map(({ id, text }) => `${id} ${text.split(':')[0]}`)).toEqual([
      'TC-ADDON-REQUIRED velero.bucket',
      'TC-ADDON-REQUIRED velero.plugins',
      'TC-ADDON-OBJECT-NAME velero.credentialsSecret',
      'TC-ADDON-REQUIRED velero.schedule',
    ]);
    expect(problemsOf(new Velero({ provider: '', bucket: 'x', plugins: ['x'] }))).toMatchObject([{ id: 'TC-ADDON-REQUIRED', text: expect.stringContaining('velero.provider') }]);
  });

  test('snapshot classes, which Helm cannot install with their definition', () => {
    const tenant = new Chart(Testing.app(), 'tenant', { disableResourceNameHashes: true });
    const { charts, chartsFirst } = new SnapshotController({ classes: [{ name: 'fast', driver: 'csi.kubevirt.io', labels: { a: 'b' } }] }).bind(tenant, clusterContext());
    expect([chartsFirst, charts![0].values]).toEqual([true, {
      installCRDs: true,
      controller: { args: { featureGates: 'CSIVolumeGroupSnapshot=false' }, priorityClassName: 'system-cluster-critical' },
    }]);
    expect(tenant.toJson()).toEqual([{
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshotClass',
      metadata: { name: 'fast', labels: { a: 'b' } },
      driver: 'csi.kubevirt.io',
      deletionPolicy: 'Delete',
    }]);
    expect(problemsOf(new SnapshotController({ classes: [{ name: 'Fast', driver: '' }] })).map(({ id, text }) => `${id} ${text.split(':')[0]}`)).toEqual([
      'TC-ADDON-OBJECT-NAME snapshot-controller.classes[0].name',
      'TC-ADDON-REQUIRED snapshot-controller.classes[0].driver',
    ]);
  });
});

describe('nodes and policies', () => {
  test('the GPU operator brings the discovery of features, or asks for it', () => {
    expect(valuesOf(new GpuOperator())).toEqual({
      driver: { enabled: true }, toolkit: { enabled: true }, nfd: { enabled: true }, sandboxWorkloads: { enabled: false },
    });

    const without = new GpuOperator({ nodeFeatureDiscovery: false, driver: false });
    expect(valuesOf(without)).toMatchObject({ driver: { enabled: false }, nfd: { enabled: false } });
    expect(planAddons([new Cilium(), without]).problems.map(({ rule }) => rule.id)).toEqual(['TC-ADDON-REQUIREMENT']);
    expect(planAddons([new Cilium(), without, new NodeFeatureDiscovery()]).problems).toEqual([]);
    expect(planAddons([new Cilium(), new GpuOperator(), new NodeFeatureDiscovery()]).problems.map(({ rule }) => rule.id)).toEqual(['TC-ADDON-EXCLUSIVE']);
  });

  test('the GPU operator keeps what its pods tolerate already', () => {
    const gpu = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };
    const values = valuesOf(new GpuOperator({ tolerations: [{ key: 'team', value: 'a' }] }));

    expect(values.daemonsets.tolerations).toEqual([gpu, { key: 'team', value: 'a' }]);
    expect(values['node-feature-discovery'].worker.tolerations).toEqual([gpu, { key: 'team', value: 'a' }]);
    expect(valuesOf(new GpuOperator({ nodeFeatureDiscovery: false, tolerations: [{ key: 'team' }] }))['node-feature-discovery']).toBeUndefined();
  });

  test('features are discovered on every node', () => {
    expect(valuesOf(new NodeFeatureDiscovery({ workerConfig: { core: { labelWhiteList: 'x' } } }))).toEqual({
      worker: { tolerations: everywhere, config: { core: { labelWhiteList: 'x' } } },
    });
  });

  test('the DNS cache is warned of where no pod asks it, and refused where its address is of another family', () => {
    const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
    const ipv6 = { network: { ...clusterContext().network, serviceCidrs: ['fd00:96::/112'], dnsServiceIps: ['fd00:96::a'] } };
    const codes = () => warn.mock.calls.splice(0).map(([, { code }]) => code);

    expect(problemsOf(new NodeLocalDns(), { kubeProxyReplaced: true })).toEqual([]);
    expect(codes()).toEqual(['TC-ADDON-NODE-LOCAL-DNS-UNUSED']);
    expect(problemsOf(new NodeLocalDns(), { kubeProxyReplaced: false })).toEqual([]);
    expect(codes()).toEqual([]);
    expect(problemsOf(new NodeLocalDns(), ipv6).map(({ id }) => id)).toEqual(['TC-ADDON-NODE-LOCAL-DNS-FAMILY']);
    expect(problemsOf(new NodeLocalDns({ localAddress: 'fd00::10' }), ipv6)).toEqual([]);
    warn.mockRestore();
  });

  test('a single Kyverno is warned of, unless writes may pass', () => {
    const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
    [new Kyverno(), new Kyverno({ replicas: 3 }), new Kyverno({ ignoreFailures: true })].forEach((addon) => problemsOf(addon));

    expect(warn.mock.calls.map(([, { code }]) => code)).toEqual(['TC-ADDON-KYVERNO-SINGLE']);
    warn.mockRestore();
  });

  test('Kyverno is not asked about what the cluster cannot do without', () => {
    const selector = (addon: Kyverno) => valuesOf(addon).config.webhooks.namespaceSelector.matchExpressions;

    expect(selector(new Kyverno())).toEqual([{
      key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['calico-system', 'kube-flannel', 'kube-node-lease', 'kube-system', 'tigera-operator'],
    }]);
    const csi = { infrastructure: { ...clusterContext().infrastructure, recoveryNamespaces: ['csi-driver'] } };
    expect(valuesOf(new Kyverno(), csi).config.webhooks.namespaceSelector.matchExpressions[0].values).toContain('csi-driver');
    expect(selector(new Kyverno({ excludedNamespaces: ['a'] }))[0].values).toEqual(['a']);
    expect(valuesOf(new Kyverno({ ignoreFailures: true, replicas: 3 }))).toMatchObject({
      features: { forceFailurePolicyIgnore: { enabled: true } }, admissionController: { replicas: 3 },
    });
  });

  test('several replicas of an operator elect a leader', () => {
    expect(valuesOf(new ExternalSecrets())).toEqual({ installCRDs: true, replicaCount: 1, leaderElect: false, webhook: { replicaCount: 1 } });
    expect(valuesOf(new ExternalSecrets({ replicas: 2 }))).toMatchObject({ leaderElect: true });
    expect(valuesOf(new Reloader({ replicas: 2 })).reloader).toEqual({
      autoReloadAll: false, reloadStrategy: 'annotations', readOnlyRootFileSystem: true, enableHA: true, deployment: { replicas: 2 },
    });
  });

  test.each([
    new CertManager({ replicas: 0 }), new CoreDns({ replicas: 0 }), new EnvoyGateway({ replicas: 0 }), new ExternalSecrets({ replicas: 0 }),
    new IngressNginx({ replicas: 0 }), new KubePrometheusStack({ replicas: 0 }), new Kyverno({ replicas: 0 }), new MetricsServer({ replicas: 0 }),
    new Reloader({ replicas: 0 }), new SnapshotController({ replicas: 0 }), new Traefik({ replicas: 0.5 }),
    new VerticalPodAutoscaler({ replicas: 0 }),
  ])('replicas of $name are counted from 1', (addon) => {
    const text = expect.stringMatching(new RegExp(`^${addon.name}\\.replicas: 0(\\.5)? is not a number of replicas`));
    expect(problemsOf(addon)).toMatchObject([{ id: 'TC-ADDON-COUNT', text }]);
  });
});
