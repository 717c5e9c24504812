import { holdsPrivateKey } from '../../../manifests/values/pem';

/** A Secret as it is written. */
interface SecretManifest {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly data?: object;
  readonly stringData?: object;
}

/** Keys of a Secret whose content could be read in the output; none for any other object. */
export function readableKeys({ apiVersion, kind, data, stringData }: SecretManifest): string[] {
  return apiVersion === 'v1' && kind === 'Secret' ? Object.keys({ ...data, ...stringData }) : [];
}

/**
 * Finds private keys in what is written.
 *
 * @param value a manifest, or the values of a chart
 * @param path where it is
 * @returns where they are, as keys joined by dots
 */
export function privateKeys(value: unknown, path = '', above: readonly unknown[] = []): string[] {
  if (typeof value === 'string') return holdsPrivateKey(value) ? [path] : [];
  // A value that contains itself cannot be written; another check reports it.
  if (typeof value !== 'object' || value === null || above.includes(value)) return [];
  const inner = [...above, value];
  if (Array.isArray(value)) return value.flatMap((item, index) => privateKeys(item, `${path}[${index}]`, inner));
  return Object.entries(value).flatMap(([key, item]) => privateKeys(item, path === '' ? key : `${path}.${key}`, inner));
}
