import { ClusterContext } from '../../cluster-context';
import { checkRepository } from '../repository-address';

/** Where Argo CD finds a tenant cluster: how the cluster is registered there. */
export class ArgoCdDestination {
  /**
   * The cluster is registered under `<namespace>-<cluster>`. With capi2argo-cluster-operator that is the setting
   * `ENABLE_NAMESPACED_NAMES`, where the kubeconfig calls the cluster by its name.
   */
  public static readonly NAMESPACED_NAME = new ArgoCdDestination(({ namespace, name }) => ({ name: `${namespace}-${name}` }));

  /** The cluster is registered under its own name. Two clusters of that name, in two namespaces, are one to Argo CD. */
  public static readonly CLUSTER_NAME = new ArgoCdDestination(({ name }) => ({ name }));

  /**
   * The cluster is registered under some other name. For a delivery that one cluster uses alone.
   *
   * @param name the name, as in the registration's key `name` (`TC-DELIVERY-ARGO-CD`)
   */
  public static named(name: string): ArgoCdDestination {
    return new ArgoCdDestination(() => ({ name }), name.trim() === '' ? 'the name is empty' : undefined);
  }

  /**
   * The cluster is registered with an address. For a delivery that one cluster uses alone.
   *
   * @param server the address, as in the registration's key `server`, e.g. `https://acme.tenant-acme.svc:6443` (`TC-DELIVERY-ARGO-CD`)
   */
  public static server(server: string): ArgoCdDestination {
    return new ArgoCdDestination(() => ({ server }), checkRepository(server, ['https']));
  }

  /** @internal */
  public readonly _resolve: (context: ClusterContext) => { name?: string; server?: string };

  /**
   * What is wrong with it.
   *
   * @internal
   */
  public readonly _fault: string | undefined;

  private constructor(resolve: (context: ClusterContext) => { name?: string; server?: string }, fault?: string) {
    this._resolve = resolve;
    this._fault = fault;
  }
}
