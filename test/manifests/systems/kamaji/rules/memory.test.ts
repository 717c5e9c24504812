import { MEMORY } from '../../../../../src/manifests/systems/kamaji/rules/memory';
import { findings } from '../../../rules/rules-under-test';

function controlPlane(memory: string, component = 'apiServer'): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec: {version: v1.35.4, ${component}: {resources: {limits: {memory: ${memory}}}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}}
`;
}

function pool(name: string, most: number): string {
  return `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: ${name}, namespace: tenant-acme, annotations: {cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "${most}"}}
spec: {clusterName: acme}
`;
}

test.each<[what: string, text: string, found: string | undefined]>([
  ['less than idle', controlPlane('64Mi'), '64Mi is less than the 331Mi that apiServer is expected to hold with 3 nodes'],
  ['room for few nodes', controlPlane('512Mi'), undefined],
  ['too little for the pools together', controlPlane('1Gi') + pool('a', 60) + pool('b', 40), '1Gi is less than the 1403Mi that apiServer is expected to hold with 100 nodes'],
  ['room for the pools together', controlPlane('2Gi') + pool('a', 60) + pool('b', 40), undefined],
  ['too little for the scheduler', controlPlane('256Mi', 'scheduler') + pool('a', 250), '256Mi is less than the 310Mi that scheduler is expected to hold with 250 nodes'],
  ['no quantity', controlPlane('lots'), undefined],
])('%s', (_, text, found) => {
  expect(findings([MEMORY], text)).toEqual(found === undefined ? [] : [expect.stringContaining(found)]);
});

test('a TenantControlPlane has its resources elsewhere', () => {
  const text = `apiVersion: kamaji.clastix.io/v1alpha1
kind: TenantControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec: {controlPlane: {deployment: {resources: {controllerManager: {limits: {memory: 100Mi}}}}}}
`;

  expect(findings([MEMORY], text)).toEqual([
    expect.stringContaining('spec.controlPlane.deployment.resources.controllerManager.limits.memory: 100Mi is less than the 133Mi'),
  ]);
});
