import { Duration, JsonPatch, Size } from 'cdk8s';
import * as fc from 'fast-check';
import { bound, machineContext, MACHINE } from './bound';
import { HealthCheck } from '../../../../../src/constructs/contracts/node-pool/health-check';
import { MachineCount } from '../../../../../src/constructs/contracts/node-pool/machine-count';
import { KubeadmCoreDns } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/addons';
import { KubeadmEncryptionAlgorithm } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/certificates';
import { KubeadmEtcd } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/etcd';
import { KubeadmControlPlane } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubeadmControlPlaneProps } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import { KubeadmRollout } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/rollout';
import { KubeadmHostPathType } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/volumes';
import { TaintEffect } from '../../../../../src/manifests/values/taints';
import { SchemaValidator } from '../../../../manifests/schema/validate';
import { amount } from '../../../../support/sample';
import { ExampleMachine } from '../../../../support/strategies';
import { MAXIMAL as MAXIMAL_BOOTSTRAP } from '../bootstrap/bound';

const MAXIMAL: Partial<KubeadmControlPlaneProps> = {
  ...MAXIMAL_BOOTSTRAP,
  replicas: 5,
  etcd: KubeadmEtcd.stacked({
    imageRepository: 'registry.example.com/etcd',
    imageTag: '3.6.6-0',
    dataDir: '/var/lib/etcd/data',
    extraArgs: [{ name: 'quota-backend-bytes', value: '8589934592' }],
    serverCertSans: ['etcd.example.com'],
    peerCertSans: ['*.etcd.example.com'],
  }),
  certSans: ['api.acme.example.com', '192.0.2.20'],
  apiServer: {
    extraArgs: [{ name: 'audit-log-path', value: '/var/log/kubernetes/audit.log' }, { name: 'audit-log-maxage', value: '30' }],
    featureGates: { WatchList: false, AllAlpha: false },
    extraVolumes: [{ name: 'audit-log', hostPath: '/var/log/kubernetes', mountPath: '/var/log/kubernetes', readOnly: false, pathType: KubeadmHostPathType.DIRECTORY_OR_CREATE }],
    extraEnvs: { ZONE: 'b', AREA: 'a' },
  },
  controllerManager: { extraArgs: [{ name: 'bind-address', value: '0.0.0.0' }] },
  scheduler: { extraArgs: [{ name: 'bind-address', value: '0.0.0.0' }] },
  kubeadmFeatureGates: { NodeLocalCRISocket: false },
  imageRepository: 'registry.example.com/k8s',
  coreDns: KubeadmCoreDns.managed({ imageRepository: 'registry.example.com/coredns', imageTag: 'v1.12.0' }),
  certificateValidity: Duration.days(180),
  caCertificateValidity: Duration.days(7300),
  encryptionAlgorithm: KubeadmEncryptionAlgorithm.ECDSA_P384,
  initSkipPhases: ['mark-control-plane'],
  controlPlaneTimeouts: { componentHealthCheck: Duration.minutes(6), etcdApiCall: Duration.minutes(3) },
  labels: { 'example.com/zone': 'b', 'node-role.kubernetes.io/etcd': '' },
  taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: TaintEffect.NO_EXECUTE }],
  healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.minutes(30) }),
  remediation: { maxRetry: 3, retryPeriod: Duration.minutes(2), minHealthyPeriod: Duration.hours(2) },
  rollout: { maxSurge: 0, beforeCertificateExpiry: Duration.days(30), after: '2026-03-09T09:00:00Z' },
  nodeDrainTimeout: Duration.minutes(15),
};

const validator = SchemaValidator.load();

/** Schema faults of what a control plane makes, the example's own template aside. */
function faultsOf(manifests: readonly any[]): string[] {
  return manifests.filter(({ kind }) => kind !== 'ExampleMachineTemplate').flatMap((manifest) => [...validator.validate(manifest), ...validator.missingDefaults(manifest)]);
}

