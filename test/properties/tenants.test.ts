import { JsonPatch, Size, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import { declare, poolProps, Tenant, tenants } from './arbitraries';
import { Cni } from '../../src/addons/cni/cni';
import { KubeadmBootstrap } from '../../src/bootstrap/kubeadm/kubeadm-bootstrap';
import { KamajiControlPlane } from '../../src/control-plane/kamaji/kamaji-control-plane';
import { KubevirtInfrastructure } from '../../src/infrastructure/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/infrastructure/kubevirt/kubevirt-machine';
import { EvictionStrategy, RunStrategy } from '../../src/infrastructure/kubevirt/life-cycle';
import { PrimaryNetwork } from '../../src/infrastructure/kubevirt/network';
import { RootDisk } from '../../src/infrastructure/kubevirt/root-disk';
import { NodePool, NodePoolProps } from '../../src/node-pool/node-pool';
import { PoolSize } from '../../src/node-pool/pool-size';
import { TenantCluster } from '../../src/tenant-cluster/tenant-cluster';
import { SchemaValidator } from '../schema/validate';
import { Manifest } from '../support/clusters';
import { problemsOf } from '../support/problems';

const RUNS = { numRuns: 150 };

let validator: SchemaValidator;

beforeAll(async () => {
  validator = await SchemaValidator.load();
});

function manifestsOf(tenant: Tenant): Manifest[] {
  return declare(Testing.app(), tenant).toJson();
}

test('any valid tenant is accepted, and so is all that it gives', () => {
  fc.assert(fc.property(tenants, (tenant) => {
    const app = Testing.app();
    const cluster = declare(app, tenant);
    expect(problemsOf(app)).toEqual([]);
    for (const manifest of cluster.toJson()) {
      expect(validator.validate(manifest)).toEqual([]);
      expect(validator.missingDefaults(manifest)).toEqual([]);
    }
  }), RUNS);
});

test('any two syntheses give the same bytes', () => {
  fc.assert(fc.property(tenants, (tenant) => {
    const [one, other] = [Testing.app(), Testing.app()];
    declare(one, tenant);
    declare(other, tenant);
    const text = one.synthYaml();
    expect(one.synthYaml()).toBe(text);
    expect(other.synthYaml()).toBe(text);
  }), { numRuns: 40 });
});

test('pools do not depend on each other, nor on their order', () => {
  fc.assert(fc.property(tenants, (tenant) => {
    const reversed = { ...tenant, pools: Object.fromEntries(Object.entries(tenant.pools).reverse()) };
    const key = (manifest: Manifest): string => `${manifest.kind}/${manifest.metadata.name}`;
    const sorted = (manifests: Manifest[]): Manifest[] => [...manifests].sort((a, b) => (key(a) < key(b) ? -1 : 1));
    expect(sorted(manifestsOf(reversed))).toEqual(sorted(manifestsOf(tenant)));
  }), RUNS);
});

describe('template names', () => {
  const base = { cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.0' }) };

  function pool(props: Partial<NodePoolProps> = {}): NodePool {
    const cluster = new TenantCluster(Testing.app(), 'acme', {
      namespace: 'tenant-acme', kubernetesVersion: '1.35.4', controlPlane: new KamajiControlPlane(), infrastructure: new KubevirtInfrastructure(), cni: Cni.none(),
    });
    return cluster.addNodePool('general', { machine: new KubevirtMachine(base), size: PoolSize.fixed(3), ...props });
  }

  test('are pinned: another name for the same machine would replace the nodes of every user', () => {
    expect([pool().machineTemplate.name, pool().bootstrapTemplate.name]).toEqual(['acme-general-6c07d943', 'acme-general-a79233d0']);
  });

  test('are equal exactly when the specs are', () => {
    fc.assert(fc.property(poolProps, poolProps, (one, other) => {
      const [a, b] = [pool(one), pool(other)];
      for (const template of ['machineTemplate', 'bootstrapTemplate'] as const) {
        const same = JSON.stringify(a[template].toJson().spec) === JSON.stringify(b[template].toJson().spec);
        expect(a[template].name === b[template].name).toBe(same);
      }
    }), RUNS);
  });

  test('stay when what changes reaches no machine', () => {
    const before = pool();
    const after = pool({ size: PoolSize.between(1, 9), labels: { 'node-role.kubernetes.io/web': '' }, nodeDrainTimeout: undefined });
    after.machineTemplate.metadata.addLabel('team', 'a');

    expect([after.machineTemplate.name, after.bootstrapTemplate.name]).toEqual([before.machineTemplate.name, before.bootstrapTemplate.name]);
  });

  test('stay when a default is spelled out', () => {
    const spelled = pool({
      machine: new KubevirtMachine({
        ...base, network: PrimaryNetwork.bridge(), evictionStrategy: EvictionStrategy.EXTERNAL, runStrategy: RunStrategy.ONCE, gpus: [],
      }),
      bootstrap: new KubeadmBootstrap({ files: [], criSocket: 'unix:///var/run/containerd/containerd.sock' }),
      taints: [],
    });

    expect([spelled.machineTemplate.name, spelled.bootstrapTemplate.name]).toEqual([pool().machineTemplate.name, pool().bootstrapTemplate.name]);
  });

  test('change when a patch reaches machines, and the MachineDeployment follows', () => {
    const patched = pool();
    const before = patched.machineTemplate.name;
    patched.machineTemplate.addJsonPatch(JsonPatch.add('/spec/template/spec/virtualMachineTemplate/spec/template/spec/domain/devices/autoattachGraphicsDevice', false));

    expect(patched.machineTemplate.name).not.toBe(before);
    expect(patched.machineDeployment.toJson().spec.template.spec.infrastructureRef.name).toBe(patched.machineTemplate.name);
  });
});
