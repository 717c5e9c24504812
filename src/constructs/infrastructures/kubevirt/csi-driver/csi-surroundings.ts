import { SecretRef } from '../../../../manifests/values/secret-ref';

/** What the infrastructure knows that the driver has to. */
export interface CsiSurroundings {
  /** The Secret with the kubeconfig of another cluster that runs the machines. */
  readonly infraCluster?: SecretRef;

  /** Namespace of the machines there, as the cloud controller manager was told. */
  readonly infraNamespace?: string;
}
