import { etcdExec, KUBECTL } from './commands';

/** Folder of kubeadm's configuration on a host. */
const CONFIG_FOLDER = '/etc/kubernetes/kubeadm';

/** Configuration of `kubeadm init` on the first node. */
export const INIT_FILE = `${CONFIG_FOLDER}/init.yaml`;

/** Configuration of `kubeadm join`, with placeholders for secrets. */
export const JOIN_FILE = `${CONFIG_FOLDER}/join.yaml`;

/** Credentials that the administrator puts on a host for it to join. */
export const CREDENTIALS_FILE = `${CONFIG_FOLDER}/credentials.env`;

/** Placeholders for secrets in the configuration of joining nodes. The join script replaces them on the host. */
export const PLACEHOLDERS = { token: '@KUBEADM_TOKEN@', caCertHash: '@KUBEADM_CA_CERT_HASH@', certificateKey: '@KUBEADM_CERTIFICATE_KEY@' } as const;

const SCRIPTS = '/usr/local/sbin/cdk8s-cluster-api';

/** The script that starts the cluster. */
export const INIT_SCRIPT = `${SCRIPTS}-init`;

/** The script that joins the cluster. */
export const JOIN_SCRIPT = `${SCRIPTS}-join`;

/** The script that waits until this node's part of the control plane is ready. */
export const READY_SCRIPT = `${SCRIPTS}-ready`;

/** The script that creates the credentials for another host. */
export const CREDENTIALS_SCRIPT = `${SCRIPTS}-credentials`;

/**
 * Starts the cluster. The script hides kubeadm's token, so that it does not get into a log.
 *
 * @param beforeInit commands before `kubeadm init`, with their cleanup
 */
export function initScript(beforeInit: readonly string[]): string {
  return `${[
    '#!/bin/sh',
    '# Starts the cluster on its first node. Arguments go to kubeadm.',
    'set -eu',
    '',
    ...(beforeInit.length > 0 ? [...beforeInit, ''] : []),
    `kubeadm init --config ${INIT_FILE} --skip-token-print --skip-certificate-key-print "$@"`,
  ].join('\n')}\n`;
}

/**
 * Waits until the API server of a node is ready, and its member of etcd healthy. It asks both at the node's own address: behind the
 * endpoint, the API server of another node would answer.
 *
 * @param node name of the node
 * @param server host and port of its API server
 * @param stacked true if the node has a member of etcd
 */
export function readyScript(node: string, server: string, stacked: boolean): string {
  return `${[
    '#!/bin/sh',
    '# Waits until the API server and etcd of this node are ready, and fails after five minutes.',
    'set -eu',
    '',
    `kubectl="${KUBECTL} --server https://${server} --request-timeout 10s"`,
    '',
    'ready() {',
    `  $kubectl get --raw /readyz > /dev/null${stacked ? ' &&' : ''}`,
    ...(stacked ? [`    ${etcdExec(node, 'endpoint health', '$kubectl')} > /dev/null`] : []),
    '}',
    '',
    'attempts=60',
    'until ready; do',
    '  attempts=$((attempts - 1))',
    '  if [ "$attempts" -eq 0 ]; then',
    `    echo "${node} is not ready: leave the other nodes as they are" >&2`,
    '    exit 1',
    '  fi',
    '  sleep 5',
    'done',
    `echo "${node} is ready"`,
  ].join('\n')}\n`;
}

/**
 * Creates the credentials for another host: a token and, for the control plane, a key, both valid for two hours. The fingerprint of the
 * cluster's authority lets the host verify that it joins the right cluster.
 *
 * Source: kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join, kubeadm-init (uploading control-plane certificates).
 */
export function credentialsScript(): string {
  return `#!/bin/sh
# Prints what another host joins with, for ${CREDENTIALS_FILE} there.
#   ${CREDENTIALS_SCRIPT} control-plane|worker
set -eu

case "\${1:-}" in
  control-plane | worker) ;;
  *)
    echo "usage: $0 control-plane|worker" >&2
    exit 2
    ;;
esac

ca=/etc/kubernetes/pki/ca.crt
if [ ! -r "$ca" ]; then
  echo "$ca is not there: the cluster has not been started on this host" >&2
  exit 1
fi

token=$(kubeadm token create --ttl 2h)
hash=$(openssl x509 -pubkey -noout -in "$ca" | openssl pkey -pubin -outform DER | sha256sum | cut -d ' ' -f 1)
echo "KUBEADM_TOKEN=$token"
echo "KUBEADM_CA_CERT_HASH=sha256:$hash"
if [ "$1" = control-plane ]; then
  key=$(kubeadm init phase upload-certs --upload-certs --config ${INIT_FILE} | grep -Eo '^[0-9a-f]{64}$')
  echo "KUBEADM_CERTIFICATE_KEY=$key"
fi
`;
}

/**
 * Joins the cluster with the credentials on the host. The configuration with secrets exists only in memory, and only for the duration of
 * the script.
 *
 * @param controlPlane whether the host becomes a part of the control plane
 */
export function joinScript(controlPlane: boolean): string {
  const { token, caCertHash, certificateKey } = PLACEHOLDERS;
  return `#!/bin/sh
# Joins the cluster. ${CREDENTIALS_FILE} holds what
# "${CREDENTIALS_SCRIPT} ${controlPlane ? 'control-plane' : 'worker'}" has printed on the first node.
set -eu

credentials=${CREDENTIALS_FILE}
rendered=/run/cdk8s-cluster-api-join.yaml

fail() {
  echo "$1" >&2
  exit 1
}

# value NAME PATTERN: a value of the credentials, the last where there are several, in the form that it must have.
value() {
  sed -n "s/^$1=//p" "$credentials" | tail -n 1 | grep -Ex "$2" || fail "$credentials has no $1 of the right form"
}

[ -r "$credentials" ] || fail "$credentials is not there"
token=$(value KUBEADM_TOKEN '[a-z0-9]{6}\\.[a-z0-9]{16}')
hash=$(value KUBEADM_CA_CERT_HASH 'sha256:[0-9a-f]{64}')
${controlPlane ? 'key=$(value KUBEADM_CERTIFICATE_KEY \'[0-9a-f]{64}\')\n' : ''}
trap 'rm -f "$rendered"' EXIT
trap 'exit 1' HUP INT TERM
# The secrets reach sed as its script, not as arguments, which every user of the host can read.
(
  umask 077
  sed -f /dev/stdin ${JOIN_FILE} > "$rendered" <<EOF
s/${token}/$token/
s/${caCertHash}/$hash/
${controlPlane ? `s/${certificateKey}/$key/\n` : ''}EOF
)
kubeadm join --config "$rendered"
rm -f "$credentials"
`;
}
