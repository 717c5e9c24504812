import * as fs from 'node:fs';
import * as path from 'node:path';
import { App, Size } from 'cdk8s';
import { Cilium } from '../../src/constructs/addons/cni/cilium';
import { Hibernation } from '../../src/constructs/contracts/cluster-context';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtCsiDriver } from '../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { NetworkIsolation } from '../../src/constructs/tenant/isolation/network-isolation';
import { TenantIsolation } from '../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';

/** The states of a tenant that falls asleep, in their order. */
const STATES: { readonly [name: string]: Hibernation | undefined } = { awake: undefined, pools: Hibernation.POOLS, full: Hibernation.FULL };

/**
 * Writes one page as it is awake and in both steps of its sleep.
 *
 * @param folder where to write
 * @returns the files, as the program's `--progress` reads them
 */
export function writeSleepingTenant(folder: string): string {
  return Object.entries(STATES).map(([state, hibernation]) => {
    const file = path.join(folder, `sleeping-tenant-${state}.yaml`);
    fs.writeFileSync(file, manifests(hibernation));
    return file;
  }).join(',');
}

function manifests(hibernation?: Hibernation): string {
  const app = new App();
  const tenant = new TenantCluster(app, 'dune', {
    namespace: 'tenant-dune',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure({
      storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
      csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/kubevirt/kubevirt-csi-driver:27b52aa2' }),
    }),
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    isolation: new TenantIsolation({ network: NetworkIsolation.none() }),
    hibernation,
  });
  const machine = new KubevirtMachine({
    cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
  });
  tenant.addNodePool('general', { machine, size: PoolSize.between(1, 3) });
  tenant.addNodePool('ingress', { machine, size: PoolSize.fixed(1) });
  return app.synthYaml();
}
