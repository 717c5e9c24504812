import * as fc from 'fast-check';
import { CLUSTER, controlPlane, Fields, machines, newPool, oldPool, STRATEGY } from './foreign-objects';
import { effectsIn, planned } from './tenant-pages';
import { plan, PlannedChanges } from '../../../src/manifests/plan/plan-objects';
import { planText } from '../../../src/manifests/plan/plan-text';
import { planTotals } from '../../../src/manifests/plan/plan-totals';
import { amount } from '../../support/sample';

const HALF = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } } };

test.each<[what: string, before: Fields, after: Fields, effects: string[]]>([
  ['a version in v1beta1', oldPool(), oldPool({}, { version: 'v1.35.4' }), ['machines replaced 2 by 2 (version v1.34.1 -> v1.35.4)']],
  ['replicas in v1beta1', oldPool(), oldPool({ replicas: 4 }), ['scaled (replicas 2 -> 4)']],
  ['fewer replicas', newPool({}, { replicas: 3 }), newPool({}, { replicas: 0 }), ['deleted 3 (replicas 3 -> 0)']],
  ['fewer replicas of another version', newPool({}, { replicas: 3 }), newPool({ version: 'v1.35.4' }, { replicas: 1 }), [
    'machines replaced 1 by 1 (version v1.34.1 -> v1.35.4)', 'deleted 2 (replicas 3 -> 1)',
  ]],
  ['more replicas of another version, half of them at a time', newPool({}, { replicas: 3, rollout: HALF }), newPool({ version: 'v1.35.4' }, { replicas: 8, rollout: HALF }), [
    'machines replaced 3 by 3 (version v1.34.1 -> v1.35.4)', 'scaled (replicas 3 -> 8)',
  ]],
  ['no replicas of another version', newPool({}, { replicas: 3 }), newPool({ version: 'v1.35.4' }, { replicas: 0 }), [
    'deleted 3 (replicas 3 -> 0)', 'new ones only (version v1.34.1 -> v1.35.4)',
  ]],
  ['a size that is left out', newPool(), newPool({}, { replicas: undefined }), ['deleted 1 (replicas 2 removed)']],
  ['a version where the size is not known', newPool({}, { replicas: undefined }), newPool({ version: 'v1.35.4' }, { replicas: undefined }), ['machines replaced (version v1.34.1 -> v1.35.4)']],
  ['a drain timeout in v1beta1', oldPool(), oldPool({}, { nodeDrainTimeout: '5m' }), ['in place (spec.template.spec.nodeDrainTimeout 5m added)']],
  ['another failure domain', newPool(), newPool({ failureDomain: 'b' }), ['machines replaced 2 by 1 (failureDomain b added)']],
  ['a group of fields with one that replaces machines', newPool(), newPool({}, { rollout: { after: '2026-01-01T00:00:00Z', strategy: { type: 'RollingUpdate' } } }), [
    'machines replaced 0-2 by 1 (rollout after 2026-01-01T00:00:00Z added: those that were created before it)',
  ]],
  ['rollout after, which is left out', newPool({}, { rollout: { after: '2026-01-01T00:00:00Z' } }), newPool(), ['in place (rollout after 2026-01-01T00:00:00Z removed)']],
  ['another version of the API and more', oldPool({ rolloutAfter: '2026-01-01T00:00:00Z' }), newPool({}, { replicas: 3, rollout: { after: '2026-02-01T00:00:00Z', strategy: STRATEGY } }), [
    'machines replaced 0-2 by 2 (rollout after 2026-01-01T00:00:00Z -> 2026-02-01T00:00:00Z: those that were created before it)', 'scaled (replicas 2 -> 3)',
  ]],
  ['a Secret in place of a template', newPool(), newPool({ bootstrap: { dataSecretName: 'user-data' } }), [
    'machines replaced 2 by 1 (template KubeadmConfigTemplate acme-md-0 -> none, one of which is not in the manifests; bootstrap Secret user-data added)',
  ]],
  ['a template that is not there', newPool(), newPool({ infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachineTemplate', name: 'acme-md-1' } }), [
    'machines replaced 2 by 1 (template DockerMachineTemplate acme-md-0 -> DockerMachineTemplate acme-md-1, one of which is not in the manifests)',
  ]],
])('a pool: %s', (_, before, after, effects) => {
  expect(effectsIn(planned([CLUSTER, before], [CLUSTER, after]).clusters[0])).toEqual({ 'pool acme-md-0': effects });
});

test('a new pool whose selector names another pool', () => {
  const labels = { 'cluster.x-k8s.io/deployment-name': 'acme-general' };
  const pool = newPool({}, { selector: { matchLabels: labels } });
  (pool.spec as { template: Fields }).template.metadata = { labels };
  const changes = planned([CLUSTER], [CLUSTER, pool]);

  expect(effectsIn(changes.clusters[0])).toEqual({ 'pool acme-md-0': ['machines without end (its selector does not match the labels that Cluster API writes)'] });
  expect(planText(changes, { colors: false, objects: false })).toContain('pool acme-md-0  machines without end: its selector');
  expect(planTotals(changes).uncountedParts).toBe(1);
});

test.each<[what: string, after: Fields, effects: string[]]>([
  ['the version', controlPlane({ version: 'v1.35.4' }), ['machines replaced 3 by 1 (version v1.34.1 -> v1.35.4)']],
  ['replicas', controlPlane({ replicas: 5 }), ['scaled (replicas 3 -> 5)']],
  ['fewer replicas', controlPlane({ replicas: 1 }), ['deleted 2 (replicas 3 -> 1)']],
  ['a flag of the API server', controlPlane({}, { clusterConfiguration: { apiServer: { extraArgs: [{ name: 'v', value: '2' }] } } }), ['machines replaced 3 by 1 (clusterConfiguration.apiServer.extraArgs added)']],
  ['the image of CoreDNS', controlPlane({}, { clusterConfiguration: { dns: { imageTag: 'v1.12.0' } } }), ['in place (CoreDNS.imageTag v1.12.0 added)']],
  ['what only the first machine is made with', controlPlane({}, { initConfiguration: { nodeRegistration: { name: 'b' } } }), ['new ones only (initConfiguration.nodeRegistration.name a -> b)']],
  ['what only later machines are made with', controlPlane({}, { joinConfiguration: { nodeRegistration: { name: 'b' } } }), ['machines replaced 2-3 by 1 (joinConfiguration.nodeRegistration.name a -> b)']],
  ['both', controlPlane({}, { initConfiguration: { nodeRegistration: { name: 'b' } }, joinConfiguration: { nodeRegistration: { name: 'b' } } }), [
    'machines replaced 3 by 1 (initConfiguration.nodeRegistration.name a -> b; joinConfiguration.nodeRegistration.name a -> b)',
  ]],
  ['another template of machines, and what only the first one is made with', controlPlane({ machineTemplate: machines('acme-2') }, { initConfiguration: { nodeRegistration: { name: 'b' } } }), [
    'machines replaced 3 by 1 (template DockerMachineTemplate acme-control-plane -> DockerMachineTemplate acme-2, one of which is not in the manifests; initConfiguration.nodeRegistration.name a -> b)',
  ]],
  ['a group of fields with one that replaces machines', controlPlane({ rollout: { after: '2026-01-01T00:00:00Z', strategy: { type: 'RollingUpdate' } } }), [
    'machines replaced 0-3 by 1 (rollout after 2026-01-01T00:00:00Z added: those that were created before it)',
  ]],
  ['a gate of kubeadm that Cluster API opens by itself', controlPlane({}, { clusterConfiguration: { featureGates: { ControlPlaneKubeletLocalMode: true } } }), [
    'in place (clusterConfiguration.featureGates.ControlPlaneKubeletLocalMode true added)',
  ]],
  ['a gate of kubeadm that Cluster API would open', controlPlane({}, { clusterConfiguration: { featureGates: { ControlPlaneKubeletLocalMode: false } } }), [
    'machines replaced 3 by 1 (clusterConfiguration.featureGates.ControlPlaneKubeletLocalMode false added)',
  ]],
  ['the address of the API server', controlPlane({}, { clusterConfiguration: { controlPlaneEndpoint: 'a:6443' } }), [expect.stringMatching(/^refused \(spec\.kubeadmConfigSpec\.clusterConfiguration\.controlPlaneEndpoint: .*TC-CHANGE-KCP\)/)]],
  ['a timeout in v1beta1', controlPlane({}, { clusterConfiguration: { apiServer: { timeoutForControlPlane: '5m' } } }), [expect.stringMatching(/^refused \(.*a field of v1beta1/)]],
  ['remediation', controlPlane({ remediation: { maxRetry: 3 } }), ['in place (remediation.maxRetry 3 added)']],
  ['a field that is not known', controlPlane({ example: true }), ['refused (spec.example: there is no field "example" here (TC-ADMIT-FIELD-UNKNOWN))']],
])('a control plane of kubeadm: %s', (_, after, effects) => {
  expect(effectsIn(planned([CLUSTER, controlPlane()], [CLUSTER, after]).clusters[0])).toEqual({ 'control plane': effects });
});

test('the first machine is replaced only if it may differ from those that joined', () => {
  const effects = (init: Fields, join: Fields) => {
    const state = (name: string) => controlPlane({}, {
      initConfiguration: { nodeRegistration: { name }, ...init }, joinConfiguration: { nodeRegistration: { name: 'a' }, ...join },
    });
    return effectsIn(planned([CLUSTER, state('a')], [CLUSTER, state('b')]).clusters[0])['control plane'];
  };
  const endpoint = { localAPIEndpoint: { bindPort: 6444 } };
  expect(effects(endpoint, {})).toEqual(['machines replaced 0-1 by 1 (initConfiguration.nodeRegistration.name a -> b)']);
  expect(effects(endpoint, { controlPlane: endpoint })).toEqual(['new ones only (initConfiguration.nodeRegistration.name a -> b)']);
  expect(effects({ timeouts: { controlPlaneComponentHealthCheckSeconds: 9 } }, {})).toEqual(['new ones only (initConfiguration.nodeRegistration.name a -> b)']);
});

test('CoreDNS beside other settings of the cluster is changed in place', () => {
  const [before, after] = ['v1.11.0', 'v1.12.0'].map((imageTag) => controlPlane({}, { clusterConfiguration: { dns: { imageTag }, certificatesDir: '/a' } }));
  expect(effectsIn(planned([CLUSTER, before], [CLUSTER, after]).clusters[0])).toEqual({ 'control plane': ['in place (CoreDNS.imageTag v1.11.0 -> v1.12.0)'] });
});

test('templates of a ClusterClass whose webhooks refuse any change replace nothing', () => {
  const template = (cores: number): Fields => ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'KubevirtMachineTemplate',
    metadata: { name: 'tenants', namespace: 'default' },
    spec: { template: { spec: { virtualMachineTemplate: { spec: { template: { spec: { domain: { cpu: { cores } } } } } } } } },
  });
  const controlPlaneTemplate = (replicas: number): Fields => ({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'KubeadmControlPlaneTemplate', metadata: { name: 'tenants', namespace: 'default' }, spec: { template: { spec: { replicas } } },
  });
  const clusterClass: Fields = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'ClusterClass',
    metadata: { name: 'tenants', namespace: 'default' },
    spec: {
      controlPlane: {
        templateRef: { apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'KubeadmControlPlaneTemplate', name: 'tenants' },
        machineInfrastructure: { templateRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1', kind: 'KubevirtMachineTemplate', name: 'tenants' } },
      },
    },
  };
  const cluster = { ...CLUSTER, spec: { topology: { classRef: { name: 'tenants' }, version: 'v1.34.1' } } };
  const before = [cluster, clusterClass, template(2), controlPlaneTemplate(1)];
  const { clusters: [{ parts }] } = planned(before, [cluster, clusterClass, template(4), controlPlaneTemplate(3)]);
  expect(parts.map(({ name, effects }) => [name, ...effects.map(({ effect }) => effect)])).toEqual(expect.arrayContaining([['KubeadmControlPlaneTemplate', 'refused'], ['KubevirtMachineTemplate', 'refused']]));
});

