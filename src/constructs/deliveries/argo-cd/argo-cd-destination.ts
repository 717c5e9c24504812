import { checkRepository } from '../../../manifests/values/repository-address';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';

/** A destination as an Application has it. */
interface Destination {
  readonly name?: string;
  readonly server?: string;
}

/** The cluster that Argo CD runs in, which it knows without registration (argoproj/argo-cd docs/operator-manual/declarative-setup.md). */
const OWN_CLUSTER: Destination = { server: 'https://kubernetes.default.svc' };

/**
 * Name or address under which a tenant is registered with Argo CD. The cluster that Argo CD runs in need not be.
 *
 * @example
 * new ArgoCdDelivery({ destination: ArgoCdDestination.server('https://acme.example.com:6443') });
 */
export class ArgoCdDestination {
  /**
   * The cluster is registered under `<namespace>-<cluster>`. With capi2argo-cluster-operator that is the setting
   * `ENABLE_NAMESPACED_NAMES`, where the kubeconfig calls the cluster by its name.
   */
  public static readonly NAMESPACED_NAME = new ArgoCdDestination(registered(({ namespace, name }) => `${namespace}-${name}`));

  /** The cluster is registered under its own name. Two clusters of that name, in two namespaces, are one to Argo CD. */
  public static readonly CLUSTER_NAME = new ArgoCdDestination(registered(({ name }) => name));

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
  public readonly _resolve: (target: DeliveryTarget) => Destination;

  /**
   * Fault of the destination.
   *
   * @internal
   */
  public readonly _fault: string | undefined;

  private constructor(resolve: (target: DeliveryTarget) => Destination, fault?: string) {
    this._resolve = resolve;
    this._fault = fault;
  }
}

/** A tenant under the name that it has for Argo CD. */
function registered(nameOf: (target: DeliveryTarget) => string): (target: DeliveryTarget) => Destination {
  return (target) => (target.kubeconfigs ? { name: nameOf(target) } : OWN_CLUSTER);
}
