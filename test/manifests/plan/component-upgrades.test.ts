import { planned } from './tenant-pages';
import { PlannedPart } from '../../../src/manifests/plan/plan-model';
import { partLines } from '../../../src/manifests/plan/plan-words';

type Fields = { readonly [field: string]: unknown };

function release(chart: string, version: string, values?: Fields): Fields {
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: chart, namespace: 'flux-system' },
    spec: { chart: { spec: { chart, version, sourceRef: { kind: 'HelmRepository', name: chart } } }, values },
  };
}

function kamaji(tag: string): Fields {
  return release('kamaji', '1.0.0', { image: { tag } });
}

function provider(kind: string, name: string, version: string, spec: Fields = {}): Fields {
  return { apiVersion: 'operator.cluster.x-k8s.io/v1alpha2', kind, metadata: { name, namespace: `${name}-system` }, spec: { version, ...spec } };
}

function controlPlane(name: string, spec: Fields = {}, annotations: Fields = {}): Fields {
  const resources = { requests: { memory: '1Gi', cpu: '100m' } };
  return {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2',
    kind: 'KamajiControlPlane',
    metadata: { name, namespace: `tenant-${name}`, annotations },
    spec: { version: 'v1.35.4', replicas: 2, apiServer: { resources }, controllerManager: { resources }, scheduler: { resources }, addons: {}, ...spec },
  };
}

function template(name: string, evictionStrategy: string): Fields {
  return {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'KubevirtMachineTemplate',
    metadata: { name, namespace: 'tenant-acme' },
    spec: { template: { spec: { virtualMachineTemplate: { spec: { template: { spec: { evictionStrategy } } } } } } },
  };
}

function kubevirt(...workloadUpdateMethods: readonly string[]): Fields {
  return {
    apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: { name: 'kubevirt', namespace: 'kubevirt' }, spec: { workloadUpdateStrategy: { workloadUpdateMethods } },
  };
}

function operator(version: string): Fields {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [`https://github.com/kubevirt/kubevirt/releases/download/${version}/kubevirt-operator.yaml`],
  };
}

function deployment(name: string, image: string): Fields {
  return {
    apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: name }, spec: { template: { spec: { containers: [{ name, image }] } } },
  };
}

/** The lines of the only part that upgrades something, with the parts beside that do not change. */
function lines(before: readonly Fields[], after: readonly Fields[], beside: readonly Fields[] = []): string[] {
  const { shared, clusters } = planned([...before, ...beside], [...after, ...beside]);
  return [...shared, ...clusters.flatMap(({ parts }) => parts)].flatMap((part: PlannedPart) => partLines(part));
}

