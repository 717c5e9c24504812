import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { QUOTA_RULES } from '../../../src/manifests/validation/quota-rules';

const namespace = 'tenant-acme';

function quota(hard: object, more: object = {}): ManifestObject {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'acme', namespace }, spec: { hard, ...more } };
}

function machines(volume?: object, cpu: object = { cores: 4 }): ManifestObject {
  const instance = { domain: { cpu, memory: { guest: '8Gi' }, devices: {} } };
  const disks = volume && [{ metadata: { name: 'root' }, spec: { ...volume, storage: { resources: { requests: { storage: '20Gi' } } } } }];
  const spec = { virtualMachineTemplate: { spec: { dataVolumeTemplates: disks, template: { spec: instance } } } };
  return { apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1', kind: 'KubevirtMachineTemplate', metadata: { name: 'm', namespace }, spec: { template: { spec } } };
}

const REFERENCE = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtMachineTemplate', name: 'm' };

function pool(replicas: number | undefined, annotations: object = {}, more: object = {}): ManifestObject {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'general', namespace, annotations },
    spec: {
      replicas, rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }, template: { spec: { infrastructureRef: REFERENCE } }, ...more,
    },
  };
}

function controlPlane(spec: object): ManifestObject {
  return { apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2', kind: 'KamajiControlPlane', metadata: { name: 'acme', namespace }, spec };
}

function cluster(kind: string): ManifestObject {
  const spec = { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind, name: 'acme' } };
  return { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'acme', namespace }, spec };
}

function limits(container: object): ManifestObject {
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'acme', namespace }, spec: { limits: [{ type: 'Container', ...container }] } };
}

function found(object: ManifestObject, ...beside: ManifestObject[]): string[] {
  const index = new ManifestIndex([object, ...beside, { ...cluster('KubeadmControlPlane'), metadata: { name: 'other', namespace } }]);
  return QUOTA_RULES.flatMap((rule) => rule.check(object, index).map(({ path }) => `${rule.id.replace('TC-TRAP-QUOTA-', '')} ${String(path.at(-1))}`));
}

const REGISTRY = { source: { registry: { url: 'docker://registry.example.com/node' } } };
const BLANK = { source: { blank: {} } };
const MAXIMUM = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';

describe('room in a quota', () => {
  test.each<[string, object, ManifestObject[], string[]]>([
    ['volumes of a rollout', { 'requests.storage': '59Gi' }, [pool(2), machines(BLANK)], ['ROOM requests.storage']],
    ['volumes of a rollout fit', { 'requests.storage': '60Gi' }, [pool(2), machines(BLANK)], []],
    ['the volume that an image is unpacked in', { 'requests.storage': '60Gi' }, [pool(2), machines(REGISTRY)], ['ROOM requests.storage']],
    ['the volume that an image is unpacked in fits', { 'requests.storage': '80Gi' }, [pool(2), machines(REGISTRY)], []],
    ['an image that the node pulls', { 'requests.storage': '60Gi' }, [pool(2), machines({ source: { registry: { url: 'docker://a', pullMethod: 'node' } } })], []],
    ['pods', { pods: '2' }, [pool(2), machines()], ['ROOM pods']],
    ['pods without a surge', { pods: '2' }, [pool(2, {}, { rollout: { strategy: { type: 'OnDelete' } } }), machines()], []],
    ['one machine more where no strategy is written', { pods: '2' }, [pool(2, {}, { rollout: undefined }), machines()], ['ROOM pods']],
    ['pods of v1beta1', { pods: '2' }, [pool(2, {}, { rollout: undefined, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }), machines()], ['ROOM pods']],
    ['pods at the largest size', { pods: '5' }, [pool(undefined, { [MAXIMUM]: '5' }), machines()], ['ROOM pods']],
    ['pods of a control plane', { pods: '3' }, [pool(2), machines(), controlPlane({ replicas: 2 })], ['ROOM pods']],
    ['memory of machines', { 'requests.memory': '24Gi' }, [pool(2), machines()], ['ROOM-MACHINES requests.memory']],
    ['memory of machines fits', { 'requests.memory': '26Gi' }, [pool(2), machines()], []],
    ['memory of machines, under its older name', { memory: '24Gi' }, [pool(2), machines()], ['ROOM-MACHINES memory']],
    ['a machine that is not read', { pods: '1' }, [pool(2)], []],
    ['another namespace', { pods: '1' }, [{ ...pool(2), metadata: { name: 'general', namespace: 'other' } }, machines()], []],
  ])('%s', (_, hard, beside, expected) => {
    expect(found(quota(hard), ...beside)).toEqual(expected);
  });

  test('a quota of some pods only', () => {
    expect(found(quota({ pods: '1' }, { scopes: ['BestEffort'] }), pool(2), machines())).toEqual([]);
  });
});

