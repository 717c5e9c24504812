import { ApiObject, Chart, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { OutputFiles } from '../../src/constructs/app/synth/output-files';
import { EntryPoints } from '../../src/constructs/contracts/delivery/entry-points';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ArgoCdApplicationSet } from '../../src/constructs/deliveries/argo-cd/argo-cd-application-set';
import { FluxDelivery } from '../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../src/constructs/deliveries/flux/flux-entry-points';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../src/constructs/tenant/tenant-cluster-props';

/** Entry points of each GitOps tool, by a name for tests. */
export const ENTRY_POINTS: { readonly [name: string]: EntryPoints | undefined } = {
  'lists': undefined,
  'flux': new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }),
  'application-set': new ArgoCdApplicationSet({ repoUrl: 'https://git.example.com/tenants.git', targetRevision: 'main', path: 'dist' }),
};

/** Properties of every cluster of the tests. Without published Services, nothing warns that there is no isolation. */
export const CLUSTER = {
  kubernetesVersion: '1.35.4',
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
  infrastructure: new KubevirtInfrastructure({
    cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }),
  }),
  cni: Cni.none(),
  delivery: new FluxDelivery(),
} satisfies Partial<TenantClusterProps>;

/** A cluster with pools, and something that is delivered to it. */
export function addCluster(scope: Construct, name: string, props: Partial<TenantClusterProps> = {}, pools: readonly string[] = ['general']): TenantCluster {
  const tenant = new TenantCluster(scope, name, { namespace: `tenant-${name}`, ...CLUSTER, ...props });
  for (const pool of pools) {
    tenant.addNodePool(pool, {
      machine: new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:stable' }) }),
      size: PoolSize.fixed(2),
    });
  }
  new ApiObject(tenant.workloads, 'settings', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' } });
  return tenant;
}

/** Names of clusters. */
export function clusterNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `c${index}`);
}

/** Adds objects and files of no single cluster: a chart, and files of hosts. */
export function addWhatIsShared(scope: Construct): void {
  const chart = new Chart(scope, 'platform');
  new ApiObject(chart, 'object', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'object', namespace: 'default' } });
  OutputFiles.of(scope).add(() => [{ path: 'hosts/join.sh', content: 'exit 0\n', executable: true }, { path: 'hosts/README.md', content: 'by hand\n' }]);
}
