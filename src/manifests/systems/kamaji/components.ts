import { controlPlanePods } from './control-plane-pods';
import { isBefore, KAMAJI_TENANTS, Release, releaseOf } from './releases';
import { ETCD_CHANGES } from './rules/etcd-changes';
import { KAMAJI_CONTROL_PLANE, PAUSED, placeOf, replicasOf, TENANT_CONTROL_PLANE, valueOf } from './rules/kamaji-objects';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { Effect } from '../../rules/changes/effects';
import { ComponentFacts, ComponentUpgrade, stepFault, UpgradeEffect } from '../../rules/components';
import { changedText } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, isSet, listAt, stringAt } from '../../values/fields';
import { ProviderRelease } from '../../values/provider-release';
import { sumOf, totalText } from '../../values/quantity';

/** Cluster API's provider for Kamaji. */
export const KAMAJI_RELEASE: ProviderRelease = {
  kind: 'ControlPlaneProvider',
  name: 'kamaji',
  image: 'docker.io/clastix/cluster-api-control-plane-provider-kamaji',
  // clastix/cluster-api-control-plane-provider-kamaji config/manager/manager.yaml, v0.20.0
  container: 'controller',
};

/** A release that gives control planes another pod template. */
interface TemplateChange {
  readonly release: Release;
  readonly because: string;

  /** True if a control plane of the older release gets the other template. */
  readonly concerns: (controlPlane: ManifestObject) => boolean;
}

/**
 * Releases since `edge-26.2.1` whose pod template differs from that of the release before: `git log edge-26.2.1..26.8.2-edge --
 * internal/builders/controlplane` of clastix/kamaji, each change read.
 */
const TEMPLATE_CHANGES: readonly TemplateChange[] = [
  {
    // 281d231: arguments of the user stand behind the others, and are no longer sorted among them.
    release: [26, 5, 2],
    because: 'the order of the API server\'s extra arguments',
    concerns: (controlPlane) => listAt(controlPlane, ...placeOf(controlPlane, 'apiServer', 'extraArgs')).length > 0,
  },
  {
    // 126fe65: the annotation of the extra arguments is a hash of another form, so that all arguments are written anew, and konnectivity's last.
    release: [26, 6, 2],
    because: 'the order of konnectivity\'s argument',
    concerns: (controlPlane) => isSet(controlPlane, 'spec', 'addons', 'konnectivity'),
  },
  {
    // c7c08b7, 1756a7b
    release: [26, 6, 5],
    because: 'readiness probes of the scheduler and controller manager, and a hash of the data store\'s certificate',
    concerns: () => true,
  },
];

const FIRST_READ: Release = [26, 2, 1];
const LAST_READ: Release = [26, 8, 2];

/**
 * Effects of another release of Kamaji: it writes the Deployment of every control plane anew, and those whose pod template differs roll out, all
 * at once. The surge of a Deployment runs beside its old pods.
 */
function kamajiEffect({ from, to }: ComponentUpgrade, now: ManifestIndex): UpgradeEffect {
  const all = [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE].flatMap((kind) => now.all(kind)).filter((plane) => replicasOf(plane) > 0);
  const held = all.filter((plane) => isSet(plane, 'metadata', 'annotations', PAUSED));
  const running = all.filter((plane) => !held.includes(plane));
  const heldNote = held.length === 0 ? [] : [`held back by the annotation ${PAUSED}: ${namesOf(held)}`];
  const [old, next] = [from, to].map(releaseOf);
  const known = old && next && [old, next].every((release) => !isBefore(release, FIRST_READ) && !isBefore(LAST_READ, release));
  if (!known) {
    return running.length === 0 ? { effect: Effect.IN_PLACE, notes: heldNote } : {
      effect: Effect.UNKNOWN,
      notes: [`whether pods of control planes differ between these releases is not known: ${namesOf(running)}; ${surgeNote(running)}`, ...heldNote],
    };
  }
  const [first, last] = isBefore(old, next) ? [old, next] : [next, old];
  const changes = TEMPLATE_CHANGES.filter(({ release }) => isBefore(first, release) && !isBefore(last, release));
  const restarted = running.filter((plane) => changes.some(({ concerns }) => concerns(plane)));
  if (restarted.length === 0) return { effect: Effect.IN_PLACE, notes: ['pods of control planes stay as they are', ...heldNote] };
  const because = changes.filter(({ concerns }) => restarted.some(concerns)).map((change) => change.because);
  return {
    effect: Effect.PODS,
    pods: restarted.reduce((sum, plane) => sum + replicasOf(plane), 0),
    notes: [
      `all at once: the control planes of ${namesOf(restarted)}, because of ${because.join('; ')}`,
      surgeNote(restarted),
      ...heldNote,
    ],
  };
}

