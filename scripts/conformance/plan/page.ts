import { Size, Testing } from 'cdk8s';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { NodePoolProps } from '../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KubeadmBootstrap } from '../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubeadmBootstrapProps } from '../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubeadmControlPlaneProps } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { ControlPlaneServiceType, KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { EvictionStrategy, RunStrategy } from '../../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';

/** A pool of a page. */
export interface PoolPage {
  readonly machine?: Partial<KubevirtMachineProps>;
  readonly bootstrap?: KubeadmBootstrapProps;
  readonly pool?: Partial<NodePoolProps>;
}

/** A page with one cluster, as data, so that changes can be made to it one by one. */
export interface Page {
  readonly kind: 'kamaji' | 'kubeadm';
  readonly cluster?: Partial<TenantClusterProps>;
  readonly kamaji?: Partial<KamajiControlPlaneProps>;
  readonly kubeadm?: Partial<KubeadmControlPlaneProps>;
  readonly controlPlaneMachine?: Partial<KubevirtMachineProps>;
  readonly pools: Readonly<Record<string, PoolPage>>;

  /** Changes of what was written, such as somebody's patch. */
  readonly edits?: readonly ((objects: any[]) => any[])[];
}

/** The name of the cluster of every page. */
export const CLUSTER_NAME = 'acme';

const CLOUD = { cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }) };

/** The objects of a page. */
export function objectsOf({ kind, cluster, kamaji, kubeadm, controlPlaneMachine, pools, edits = [] }: Page, namespace: string): any[] {
  const app = Testing.app();
  const tenant = new TenantCluster(app, CLUSTER_NAME, {
    namespace,
    kubernetesVersion: '1.34.1',
    cni: Cni.none(),
    ...kind === 'kamaji' ? {
      controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default', ...kamaji }),
      infrastructure: new KubevirtInfrastructure(CLOUD),
    } : {
      controlPlane: new KubeadmControlPlane({
        replicas: 1,
        machine: new KubevirtMachine({
          cpu: 4,
          memory: Size.gibibytes(8),
          rootDisk: RootDisk.registry({ url: 'docker://registry.example.com/node:1.34.1', size: Size.gibibytes(40), storageClass: 'replicated' }),
          runStrategy: RunStrategy.ONCE,
          evictionStrategy: EvictionStrategy.NONE,
          ...controlPlaneMachine,
        }),
        ...kubeadm,
      }),
      infrastructure: new KubevirtInfrastructure({ ...CLOUD, controlPlaneService: { type: ControlPlaneServiceType.LOAD_BALANCER } }),
    },
    ...cluster,
  });
  for (const [name, { machine, bootstrap, pool }] of Object.entries(pools)) {
    tenant.addNodePool(name, {
      machine: new KubevirtMachine({
        cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.34.1' }), ...machine,
      }),
      size: PoolSize.fixed(1),
      ...bootstrap && { bootstrap: new KubeadmBootstrap(bootstrap) },
      ...pool,
    });
  }
  return edits.reduce((objects, edit) => edit(objects), app.charts.flatMap((chart) => Testing.synth(chart)));
}
