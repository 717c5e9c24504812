import { ClusterAutoscaler } from '../addons/cluster-autoscaler/cluster-autoscaler';
import { Cni } from '../addons/cni/cni';
import { Addon } from '../contracts/addon';
import { Delivery } from '../contracts/delivery/delivery';
import { Machine } from '../contracts/machine';
import { NodePoolSettings } from '../contracts/node-pool/node-pool-props';
import { PoolSize } from '../contracts/node-pool/pool-size';
import { TenantClusterSettings } from '../tenant/tenant-cluster-props';

/** A pool of a blueprint: each property that is set replaces that of the blueprint. */
export interface BlueprintPool extends NodePoolSettings {
  /**
   * The machines of the nodes.
   *
   * @default - as the blueprint describes
   */
  readonly machine?: Machine;

  /**
   * The number of machines: fixed, or set by the autoscaler.
   *
   * @default - as the blueprint describes
   */
  readonly size?: PoolSize;
}

/** Options of every blueprint. Each replaces one part, and the others stay. */
export interface BlueprintOptions extends TenantClusterSettings {
  /**
   * The pod network.
   *
   * @default - as the blueprint describes
   */
  readonly cni?: Cni;

  /**
   * Delivery of the pod network, addons and workloads to the tenant.
   *
   * @default new FluxDelivery()
   */
  readonly delivery?: Delivery;

  /**
   * How the autoscaler runs that sizes the pools with `PoolSize.between`.
   *
   * @default - as the blueprint describes
   */
  readonly clusterAutoscaler?: ClusterAutoscaler;

  /**
   * Further addons. An addon with the name of one of the blueprint's replaces that: `new CertManager({ replicas: 2 })`.
   *
   * @default - those of the blueprint
   */
  readonly addons?: Addon[];

  /**
   * Names of pools and addons of the blueprint that are left out, e.g. `cert-manager` (`TC-BLUEPRINT-LEAVE-OUT`).
   *
   * @default - none
   */
  readonly leaveOut?: string[];
}