const MOST_NAMED = 5;

function namesOf(planes: readonly ManifestObject[]): string {
  const names = planes.map((plane) => `${namespaceOf(plane) ?? ''}/${nameOf(plane) ?? ''}`).sort();
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The largest number of pods beside the old ones; without a statement all of them (internal/builders/controlplane/deployment.go, setStrategy). */
function surgeOf(plane: ManifestObject): number {
  const deployment = valueOf(plane, 'deployment');
  if (stringAt(deployment, 'strategy', 'type') === 'Recreate') return 0;
  const surge = fieldAt(deployment, 'strategy', 'rollingUpdate', 'maxSurge') ?? '100%';
  const percent = typeof surge === 'string' ? /^(\d+)%$/.exec(surge) : null;
  return percent ? Math.ceil(Number(percent[1]) * replicasOf(plane) / 100) : Number(surge) || 0;
}

/** Containers of the pods of a control plane, as requests. */
function requestsOf(plane: ManifestObject) {
  return controlPlanePods(plane).containers.map(({ requests }) => requests);
}

function surgeNote(planes: readonly ManifestObject[]): string {
  const surging = planes.filter((plane) => surgeOf(plane) > 0);
  const total = sumOf(surging.flatMap((plane) => Array.from({ length: surgeOf(plane) }, () => requestsOf(plane)).flat()));
  const pods = surging.reduce((sum, plane) => sum + surgeOf(plane), 0);
  const amounts = ['memory', 'cpu'].filter((resource) => total[resource] !== undefined)
    .map((resource) => `${totalText(resource, total[resource])} of ${resource === 'cpu' ? 'CPU' : resource}`);
  const unsized = surging.filter((plane) => requestsOf(plane).some((requests) => requests.memory === undefined)).length;
  return [
    `meanwhile up to ${pods} more ${pods === 1 ? 'pod runs' : 'pods run'} beside the old ones`,
    ...amounts.length > 0 ? [`, which request ${amounts.join(' and ')}`] : [],
    ...unsized > 0 ? [`, and an unknown amount in ${unsized} of the control planes`] : [],
  ].join('');
}

const ETCD = 'etcd';

const ETCD_TEXT = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: etcd-default
  namespace: kamaji-etcd
spec:
  replicas: 3
  selector:
    matchLabels:
      app: etcd-default
  serviceName: etcd-default
  template:
    metadata:
      labels:
        app: etcd-default
    spec:
      containers:
        - name: etcd
          image: quay.io/coreos/etcd:v3.5.26
`;

/** Kamaji, its provider for Cluster API, and the etcd of its data stores. */
export const COMPONENTS: readonly ComponentFacts[] = [
  {
    title: 'Kamaji',
    charts: { kamaji: ['image', 'tag'] },
    images: ['clastix/kamaji'],
    tenants: KAMAJI_TENANTS,
    effects: kamajiEffect,
  },
  {
    title: 'Kamaji provider',
    providers: [KAMAJI_RELEASE],
    // controllers/kamajicontrolplane_controller_tcp.go: a field that it newly copies reaches the TenantControlPlane.
    effects: () => ({ effect: Effect.IN_PLACE, notes: ['its controller restarts; it writes every TenantControlPlane anew, and pods differ where a release copies more fields'] }),
  },
  {
    title: 'kamaji-etcd',
    charts: { 'kamaji-etcd': undefined },
    valueChanges: ETCD_CHANGES,
    effects: () => ({ effect: Effect.RELEASE, notes: ['the release of etcd is that of the chart (appVersion); where it differs, members restart one at a time'] }),
  },
  {
    title: ETCD,
    images: ['coreos/etcd'],
    upgrades: {
      id: 'TC-CHANGE-ETCD-RELEASE',
      title: 'The minor release of etcd must rise by one at a time, and must not go back before a downgrade is enabled: members do not start otherwise.',
      source: 'etcd.io/docs/v3.6/upgrades/upgrading-etcd (upgrade policy), etcd.io/docs/v3.6/downgrades/downgrade_3_6',
      trap: true,
      example: changedText(ETCD_TEXT, { 'v3.5.26': 'v3.7.0' }, { 'v3.5.26': 'v3.6.12' }),
      faultOf: (upgrade) => stepFault(ETCD, upgrade, {
        most: 1, insteadOfOlder: 'keep the newer release, or take a snapshot, run "etcdctl downgrade enable" and silence this rule for the change',
      }),
    },
    effects: () => ({ effect: Effect.PODS, notes: ['members restart one at a time; tenants of the store wait while a new leader is elected'] }),
  },
];
