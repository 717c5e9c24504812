/** Who an operator is. */
export interface OperatorIdentity {
  readonly name: string;
  readonly namespace: string;

  /** Labels of all its objects, the pod's among them. */
  readonly labels: { readonly [key: string]: string };
}

/** Labels that the Deployment and the Services find the pod by (kubernetes-sigs/kubebuilder testdata/project-v4). They can never be changed. */
export function selectorOf(name: string): { [key: string]: string } {
  return { 'app.kubernetes.io/name': name, 'control-plane': 'controller-manager' };
}

/**
 * Name of an operator's objects that belong to no namespace. Namespaces have no dot, so that no other operator comes to the same name.
 */
export function clusterScopedName({ name, namespace }: OperatorIdentity, suffix?: string): string {
  return [namespace, name, suffix].filter((part) => part !== undefined).join('.');
}
