import { FeatureSetup, setupScript } from './bootstrap-file';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { checkRegistryMirrors } from './registry-mirror';
import { checkDnsLabel, checkHost } from '../../../../manifests/values/dns';
import { readPem } from '../../../../manifests/values/pem';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { checkUrl } from '../../../../manifests/values/repository-address';
import { BootstrapFile } from '../../../contracts/bootstrap-file';
import { ClusterNetwork } from '../../../contracts/cluster-context';
import { CompanyNetwork } from '../../../contracts/company-network/company-network';
import { BootstrapNtp, NodeHttpProxy, TrustedCa } from '../../../contracts/company-network/node-network';

/** The options of machines that the network of a company may set. */
type MachineSettings = Pick<KubeadmBootstrapProps, 'httpProxy' | 'trustedCas' | 'registryMirrors' | 'ntp'>;

/** The property that a network is given in. */
const PROPERTY = 'companyNetwork';

/** Checks the network of a company. */
export function checkCompanyNetwork(network: CompanyNetwork): Problem[] {
  return [...network._check(PROPERTY), ...checkMachineSettings(network, PROPERTY)];
}

/**
 * The options of machines in the network of a company: an own option replaces the one of the network.
 *
 * @param props the user's options
 * @param network the network
 */
export function inCompanyNetwork(props: KubeadmBootstrapProps, network: CompanyNetwork | undefined): KubeadmBootstrapProps {
  // Malformed settings are reported once, by the cluster, and not by each of its pools.
  if (!network?._setsUpMachines || checkMachineSettings(network, PROPERTY).length > 0) return props;
  const { httpProxy, trustedCas, registryMirrors, ntp } = network;
  const given = Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as KubeadmBootstrapProps;
  return { httpProxy, trustedCas, registryMirrors, ntp, ...given };
}

/**
 * Checks proxy, certificate authorities, mirrors and time servers.
 *
 * @param settings the settings
 * @param property the property that holds them
 */
export function checkMachineSettings({ httpProxy, trustedCas = [], registryMirrors = [], ntp }: MachineSettings, property: string): Problem[] {
  return [
    ...(httpProxy ? checkHttpProxy(httpProxy, `${property}.httpProxy`) : []),
    ...checkTrustedCas(trustedCas, `${property}.trustedCas`),
    ...checkRegistryMirrors(registryMirrors, `${property}.registryMirrors`),
    ...(ntp ? checkNtp(ntp, `${property}.ntp`) : []),
  ];
}

/** The time service as `KubeadmConfigTemplate` has it. */
export function templateNtp(ntp: BootstrapNtp): { enabled: boolean; servers?: string[] } {
  return { enabled: ntp.enabled ?? true, ...(ntp.servers?.length && { servers: ntp.servers }) };
}

const NTP_SERVERS_RULE: Rule = {
  id: 'TC-KUBEADM-NTP-SERVERS',
  title: 'Time is taken from servers with a host name or an address.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/ntp.go',
};

/** Checks the time service. */
function checkNtp(ntp: BootstrapNtp, property: string): Problem[] {
  const servers = ntp.servers ?? [];
  const at = { rule: NTP_SERVERS_RULE, accepted: 'host names and IP addresses' };
  if (servers.length === 0 && ntp.enabled !== false) {
    return [{ ...at, property: `${property}.servers`, message: 'no time server is named', fix: 'name at least one, or leave ntp out to keep the image\'s' }];
  }
  return servers.flatMap((server, index) => {
    const message = checkHost(server);
    return message === undefined ? [] : [{ ...at, property: `${property}.servers[${index}]`, message, fix: 'write a host name or an address without a port' }];
  });
}

const SCHEMES = ['http', 'https', 'socks5'];
const EXCEPTION = /^[A-Za-z0-9.*:/[\]_-]+$/;
const CONFIGURATIONS = ['/run/kubeadm/kubeadm.yaml', '/run/kubeadm/kubeadm-join-config.yaml'];

