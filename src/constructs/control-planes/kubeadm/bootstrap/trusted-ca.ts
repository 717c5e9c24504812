import { BootstrapFile } from './bootstrap-file';
import { NodeSetup, setupScript } from './node-setup';
import { KUBEADM_RULES } from './rules';
import { checkDnsLabel } from '../../../../manifests/values/dns';
import { readPem } from '../../../../manifests/values/pem';
import { Problem, problemIf } from '../../../../manifests/values/problem';
import { TrustedCa } from '../../../contracts/company-network/node-network';

const DIRECTORY = '/usr/local/share/ca-certificates';

// Debian and its kin read the folder that the files are in; Red Hat's and SUSE's have folders of their own.
const SCRIPT = `#!/bin/sh
# Adds the certificates in ${DIRECTORY} to those that the machine trusts.
set -eu

for anchors in /etc/pki/ca-trust/source/anchors /etc/pki/trust/anchors; do
  if [ -d "$anchors" ]; then
    cp ${DIRECTORY}/*.crt "$anchors/"
  fi
done

if command -v update-ca-trust > /dev/null; then
  update-ca-trust extract
elif command -v update-ca-certificates > /dev/null; then
  update-ca-certificates
else
  echo 'trusted certificate authorities: neither update-ca-trust nor update-ca-certificates is there' >&2
  exit 1
fi

# containerd reads them when it starts.
systemctl restart containerd
`;

/** The script that makes the machine trust the certificates. */
export function trustedCaSetup(cas: readonly TrustedCa[]): NodeSetup {
  if (cas.length === 0) return { files: [], commands: [] };
  return setupScript('trusted-cas', SCRIPT);
}

/** The file of one certificate, in the one form that PEM has for it; none if it cannot be read. */
export function trustedCaFiles(ca: TrustedCa): BootstrapFile[] {
  const content = readPem(ca.certificate).certificates[0]?.toString();
  return content === undefined ? [] : [{ path: `${DIRECTORY}/${ca.name}.crt`, content, owner: 'root:root', permissions: '0644' }];
}

/** Checks the certificates. */
export function checkTrustedCas(cas: readonly TrustedCa[], property: string): Problem[] {
  return cas.flatMap((ca, index) => [
    ...problemIf(KUBEADM_RULES.caName, `${property}[${index}].name`, checkName(ca.name, cas.slice(0, index)), 'choose another name, such as "example-root"'),
    ...checkCertificate(ca.certificate, `${property}[${index}].certificate`),
  ]);
}

function checkName(name: string, earlier: readonly TrustedCa[]): string | undefined {
  return checkDnsLabel(name) ?? (earlier.some((other) => other.name === name) ? `"${name}" is the name of another certificate` : undefined);
}

/** The message never shows the text: it may be a private key by mistake. */
function checkCertificate(text: string, property: string): Problem[] {
  const { hasPrivateKey, certificates: [certificate, ...more] } = readPem(text);
  const message = hasPrivateKey ? 'the string holds a private key'
    : (more.length > 0 ? `the string holds ${more.length + 1} certificates`
      : (certificate ? undefined : 'the text is not a certificate in PEM'));
  if (message === undefined) return [];
  return [{
    rule: KUBEADM_RULES.caCertificate,
    property,
    message,
    accepted: 'one certificate, from "-----BEGIN CERTIFICATE-----" to "-----END CERTIFICATE-----"',
    fix: more.length > 0 ? 'make an entry of each' : 'paste the certificate of the authority',
  }];
}
