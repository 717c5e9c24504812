import { Duration, JsonPatch, Size } from 'cdk8s';
import { HealthCheck } from '../../../../src/constructs/contracts/node-pool/health-check';
import { MachineCount } from '../../../../src/constructs/contracts/node-pool/machine-count';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../../src/constructs/contracts/node-pool/rollout-strategy';
import { TaintEffect } from '../../../../src/manifests/values/taints';
import { byKind, examplePool } from '../../../support/clusters';
import { ExampleMachine } from '../../../support/strategies';

const SELECTOR = { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/deployment-name': 'acme-general' };

test('a pool of fixed size is a MachineDeployment with everything that the webhook would add', () => {
  const { metadata, spec } = examplePool().machineDeployment.toJson();

  expect(metadata).toEqual({ name: 'acme-general', namespace: 'tenant-acme', labels: { 'cluster.x-k8s.io/cluster-name': 'acme' } });
  expect(spec).toMatchObject({
    clusterName: 'acme',
    replicas: 3,
    rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    selector: { matchLabels: SELECTOR },
    template: {
      metadata: { labels: SELECTOR },
      spec: {
        clusterName: 'acme',
        version: 'v1.35.4',
        deletion: { nodeDrainTimeoutSeconds: 600, nodeVolumeDetachTimeoutSeconds: 600, nodeDeletionTimeoutSeconds: 300 },
      },
    },
  });
});

test('references carry group, kind and the name of the template, and nothing else', () => {
  const pool = examplePool();
  const { bootstrap, infrastructureRef } = pool.machineDeployment.toJson().spec.template.spec;

  expect(infrastructureRef).toEqual({ apiGroup: 'infrastructure.example.com', kind: 'ExampleMachineTemplate', name: pool.machineTemplate.toJson().metadata.name });
  expect(bootstrap).toEqual({
    configRef: { apiGroup: 'bootstrap.example.com', kind: 'ExampleConfigTemplate', name: pool.bootstrapTemplate.toJson().metadata.name },
  });
});

test('templates are kept from pruning, the MachineDeployment is not', () => {
  const pool = examplePool();

  for (const template of [pool.machineTemplate, pool.bootstrapTemplate]) {
    expect(template.toJson().metadata.annotations).toMatchObject({
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'helm.sh/resource-policy': 'keep',
    });
  }
  expect(pool.machineDeployment.toJson().metadata.annotations).toBeUndefined();
});

test('an autoscaled pool has both bounds, its capacity, and no replicas', () => {
  const pool = examplePool({
    size: PoolSize.between(0, 10),
    machine: new ExampleMachine({
      cpu: 4, memory: Size.gibibytes(16), ephemeralStorage: Size.gibibytes(50), gpus: [{ resourceName: 'nvidia.com/gpu', count: 2 }],
    }),
    labels: { 'example.com/tier': 'batch', 'node-role.kubernetes.io/batch': '' },
    taints: [{ key: 'gpu', value: 'yes', effect: TaintEffect.NO_SCHEDULE }, { key: 'slow', effect: TaintEffect.PREFER_NO_SCHEDULE }],
  });
  const { metadata, spec } = pool.machineDeployment.toJson();

  expect(spec).not.toHaveProperty('replicas');
  expect(metadata.annotations).toEqual({
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '10',
    'cluster.x-k8s.io/autoscaling-options-maxnodeprovisiontime': '30m0s',
    // 4 CPUs less twice 200m; 16 GiB less twice 819Mi and 7 %.
    'capacity.cluster-autoscaler.kubernetes.io/cpu': '3600m',
    'capacity.cluster-autoscaler.kubernetes.io/memory': '13599Mi',
    'capacity.cluster-autoscaler.kubernetes.io/maxPods': '110',
    // 50 GiB less the 10 % at which pods are evicted.
    'capacity.cluster-autoscaler.kubernetes.io/ephemeral-disk': '46080Mi',
    'capacity.cluster-autoscaler.kubernetes.io/gpu-type': 'nvidia.com/gpu',
    'capacity.cluster-autoscaler.kubernetes.io/gpu-count': '2',
    'capacity.cluster-autoscaler.kubernetes.io/labels': 'cluster-api/accelerator=nvidia-gpu,example.com/tier=batch,node-role.kubernetes.io/batch=',
    'capacity.cluster-autoscaler.kubernetes.io/taints': 'gpu=yes:NoSchedule,slow:PreferNoSchedule',
  });
});

const gpuMachine = (resourceName: string) => new ExampleMachine({ cpu: 4, memory: Size.gibibytes(16), gpus: [{ resourceName, count: 1 }] });

test.each([
  ['of NVIDIA', 'nvidia.com/gpu', PoolSize.between(0, 10), {}, { 'cluster-api/accelerator': 'nvidia-gpu' }],
  ['of a kind that the user names', 'nvidia.com/gpu', PoolSize.between(0, 10), { 'cluster-api/accelerator': 'a10' }, { 'cluster-api/accelerator': 'a10' }],
  // The autoscaler would wait for ever.
  ['of others', 'gpu.intel.com/i915', PoolSize.between(0, 10), {}, {}],
  ['that nobody makes more of', 'nvidia.com/gpu', PoolSize.fixed(3), {}, {}],
])('nodes with GPUs %s', (_, resourceName, size, labels, expected) => {
  const pool = examplePool({ size, machine: gpuMachine(resourceName), labels });
  expect(pool.bootstrapTemplate.toJson().spec.nodeLabels).toEqual(expected);
});

test('autoscaling options become annotations of the pool', () => {
  const pool = examplePool({
    size: PoolSize.between(1, 2, {
      scaleDownUtilizationThreshold: 0.4,
      scaleDownGpuUtilizationThreshold: 0,
      scaleDownUnneededTime: Duration.minutes(3),
      scaleDownUnreadyTime: Duration.hours(1),
      maxNodeProvisionTime: Duration.minutes(45),
    }),
  });

  expect(pool.machineDeployment.toJson().metadata.annotations).toMatchObject({
    'cluster.x-k8s.io/autoscaling-options-scaledownutilizationthreshold': '0.4',
    'cluster.x-k8s.io/autoscaling-options-scaledowngpuutilizationthreshold': '0',
    'cluster.x-k8s.io/autoscaling-options-scaledownunneededtime': '3m0s',
    'cluster.x-k8s.io/autoscaling-options-scaledownunreadytime': '1h0m0s',
    'cluster.x-k8s.io/autoscaling-options-maxnodeprovisiontime': '45m0s',
  });
});

test('labels that Cluster API copies go through the Machine, the others through the kubelet', () => {
  const pool = examplePool({
    labels: { 'node-role.kubernetes.io/ingress': '', 'node.cluster.x-k8s.io/zone': 'a', 'example.com/tier': 'web', 'plain': 'yes' },
  });

  expect(pool.machineDeployment.toJson().spec.template.metadata.labels).toEqual({
    ...SELECTOR, 'node-role.kubernetes.io/ingress': '', 'node.cluster.x-k8s.io/zone': 'a',
  });
  expect(pool.bootstrapTemplate.toJson().spec.nodeLabels).toEqual({ 'example.com/tier': 'web', 'plain': 'yes' });
});

test('a change of labels that Cluster API copies replaces no machine', () => {
  const [before, after] = ['web', 'ingress'].map((role) => examplePool({ labels: { [`node-role.kubernetes.io/${role}`]: '' } }));

  expect(after.machineDeployment.toJson().spec.template.spec).toEqual(before.machineDeployment.toJson().spec.template.spec);
});

test('rollout, failure domain and timeouts are the user\'s', () => {
  const pool = examplePool({
    rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(25), maxUnavailable: MachineCount.absolute(2) }),
    failureDomain: 'zone-a',
    nodeDrainTimeout: Duration.seconds(0),
    nodeVolumeDetachTimeout: Duration.minutes(1),
    nodeDeletionTimeout: Duration.seconds(10),
    healthCheck: HealthCheck.of({ maxInFlight: MachineCount.absolute(1) }),
  });
  const { spec } = pool.machineDeployment.toJson();

  expect(spec.rollout).toEqual({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 2 } } });
  expect(spec.template.spec.failureDomain).toBe('zone-a');
  expect(spec.template.spec.deletion).toEqual({ nodeDrainTimeoutSeconds: 0, nodeVolumeDetachTimeoutSeconds: 60, nodeDeletionTimeoutSeconds: 10 });
  expect(spec.remediation).toEqual({ maxInFlight: 1 });
});

