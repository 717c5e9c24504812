import { readPem } from '../../../src/manifests/values/pem';
import { CERTIFICATE } from '../../constructs/operators/definitions';

const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

/** The names in the certificates of a string, with a gap for each that cannot be read. */
function subjects(text: string): (string | undefined)[] {
  return readPem(text).certificates.map((certificate) => certificate?.subject);
}

test.each<[what: string, text: string, subjects: (string | undefined)[]]>([
  ['nothing', '', []],
  ['another kind of text', 'ca.crt', []],
  ['one certificate', CERTIFICATE, ['CN=example']],
  ['a certificate with a remark before it', `# example root\n${CERTIFICATE}`, ['CN=example']],
  ['lines that end as on Windows', CERTIFICATE.replaceAll('\n', '\r\n'), ['CN=example']],
  ['several, one of them broken', `${CERTIFICATE}${BROKEN}${CERTIFICATE}`, ['CN=example', undefined, 'CN=example']],
  ['one that is cut off', `${CERTIFICATE}${CERTIFICATE.slice(0, 200)}`, ['CN=example', undefined]],
])('%s', (_what, text, expected) => {
  expect(subjects(text)).toEqual(expected);
  expect(readPem(text).hasPrivateKey).toBe(false);
});

test.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'])('a %s is seen, beside a certificate too', (label) => {
  const key = `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;

  expect(readPem(key)).toEqual({ hasPrivateKey: true, certificates: [] });
  expect(readPem(`${CERTIFICATE}${key}`)).toMatchObject({ hasPrivateKey: true, certificates: [expect.anything()] });
});
