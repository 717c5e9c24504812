import { JsonPatch } from 'cdk8s';
import { MACHINE, samplePool, testTenants } from './tenant-properties';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KubeadmBootstrap } from '../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { EvictionStrategy, RunStrategy } from '../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { PrimaryNetwork } from '../../src/constructs/infrastructures/kubevirt/network';

testTenants(4);

describe('template names', () => {
  test('are pinned: another name for the same machine would replace the nodes of every user', () => {
    expect([samplePool().machineTemplate.name, samplePool().bootstrapTemplate.name]).toEqual(['acme-general-6c07d943', 'acme-general-a79233d0']);
  });

  test('stay when what changes reaches no machine', () => {
    const before = samplePool();
    const after = samplePool({ size: PoolSize.between(1, 9), labels: { 'node-role.kubernetes.io/web': '' }, nodeDrainTimeout: undefined });
    after.machineTemplate.metadata.addLabel('team', 'a');

    expect([after.machineTemplate.name, after.bootstrapTemplate.name]).toEqual([before.machineTemplate.name, before.bootstrapTemplate.name]);
  });

  test('stay when a default is spelled out', () => {
    const spelled = samplePool({
      machine: new KubevirtMachine({
        ...MACHINE, network: PrimaryNetwork.bridge(), evictionStrategy: EvictionStrategy.EXTERNAL, runStrategy: RunStrategy.ONCE, gpus: [],
      }),
      bootstrap: new KubeadmBootstrap({ files: [], criSocket: 'unix:///var/run/containerd/containerd.sock' }),
      taints: [],
    });

    const before = samplePool();
    expect([spelled.machineTemplate.name, spelled.bootstrapTemplate.name]).toEqual([before.machineTemplate.name, before.bootstrapTemplate.name]);
  });

  test('change when a patch reaches machines, and the MachineDeployment follows', () => {
    const patched = samplePool();
    const before = patched.machineTemplate.name;
    patched.machineTemplate.addJsonPatch(JsonPatch.add('/spec/template/spec/virtualMachineTemplate/spec/template/spec/domain/devices/autoattachGraphicsDevice', false));

    expect(patched.machineTemplate.name).not.toBe(before);
    expect(patched.machineDeployment.toJson().spec.template.spec.infrastructureRef.name).toBe(patched.machineTemplate.name);
  });
});