/**
 * Reads the API server's address from the configuration of `kubeadm init` or `kubeadm join`, one of which Cluster API writes before the
 * commands run. The kubelet of a control plane machine that joins reaches the API server at the machine's own address.
 *
 * Sources: kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/{controlplane_init,controlplane_join,node}.go,
 * kubernetes/kubernetes cmd/kubeadm/app/cmd/phases/join/kubelet.go.
 */
const HTTP_PROXY_SCRIPT = `#!/bin/sh
# Puts the proxy settings into effect. The kubelet reaches the API server without the proxy, as kubeadm does.
set -eu

settings=${dropIn('kubelet')}

fail() {
  echo "http proxy: $1" >&2
  exit 1
}

config=
for file in ${CONFIGURATIONS.join(' ')}; do
  if [ -e "$file" ]; then
    config=$file
  fi
done
[ -n "$config" ] || fail "there is no kubeadm configuration: neither ${CONFIGURATIONS.join(' nor ')}"

# "host:port", with brackets around an IPv6 address.
server=$(sed -n -e 's/^controlPlaneEndpoint: *//p' -e 's/^ *apiServerEndpoint: *//p' "$config" | tr -d "\\"'[]")
server=\${server%:*}
case "$server" in
  '' | *[!A-Za-z0-9.:-]*) fail "no API server address in $config" ;;
esac

own=$(ip -oneline address show scope global | awk '{ sub("/.*", "", $4); print $4 }')
for address in $server $own; do
  if ! grep -qF -e "=$address," -e ",$address," "$settings"; then
    sed -i "s/NO_PROXY=/NO_PROXY=$address,/" "$settings"
  fi
done

systemctl daemon-reload
systemctl restart containerd
`;

/** The drop-ins of containerd and the kubelet, and the script that puts them into effect. */
export function httpProxySetup(proxy: NodeHttpProxy, network: ClusterNetwork): FeatureSetup {
  const content = settings(proxy, network);
  const files = ['containerd', 'kubelet'].map((service): BootstrapFile => ({ path: dropIn(service), content, owner: 'root:root', permissions: '0644' }));
  const script = setupScript('http-proxy', HTTP_PROXY_SCRIPT);
  return { files: [...files, ...script.files], commands: script.commands };
}

const NO_PROXY_RULE: Rule = {
  id: 'TC-KUBEADM-NO-PROXY',
  title: 'Exceptions from the proxy are hosts, domains, addresses or address ranges.',
  source: 'golang/net http/httpproxy/proxy.go',
};

const PROXY_URL_RULE: Rule = {
  id: 'TC-KUBEADM-PROXY-URL',
  title: 'The URL of a proxy must not contain credentials.',
  source: 'golang/net http/httpproxy/proxy.go',
};

/** Checks the proxy. */
function checkHttpProxy(proxy: NodeHttpProxy, property: string): Problem[] {
  const { httpProxy, httpsProxy, noProxy = [] } = proxy;
  return [
    ...(httpProxy === undefined && httpsProxy === undefined ? [{
      rule: PROXY_URL_RULE, property, message: 'no proxy is named', fix: 'set httpProxy or httpsProxy, or leave the property out',
    }] : []),
    ...checkProxy(httpProxy, `${property}.httpProxy`),
    ...checkProxy(httpsProxy, `${property}.httpsProxy`),
    ...noProxy.flatMap((exception, index) => (EXCEPTION.test(exception) ? [] : [{
      rule: NO_PROXY_RULE,
      property: `${property}.noProxy[${index}]`,
      message: `${JSON.stringify(exception)} is not an exception from a proxy`,
      accepted: 'hosts, domains with a leading dot, addresses, ranges such as "10.0.0.0/8"',
      fix: 'write one of them for each item, without scheme and commas',
    }])),
  ];
}

function checkProxy(url: string | undefined, property: string): Problem[] {
  const message = url === undefined ? undefined : checkUrl(url, SCHEMES);
  if (message === undefined) return [];
  return [{
    rule: PROXY_URL_RULE,
    property,
    message,
    accepted: `URLs of ${SCHEMES.join(', ')} such as "http://proxy.example.com:3128"`,
    fix: 'write such a URL; for a proxy with a password put the systemd drop-ins into a Secret and write them with files',
  }];
}

