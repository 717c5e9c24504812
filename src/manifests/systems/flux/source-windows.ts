import { CronInstants } from '../../kubernetes/cron-times';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { valuesIn } from '../../objects/manifest-text';
import { Openings } from '../../rules/delivery-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, isFields, listAt, objectsAt, stringAt } from '../../values/fields';
import { shellCommands } from '../../values/shell-commands';

/** Kinds of sources, by the names that kubectl and the command line of Flux have for them. */
const KINDS: readonly (readonly [kind: string, resource: RegExp, short: string])[] = [
  ['GitRepository', /^gitrepo(?:sitory|sitories)?$/i, 'git'],
  ['OCIRepository', /^ocirepo(?:sitory|sitories)?$/i, 'oci'],
  ['Bucket', /^buckets?$/i, 'bucket'],
];

/** Stands for all sources of a kind in a namespace. */
const ALL = '*';

/** A source that a CronJob suspends, or resumes. */
interface Switch {
  readonly job: ManifestObject;

  /** Kind, namespace and name of the source; `ALL` for all of the namespace. */
  readonly key: string;
  readonly suspends: boolean;
}

/**
 * The times at which a Kustomization applies new revisions, where CronJobs suspend and resume its source: a suspended source keeps its last
 * revision. A source that the state before does not have is open at first.
 *
 * Source: fluxcd/source-controller internal/controller/gitrepository_controller.go (Reconcile), v1.9.1.
 *
 * @param kustomization the Kustomization
 * @param index the objects of its management cluster
 * @param before those of the state before
 */
export function sourceOpenings(kustomization: ManifestObject, index: ManifestIndex, before: ManifestIndex): Openings | undefined {
  const [kind, name] = ['kind', 'name'].map((field) => stringAt(kustomization, 'spec', 'sourceRef', field));
  const namespace = stringAt(kustomization, 'spec', 'sourceRef', 'namespace') ?? namespaceOf(kustomization);
  const keys = [name, ALL].map((one) => keyOf(kind, namespace, one));
  if (!switchesIn(before).some((one) => keys.includes(one.key))) return undefined;
  const switches = switchesIn(index).filter((one) => keys.includes(one.key));
  const [openings, closings] = [false, true].map((suspends) => switches.filter((one) => one.suspends === suspends).flatMap(({ job }) => (
    CronInstants.of(stringAt(job, 'spec', 'schedule') ?? '', zoneOf(job)) ?? [])));
  if (openings.length === 0 || closings.length === 0) return undefined;
  const last = (list: readonly CronInstants[], instant: number) => Math.max(...list.map((one) => one.until(instant) ?? -Infinity));
  const next = (list: readonly CronInstants[], instant: number) => {
    const found = Math.min(...list.map((one) => one.after(instant) ?? Infinity));
    return Number.isFinite(found) ? found : undefined;
  };
  const isOpen = (instant: number) => last(openings, instant) > last(closings, instant);
  return {
    timeZone: zoneOf(switches.find(({ suspends }) => !suspends)!.job),
    next: (instant) => (isOpen(instant) ? instant : next(openings, instant)),
    end: (instant) => next(closings, instant),
  };
}

/** The time zone of a CronJob. Without one it is that of the kube-controller-manager, which is UTC where nothing else is set. */
function zoneOf(job: ManifestObject): string {
  return stringAt(job, 'spec', 'timeZone') ?? 'UTC';
}

function keyOf(kind: string | undefined, namespace: string | undefined, name: string | undefined): string {
  return JSON.stringify([kind, namespace, name]);
}

const SWITCHES = new WeakMap<ManifestIndex, readonly Switch[]>();

/** What the CronJobs among objects do to sources. */
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

/** Suspends or resumes sources by a command of kubectl or flux. */
function switchesBy(given: readonly string[], job: ManifestObject): Switch[] {
  const { words, options } = splitOptions(given);
  const namespace = options.get('--namespace') ?? options.get('-n');
  for (const [kind, resource, short] of KINDS) {
    const source = words.indexOf('source');
    const verb = words[source - 1];
    if (['suspend', 'resume'].includes(verb) && words[source + 1] === short) {
      const names = options.has('--all') ? [ALL] : words.slice(source + 2);
      return names.map((name) => ({ job, key: keyOf(kind, namespace ?? FLUX_NAMESPACE, name), suspends: verb === 'suspend' }));
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
