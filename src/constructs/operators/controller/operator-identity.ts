/** Name, namespace and labels of an operator. */
export interface OperatorIdentity {
  readonly name: string;
  readonly namespace: string;

  /** Labels of all its objects, the pod's among them. */
  readonly labels: { readonly [key: string]: string };
}

/** Labels by which the Deployment and the Services select the pod (kubernetes-sigs/kubebuilder testdata/project-v4). They are immutable. */
export function selectorOf(name: string): { [key: string]: string } {
  return { 'app.kubernetes.io/name': name, 'control-plane': 'controller-manager' };
}

/** Name of an operator's cluster-scoped objects. It is unique, since namespaces have no dot. */
export function clusterScopedName({ name, namespace }: OperatorIdentity, suffix?: string): string {
  return [namespace, name, suffix].filter((part) => part !== undefined).join('.');
}
