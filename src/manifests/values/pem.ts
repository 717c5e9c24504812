import type { X509Certificate } from 'node:crypto';
import { nodeCrypto } from './node-crypto';

const BEGIN = '-----BEGIN CERTIFICATE-----';

// RFC 7468 (PKCS #8), OpenSSL's older forms with the algorithm before the words, OpenSSH's, and OpenPGP's with one more behind them.
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;

// "-----BEGIN " in base64: how a Secret or the binaryData of a ConfigMap holds it.
const BASE64_BEGIN = 'LS0tLS1CRUdJTi';

/** True if a text holds a private key in PEM form, as it is or in base64: it would be readable wherever the text is published. */
export function holdsPrivateKey(text: string): boolean {
  return PRIVATE_KEY.test(text) || (text.startsWith(BASE64_BEGIN) && PRIVATE_KEY.test(Buffer.from(text, 'base64').toString()));
}

/** Content of a text in PEM form. */
export interface PemContent {
  /** True if there is a private key, of whichever form: it has no place in anything that is published. */
  readonly hasPrivateKey: boolean;

  /** One entry for each certificate that begins in the text; undefined for those that cannot be read. */
  readonly certificates: readonly (X509Certificate | undefined)[];
}

/** Reads a text in PEM form. What stands before the first certificate is passed over, as programs that read such texts do. */
export function readPem(text: string): PemContent {
  return {
    hasPrivateKey: holdsPrivateKey(text),
    certificates: text.split(BEGIN).slice(1).map((rest) => readCertificate(BEGIN + rest)),
  };
}

function readCertificate(text: string): X509Certificate | undefined {
  try {
    return new (nodeCrypto().X509Certificate)(text);
  } catch {
    return undefined;
  }
}

/**
 * Files of certificates by name, in the one form that PEM has for each. A certificate that cannot be read is left out.
 *
 * @param certificates names without `.crt`, and texts in PEM form
 */
export function pemFiles(certificates: readonly { readonly name: string; readonly certificate: string }[]): { [file: string]: string } {
  return Object.fromEntries(certificates.flatMap(({ name, certificate }) => {
    const text = readPem(certificate).certificates[0]?.toString();
    return text === undefined ? [] : [[`${name}.crt`, text]];
  }));
}
