import { CronInstants } from '../../kubernetes/cron-times';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { valuesIn } from '../../objects/manifest-text';
import { inTurn, Openings } from '../../rules/delivery-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, isFields, listAt, objectsAt, stringAt } from '../../values/fields';
import { shellCommands } from '../../values/shell-commands';

/** Kinds of sources and deliveries, by the names that kubectl and the command line of Flux have for them, and their API groups. */
const KINDS: readonly (readonly [kind: string, resource: RegExp, words: RegExp, group: string])[] = [
  ['GitRepository', /^gitrepo(?:sitory|sitories)?$/i, /^source git$/, 'source.toolkit.fluxcd.io'],
  ['OCIRepository', /^ocirepo(?:sitory|sitories)?$/i, /^source oci$/, 'source.toolkit.fluxcd.io'],
  ['Bucket', /^buckets?$/i, /^source bucket$/, 'source.toolkit.fluxcd.io'],
  ['Kustomization', /^(?:ks|kustomizations?)$/i, /^(?:ks|kustomization)\b/, 'kustomize.toolkit.fluxcd.io'],
  ['HelmRelease', /^(?:hr|helmreleases?)$/i, /^(?:hr|helmrelease)\b/, 'helm.toolkit.fluxcd.io'],
];

/** Stands for all objects of a kind in a namespace. */
const ALL = '*';

/** A source or delivery that a CronJob suspends, or resumes. */
interface Switch {
  readonly job: ManifestObject;

  /** Kind, namespace and name of the object; `ALL` for all of the namespace. */
  readonly key: string;
  readonly suspends: boolean;
}

/**
 * The times at which a Kustomization applies new revisions, where CronJobs suspend and resume its source or the Kustomization: a suspended
 * source keeps its last revision. What the state before does not have is open at first.
 *
 * Sources: fluxcd/source-controller internal/controller/gitrepository_controller.go (Reconcile), v1.9.1;
 * fluxcd/kustomize-controller internal/controller/kustomization_controller.go (Reconcile), v1.9.4.
 *
 * @param kustomization the Kustomization
 * @param index the objects of its management cluster
 * @param before those of the state before
 */
export function deliveryOpenings(kustomization: ManifestObject, index: ManifestIndex, before: ManifestIndex): Openings | undefined {
  const [kind, name] = ['kind', 'name'].map((field) => stringAt(kustomization, 'spec', 'sourceRef', field));
  const namespace = stringAt(kustomization, 'spec', 'sourceRef', 'namespace') ?? namespaceOf(kustomization);
  const ofSource = openingsOf({ kind, namespace, name }, index, before);
  const own = openingsOf({ kind: 'Kustomization', namespace: namespaceOf(kustomization), name: nameOf(kustomization) }, index, before);
  return ofSource && own ? inTurn(ofSource, own) : ofSource ?? own;
}

/**
 * The times at which a HelmRelease applies what its manifest states, where CronJobs suspend and resume it.
 *
 * Source: fluxcd/helm-controller internal/controller/helmrelease_controller.go (Reconcile), v1.6.3.
 *
 * @param release the HelmRelease
 * @param index the objects of its management cluster
 * @param before those of the state before
 */
export function releaseOpenings(release: ManifestObject, index: ManifestIndex, before: ManifestIndex): Openings | undefined {
  return openingsOf({ kind: 'HelmRelease', namespace: namespaceOf(release), name: nameOf(release) }, index, before);
}

