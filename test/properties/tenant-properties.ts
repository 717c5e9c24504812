import { Size, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import { declare, poolProps, Tenant, tenants } from './arbitraries';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { NodePoolProps } from '../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { NodePool } from '../../src/constructs/tenant/node-pool';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { SchemaValidator } from '../manifests/schema/validate';
import { Manifest } from '../support/clusters';
import { problemsOf } from '../support/problems';

const validator = SchemaValidator.load();

function manifestsOf(tenant: Tenant): Manifest[] {
  return declare(Testing.app(), tenant).toJson();
}

export const MACHINE = { cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.0' }) };

/** A pool of a cluster with as few options as possible. */
export function samplePool(props: Partial<NodePoolProps> = {}): NodePool {
  const cluster = new TenantCluster(Testing.app(), 'acme', {
    namespace: 'tenant-acme', kubernetesVersion: '1.35.4', controlPlane: new KamajiControlPlane(), infrastructure: new KubevirtInfrastructure(), cni: Cni.none(),
  });
  return cluster.addNodePool('general', { machine: new KubevirtMachine(MACHINE), size: PoolSize.fixed(3), ...props });
}

/** Tests the properties of every tenant with a number of random ones. */
export function testTenants(numRuns: number): void {
  test('any valid tenant is accepted, and so is all that it gives', () => {
    fc.assert(fc.property(tenants, (tenant) => {
      const app = Testing.app();
      const cluster = declare(app, tenant);
      expect(problemsOf(app)).toEqual([]);
      for (const manifest of cluster.toJson()) {
        expect(validator.validate(manifest)).toEqual([]);
        expect(validator.missingDefaults(manifest)).toEqual([]);
      }
    }), { numRuns });
  });

  test('any two syntheses give the same bytes', () => {
    fc.assert(fc.property(tenants, (tenant) => {
      const [one, other] = [Testing.app(), Testing.app()];
      declare(one, tenant);
      declare(other, tenant);
      const text = one.synthYaml();
      expect(one.synthYaml()).toBe(text);
      expect(other.synthYaml()).toBe(text);
    }), { numRuns: Math.ceil(numRuns / 4) });
  });

  test('pools do not depend on each other, nor on their order', () => {
    fc.assert(fc.property(tenants, (tenant) => {
      const reversed = { ...tenant, pools: Object.fromEntries(Object.entries(tenant.pools).reverse()) };
      const key = (manifest: Manifest): string => `${manifest.kind}/${manifest.metadata.name}`;
      const sorted = (manifests: Manifest[]): Manifest[] => [...manifests].sort((a, b) => (key(a) < key(b) ? -1 : 1));
      expect(sorted(manifestsOf(reversed))).toEqual(sorted(manifestsOf(tenant)));
    }), { numRuns });
  });

  test('names of templates are equal exactly when the specs are', () => {
    fc.assert(fc.property(poolProps, poolProps, (one, other) => {
      const [a, b] = [samplePool(one), samplePool(other)];
      for (const template of ['machineTemplate', 'bootstrapTemplate'] as const) {
        const same = JSON.stringify(a[template].toJson().spec) === JSON.stringify(b[template].toJson().spec);
        expect(a[template].name === b[template].name).toBe(same);
      }
    }), { numRuns });
  });
}
