import { App, Size, Yaml } from 'cdk8s';
import {
  CertManager, Cilium, FluxDelivery, ImportedManagementCluster, IsolationPeer, IsolationPort, KamajiControlPlane, KubevirtInfrastructure,
  KubevirtMachine, ManagementNetworkPlugin, MetricsServer, PoolSize, RootDisk, TenantCluster, TenantIsolation,
} from '../../src';

/**
 * The manifests of a tenant before and after a change that has something of everything.
 *
 * @param isLater whether the change is made
 */
export function tenant(isLater: boolean): string {
  const app = new App();
  const kubernetesVersion = isLater ? '1.35.4' : '1.35.3';
  const rootDisk = RootDisk.containerDisk({ image: `registry.example.com/node:${kubernetesVersion}` });
  const acme = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion,
    controlPlane: new KamajiControlPlane({ replicas: isLater ? 3 : 2, dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure(),
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
  });
  acme.addNodePool('general', { machine: new KubevirtMachine({ cpu: isLater ? 8 : 4, memory: Size.gibibytes(16), rootDisk }), size: PoolSize.fixed(3) });
  if (isLater) acme.addNodePool('batch', { machine: new KubevirtMachine({ cpu: 16, memory: Size.gibibytes(64), rootDisk }), size: PoolSize.between(0, 4) });
  acme.addAddon(new MetricsServer(isLater ? {} : { chartVersion: '3.12.2' }));
  if (!isLater) acme.addAddon(new CertManager());
  return Yaml.stringify(...app.charts.flatMap((chart) => chart.toJson()));
}
