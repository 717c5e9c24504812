import { BootstrapFile } from './bootstrap-file';
import { NodeSetup, setupScript } from './node-setup';
import { KUBEADM_RULES } from './rules';
import { checkUrl } from '../../../../manifests/values/plain-url';
import { Problem } from '../../../../manifests/values/problem';
import { ClusterNetwork } from '../../../contracts/cluster-context';
import { NodeHttpProxy } from '../../../contracts/company-network/node-network';

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
const SCRIPT = `#!/bin/sh
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
