import { App, Size } from 'cdk8s';
import { Scenario } from './scenario';
import { CertManager } from '../../src/constructs/addons/catalog/cert-manager';
import { GatewayApi } from '../../src/constructs/addons/catalog/gateway-api';
import { Cilium } from '../../src/constructs/addons/cni/cilium';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { addCompleteTenant } from '../support/complete-tenant';
import { DELIVERIES, NamedDelivery } from '../support/deliveries';
import { addTeamApplication, TeamSettings } from '../support/team-application';

/** Deliveries that get the complete tenant, with definitions from a Git repository. The others get what passes through a delivery, and one pool. */
const COMPLETE = ['flux', 'argo-cd'];

/** One page through each delivery. */
export const deliveryScenarios: { readonly [name: string]: Scenario } = Object.fromEntries(DELIVERIES.map((delivery) => (
  [`delivery-${delivery.name}`, (app) => {
    if (COMPLETE.includes(delivery.name)) addCompleteTenant(app, 'acme', delivery).addAddon(new GatewayApi());
    else addSmallTenant(app, delivery);
  }])));

function addSmallTenant(app: App, { delivery, charts }: NamedDelivery): void {
  const tenant = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane(),
    infrastructure: new KubevirtInfrastructure(),
    cni: charts ? new Cilium() : Cni.none(),
    delivery,
  });
  tenant.addNodePool('general', {
    machine: new KubevirtMachine({
      cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
    }),
    size: PoolSize.fixed(2),
  });
  if (charts) tenant.addAddon(new CertManager({ replicas: 2 }));
  tenant.addAddon(new TeamSettings(charts));
  addTeamApplication(tenant.workloads);
}
