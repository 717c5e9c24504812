import { Size } from 'cdk8s';
import { Scenario } from './scenario';
import { Cilium } from '../../src/constructs/addons/cni/cilium';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { IsolationPeer, IsolationPort } from '../../src/constructs/contracts/capabilities/isolation-peer';
import { ImportedManagementCluster, ManagementNetworkPlugin } from '../../src/constructs/contracts/capabilities/management-cluster';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../src/constructs/deliveries/flux/flux-delivery';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtCsiDriver } from '../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { ServiceIsolation } from '../../src/constructs/tenant/isolation/service-isolation';
import { TenantAccess, TenantSubject } from '../../src/constructs/tenant/isolation/tenant-access';
import { TenantIsolation } from '../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';

/** Every right and every policy that a tenant brings into the management cluster. */
export const isolationScenarios: { readonly [name: string]: Scenario } = {
  'isolation': (app) => {
    const tenant = new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.35.4',
      controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
      infrastructure: new KubevirtInfrastructure({
        cloudControllerManager: KubevirtCloudControllerManager.of({ zones: true, loadBalancers: KubevirtLoadBalancers.localTraffic() }),
        storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
        csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2' }),
      }),
      cni: new Cilium(),
      delivery: new FluxDelivery(),
      managementCluster: new ImportedManagementCluster({
        podCidrs: ['10.42.0.0/16'],
        serviceCidrs: ['10.43.0.0/16'],
        nodeCidrs: ['192.168.7.0/24'],
        networkPlugin: ManagementNetworkPlugin.CALICO,
        dataStorePeers: { default: [] },
      }),
      isolation: new TenantIsolation({
        services: ServiceIsolation.admissionPolicy({ dropAnnotations: true, annotations: ['example.com/pool'] }),
        access: [
          TenantAccess.viewer(TenantSubject.group('viewers')),
          TenantAccess.operator(TenantSubject.group('operators')),
          TenantAccess.kubeconfigReader(TenantSubject.group('kubeconfig-readers')),
        ],
      }),
    });
    tenant.addNodePool('general', {
      machine: new KubevirtMachine({
        cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
      }),
      size: PoolSize.between(0, 3),
    });
  },
  'isolation-data-store-move': (app) => {
    const tenant = new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.35.4',
      controlPlane: new KamajiControlPlane({ dataStore: 'gold', formerDataStore: 'default' }),
      infrastructure: new KubevirtInfrastructure(),
      cni: Cni.none(),
      managementCluster: new ImportedManagementCluster({
        podCidrs: ['10.42.0.0/16'],
        serviceCidrs: ['10.43.0.0/16'],
        nodeCidrs: ['192.168.7.0/24'],
        networkPlugin: ManagementNetworkPlugin.CALICO,
        dataStorePeers: Object.fromEntries(['bank', 'default', 'gold'].map((store) => [store, [IsolationPeer.pods({
          namespace: 'kamaji-etcd', podLabels: { 'app.kubernetes.io/instance': `etcd-${store}` }, ports: [IsolationPort.tcp(2379)],
        })]])),
      }),
      isolation: new TenantIsolation({ services: ServiceIsolation.none() }),
    });
    tenant.addNodePool('general', {
      machine: new KubevirtMachine({
        cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
      }),
      size: PoolSize.fixed(1),
    });
  },
};