describe('machines that the rules count as pages do', () => {
  const kubevirt = (name: string, spec: object): ManifestObject => (
    { apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1', kind: name, metadata: { name: 'c', namespace }, spec });

  test('of a topology', () => {
    const reference = (kind: string, name: string, group = 'infrastructure') => ({ templateRef: { apiVersion: `${group}.cluster.x-k8s.io/v1alpha1`, kind, name } });
    const clusterClass: ManifestObject = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'ClusterClass',
      metadata: { name: 'small', namespace },
      spec: {
        infrastructure: reference('KubevirtClusterTemplate', 'c'),
        controlPlane: reference('KamajiControlPlaneTemplate', 'c', 'controlplane'),
        workers: {
          machineDeployments: [{ class: 'general', bootstrap: reference('KubeadmConfigTemplate', 'c', 'bootstrap'), infrastructure: reference('KubevirtMachineTemplate', 'm') }],
        },
      },
    };
    const topology = (replicas: number): ManifestObject => ({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'tiny', namespace },
      spec: {
        topology: {
          classRef: { name: 'small' }, version: 'v1.35.4', controlPlane: { replicas: 1 }, workers: { machineDeployments: [{ class: 'general', name: 'a', replicas }] },
        },
      },
    });
    const parts = [
      clusterClass, machines(), kubevirt('KubevirtClusterTemplate', { template: { spec: {} } }),
      { ...kubevirt('KamajiControlPlaneTemplate', { template: { spec: {} } }), apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha1' },
      { ...kubevirt('KubeadmConfigTemplate', { template: { spec: {} } }), apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2' },
    ];
    expect(found(quota({ pods: '4' }), topology(2), ...parts)).toEqual(['ROOM pods']);
    expect(found(quota({ pods: '5' }), topology(2), ...parts)).toEqual([]);
  });

  test('of another control plane', () => {
    const plane = (infrastructureRef: object): ManifestObject => ({
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1',
      kind: 'ExampleControlPlane',
      metadata: { name: 'acme', namespace },
      spec: { replicas: 3, machineTemplate: { spec: { infrastructureRef } } },
    });
    expect(found(quota({ pods: '3' }), plane(REFERENCE), machines())).toEqual(['ROOM pods']);
    expect(found(quota({ pods: '4' }), plane(REFERENCE), machines())).toEqual([]);
  });

  test('in another cluster', () => {
    const { spec, ...template } = machines();
    const elsewhere = { template: { spec: { ...(spec as { template: { spec: object } }).template.spec, infraClusterSecretRef: { name: 'hall-2' } } } };
    expect(found(quota({ pods: '1' }), pool(2), { ...template, spec: elsewhere })).toEqual([]);
  });
});

test('a namespace without clusters', () => {
  const index = new ManifestIndex([quota({ 'limits.cpu': '1' }), controlPlane({ replicas: 2 })]);
  expect(QUOTA_RULES.flatMap((rule) => rule.check(quota({ 'limits.cpu': '1' }), index))).toEqual([]);
});

describe('what a quota makes containers state', () => {
  const own = controlPlane({ replicas: 2, apiServer: { resources: { limits: { cpu: '1' } } } });

  test.each<[string, object, ManifestObject[], string[]]>([
    ['limits', { 'limits.cpu': '40' }, [own], ['UNSET limits.cpu']],
    ['requests', { 'requests.memory': '40Gi' }, [own], ['UNSET requests.memory']],
    ['a default limit', { 'limits.cpu': '40' }, [own, limits({ default: { cpu: '1' } })], []],
    ['a largest limit is a default', { 'limits.cpu': '40' }, [own, limits({ max: { cpu: '1' } })], []],
    ['a default request', { 'requests.memory': '40Gi' }, [own, limits({ defaultRequest: { memory: '1Gi' } })], []],
    ['a default of something else', { 'limits.cpu': '40' }, [own, limits({ default: { memory: '1Gi' } })], ['UNSET limits.cpu']],
    ['machines get limits from the quota', { 'limits.memory': '80Gi', 'limits.cpu': '80' }, [pool(2), machines()], []],
    ['a control plane that is not read', { 'limits.cpu': '40' }, [cluster('KamajiControlPlane')], ['UNSTATED limits.cpu']],
    ['a control plane that is not read, with a default', { 'limits.cpu': '40' }, [cluster('KamajiControlPlane'), limits({ default: { cpu: '1' } })], []],
    ['a control plane on machines', { 'limits.cpu': '40' }, [cluster('KubeadmControlPlane')], []],
    ['counts', { 'pods': '40', 'count/secrets': '10' }, [cluster('KamajiControlPlane')], []],
  ])('%s', (_, hard, beside, expected) => {
    expect(found(quota(hard), ...beside)).toEqual(expected);
  });
});
