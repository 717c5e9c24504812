import * as fs from 'node:fs';
import * as path from 'node:path';
import { Duration, Size } from 'cdk8s';
import { SnapshotController } from '../../../src/constructs/addons/catalog/snapshot-controller';
import { ClusterAutoscaler } from '../../../src/constructs/addons/cluster-autoscaler/cluster-autoscaler';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { IsolationPeer, IsolationPort } from '../../../src/constructs/contracts/capabilities/isolation-peer';
import { ImportedManagementCluster, ManagementNetworkPlugin } from '../../../src/constructs/contracts/capabilities/management-cluster';
import { Hibernation } from '../../../src/constructs/contracts/cluster-context';
import { HelmInstallFailurePolicy } from '../../../src/constructs/contracts/helm-chart';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { KubevirtCsiDriver } from '../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TenantIsolation } from '../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TaintEffect } from '../../../src/manifests/values/taints';

/** Fields of a tenant's page that change during its life. */
interface LifePage {
  readonly version: string;
  readonly hibernation?: Hibernation;

  /** A value of an addon: what is suspended must not get it. */
  readonly answer: number;
  readonly decommission?: boolean;
}

const NEW = { version: '1.34.1', answer: 1 };
const UPGRADED = { version: '1.35.4', answer: 1 };
const AWAKE = { ...UPGRADED, answer: 2 };

/** The states of the page, in their order; at the end it is removed. */
const LIFE: { readonly [name: string]: LifePage | undefined } = {
  'new': NEW,
  'upgraded': UPGRADED,
  'without-machines': { ...AWAKE, hibernation: Hibernation.POOLS },
  'asleep': { ...AWAKE, hibernation: Hibernation.FULL },
  'awake': AWAKE,
  'decommissioned': { ...AWAKE, decommission: true },
  'removed': undefined,
};

/**
 * Writes the page of a tenant in all states of its life, each over a copy of the former one, as commits follow each other. A pool starts from zero, and the
 * autoscaler removes a node after seconds, not minutes, so that a short life shows all of it. The first installations of two addons fail.
 *
 * @param folder where to write
 * @returns a folder for each state, in their order
 */
export function writeLife(folder: string): string[] {
  let former: string | undefined;
  return Object.entries(LIFE).map(([state, page], index) => {
    const outdir = path.join(folder, `${index}-${state}`);
    if (former !== undefined) fs.cpSync(former, outdir, { recursive: true });
    former = outdir;
    const entryPoints = new FluxEntryPoints({ sourceName: 'flux-system', path: 'tenants' });
    const app = new GitOpsApp({ outdir, quiet: true, publishedElsewhere: true, entryPoints });
    if (page !== undefined) addTenant(app, page);
    app.synth();
    return outdir;
  });
}

function addTenant(app: GitOpsApp, { version, hibernation, answer, decommission }: LifePage): void {
  const tenant = new TenantCluster(app, 'dune', {
    namespace: 'tenant-dune',
    kubernetesVersion: version,
    controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure({
      storageClasses: [{
        name: 'fast', infraClass: 'replicated', isDefault: true, snapshotClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
      }],
      csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2' }),
    }),
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    isolation: new TenantIsolation(),
    managementCluster: new ImportedManagementCluster({
      podCidrs: ['10.244.0.0/16'],
      serviceCidrs: ['10.96.0.0/16'],
      nodeCidrs: ['192.168.100.0/24'],
      networkPlugin: ManagementNetworkPlugin.CALICO,
      dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
    }),
    clusterAutoscaler: ClusterAutoscaler.of({
      scanInterval: Duration.seconds(5), scaleDownUnneededTime: Duration.seconds(10), scaleDownDelayAfterAdd: Duration.seconds(10),
    }),
    hibernation,
    decommission,
  });
  const rootDisk = RootDisk.containerDisk({ image: `registry.example.com/nodes/ubuntu-24.04-kubernetes:${version}` });
  tenant.addNodePool('general', { machine: new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4), rootDisk }), size: PoolSize.fixed(2) });
  tenant.addNodePool('burst', {
    machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(8), rootDisk }),
    size: PoolSize.between(0, 2),
    // The autoscaler takes no node away from under CoreDNS.
    taints: [{ key: 'dedicated', value: 'burst', effect: TaintEffect.NO_SCHEDULE }],
  });
  tenant.addAddon(new SnapshotController());
  for (const [name, installFailurePolicy] of [['retried', HelmInstallFailurePolicy.UPGRADE], ['reinstalled', HelmInstallFailurePolicy.REINSTALL]] as const) {
    tenant.addAddon(new HelmAddon(name, {
      chart: name,
      repository: 'https://charts.example.com',
      chartVersion: '1.0.0',
      namespace: name,
      installFailurePolicy,
      // A hook that fails until there is this namespace.
      values: { answer, conformanceHook: { namespace: `for-${name}` } },
    }));
  }
}
