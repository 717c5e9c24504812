import type { k8s } from 'cdk8s-plus-28';
import { CONTAINER_SECURITY } from './controller-container';
import { BUSYBOX, imageName } from '../../../manifests/values/versions';
import { ClusterContext } from '../../contracts/cluster-context';

const VOLUME = 'tenant-kubeconfig';
const DIRECTORY = '/etc/kubernetes/tenant';
const FILE = 'kubeconfig';

/** Time that a pod waits for a new control plane (cozystack/cozystack packages/apps/kubernetes/templates, wait-for-kubeconfig). */
const WAIT_SECONDS = 600;

/** Readable by root and the pod's group only. */
const GROUP_READABLE = 0o440;

// Values are arguments: the script never contains them.
const WAIT_SCRIPT = `seconds=$1
file=$2
host=$3
port=$4
deadline=$(($(date +%s) + seconds))
again() {
  if [ "$(date +%s)" -ge "$deadline" ]; then
    echo "gave up after $seconds seconds: $1" >&2
    exit 1
  fi
  sleep 5
}
until [ -s "$file" ]; do
  again "there is no kubeconfig of the tenant; is its control plane up?"
done
if [ -n "$host" ]; then
  until nc -z -w 5 "$host" "$port"; do
    again "the API server of the tenant does not answer at $host:$port"
  done
fi
`;

/** Path of the tenant's kubeconfig in a container. */
export const TENANT_KUBECONFIG = `${DIRECTORY}/${FILE}`;

/** Mounts the tenant's kubeconfig. */
export const TENANT_KUBECONFIG_MOUNT = { name: VOLUME, mountPath: DIRECTORY, readOnly: true } satisfies k8s.VolumeMount;

/**
 * The volume with the tenant's kubeconfig, without other keys of its Secret. The Secret exists only once the control plane is up: a
 * required volume would keep the pod from starting, and Flux would report a failed installation.
 */
export function kubeconfigVolume({ kubeconfigs }: ClusterContext): k8s.Volume {
  const { name, key } = kubeconfigs.internal;
  return {
    name: VOLUME,
    secret: { secretName: name, items: [{ key, path: FILE }], optional: true, defaultMode: GROUP_READABLE },
  };
}

/** The container that waits, with a timeout, until the kubeconfig exists and the API server accepts connections. */
export function waitContainer({ apiServer, versions }: ClusterContext, image?: string): object {
  const { host = '', port = '' } = apiServer.internal ?? {};
  return {
    name: 'wait-for-control-plane',
    image: image ?? imageName(BUSYBOX, versions),
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-c', WAIT_SCRIPT],
    args: ['wait', `${WAIT_SECONDS}`, TENANT_KUBECONFIG, host, `${port}`],
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } },
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [TENANT_KUBECONFIG_MOUNT],
  };
}
