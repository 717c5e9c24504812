import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { PoolContext } from './node-pool/pool-context';
import { NodeSetupPart } from './node-setup';

/** Objects that a bootstrap makes for a pool (`Bootstrap.bind`). */
export interface BootstrapConfig {
  /**
   * The template that every new machine's bootstrap configuration is cloned from.
   *
   * The pool names it `<cluster>-<pool>-<hash of its spec>` and marks it against pruning; a strategy gives it any name.
   */
  readonly template: ApiObject;

  /**
   * Version of the machines, where the distribution has releases of its own for a version of Kubernetes, e.g. `v1.35.4+rke2r1`. In a cluster with
   * a topology, the control plane must have the same version.
   *
   * Rule: `TC-ADMIT-MACHINE-VERSION`.
   *
   * @default - the pool's version of Kubernetes
   */
  readonly machineVersion?: string;
}

/**
 * Method by which a machine becomes a node of its cluster.
 *
 * An instance is plain data: it can be given to any number of pools.
 */
export abstract class Bootstrap {
  /**
   * True if machines are set up for `companyNetwork` of the context: proxy, certificate authorities, mirrors and time servers. A cluster with
   * such a network refuses pools whose bootstrap does not (`TC-COMPANY-NETWORK-BOOTSTRAP`).
   */
  public get appliesCompanyNetwork(): boolean {
    return false;
  }

  /**
   * Parts of `PoolContext.nodeSetup` that the template applies. A pool whose infrastructure or machines ask for another part is refused, so
   * that no argument of a kubelet, no file and no command is lost. Only a part that is applied in whole belongs here; what of it cannot be
   * applied is reported in `bind`.
   *
   * Rule: `TC-NODE-SETUP-APPLIED`.
   *
   * @default - none
   */
  public get appliedNodeSetup(): NodeSetupPart[] {
    return [];
  }

  /**
   * Makes the bootstrap template of one pool.
   *
   * Bad values are reported through `Problems.of(scope)`.
   *
   * @param scope where to put the objects
   * @param context the pool they belong to
   */
  public abstract bind(scope: Construct, context: PoolContext): BootstrapConfig;
}
