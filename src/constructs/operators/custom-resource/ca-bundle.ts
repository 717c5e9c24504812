import { readPem } from '../../../manifests/values/pem';

/**
 * Checks certificates in PEM form, as the API server does with those that it trusts a webhook by.
 *
 * @returns what is wrong with them, or undefined
 */
export function checkCaBundle(pem: string): string | undefined {
  const { hasPrivateKey, certificates } = readPem(pem);
  if (hasPrivateKey) return 'it holds a private key, which would be readable in the output';
  if (certificates.length === 0) return 'there is no certificate in it';
  const bad = certificates.indexOf(undefined);
  return bad < 0 ? undefined : `certificate ${bad + 1} of ${certificates.length} cannot be read`;
}

/** Certificates in PEM form as fields of type `[]byte` hold them. */
export function encodeCaBundle(pem: string): string {
  return Buffer.from(pem, 'utf8').toString('base64');
}
