import { X509Certificate } from 'node:crypto';

const BEGIN = '-----BEGIN CERTIFICATE-----';

/** What a text in PEM form holds. */
export interface PemContent {
  /** Whether there is a private key, of whichever form: it has no place in anything that is published. */
  readonly hasPrivateKey: boolean;

  /** One entry for each certificate that begins in the text; undefined for those that cannot be read. */
  readonly certificates: readonly (X509Certificate | undefined)[];
}

/** Reads a text in PEM form. What stands before the first certificate is passed over, as programs that read such texts do. */
export function readPem(text: string): PemContent {
  return {
    hasPrivateKey: text.includes('PRIVATE KEY'),
    certificates: text.split(BEGIN).slice(1).map((rest) => readCertificate(BEGIN + rest)),
  };
}

function readCertificate(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}