test.each<[string, Partial<NodePoolProps>, object]>([
  ['OnDelete has no numbers', { rollout: RolloutStrategy.onDelete() }, { rollout: { strategy: { type: 'OnDelete' } } }],
  ['a time from which on older machines are replaced', { rolloutAfter: '2026-03-09T09:00:00Z' }, { rollout: { after: '2026-03-09T09:00:00Z', strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } }],
  ['a pool may have its own patch version', { kubernetesVersion: 'v1.35.1' }, { template: { spec: { version: 'v1.35.1' } } }],
  ['an empty pool has replicas 0', { size: PoolSize.fixed(0) }, { replicas: 0 }],
])('%s', (_, props, spec) => {
  expect(examplePool(props).machineDeployment.toJson().spec).toMatchObject(spec);
});

test('a patch of the MachineDeployment shows', () => {
  const pool = examplePool();
  pool.machineDeployment.addJsonPatch(JsonPatch.add('/spec/template/spec/minReadySeconds', 30));

  expect(pool.machineDeployment.toJson().spec.template.spec.minReadySeconds).toBe(30);
});

test('objects of a pool belong to the chart of the cluster', () => {
  const pool = examplePool();

  expect(Object.keys(byKind(pool.node.scope as never))).toEqual(expect.arrayContaining([
    'MachineDeployment', 'MachineHealthCheck', 'ExampleMachineTemplate', 'ExampleConfigTemplate',
  ]));
});
