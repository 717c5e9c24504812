import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { FluxSourceKind } from './flux-delivery-props';
import { GitRepository, OciRepository, OciRepositorySpecProvider } from '../../../../imports/source.toolkit.fluxcd.io';
import { contentHash } from '../../../manifests/values/content-hash';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { goDuration } from '../../../manifests/values/go-duration';
import { isPinned, parseImageReference } from '../../../manifests/values/image-reference';
import { shortenName } from '../../../manifests/values/object-name';
import { Problem, Rule } from '../../../manifests/values/problem';
import { beginnings, weekOf, weeklySchedules } from '../../../manifests/values/weekly-hours';
import { CONTAINER_SECURITY, POD_SECURITY } from '../../addons/controllers/controller-container';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { checkDuration } from '../../contracts/delivery/durations';
import { TimeWindow, WindowHours, windowHours } from '../../contracts/delivery/time-window';

/** The source of the output for clusters with `changeWindows`: the same repository as that of `sourceName`, in an object for each window. */
export interface FluxWindowedSource {
  /** Address of the repository, as the source of `sourceName` has it: `https://…` or `ssh://…` in Git, `oci://…` (`TC-WINDOW-SOURCE`). */
  readonly url: string;

  /** Branch in Git, tag of an OCI artifact, as the source of `sourceName` has it (`TC-WINDOW-SOURCE`). */
  readonly revision: string;

  /**
   * Name of the Secret with credentials, in the namespace of the entry points (`TC-WINDOW-SOURCE`).
   *
   * @default - no credentials
   */
  readonly secretName?: string;

  /**
   * Interval at which an open source is compared with the repository.
   *
   * @default Duration.minutes(1)
   */
  readonly interval?: Duration;

  /**
   * Image with `kubectl` in its `PATH`, at a fixed version: Jobs with it open and close the source. kubectl supports API servers one minor
   * release older or newer (`TC-WINDOW-SOURCE`).
   */
  readonly kubectlImage: string;
}

const SOURCE_RULE: Rule = {
  id: 'TC-WINDOW-SOURCE',
  title: 'The source for clusters with windows must be in Git or an OCI registry, with an address, a revision and a kubectl image that are valid.',
  source: 'fluxcd/source-controller api/v1/gitrepository_types.go, api/v1/ocirepository_types.go (validation of url), v1.9.1',
};

