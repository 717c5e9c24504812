// Two tenants as topologies of one ClusterClass: `Cluster.spec.topology`, from which Cluster API's topology controller makes control plane,
// infrastructure object and pools. A third one has a class of its own.
//
// This program writes the folder `dist` of a Git repository. `flux bootstrap git --path=dist/flux` in the management cluster makes the
// GitRepository, and from then on applies what is in `dist/flux`. docs/guides/cluster-class.md says when a topology is worth it.

import { Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  Cilium, ClusterTopology, EvictionStrategy, FluxDelivery, FluxEntryPoints, GitOpsApp, ImportedManagementCluster, IsolationPeer,
  IsolationPort, KamajiControlPlane, KubeadmControlPlane, KubevirtInfrastructure, KubevirtMachine, ManagementNetworkPlugin, PoolSize, RootDisk,
  TenantCluster, TenantIsolation,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });
const delivery = new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system', path: 'dist' } });

// The management cluster, which the isolation of its tenants follows from. Its Cluster API has the feature gate ClusterTopology on.
const hall = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});

// The namespace of the class that tenants share.
const platform = new Chart(app, 'platform');
new kplus.Namespace(platform, 'Namespace', { metadata: { name: 'cluster-classes' } });

const rootDisk = RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' });

/** A tenant of the class `hosted`: the same control plane and the same machines for all, in any number. */
function hosted(name: string, machines: PoolSize): TenantCluster {
  const tenant = new TenantCluster(app, name, {
    namespace: `tenant-${name}`,
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure(),
    cni: new Cilium(),
    delivery,
    managementCluster: hall,
    isolation: new TenantIsolation(),
    topology: ClusterTopology.of({ className: 'hosted', classNamespace: 'cluster-classes' }),
  });
  tenant.addNodePool('general', { machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk }), size: machines });
  return tenant;
}

hosted('acme', PoolSize.between(1, 10));
hosted('beta', PoolSize.fixed(3));

// A control plane on machines of its own, and a class that only this tenant has.
const machine = new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(8), rootDisk, evictionStrategy: EvictionStrategy.NONE });
const gamma = new TenantCluster(app, 'gamma', {
  namespace: 'tenant-gamma',
  kubernetesVersion: '1.35.4',
  controlPlane: new KubeadmControlPlane({ replicas: 3, machine }),
  infrastructure: new KubevirtInfrastructure(),
  cni: new Cilium(),
  delivery,
  managementCluster: hall,
  isolation: new TenantIsolation(),
  topology: ClusterTopology.of(),
});
gamma.addNodePool('general', { machine, size: PoolSize.fixed(2) });

app.synth();
