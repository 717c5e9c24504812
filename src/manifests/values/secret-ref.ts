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

const DATA_KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/** Accepted keys of a Secret or ConfigMap, as `accepted` of a problem. */
export const DATA_KEYS = '1 to 253 letters, digits, "-", "_" and ".", not "." and not starting with ".."';

/** True if a text can be a key of a Secret or ConfigMap (`k8s.io/apimachinery` `pkg/util/validation`, `IsConfigMapKey`). */
export function isDataKey(text: string): boolean {
  return typeof text === 'string' && DATA_KEY.test(text) && text !== '.' && !text.startsWith('..');
}