test.each<[what: string, before: Fields, after: Fields, beside: readonly Fields[], expected: readonly (string | RegExp)[]]>([
  ['control planes whose pods differ, both sets at once', kamaji('edge-26.2.4'), kamaji('26.8.2-edge'), [controlPlane('acme'), controlPlane('beta', { replicas: 1 })], [
    '3 pods are replaced: Kamaji edge-26.2.4 -> 26.8.2-edge', 'upgraded: Kamaji edge-26.2.4 -> 26.8.2-edge',
    /^all at once: the control planes of tenant-acme\/acme, tenant-beta\/beta, because of readiness probes/,
    'meanwhile up to 3 more pods run beside the old ones, which request 9Gi of memory and 900m of CPU',
  ]],
  ['one pod more at a time', kamaji('26.6.4-edge'), kamaji('26.6.5-edge'), [controlPlane('acme', { deployment: { strategy: { rollingUpdate: { maxSurge: 1 } } } })], [
    /^2 pods are replaced/, /^upgraded/, /^all at once/, 'meanwhile up to 1 more pod runs beside the old ones, which request 3Gi of memory and 300m of CPU',
  ]],
  ['a control plane that is held back', kamaji('26.6.4-edge'), kamaji('26.7.2-edge'), [controlPlane('acme'), controlPlane('beta', {}, { 'kamaji.clastix.io/paused': '' })], [
    /^2 pods are replaced/, /^upgraded/, /^all at once: the control planes of tenant-acme\/acme,/, /^meanwhile/,
    'held back by the annotation kamaji.clastix.io/paused: tenant-beta/beta',
  ]],
  ['releases with the same pods', kamaji('26.6.5-edge'), kamaji('26.8.2-edge'), [controlPlane('acme')], [
    'upgraded: Kamaji 26.6.5-edge -> 26.8.2-edge', 'pods of control planes stay as they are',
  ]],
  ['extra arguments of the API server', kamaji('26.4.5-edge'), kamaji('26.5.2-edge'), [controlPlane('acme', { apiServer: { extraArgs: ['--v=2'] } }), controlPlane('beta')], [
    '2 pods are replaced: Kamaji 26.4.5-edge -> 26.5.2-edge', /^upgraded/, /of tenant-acme\/acme, because of the order of the API server's extra arguments$/,
    'meanwhile up to 2 more pods run beside the old ones, which request 4Gi of memory and 400m of CPU, and an unknown amount in 1 of the control planes',
  ]],
  ['a release of Kamaji that was not read', kamaji('26.8.2-edge'), kamaji('26.12.1-edge'), [controlPlane('acme')], [
    'changed, effect unknown: Kamaji 26.8.2-edge -> 26.12.1-edge', /^upgraded/, /^whether pods of control planes differ between these releases is not known: tenant-acme\/acme; meanwhile up to 2 more pods/,
  ]],
  ['machines that stay on the older virt-launcher', operator('v1.8.1'), operator('v1.9.0'), [kubevirt('LiveMigrate'), template('acme-a', 'External'), template('acme-b', 'LiveMigrate')], [
    'upgraded: KubeVirt v1.8.1 -> v1.9.0', /^machines of acme-b move to another host by live migration/, 'machines of acme-a stay on virt-launcher v1.8.1 until they are replaced',
  ]],
  ['machines that are evicted', operator('v1.8.1'), operator('v1.9.0'), [kubevirt('LiveMigrate', 'Evict'), template('acme-a', 'External')], [
    'machines are replaced: KubeVirt v1.8.1 -> v1.9.0', /^upgraded/, 'workloadUpdateMethods has Evict: machines of acme-a are evicted, a batch at a time',
  ]],
  ['no migration at all', operator('v1.8.1'), operator('v1.9.0'), [kubevirt(), template('acme-b', 'LiveMigrate')], [
    /^upgraded/, 'machines of acme-b stay on virt-launcher v1.8.1 until they are replaced',
  ]],
  ['Cluster API', provider('CoreProvider', 'cluster-api', 'v1.13.1'), provider('CoreProvider', 'cluster-api', 'v1.14.2'), [], [
    'upgraded: Cluster API v1.13.1 -> v1.14.2', 'its controllers restart; machines and control planes stay as they are',
  ]],
  ['a provider of which nothing is known', provider('InfrastructureProvider', 'hetzner', 'v1.0.1'), provider('InfrastructureProvider', 'hetzner', 'v1.1.0'), [], [
    'changed, effect unknown: InfrastructureProvider hetzner v1.0.1 -> v1.1.0', 'upgraded: InfrastructureProvider hetzner v1.0.1 -> v1.1.0', /not known$/,
  ]],
  ['options of a provider', provider('CoreProvider', 'cluster-api', 'v1.14.2'), provider('CoreProvider', 'cluster-api', 'v1.14.2', { manager: { verbosity: 2 } }), [], [
    'pods are replaced: manager added',
  ]],
  ['a chart', release('cert-manager', 'v1.19.1'), release('cert-manager', 'v1.20.0'), [], [
    'upgraded: cert-manager v1.19.1 -> v1.20.0', 'its controllers and webhook restart; certificates stay as they are',
  ]],
  ['the image of an operator, in a mirror', deployment('cdi-operator', 'registry.example.com/mirror/kubevirt/cdi-operator:v1.65.0'), deployment('cdi-operator', 'registry.example.com/mirror/kubevirt/cdi-operator:v1.66.0'), [], [
    /^pods are replaced: container/, 'its controllers restart; disks stay as they are',
  ]],
])('%s', (_, before, after, beside, expected) => {
  const found = lines([before], [after], beside);

  expect(found).toEqual(expected.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line) as string)));
});
