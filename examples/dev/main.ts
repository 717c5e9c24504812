// A cluster of containers for a trial on one machine with Docker: Cluster API's development provider makes a container for each machine.
// docs/guides/try-on-kind.md goes through it in half an hour. Nothing here is for production.

import { App } from 'cdk8s';
import { Calico, dev, HelmChartProxyDelivery, KubeadmControlPlane, MetricsServer, PoolSize, TenantCluster } from 'cdk8s-cluster-api';

const app = new App();

const trial = new TenantCluster(app, 'trial', {
  namespace: 'tenant-trial',
  // A version for which the kind project has published an image of nodes, since the provider takes kindest/node with this tag.
  kubernetesVersion: '1.35.8',
  controlPlane: new KubeadmControlPlane({
    replicas: 1,
    machine: new dev.DevMachine(),
    // By these names the API server is also reached where the containers are in a virtual machine of Docker Desktop.
    certSans: ['localhost', '127.0.0.1', 'host.docker.internal'],
  }),
  infrastructure: new dev.DevInfrastructure({
    backend: dev.DevClusterBackend.docker({
      // All of them are on one host: they show how machines are spread, and protect from nothing.
      failureDomains: [{ name: 'rack-1' }, { name: 'rack-2' }, { name: 'rack-3', controlPlane: false }],
    }),
  }),
  podCidrs: ['192.168.0.0/16'],
  cni: new Calico(),
  // Cluster API's add-on provider for Helm installs charts, so that the trial needs neither Git nor Flux.
  delivery: new HelmChartProxyDelivery(),
});

trial.addNodePool('workers', {
  machine: new dev.DevMachine({ backend: dev.DevMachineBackend.docker() }),
  size: PoolSize.fixed(2),
  failureDomain: 'rack-3',
});

trial.addAddon(new MetricsServer());

app.synth();