function settings(proxy: NodeHttpProxy, network: ClusterNetwork): string {
  const noProxy = [
    'localhost', '127.0.0.1', '::1', ...network.podCidrs, ...network.serviceCidrs, '.svc', `.${network.serviceDomain}`, ...proxy.noProxy ?? [],
  ];
  const variables: [string, string | undefined][] = [
    ['HTTP_PROXY', proxy.httpProxy], ['HTTPS_PROXY', proxy.httpsProxy], ['NO_PROXY', [...new Set(noProxy)].join(',')],
  ];
  const lines = variables.flatMap(([name, value]) => (value === undefined ? [] : [`Environment="${name}=${value.replaceAll('%', '%%')}"`]));
  return `${['[Service]', ...lines].join('\n')}\n`;
}

function dropIn(service: string): string {
  return `/etc/systemd/system/${service}.service.d/http-proxy.conf`;
}

const CERTIFICATES_DIRECTORY = '/usr/local/share/ca-certificates';

// Debian and its kin read the folder that the files are in; Red Hat's and SUSE's have folders of their own.
const TRUSTED_CAS_SCRIPT = `#!/bin/sh
# Adds the certificates in ${CERTIFICATES_DIRECTORY} to those that the machine trusts.
set -eu

for anchors in /etc/pki/ca-trust/source/anchors /etc/pki/trust/anchors; do
  if [ -d "$anchors" ]; then
    cp ${CERTIFICATES_DIRECTORY}/*.crt "$anchors/"
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
export function trustedCaSetup(cas: readonly TrustedCa[]): FeatureSetup {
  if (cas.length === 0) return { files: [], commands: [] };
  return setupScript('trusted-cas', TRUSTED_CAS_SCRIPT);
}

/** The file of one certificate, in the one form that PEM has for it; none if it cannot be read. */
export function trustedCaFiles(ca: TrustedCa): BootstrapFile[] {
  const content = readPem(ca.certificate).certificates[0]?.toString();
  return content === undefined ? [] : [{ path: `${CERTIFICATES_DIRECTORY}/${ca.name}.crt`, content, owner: 'root:root', permissions: '0644' }];
}

const CA_NAME_RULE: Rule = {
  id: 'TC-KUBEADM-CA-NAME',
  title: 'The name of a certificate must be a DNS label, each once.',
};

/** Checks the certificates. */
function checkTrustedCas(cas: readonly TrustedCa[], property: string): Problem[] {
  return cas.flatMap((ca, index) => [
    ...problemIf(CA_NAME_RULE, `${property}[${index}].name`, checkCaName(ca.name, cas.slice(0, index)), 'choose another name, such as "example-root"'),
    ...checkCertificate(ca.certificate, `${property}[${index}].certificate`),
  ]);
}

function checkCaName(name: string, earlier: readonly TrustedCa[]): string | undefined {
  return checkDnsLabel(name) ?? (earlier.some((other) => other.name === name) ? `"${name}" is the name of another certificate` : undefined);
}

const CA_CERTIFICATE_RULE: Rule = {
  id: 'TC-KUBEADM-CA-CERTIFICATE',
  title: 'A certificate authority is one X.509 certificate in PEM.',
  source: 'Debian update-ca-certificates(8)',
};

/** The message never shows the text: it may be a private key by mistake. */
function checkCertificate(text: string, property: string): Problem[] {
  const { hasPrivateKey, certificates: [certificate, ...more] } = readPem(text);
  const message = hasPrivateKey ? 'the string holds a private key'
    : (more.length > 0 ? `the string holds ${more.length + 1} certificates`
      : (certificate ? undefined : 'the text is not a certificate in PEM'));
  if (message === undefined) return [];
  return [{
    rule: CA_CERTIFICATE_RULE,
    property,
    message,
    accepted: 'one certificate, from "-----BEGIN CERTIFICATE-----" to "-----END CERTIFICATE-----"',
    fix: more.length > 0 ? 'make an entry of each' : 'paste the certificate of the authority',
  }];
}
