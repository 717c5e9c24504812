/** A kubeconfig that is kept under one key of a Secret in the tenant cluster's namespace. */
export interface KubeconfigSecretRef {
  /** Name of the Secret. It appears once the control plane is up. */
  readonly name: string;

  /** Key of the Secret's data that holds the kubeconfig. */
  readonly key: string;
}

/** The kubeconfigs that a control plane offers to those who manage the tenant cluster from outside. */
export interface Kubeconfigs {
  /**
   * For programs in the management cluster: reaches the API server without leaving that cluster,
   * where the control plane runs there.
   */
  readonly internal: KubeconfigSecretRef;

  /** For everybody else: reaches the API server at its published endpoint. */
  readonly external: KubeconfigSecretRef;
}
