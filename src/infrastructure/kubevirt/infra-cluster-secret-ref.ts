/** The Secret with the kubeconfig of another cluster that runs the machines. */
export interface InfraClusterSecretRef {
  /**
   * Name of the Secret. Its key `kubeconfig` holds the kubeconfig, its key `namespace` the namespace of the virtual machines
   * (else the namespace of the kubeconfig's context is used).
   */
  readonly name: string;

  /**
   * Namespace of the Secret in the management cluster.
   *
   * @default - the tenant cluster's namespace
   */
  readonly namespace?: string;
}
