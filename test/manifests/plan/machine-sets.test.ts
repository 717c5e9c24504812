import { CLUSTER, Fields, newPool } from './foreign-objects';
import { effectsIn, planned } from './tenant-pages';
import { planTotals } from '../../../src/manifests/plan/plan-totals';

/** A MachineSet of three machines without a MachineDeployment. */
function machineSet(template: Fields = {}, spec: Fields = {}): Fields {
  return { ...newPool(template, { replicas: 3, ...spec }), kind: 'MachineSet' };
}

/** A Machine that no controller makes. */
function machine(spec: Fields = {}, metadata: Fields = {}): Fields {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'acme-md-0', namespace: 'default', ...metadata },
    spec: {
      clusterName: 'acme',
      version: 'v1.34.1',
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'acme-md-0' } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachine', name: 'acme-md-0' },
      ...spec,
    },
  };
}

test.each<[what: string, before: Fields, after: Fields | undefined, effects: string[]]>([
  ['fewer machines of a MachineSet', machineSet(), machineSet({}, { replicas: 1 }), ['deleted 2 (replicas 3 -> 1)']],
  ['another version of a MachineSet', machineSet(), machineSet({ version: 'v1.34.2' }), ['new ones only (version v1.34.1 -> v1.34.2)']],
  ['taints of a MachineSet', machineSet(), machineSet({ taints: [{ key: 'a', effect: 'NoSchedule', propagation: 'Always' }] }), ['in place (taints added)']],
  ['no MachineSet', machineSet(), undefined, ['deleted 3 (MachineSet acme-md-0)']],
  ['another version of a Machine', machine(), machine({ version: 'v1.34.2' }), ['in place (version (of the object alone) v1.34.1 -> v1.34.2)']],
  ['an annotation for the next deletion', machine(), machine({}, { annotations: { 'cluster.x-k8s.io/delete-machine': '' } }), [
    'in place (metadata.annotations["cluster.x-k8s.io/delete-machine"] "" added)',
  ]],
  ['another infrastructure of a Machine', machine(), machine({ infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachine', name: 'b' } }), [
    'unknown (spec.infrastructureRef.name acme-md-0 -> b)',
  ]],
  ['no Machine', machine(), undefined, ['deleted 1 (Machine acme-md-0)']],
])('a pool that no MachineDeployment makes: %s', (_, before, after, effects) => {
  expect(effectsIn(planned([CLUSTER, before], [CLUSTER, ...after ? [after] : []]).clusters[0])).toEqual({ 'pool acme-md-0': effects });
});

test('a cluster is removed with machines of MachineSets and with single machines', () => {
  const single = machine({}, { name: 'acme-single' });

  expect(planTotals(planned([CLUSTER, machineSet(), single], [])).machinesDeleted).toEqual({ minimum: 4, maximum: 4 });
});

test('what a controller has made is no pool', () => {
  const owned = (kind: string, object: Fields): Fields => ({ ...object, metadata: { ...object.metadata as Fields, name: `acme-md-0-${kind}`, ownerReferences: [{ kind, controller: true }] } });
  const made = [owned('MachineDeployment', machineSet()), owned('MachineSet', machine())];

  expect(planTotals(planned([CLUSTER, newPool(), ...made], [])).machinesDeleted).toEqual({ minimum: 2, maximum: 2 });
});