test('static pods in files of machines come and go with them', () => {
  const files = (image: string) => [{ path: '/etc/kubernetes/manifests/a.yaml', content: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image }] } }) }];
  const [before, after] = ['a:1', 'a:2'].map((image) => controlPlane({}, { files: files(image) }));
  const { clusters: [{ parts }], shared } = planned([CLUSTER, before], [CLUSTER, after]);
  expect(shared).toEqual([]);
  expect(parts.map(({ part, effects }) => [part, effects.map(({ effect }) => effect)])).toEqual([['control plane', ['machines replaced']]]);
  expect(parts[0].objects.map(({ kind }) => kind).sort()).toEqual(['KubeadmControlPlane', 'Pod']);
});

test('a template that its webhook keeps from changing leaves the machines as they are', () => {
  const template = (cores: number): Fields => ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'KubevirtMachineTemplate',
    metadata: { name: 'acme-md-0', namespace: 'default' },
    spec: { template: { spec: { virtualMachineTemplate: { spec: { template: { spec: { domain: { cpu: { cores } } } } } } } } },
  });
  const pool = newPool({ infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtMachineTemplate', name: 'acme-md-0' } });
  expect(effectsIn(planned([CLUSTER, pool, template(2)], [CLUSTER, pool, template(4)]).clusters[0])).toEqual({
    'pool acme-md-0': [
      'refused (spec.template.spec.virtualMachineTemplate.spec.template.spec.domain.cpu.cores 2 -> 4: what is in it changed (TC-CHANGE-KUBEVIRT-MACHINE-TEMPLATE))',
    ],
  });
});

