import { Lazy } from 'cdk8s';
import { FluxDeliveryProps, FluxKubeconfig } from './flux-delivery-props';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';

/** The kubeconfig of a cluster, as Flux refers to it; none for the cluster that Flux runs in. */
export function kubeconfigReference(
  { kubeconfigs }: DeliveryTarget, props: FluxDeliveryProps,
): { secretRef: { name: string; key: string } } | undefined {
  if (!kubeconfigs) return undefined;
  const { name, key } = props.kubeconfig === FluxKubeconfig.EXTERNAL ? kubeconfigs.external : kubeconfigs.internal;
  return { secretRef: { name, key } };
}

/** The ServiceAccount that Flux impersonates for an object, where its mode demands one. */
export function serviceAccount({ mode }: FluxDeliveryProps): { serviceAccountName?: string } {
  return mode?.serviceAccountName === undefined ? {} : { serviceAccountName: mode.serviceAccountName };
}

/** Objects of the same kind and namespace that come before another one, for its `dependsOn`; asked for when it is written. */
export function dependencies(names: () => readonly string[]): { name: string }[] {
  return Lazy.any({ produce: () => (names().length === 0 ? undefined : names().map((name) => ({ name }))) });
}
