import { TimeWindow } from './time-window';
import { Hibernation, Kubeconfigs } from '../cluster-context';
import { CompanyNetwork } from '../company-network/company-network';

/** A cluster that things are delivered to. A tenant's `DeliveryTarget` is one. */
export interface DeliveryTarget {
  /** Name of the cluster; objects that deliver are named after it. */
  readonly name: string;

  /** Namespace of the management cluster that the objects that deliver are in, as far as these have a choice. */
  readonly namespace: string;

  /**
   * Kubeconfigs of the cluster.
   *
   * @default - none: it is the management cluster itself, where the objects that deliver are
   */
  readonly kubeconfigs?: Kubeconfigs;

  /**
   * The network of the company that the cluster is in: it knows how private chart repositories are accessed.
   *
   * @default - nothing is known of it
   */
  readonly companyNetwork?: CompanyNetwork;

  /**
   * True if the cluster is being decommissioned. The delivering objects must then be deletable without it: no finalizer may need
   * its API server.
   *
   * @default false
   */
  readonly decommission?: boolean;

  /**
   * Hibernation of the cluster. Nothing must be delivered meanwhile, since no pod starts: what can be suspended is.
   *
   * @default - it is awake
   */
  readonly hibernation?: Hibernation;

  /**
   * Times at which the cluster may change. What is delivered to it from the output of the app waits for them, too.
   *
   * @default - at any time
   */
  readonly changeWindows?: TimeWindow[];
}
