import { Duration, Size } from 'cdk8s';
import { Cilium } from '../../../src/addons/cni/cilium';
import { PoolSize } from '../../../src/cluster/node-pool/pool-size';
import { ClusterAutoscaler } from '../../../src/cluster-autoscaler/cluster-autoscaler';
import { FluxDelivery } from '../../../src/flux/flux-delivery';
import { GitOpsApp } from '../../../src/gitops/gitops-app';
import { KamajiControlPlane } from '../../../src/kamaji/kamaji-control-plane';
import { KubevirtInfrastructure } from '../../../src/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/kubevirt/root-disk';
import { TenantCluster } from '../../../src/tenant-cluster/tenant-cluster';

/**
 * Writes a page with a pool that starts from zero, and whose autoscaler takes nodes away after seconds, not minutes: the autoscaler of no example
 * shows in a few minutes all that it does.
 *
 * @param outdir where to write
 */
export function writeScalingPage(outdir: string): void {
  const app = new GitOpsApp({ outdir, quiet: true });
  const tenant = new TenantCluster(app, 'dune', {
    namespace: 'tenant-dune',
    kubernetesVersion: '1.34.1',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure(),
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    clusterAutoscaler: ClusterAutoscaler.of({
      scanInterval: Duration.seconds(5), scaleDownUnneededTime: Duration.seconds(10), scaleDownDelayAfterAdd: Duration.seconds(10),
    }),
  });
  const rootDisk = RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.34.1' });
  // For CoreDNS: the autoscaler takes no node away from under pods of kube-system.
  tenant.addNodePool('general', { machine: new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4), rootDisk }), size: PoolSize.fixed(1) });
  tenant.addNodePool('burst', { machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(8), rootDisk }), size: PoolSize.between(0, 2) });
  app.synth();
}
