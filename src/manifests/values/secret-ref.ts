/** A Secret. */
export interface SecretRef {
  /** Name of the Secret. */
  readonly name: string;

  /**
   * Namespace of the Secret.
   *
   * @default - the namespace of what refers to it
   */
  readonly namespace?: string;
}

/** One value of a Secret. */
export interface SecretKeyRef {
  /** Name of the Secret. */
  readonly name: string;

  /** Key of the value in the Secret's data. */
  readonly key: string;
}