test('a workload gets new pods, a ConfigMap is changed in place, of other kinds nothing is known', () => {
  const deployment = (image: string): Fields => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'web' }, spec: { template: { spec: { containers: [{ name: 'a', image }] } } } });
  const map = (a: string): Fields => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'web' }, data: { a } });
  const widget = (size: number): Fields => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'web' }, spec: { size } });
  const { clusters, shared } = planned([deployment('a:1'), map('x'), widget(1)], [deployment('a:2'), map('y'), widget(2)]);
  expect(clusters).toEqual([]);
  expect(shared.map(({ part, name, effects }) => [part, name, effects.map(({ effect }) => effect)])).toEqual([
    ['controller', 'a', ['pods replaced']], ['other objects', 'ConfigMap', ['in place']], ['other objects', 'Widget', ['unknown']],
  ]);
});

/** Every object of a plan, by what tells objects apart. */
function listed({ clusters, shared }: PlannedChanges): string[] {
  return [...clusters.flatMap(({ parts }) => parts), ...shared].flatMap(({ objects }) => objects)
    .map(({ change, apiVersion, kind, namespace, name }) => `${change} ${apiVersion} ${kind} ${namespace} ${name}`).sort();
}

const OBJECTS = [CLUSTER, newPool(), controlPlane(), { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' }, spec: { a: { b: [1, { c: 'd' }] } } }];

test('no difference is left out: each object that differs is listed once, whatever changed in it', () => {
  const paths = OBJECTS.flatMap((object, index) => pathsIn(object).filter(([first]) => first === 'spec').map((path) => ({ index, path })));
  const edit = fc.tuple(fc.constantFrom(...paths), fc.oneof(fc.jsonValue(), fc.constant(undefined)));
  fc.assert(fc.property(fc.uniqueArray(edit), fc.subarray([0, 1, 2, 3]), (changes, removed) => {
    const after = OBJECTS.map((object) => structuredClone(object));
    for (const [{ index, path }, value] of changes) set(after[index], path, value);
    const now = after.filter((_, index) => !removed.includes(index));
    const expected = OBJECTS.flatMap((object, index) => {
      const { apiVersion, kind, metadata } = object as { apiVersion: string; kind: string; metadata: { name: string; namespace: string } };
      const change = removed.includes(index) ? 'removed' : same(object, after[index]) ? undefined : 'changed';
      return change === undefined ? [] : [`${change} ${apiVersion} ${kind} ${metadata.namespace} ${metadata.name}`];
    }).sort();
    expect(listed(planned(OBJECTS, now))).toEqual(expected);
  }), { numRuns: amount(200, 40) });
});

function pathsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const inner = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, item]) => pathsIn(item, [...path, key]))];
}

