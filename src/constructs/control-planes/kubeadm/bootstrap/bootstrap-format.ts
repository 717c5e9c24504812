/** Format of what a machine reads at its first start. */
export enum BootstrapFormat {
  /** For images with cloud-init. */
  CLOUD_CONFIG = 'cloud-config',

  /**
   * For images with Ignition, such as Flatcar. Cluster API needs the feature gate `KubeadmBootstrapFormatIgnition`
   * (`TC-ADMIT-KUBEADM-IGNITION-GATE`).
   */
  IGNITION = 'ignition',
}
