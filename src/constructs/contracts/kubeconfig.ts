import { SecretKeyRef } from '../../manifests/values/secret-ref';

/**
 * The kubeconfigs that a control plane offers to those who manage the tenant cluster from outside: keys of Secrets in the namespace of the
 * cluster, which exist once the control plane is up.
 */
export interface Kubeconfigs {
  /**
   * For programs in the management cluster: reaches the API server without leaving that cluster,
   * where the control plane runs there.
   */
  readonly internal: SecretKeyRef;

  /** For all other clients: reaches the API server at its published endpoint. */
  readonly external: SecretKeyRef;
}
