import { App, Chart, Size } from 'cdk8s';
import { knownManagementCluster } from './management';
import { addTeamApplication, TeamSettings } from './team-application';
import { CertManager } from '../../src/constructs/addons/catalog/cert-manager';
import { MetricsServer } from '../../src/constructs/addons/catalog/metrics-server';
import { Traefik } from '../../src/constructs/addons/catalog/traefik';
import { Cilium } from '../../src/constructs/addons/cni/cilium';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { Delivery } from '../../src/constructs/contracts/delivery/delivery';
import { NodePoolProps } from '../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubevirtCsiDriver } from '../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { NetworkIsolation } from '../../src/constructs/tenant/isolation/network-isolation';
import { TenantAccess, TenantSubject } from '../../src/constructs/tenant/isolation/tenant-access';
import { TenantIsolation } from '../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../src/constructs/tenant/tenant-cluster-props';
import { TaintEffect } from '../../src/manifests/values/taints';

/** Puts calls into another order. */
export type Reorder = (calls: readonly (() => void)[]) => readonly (() => void)[];

/** Differences between complete tenants. */
export interface CompleteTenantOptions {
  readonly delivery: Delivery;

  /** True if there are Helm charts, the pod network among them. */
  readonly charts: boolean;

  readonly props?: Partial<TenantClusterProps>;

  /** Puts the calls that add pools into another order. */
  readonly orderPools?: Reorder;

  /** Puts the calls that add addons and workloads into another order. */
  readonly orderAddons?: Reorder;
}

/** One page that uses what there is: pools, controllers, isolation, addons of charts and of manifests, workloads. */
export function addCompleteTenant(app: App | Chart, id: string, options: CompleteTenantOptions): TenantCluster {
  const { delivery, charts, props, orderPools = (calls) => calls, orderAddons = (calls) => calls } = options;
  const tenant = new TenantCluster(app, id, {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    labels: { 'example.com/tenant': 'acme' },
    controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure({
      storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
      csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/kubevirt/kubevirt-csi-driver:27b52aa2' }),
    }),
    managementCluster: knownManagementCluster(),
    cni: charts ? new Cilium() : Cni.none(),
    delivery,
    isolation: new TenantIsolation({
      network: NetworkIsolation.networkPolicies(),
      quota: { 'requests.storage': '2Ti' },
      access: [TenantAccess.operator(TenantSubject.group('team-a')), TenantAccess.kubeconfigReader(TenantSubject.user('lea'))],
    }),
    ...props,
  });
  const pools = [
    () => { tenant.addNodePool('general', pool(PoolSize.between(1, 5))); },
    () => { tenant.addNodePool('ingress', { ...pool(PoolSize.fixed(2)), taints: [{ key: 'example.com/ingress', effect: TaintEffect.NO_SCHEDULE }] }); },
    () => { tenant.addNodePool('batch', { ...pool(PoolSize.between(0, 5)), labels: { 'example.com/batch': 'true', 'example.com/accelerated': 'false' } }); },
  ];
  const addons = [
    ...(charts ? [new CertManager({ replicas: 2 }), new MetricsServer(), new Traefik()] : []).map((addon) => () => tenant.addAddon(addon)),
    () => tenant.addAddon(new TeamSettings(charts)),
    () => addTeamApplication(tenant.workloads),
  ];
  [...orderPools(pools), ...orderAddons(addons)].forEach((add) => add());
  return tenant;
}

function pool(size: PoolSize): NodePoolProps {
  const machine = new KubevirtMachine({
    cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
  });
  return { machine, size };
}
