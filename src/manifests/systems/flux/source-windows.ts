import { CronInstants } from '../../kubernetes/cron-times';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { Openings } from '../../rules/delivery-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, isFields, listAt, objectsAt, stringAt } from '../../values/fields';

/** Kinds of sources, by the names that kubectl and the command line of Flux have for them. */
const KINDS: readonly (readonly [kind: string, resource: RegExp, short: string])[] = [
  ['GitRepository', /^gitrepositor(?:y|ies)$/i, 'git'],
  ['OCIRepository', /^ocirepositor(?:y|ies)$/i, 'oci'],
  ['Bucket', /^buckets?$/i, 'bucket'],
];

/** A source that a CronJob suspends, or resumes. */
interface Switch {
  readonly job: ManifestObject;

  /** Kind, namespace and name of the source. */
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
  const key = keyOf(kind, stringAt(kustomization, 'spec', 'sourceRef', 'namespace') ?? namespaceOf(kustomization), name);
  if (switchesIn(before).every((one) => one.key !== key)) return undefined;
  const switches = switchesIn(index).filter((one) => one.key === key);
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
    const words = given.flatMap((text) => (text.includes('{') ? [text] : text.split(/\s+/)));
    return switchOf(words, job) ?? [];
  });
}

/** What a command of kubectl or flux does to a source. */
function switchOf(words: readonly string[], job: ManifestObject): Switch | undefined {
  const option = (...names: readonly string[]) => {
    const position = words.findIndex((word) => names.some((name) => word === name || word.startsWith(`${name}=`)));
    const [, value] = /^[^=]*=(.*)$/s.exec(words[position] ?? '') ?? [];
    return position < 0 ? undefined : value ?? words[position + 1];
  };
  const namespace = option('--namespace', '-n') ?? namespaceOf(job);
  for (const [kind, resource, short] of KINDS) {
    const source = words.indexOf('source');
    const verb = words[source - 1];
    if (source > 0 && ['suspend', 'resume'].includes(verb) && words[source + 1] === short) {
      return { job, key: keyOf(kind, namespace, words[source + 2]), suspends: verb === 'suspend' };
    }
    const position = words.includes('patch') ? words.findIndex((word) => resource.test(word.split('/')[0].split('.')[0])) : -1;
    const suspends = suspendIn(option('--patch', '-p'));
    if (position >= 0 && suspends !== undefined) return { job, key: keyOf(kind, namespace, words[position].split('/')[1] ?? words[position + 1]), suspends };
  }
  return undefined;
}

function suspendIn(patch: string | undefined): boolean | undefined {
  try {
    const value: unknown = JSON.parse(patch ?? '');
    const suspend = isFields(value) ? fieldAt(value, 'spec', 'suspend') : undefined;
    return typeof suspend === 'boolean' ? suspend : undefined;
  } catch {
    return undefined;
  }
}