const ADDRESSES: Partial<Record<FluxSourceKind, { readonly pattern: RegExp; readonly fix: string }>> = {
  [FluxSourceKind.GIT_REPOSITORY]: {
    pattern: /^(?:https?:\/\/[^\s/@?#]+|ssh:\/\/(?:[\w.-]+@)?[^\s/@?#]+)\/[^\s?#]+$/, fix: 'write e.g. "https://git.example.com/team/tenants.git"',
  },
  [FluxSourceKind.OCI_REPOSITORY]: { pattern: /^oci:\/\/[^\s@?#]+$/, fix: 'write e.g. "oci://registry.example.com/team/tenants"' },
};

/** Checks the source for clusters with windows. */
export function checkWindowedSource(source: FluxWindowedSource, kind: FluxSourceKind, property: string): Problem[] {
  const { url, revision, secretName, interval, kubectlImage } = source;
  const address = ADDRESSES[kind];
  const image = parseImageReference(kubectlImage);
  const faults = [
    { at: '', message: address ? undefined : `a ${kind} is not held back`, fix: 'read the output from Git or an OCI registry' },
    // The address may hold credentials, so it is not shown.
    { at: '.url', message: !address || address.pattern.test(url) ? undefined : 'it is not the address of the repository, or holds credentials', fix: address?.fix ?? '' },
    { at: '.revision', message: /^[^\s:@]+$/.test(revision) ? undefined : `${JSON.stringify(revision)} is neither a branch nor a tag`, fix: 'write a branch in Git, or the tag of the artifact' },
    { at: '.secretName', message: secretName === undefined ? undefined : checkDnsSubdomain(secretName), fix: 'write the name of a Secret' },
    {
      at: '.kubectlImage',
      message: image && isPinned(image) ? undefined : `${JSON.stringify(kubectlImage)} is not an image with a fixed version`,
      fix: 'write registry, repository and tag, or the digest',
    },
  ];
  return [
    ...faults.flatMap(({ at, message, fix }) => (message === undefined ? [] : [{ rule: SOURCE_RULE, property: `${property}${at}`, message, fix }])),
    ...checkDuration(interval, `${property}.interval`),
  ];
}

const HASH_DIGITS = 8;
const LONGEST_READABLE = 32;

/** Name of the source object of windows, by the name of the source that it stands beside. */
export function windowedSourceName(sourceName: string, windows: readonly TimeWindow[]): string {
  return nameOf(sourceName, windowHours(windows));
}

function nameOf(sourceName: string, hours: WindowHours): string {
  return `${shortenName(`${sourceName}-window`, LONGEST_READABLE)}-${contentHash(hours, HASH_DIGITS)}`;
}

/** Sources of clusters with windows, of one app. */
export interface WindowedSources {
  readonly sourceName: string;
  readonly kind: FluxSourceKind;
  readonly namespace: string;
  readonly source: FluxWindowedSource;
}

/**
 * Makes a source for each of several lists of windows, with what opens and closes it.
 *
 * A suspended source keeps its last artifact: Kustomizations go on to apply that one. Jobs open the source at the beginning of a window, and
 * close it at each full hour outside of all of them, so that a Job that failed, an hour that clocks skip, and a source that a user opened by hand
 * leave it open for an hour at most. A Job is started within half an hour or not at all, and ends before the next hour, so that none
 * works against the next one.
 *
 * Sources: fluxcd/source-controller internal/controller/gitrepository_controller.go, ocirepository_controller.go (Reconcile: Suspend), v1.9.1;
 * robfig/cron spec.go (Next: times that clocks skip).
 *
 * @param scope where to put the objects
 * @param sources the repository
 * @param lists the windows of each cluster
 */
export function addWindowedSources(scope: Construct, sources: WindowedSources, lists: readonly (readonly TimeWindow[])[]): void {
  const byName = new Map(lists.map((windows) => windowHours(windows)).map((hours) => [nameOf(sources.sourceName, hours), hours]));
  for (const name of [...byName.keys()].sort()) addWindowedSource(scope, name, byName.get(name)!, sources);
}

function addWindowedSource(scope: Construct, name: string, hours: WindowHours, { kind, namespace, source }: WindowedSources): void {
  const metadata = { name, namespace };
  addSource(scope, kind, metadata, source);
  new TypedApiObject(scope, `ServiceAccount ${name}`, { apiVersion: 'v1', kind: 'ServiceAccount' }, { metadata });
  const resource = kind === FluxSourceKind.OCI_REPOSITORY ? 'ocirepositories' : 'gitrepositories';
  new TypedApiObject(scope, `Role ${name}`, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' }, {
    metadata, rules: [{ apiGroups: [GROUP], resources: [resource], resourceNames: [name], verbs: ['get', 'patch'] }],
  });
  new TypedApiObject(scope, `RoleBinding ${name}`, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' }, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  const open = weekOf(hours.times);
  const add = (action: string, schedules: readonly string[], isSuspended: boolean) => schedules.forEach((schedule, index) => {
    const job = { name: `${name}-${action}${index === 0 ? '' : `-${index + 1}`}`, schedule, timeZone: hours.timeZone };
    addCronJob(scope, job, { name, namespace, resource, image: source.kubectlImage, isSuspended });
  });
  add('open', weeklySchedules(beginnings(open), hours.minute), false);
  add('close', weeklySchedules(open.map((isOpen) => !isOpen), hours.minute), true);
}

const GROUP = 'source.toolkit.fluxcd.io';
const TIMEOUT = Duration.minutes(1);

function addSource(scope: Construct, kind: FluxSourceKind, metadata: { name: string; namespace: string }, source: FluxWindowedSource): void {
  const { url, revision, secretName, interval = Duration.minutes(1) } = source;
  const common = {
    interval: goDuration(interval),
    timeout: goDuration(TIMEOUT),
    url,
    ...(secretName !== undefined && { secretRef: { name: secretName } }),
  };
  if (kind === FluxSourceKind.OCI_REPOSITORY) {
    const spec = { ...common, provider: OciRepositorySpecProvider.GENERIC, ref: { tag: revision } };
    new OciRepository(scope, `Source ${metadata.name}`, { metadata, spec });
  } else {
    new GitRepository(scope, `Source ${metadata.name}`, { metadata, spec: { ...common, ref: { branch: revision } } });
  }
}

/** Seconds within which a Job may start, and after which it is ended: together less than an hour. */
const STARTING_DEADLINE = 1800;
const ACTIVE_DEADLINE = 1500;

/** Flux sets back fields whose manager begins with `kubectl` (kustomize-controller internal/controller/kustomization_controller.go, v1.9.4). */
const FIELD_MANAGER = 'change-windows';

interface Switched {
  readonly name: string;
  readonly namespace: string;
  readonly resource: string;
  readonly image: string;
  readonly isSuspended: boolean;
}

function addCronJob(
  scope: Construct, job: { readonly name: string; readonly schedule: string; readonly timeZone: string },
  { name, namespace, resource, image, isSuspended }: Switched,
): void {
  const labels = { 'app.kubernetes.io/component': 'change-windows', 'app.kubernetes.io/instance': name, 'app.kubernetes.io/name': 'change-windows' };
  const command = [
    'kubectl', 'patch', `${resource}.${GROUP}/${name}`, `--namespace=${namespace}`, `--field-manager=${FIELD_MANAGER}`, '--type=merge',
    `--patch=${JSON.stringify({ spec: { suspend: isSuspended } })}`,
  ];
  const pod = {
    automountServiceAccountToken: true,
    containers: [{
      command,
      image,
      imagePullPolicy: 'IfNotPresent',
      name: 'kubectl',
      resources: { limits: { memory: '128Mi' }, requests: { cpu: '10m', memory: '64Mi' } },
      securityContext: CONTAINER_SECURITY,
    }],
    enableServiceLinks: false,
    restartPolicy: 'Never',
    securityContext: POD_SECURITY,
    serviceAccountName: name,
  };
  new TypedApiObject(scope, `CronJob ${job.name}`, { apiVersion: 'batch/v1', kind: 'CronJob' }, {
    metadata: { name: job.name, namespace, labels },
    spec: {
      concurrencyPolicy: 'Forbid',
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        metadata: { labels },
        spec: { activeDeadlineSeconds: ACTIVE_DEADLINE, backoffLimit: 6, template: { metadata: { labels }, spec: pod } },
      },
      schedule: job.schedule,
      startingDeadlineSeconds: STARTING_DEADLINE,
      successfulJobsHistoryLimit: 1,
      timeZone: job.timeZone,
    },
  });
}
