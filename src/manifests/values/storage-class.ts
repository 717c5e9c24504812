/** The annotation of the class that claims get which name none. */
export const DEFAULT_CLASS_ANNOTATION = 'storageclass.kubernetes.io/is-default-class';

/** Treatment of a volume when its claim is deleted. */
export enum VolumeReclaimPolicy {
  /** It is deleted, too. */
  DELETE = 'Delete',

  /** It stays until it is deleted by hand. */
  RETAIN = 'Retain',
}

/** When a volume is made for a claim. */
export enum VolumeBindingMode {
  /** As soon as the claim is there. */
  IMMEDIATE = 'Immediate',

  /** Once there is a pod that uses the claim. */
  WAIT_FOR_FIRST_CONSUMER = 'WaitForFirstConsumer',
}
