import { Draft, draftAt, draftsAt, putDefault } from '../rules/stored-form';
import { isFields } from '../values/fields';

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HOOKS = ['postStart', 'preStop'] as const;

/** Mode of files of volumes, 0644. */
const MODE = 420;

function completeFields(draft: Draft | undefined, defaults: Readonly<Record<string, unknown>>): void {
  if (draft) for (const [field, value] of Object.entries(defaults)) putDefault(draft, field, value);
}

function completeHandler(handler: Draft | undefined): void {
  completeFields(draftAt(handler, 'httpGet'), { path: '/', scheme: 'HTTP' });
}

/** True of images whose tag may come to mean another image: without a tag, and `latest`. */
function isPulledAlways(image: unknown): boolean {
  if (typeof image !== 'string') return false;
  const last = image.slice(image.lastIndexOf('/') + 1);
  return !last.includes('@') && (!last.includes(':') || last.endsWith(':latest'));
}

function completeContainer(container: Draft): void {
  completeFields(container, {
    imagePullPolicy: isPulledAlways(container.image) ? 'Always' : 'IfNotPresent',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  for (const port of draftsAt(container, 'ports')) completeFields(port, { protocol: 'TCP' });
  for (const name of PROBES) {
    const probe = draftAt(container, name);
    completeFields(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
    completeHandler(probe);
    completeFields(draftAt(probe, 'grpc'), { service: '' });
  }
  for (const name of HOOKS) completeHandler(draftAt(container, 'lifecycle', name));
  for (const variable of draftsAt(container, 'env')) {
    completeFields(draftAt(variable, 'valueFrom', 'fieldRef'), { apiVersion: 'v1' });
    if (variable.value === '') delete variable.value;
  }
}

const SOURCES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  configMap: { defaultMode: MODE },
  downwardAPI: { defaultMode: MODE },
  hostPath: { type: '' },
  projected: { defaultMode: MODE },
  secret: { defaultMode: MODE },
};

function completeVolume(volume: Draft): void {
  for (const [source, defaults] of Object.entries(SOURCES)) completeFields(draftAt(volume, source), defaults);
  if (Object.keys(volume).every((name) => name === 'name')) volume.emptyDir = {};
  const items = [...draftsAt(volume, 'downwardAPI', 'items'), ...draftsAt(volume, 'projected', 'sources').flatMap((source) => draftsAt(source, 'downwardAPI', 'items'))];
  for (const item of items) completeFields(draftAt(item, 'fieldRef'), { apiVersion: 'v1' });
  for (const source of draftsAt(volume, 'projected', 'sources')) completeFields(draftAt(source, 'serviceAccountToken'), { expirationSeconds: 3600 });
}

/**
 * Sets what the API server sets in the spec of a pod.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/v1/defaults.go.
 */
export function completePod(pod: Draft | undefined): void {
  if (!pod) return;
  completeFields(pod, {
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  // The former name of the field.
  const account = pod.serviceAccountName ?? pod.serviceAccount;
  if (typeof account === 'string') Object.assign(pod, { serviceAccount: account, serviceAccountName: account });
  for (const name of ['hostNetwork', 'hostPID', 'hostIPC']) if (pod[name] === false) delete pod[name];
  for (const list of CONTAINER_LISTS) for (const container of draftsAt(pod, list)) completeContainer(container);
  for (const volume of draftsAt(pod, 'volumes')) completeVolume(volume);
  if (pod.hostNetwork !== true) return;
  for (const port of CONTAINER_LISTS.flatMap((list) => draftsAt(pod, list)).flatMap((container) => draftsAt(container, 'ports'))) {
    if (port.containerPort !== undefined) completeFields(port, { hostPort: port.containerPort });
  }
}

/** Sets fields of an object that have no value. */
export function complete(object: Draft, defaults: Readonly<Record<string, unknown>>): void {
  if (isFields(object)) completeFields(object, defaults);
}