/** An object that can be suspended. */
interface Suspended {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

function openingsOf(object: Suspended, index: ManifestIndex, before: ManifestIndex): Openings | undefined {
  const { kind, namespace, name } = object;
  const keys = [name, ALL].map((one) => keyOf(kind, namespace, one));
  if (!switchesIn(before).some((one) => keys.includes(one.key))) return undefined;
  const switches = switchesIn(index).filter((one) => keys.includes(one.key));
  const [openings, closings] = [false, true].map((suspends) => switches.filter((one) => one.suspends === suspends).flatMap(({ job }) => (
    CronInstants.of(stringAt(job, 'spec', 'schedule') ?? '', zoneOf(job)) ?? [])));
  const stated = statedSuspension(object, index);
  // Flux sets back what Git states, with each reconciliation: nothing stays suspended, or nothing stays open.
  if (stated === false || openings.length === 0 || (closings.length === 0 && stated === undefined)) return undefined;
  const last = (list: readonly CronInstants[], instant: number) => Math.max(...list.map((one) => one.until(instant) ?? -Infinity));
  const next = (list: readonly CronInstants[], instant: number) => {
    const found = Math.min(...list.map((one) => one.after(instant) ?? Infinity));
    return Number.isFinite(found) ? found : undefined;
  };
  const isOpen = (instant: number) => stated !== true && last(openings, instant) > last(closings, instant);
  return {
    timeZone: zoneOf(switches.find(({ suspends }) => !suspends)!.job),
    next: (instant) => (isOpen(instant) ? instant : next(openings, instant)),
    end: (instant) => (closings.length === 0 ? undefined : next(closings, instant)),
  };
}

/**
 * The value of `spec.suspend` that the manifests state, and that Flux applies again with each reconciliation, over changes by others.
 *
 * Source: fluxcd/pkg ssa/manager_apply.go (apply: ForceOwnership), ssa v0.76.1.
 */
function statedSuspension({ kind, namespace, name }: Suspended, index: ManifestIndex): boolean | undefined {
  const known = KINDS.find(([one]) => one === kind);
  const object = known && index.find(`${known[3]}/${known[0]}`, namespace, name ?? '');
  const stated = object && !isMarked(object) ? fieldAt(object, 'spec', 'suspend') : undefined;
  return typeof stated === 'boolean' ? stated : undefined;
}

/** True if Flux applies an object once, or never. */
function isMarked(object: ManifestObject): boolean {
  return ['IfNotPresent', 'Ignore'].includes(stringAt(object, 'metadata', 'annotations', 'kustomize.toolkit.fluxcd.io/ssa') ?? '')
    || stringAt(object, 'metadata', 'annotations', 'kustomize.toolkit.fluxcd.io/reconcile') === 'disabled';
}

/** The time zone of a CronJob. Without one it is that of the kube-controller-manager, which is UTC where nothing else is set. */
function zoneOf(job: ManifestObject): string {
  return stringAt(job, 'spec', 'timeZone') ?? 'UTC';
}

function keyOf(kind: string | undefined, namespace: string | undefined, name: string | undefined): string {
  return JSON.stringify([kind, namespace, name]);
}

const SWITCHES = new WeakMap<ManifestIndex, readonly Switch[]>();

/** Changes of sources and deliveries by the CronJobs among objects. */
function switchesIn(index: ManifestIndex): readonly Switch[] {
  let found = SWITCHES.get(index);
  if (!found) {
    found = index.all('batch/CronJob').filter((job) => fieldAt(job, 'spec', 'suspend') !== true).flatMap(switchesOf);
    SWITCHES.set(index, found);
  }
  return found;
}

function switchesOf(job: ManifestObject): Switch[] {
  return objectsAt(job, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers').flatMap(([container]) => {
    const given = [...listAt(container, 'command'), ...listAt(container, 'args')].map(String);
    const script = given.find((_, index) => /^-[a-z]*c$/.test(given[index - 1] ?? ''));
    return (script === undefined ? [given] : shellCommands(script)).flatMap((words) => switchesBy(words, job));
  });
}

/** The namespace of the command line of Flux (fluxcd/flux2 cmd/flux/main.go). */
const FLUX_NAMESPACE = 'flux-system';

/** Options of kubectl and flux without a value. */
const FLAGS: readonly string[] = ['--all', '--record', '--show-managed-fields', '--verbose', '--wait'];

/** Suspends or resumes objects by a command of kubectl or flux. */
function switchesBy(given: readonly string[], job: ManifestObject): Switch[] {
  const { words, options } = splitOptions(given);
  const namespace = options.get('--namespace') ?? options.get('-n');
  const verbAt = words.findIndex((word) => word === 'suspend' || word === 'resume');
  for (const [kind, resource, command] of KINDS) {
    const length = command.source.includes('source') ? 2 : 1;
    if (verbAt >= 0 && command.test(words.slice(verbAt + 1, verbAt + 1 + length).join(' '))) {
      const names = options.has('--all') ? [ALL] : words.slice(verbAt + 1 + length);
      return names.map((name) => ({ job, key: keyOf(kind, namespace ?? FLUX_NAMESPACE, name), suspends: words[verbAt] === 'suspend' }));
    }
    const [target = '', ...others] = words.includes('patch') ? words.slice(words.indexOf('patch') + 1) : [];
    const [type, ...names] = target.includes('/') ? target.split('/') : [target, ...others];
    const suspends = resource.test(type.split('.')[0]) ? suspendIn(options.get('--patch') ?? options.get('-p') ?? '') : undefined;
    if (suspends !== undefined) return names.map((name) => ({ job, key: keyOf(kind, namespace ?? namespaceOf(job), name), suspends }));
  }
  return [];
}

/** The words of a command, and its options with their values. */
function splitOptions(given: readonly string[]): { readonly words: readonly string[]; readonly options: ReadonlyMap<string, string> } {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let index = 0; index < given.length; index += 1) {
    const [, name, value] = /^(-[^=]*)(?:=(.*))?$/s.exec(given[index]) ?? [];
    if (name === undefined) words.push(given[index]);
    else if (value !== undefined || FLAGS.includes(name)) options.set(name, value ?? '');
    else options.set(name, given[index += 1] ?? '');
  }
  return { words, options };
}

/** The value that a patch sets: a part of the object, or a list of operations. */
function suspendIn(patch: string): boolean | undefined {
  const [value] = valuesIn(patch);
  const operations = Array.isArray(value) ? value.filter(isFields).filter(({ path, op }) => path === '/spec/suspend' && op !== 'test') : [];
  const suspend = Array.isArray(value) ? operations.at(-1)?.value : fieldAt(value, 'spec', 'suspend');
  return typeof suspend === 'boolean' ? suspend : undefined;
}