test('needs nothing but machines, and says all that the webhook would add', () => {
  const { manifests, spec, problems } = bound();

  expect(problems).toEqual([]);
  expect(faultsOf(manifests)).toEqual([]);
  expect(spec).toMatchObject({
    replicas: 3,
    version: 'v1.35.4',
    machineNaming: { template: 'acme-control-plane-{{ .random }}' },
    rollout: { before: { certificatesExpiryDays: 30 }, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
    machineTemplate: { spec: { deletion: { nodeDrainTimeoutSeconds: 600, nodeVolumeDetachTimeoutSeconds: 600, nodeDeletionTimeoutSeconds: 300 } } },
  });
  expect(spec.kubeadmConfigSpec.initConfiguration.nodeRegistration).not.toHaveProperty('taints');
  expect(spec.kubeadmConfigSpec.initConfiguration.nodeRegistration).not.toHaveProperty('name');
  expect(spec.kubeadmConfigSpec.initConfiguration.skipPhases).toBeUndefined();
  // An update that emptied it would be refused.
  expect(spec.kubeadmConfigSpec.clusterConfiguration).toEqual({ certificateValidityPeriodDays: 365 });
});

test('takes every property to where it belongs', () => {
  const { manifests, spec, problems } = bound(MAXIMAL);

  expect(problems).toEqual([]);
  expect(faultsOf(manifests)).toEqual([]);
  expect(spec).toMatchObject({
    replicas: 5,
    rollout: { after: '2026-03-09T09:00:00Z', before: { certificatesExpiryDays: 30 }, strategy: { rollingUpdate: { maxSurge: 0 } } },
    remediation: { maxRetry: 3, retryPeriodSeconds: 120, minHealthyPeriodSeconds: 7200 },
    machineTemplate: { metadata: { labels: { 'node-role.kubernetes.io/etcd': '' } }, spec: { deletion: { nodeDrainTimeoutSeconds: 900 } } },
  });
  const { clusterConfiguration, initConfiguration, joinConfiguration } = spec.kubeadmConfigSpec;
  expect(clusterConfiguration).toEqual({
    apiServer: {
      certSANs: ['api.acme.example.com', '192.0.2.20'],
      extraArgs: [{ name: 'feature-gates', value: 'AllAlpha=false,WatchList=false' }, { name: 'audit-log-path', value: '/var/log/kubernetes/audit.log' }, { name: 'audit-log-maxage', value: '30' }],
      extraEnvs: [{ name: 'AREA', value: 'a' }, { name: 'ZONE', value: 'b' }],
      extraVolumes: [{ name: 'audit-log', hostPath: '/var/log/kubernetes', mountPath: '/var/log/kubernetes', readOnly: false, pathType: 'DirectoryOrCreate' }],
    },
    caCertificateValidityPeriodDays: 7300,
    certificateValidityPeriodDays: 180,
    controllerManager: { extraArgs: [{ name: 'bind-address', value: '0.0.0.0' }] },
    dns: { imageRepository: 'registry.example.com/coredns', imageTag: 'v1.12.0' },
    encryptionAlgorithm: 'ECDSA-P384',
    etcd: {
      local: {
        dataDir: '/var/lib/etcd/data',
        extraArgs: [{ name: 'quota-backend-bytes', value: '8589934592' }],
        imageRepository: 'registry.example.com/etcd',
        imageTag: '3.6.6-0',
        peerCertSANs: ['*.etcd.example.com'],
        serverCertSANs: ['etcd.example.com'],
      },
    },
    featureGates: { NodeLocalCRISocket: false },
    imageRepository: 'registry.example.com/k8s',
    scheduler: { extraArgs: [{ name: 'bind-address', value: '0.0.0.0' }] },
  });
  expect(initConfiguration.skipPhases).toEqual(['mark-control-plane']);
  expect(joinConfiguration.skipPhases).toEqual(['preflight']);
  for (const configuration of [initConfiguration, joinConfiguration]) {
    expect(configuration).toMatchObject({
      nodeRegistration: { name: '{{ ds.meta_data.hostname }}', criSocket: 'unix:///run/crio/crio.sock', taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoExecute' }] },
      patches: { directory: '/etc/kubernetes/patches' },
      timeouts: { controlPlaneComponentHealthCheckSeconds: 360, etcdAPICallSeconds: 180, discoverySeconds: 600, kubernetesAPICallSeconds: 120 },
    });
    expect(configuration.nodeRegistration.kubeletExtraArgs).toContainEqual({ name: 'node-labels', value: 'example.com/zone=b' });
  }
  expect(spec.kubeadmConfigSpec).toMatchObject({ ntp: { enabled: true }, postKubeadmCommands: ['touch /var/lib/joined'], verbosity: 5 });
  expect(spec.kubeadmConfigSpec.files.map(({ path }: { path: string }) => path)).toContain('/etc/kubernetes/patches/kubeletconfiguration+strategic.json');
});

test('keeps an empty list of taints, which lets pods run on control plane machines', () => {
  const { spec, manifests } = bound({ taints: [] });

  expect(spec.kubeadmConfigSpec.initConfiguration.nodeRegistration.taints).toEqual([]);
  expect(spec.kubeadmConfigSpec.joinConfiguration.nodeRegistration.taints).toEqual([]);
  expect(faultsOf(manifests)).toEqual([]);
});

test('takes an external etcd, with any number of machines', () => {
  const { spec, manifests, problems } = bound({ replicas: 2, etcd: KubeadmEtcd.external({ endpoints: ['https://etcd-0.example.com:2379'] }) });

  expect(problems).toEqual([]);
  expect(faultsOf(manifests)).toEqual([]);
  expect(spec.kubeadmConfigSpec.clusterConfiguration.etcd).toEqual({
    external: {
      endpoints: ['https://etcd-0.example.com:2379'],
      caFile: '/etc/kubernetes/pki/etcd/ca.crt',
      certFile: '/etc/kubernetes/pki/apiserver-etcd-client.crt',
      keyFile: '/etc/kubernetes/pki/apiserver-etcd-client.key',
    },
  });
});

test('tells kubelets, and nobody else, of a cloud controller manager', () => {
  const { spec } = bound({}, machineContext({ infrastructure: { clusterKind: 'ExampleCluster', externalCloudProvider: true } }));
  const { clusterConfiguration, initConfiguration, joinConfiguration } = spec.kubeadmConfigSpec;

  for (const { nodeRegistration } of [initConfiguration, joinConfiguration]) {
    expect(nodeRegistration.kubeletExtraArgs).toContainEqual({ name: 'cloud-provider', value: 'external' });
  }
  expect(JSON.stringify(clusterConfiguration)).not.toContain('cloud-provider');
});

test('puts the name inside the management cluster into the certificate, once', () => {
  const context = machineContext({ apiServer: { internal: { host: 'acme-lb.tenant-acme.svc', port: 6443 } } });
  const { spec } = bound({ certSans: ['api.example.com', 'acme-lb.tenant-acme.svc'] }, context);

  expect(spec.kubeadmConfigSpec.clusterConfiguration.apiServer.certSANs).toEqual(['acme-lb.tenant-acme.svc', 'api.example.com']);
});

describe('programs that kubeadm installs', () => {
  const skipped = (props: Partial<KubeadmControlPlaneProps>, kubeProxyReplaced?: boolean) => {
    const { config, spec } = bound(props, machineContext({ kubeProxyReplaced }));
    const annotations = Object.keys(config.resource.toJson().metadata.annotations).filter((key) => key.startsWith('controlplane.'));
    return { annotations, phases: spec.kubeadmConfigSpec.initConfiguration.skipPhases ?? [] };
  };

  test.each([[undefined], [false]])('are both there with kubeProxyReplaced %s', (replaced) => {
    expect(skipped({}, replaced)).toEqual({ annotations: [], phases: [] });
  });

  test('do not have kube-proxy among them where the pod network replaces it', () => {
    expect(skipped({}, true)).toEqual({ annotations: ['controlplane.cluster.x-k8s.io/skip-kube-proxy'], phases: ['addon/kube-proxy'] });
  });

  test('do not have CoreDNS among them where something else serves DNS', () => {
    expect(skipped({ coreDns: KubeadmCoreDns.none(), initSkipPhases: ['addon/coredns'] })).toEqual({
      annotations: ['controlplane.cluster.x-k8s.io/skip-coredns'], phases: ['addon/coredns'],
    });
    expect(new KubeadmControlPlane({ machine: MACHINE, coreDns: KubeadmCoreDns.none() }).capabilities.addonCapabilities).toEqual([]);
    expect(new KubeadmControlPlane({ machine: MACHINE }).capabilities.addonCapabilities).toEqual(['cluster-dns']);
  });
});

describe('machines', () => {
  test('are cloned from a template that is named after its content, and the reference follows a patch', () => {
    const { config } = bound();
    const template = config.machines!.machineTemplate;
    const before = template.name;
    template.addJsonPatch(JsonPatch.replace('/spec/flavor', 'large'));
    const reference = config.resource.toJson().spec.machineTemplate.spec.infrastructureRef;

    expect(before).toMatch(/^acme-control-plane-[0-9a-f]{8}$/);
    expect(template.name).not.toBe(before);
    expect(reference).toEqual({ apiGroup: 'infrastructure.example.com', kind: 'ExampleMachineTemplate', name: template.name });
    expect(template.toJson().metadata.annotations).toMatchObject({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled' });
  });

  test('have a health check of their own, unless there shall be none', () => {
    const { manifests } = bound();
    const check = manifests.find(({ kind }) => kind === 'MachineHealthCheck');

    expect(check.metadata.name).toBe('acme-control-plane');
    expect(check.spec).toMatchObject({
      clusterName: 'acme',
      selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/control-plane': '' } },
    });
    expect(bound({ healthCheck: HealthCheck.none() }).config.machines!.machineHealthCheck).toBeUndefined();
  });

  test.each([[1, 1], [3, 1], [5, 2], [7, 3]])('of %i replicas, %i may be unhealthy, from the first machine on', (replicas, unhealthy) => {
    const { config } = bound({ replicas });

    expect(config.machines!.machineHealthCheck!.toJson().spec.remediation).toEqual({ triggerIf: { unhealthyLessThanOrEqualTo: unhealthy } });
  });

  test('are replaced within the limit that was chosen', () => {
    const { config } = bound({ healthCheck: HealthCheck.of({ maxUnhealthy: MachineCount.percent(100) }) });

    expect(config.machines!.machineHealthCheck!.toJson().spec.remediation).toEqual({ triggerIf: { unhealthyLessThanOrEqualTo: '100%' } });
  });
});

test('says where the kubeconfig is, and what it is made of', () => {
  const controlPlane = new KubeadmControlPlane({ machine: MACHINE, replicas: 5 });
  const secret = { name: 'acme-kubeconfig', key: 'value' };

  expect(controlPlane.kubeconfigs({ name: 'acme', namespace: 'tenant-acme' })).toEqual({ internal: secret, external: secret });
  expect(controlPlane.capabilities).toMatchObject({ apiServerPort: 6443, machineCount: 5 });
  expect(controlPlane.capabilities.endpointManager).toBeUndefined();
  expect(controlPlane.capabilities.tunnelPort).toBeUndefined();
});

test('is plain data: bound twice it gives the same', () => {
  expect(bound(MAXIMAL).manifests).toEqual(bound(MAXIMAL).manifests);
});

describe('machines are replaced before their certificates expire', () => {
  const before = (validity: number | undefined, rollout?: KubeadmRollout) => {
    const { spec, manifests, problems } = bound({ certificateValidity: validity === undefined ? undefined : Duration.days(validity), rollout });
    expect(problems).toEqual([]);
    expect(faultsOf(manifests)).toEqual([]);
    return spec.rollout.before?.certificatesExpiryDays;
  };

  test.each([[undefined, 30], [1095, 30], [90, 30], [89, 29], [21, 7], [8, 7], [7, undefined], [1, undefined]])('certificates of %s days: %s days before', (validity, days) => {
    expect(before(validity)).toBe(days);
  });

  test('when the user says, or not for that reason', () => {
    expect(before(365, { beforeCertificateExpiry: Duration.days(60) })).toBe(60);
    expect(before(365, { beforeCertificateExpiry: Duration.days(0) })).toBeUndefined();
  });

  test('in time, at any validity of more than a week', () => {
    fc.assert(fc.property(fc.integer({ min: 8, max: 1095 }), (validity) => {
      const days = before(validity);
      expect(days).toBeGreaterThanOrEqual(7);
      expect(days).toBeLessThan(validity);
    }), { numRuns: amount(30, 6) });
  });
});

test('any accepted number of machines, size and validity passes the schemas, and none else passes the rules', () => {
  const days = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 1200 }));
  fc.assert(fc.property(
    fc.integer({ min: -1, max: 9 }), fc.constantFrom(0, 1), days, days, fc.integer({ min: 1, max: 8 }),
    (replicas, maxSurge, validity, notice, cpu) => {
      const { manifests, problems } = bound({
        replicas,
        machine: new ExampleMachine({ cpu, memory: Size.gibibytes(4) }),
        certificateValidity: Duration.days(validity),
        rollout: { maxSurge, beforeCertificateExpiry: Duration.days(notice) },
      });
      const fits = replicas > 0 && replicas % 2 === 1 && (maxSurge === 1 || replicas >= 3) && validity >= 1 && validity <= 1095
        && (notice === 0 || (notice >= 7 && notice < validity)) && cpu >= 2;
      expect(problems.length === 0).toBe(fits);
      if (fits) expect(faultsOf(manifests)).toEqual([]);
    },
  ), { numRuns: amount(200, 40) });
});