function set(target: unknown, path: readonly (string | number)[], value: unknown): void {
  const [key, ...rest] = path;
  if (typeof target !== 'object' || target === null) return;
  if (rest.length === 0) Object.assign(target, { [key]: value });
  else set((target as Fields)[key], rest, value);
}

/** To a server, null and nothing are the same, and so are fields in another order. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item) ?? null);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const filled = Object.entries(value).map(([key, item]) => [key, plain(item)] as const).filter(([, item]) => item !== undefined);
  return Object.fromEntries(filled.sort(([one], [other]) => (one < other ? -1 : 1)));
}

test('an object without a namespace is one that is referred to with a namespace, as charts write it', () => {
  const state = (replicas: number) => [
    {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Cluster',
      metadata: { name: 'acme' },
      spec: { controlPlaneRef: { apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1', kind: 'KubeadmControlPlane', name: 'acme', namespace: 'tenant-acme' } },
    },
    { apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1', kind: 'KubeadmControlPlane', metadata: { name: 'acme' }, spec: { replicas, version: 'v1.34.1' } },
  ];
  const { clusters, shared } = plan(state(3), state(1));
  expect(shared).toEqual([]);
  expect(clusters[0].parts.map(({ part }) => part)).toEqual(['control plane']);
  expect(planText(plan(state(3), state(1)), { colors: false, objects: false })).toContain('scaled: replicas 3 -> 1');
});

test('a template that loses its whole specification is told by that name', () => {
  const metadata = { name: 'a', namespace: 'x' };
  const template = (more: object) => ({ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'VSphereClusterTemplate', metadata, ...more });
  const { shared } = planned([template({ spec: { template: { spec: {} } } })], [template({})]);
  expect(shared.flatMap((part) => part.effects.flatMap(({ reasons }) => reasons))).toEqual([expect.stringMatching(/^spec .*removed$/)]);
});
