import { BootstrapFile } from './bootstrap-file';
import { NodeSetup, setupScript } from './node-setup';
import { KUBEADM_RULES } from './rules';
import { ClusterNetwork } from '../../cluster/cluster-context';
import { NodeHttpProxy } from '../../cluster/company-network/node-network';
import { Problem } from '../../problems/problem';
import { checkUrl } from '../../values/plain-url';

const SCHEMES = ['http', 'https', 'socks5'];
const EXCEPTION = /^[A-Za-z0-9.*:/[\]_-]+$/;
const JOIN_CONFIGURATION = '/run/kubeadm/kubeadm-join-config.yaml';

const SCRIPT = `#!/bin/sh
# Puts the proxy settings into effect. The kubelet reaches the API server without the proxy, as kubeadm does.
set -eu

settings=${dropIn('kubelet')}

# "host:port", with brackets around an IPv6 address.
server=$(sed -n 's/^ *apiServerEndpoint: *//p' ${JOIN_CONFIGURATION} | tr -d "\\"'[]")
server=\${server%:*}
case "$server" in
  '' | *[!A-Za-z0-9.:-]*)
    echo "http proxy: no API server address in ${JOIN_CONFIGURATION}" >&2
    exit 1
    ;;
esac
if ! grep -qF "NO_PROXY=$server," "$settings"; then
  sed -i "s/NO_PROXY=/NO_PROXY=$server,/" "$settings"
fi

systemctl daemon-reload
systemctl restart containerd
`;

/** The drop-ins of containerd and the kubelet, and the script that puts them into effect. */
export function httpProxySetup(proxy: NodeHttpProxy, network: ClusterNetwork): NodeSetup {
  const content = settings(proxy, network);
  const files = ['containerd', 'kubelet'].map((service): BootstrapFile => ({ path: dropIn(service), content, owner: 'root:root', permissions: '0644' }));
  const script = setupScript('http-proxy', SCRIPT);
  return { files: [...files, ...script.files], commands: script.commands };
}

/** Checks the proxy. */
export function checkHttpProxy(proxy: NodeHttpProxy, property: string): Problem[] {
  const { httpProxy, httpsProxy, noProxy = [] } = proxy;
  return [
    ...(httpProxy === undefined && httpsProxy === undefined ? [{
      rule: KUBEADM_RULES.proxyUrl, property, message: 'no proxy is named', fix: 'set httpProxy or httpsProxy, or leave the property out',
    }] : []),
    ...checkProxy(httpProxy, `${property}.httpProxy`),
    ...checkProxy(httpsProxy, `${property}.httpsProxy`),
    ...noProxy.flatMap((exception, index) => (EXCEPTION.test(exception) ? [] : [{
      rule: KUBEADM_RULES.noProxy,
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
    rule: KUBEADM_RULES.proxyUrl,
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
