import { KUBERNETES_GROUPS } from './kind-structure';
import { STRUCTURE_RULES } from './structure-rules';
import { definedGroups, kindNamesOf, structureOf } from './structures';
import { kindsWithoutSchema } from '../../objects/known-kinds';
import { groupOf, ManifestObject } from '../../objects/manifest-object';
import { nameWords, shownValue } from '../../schema/value-words';
import { Finding } from '../../values/finding';
import { nearestName } from '../../values/nearest-name';
import { RuleFinding } from '../manifest-rule';

/** A kind that servers no longer have, or have elsewhere. */
export interface RemovedKind {
  /** The last release that served it is the one before. */
  readonly since: string;

  /** Replacement of the kind; undefined where there is none. */
  readonly instead?: string;
}

/**
 * Kinds that moved to other groups, or went, by `group/Kind`. Versions that went while the kind stayed are no entries: what is served says it.
 *
 * Source: kubernetes.io/docs/reference/using-api/deprecation-guide.
 */
const REMOVED_KINDS: Readonly<Record<string, RemovedKind>> = {
  'extensions/DaemonSet': { since: '1.16', instead: 'apps/v1' },
  'extensions/Deployment': { since: '1.16', instead: 'apps/v1' },
  'extensions/ReplicaSet': { since: '1.16', instead: 'apps/v1' },
  'extensions/NetworkPolicy': { since: '1.16', instead: 'networking.k8s.io/v1' },
  'extensions/Ingress': { since: '1.22', instead: 'networking.k8s.io/v1' },
  'extensions/PodSecurityPolicy': { since: '1.16' },
  'policy/PodSecurityPolicy': { since: '1.25' },
};

/** Fixes for kinds that nothing replaced. */
const REMOVED_FIXES: Readonly<Record<string, string>> = {
  PodSecurityPolicy: 'remove it, and label namespaces for Pod Security admission (pod-security.kubernetes.io/enforce)',
};

/**
 * Groups all of whose kinds are known, beside those of providers. Others, such as `infrastructure.cluster.x-k8s.io`, belong to many projects,
 * which add kinds.
 */
const WHOLE_GROUPS: ReadonlySet<string> = new Set([...KUBERNETES_GROUPS, 'cluster.x-k8s.io']);

/** Kinds of Kubernetes that hold others, and that stand in no list of what can be created. */
const LIST = /^(\w*)List$/;

/** Names beyond this are no slip of the hand. */
const LONGEST_NAME = 100;

/** Names of owners up to this length are no slips of each other. */
const LONGEST_SHORT_NAME = 4;

/** Characters that may differ from a known kind where a foreign kind may have a similar name. */
const FEW = 2;

/**
 * Fault of a kind that cannot exist: a group whose kinds are all known has none of the name, or a group of several projects has one that is
 * called nearly the same.
 *
 * @param group the API group
 * @param kind the kind
 * @returns what is wrong; undefined for a kind that is known, or of which nothing can be said
 */
export function checkKind(group: string, kind: string): Finding | undefined {
  if (structureOf(group, kind) || group.length > LONGEST_NAME || kind.length > LONGEST_NAME) return undefined;
  return removed(group, kind) ?? (WHOLE_GROUPS.has(group) || kindsWithoutSchema(group) ? ofWholeGroup(group, kind) : ofOpenGroup(group, kind));
}

function removed(group: string, kind: string): Finding | undefined {
  const key = `${group}/${kind}`;
  if (!Object.hasOwn(REMOVED_KINDS, key)) return undefined;
  const { since, instead } = REMOVED_KINDS[key];
  return {
    path: [instead === undefined ? 'kind' : 'apiVersion'],
    message: `${kind} of ${group} is gone since Kubernetes ${since}`,
    accepted: instead,
    fix: instead === undefined ? REMOVED_FIXES[kind] ?? 'remove it' : `write ${instead}, and the fields as that version has them`,
  };
}

function ofWholeGroup(group: string, kind: string): Finding | undefined {
  const names = [...kindNamesOf(group) ?? [], ...kindsWithoutSchema(group) ?? []];
  const listed = LIST.exec(kind)?.[1];
  if (names.includes(kind) || (listed !== undefined && (listed === '' || names.includes(listed)))) return undefined;
  const home = homeOf(kind, allGroups());
  const near = home === undefined ? nearestName(kind, names) : undefined;
  const where = group === '' ? 'the core group of Kubernetes, whose apiVersion is v1,' : group;
  return {
    path: [home === undefined ? 'kind' : 'apiVersion'],
    message: `there is no kind ${shownValue(kind)} in ${where} that could be applied`,
    accepted: home ?? nameWords(names),
    fix: home !== undefined ? `write ${home}` : near === undefined ? 'correct the kind, or the group in apiVersion' : `did you mean ${shownValue(near)}?`,
  };
}

/** Other projects may have kinds of their own there: only what is nearly the same as a known one is a slip of the hand. */
function ofOpenGroup(group: string, kind: string): Finding | undefined {
  const names = kindNamesOf(group);
  if (names) {
    if (names.has(kind)) return undefined;
    const near = nearestName(kind, [...names].filter((known) => !isOtherOwner(kind, known)), FEW);
    const home = near === undefined ? homeOf(kind, siblings(group)) : undefined;
    if (near === undefined && home === undefined) return undefined;
    return {
      path: [home === undefined ? 'kind' : 'apiVersion'],
      message: `${shownValue(kind)} is not known in ${group}`,
      fix: home === undefined ? `did you mean ${shownValue(near)}?` : `did you mean ${home}?`,
    };
  }
  const nearGroup = nearestName(group, allGroups().filter((name) => name.length > FEW * 2), FEW);
  const home = nearGroup === undefined ? undefined : homeOf(kind, [nearGroup]);
  return home === undefined ? undefined : { path: ['apiVersion'], message: `the group ${shownValue(group)} is not known`, fix: `did you mean ${home}?` };
}

/** True of kinds that end in the same word and begin with names of two owners: short ones, such as DO and Dev, or ones that differ in a number alone. */
function isOtherOwner(kind: string, known: string): boolean {
  let common = 0;
  while (common < kind.length && kind.at(-1 - common) === known.at(-1 - common)) common++;
  const [own, other] = [kind, known].map((name) => name.slice(0, name.length - common));
  if (!/^[A-Z]/.test(kind.slice(own.length))) return false;
  return Math.max(own.length, other.length) <= LONGEST_SHORT_NAME || own.replace(/\d+$/, '') === other.replace(/\d+$/, '');
}

function allGroups(): string[] {
  return [...KUBERNETES_GROUPS, ...definedGroups()];
}

/** Groups of the same owner, as far as their names tell. */
function siblings(group: string): string[] {
  const owner = group.slice(group.indexOf('.'));
  return [...definedGroups()].filter((name) => name !== group && `.${name}`.endsWith(owner));
}

/** Group and version of a kind with the name. */
function homeOf(kind: string, groups: readonly string[]): string | undefined {
  for (const group of groups) {
    const versions = structureOf(group, kind)?.versions;
    if (versions) return group === '' ? [...versions.keys()].at(-1) : `${group}/${[...versions.keys()].at(-1)}`;
  }
  return undefined;
}

/** Fault of the kind of an object; empty for a kind that is known, or of which nothing can be said. */
export function kindFindings(object: ManifestObject): readonly RuleFinding[] {
  if (typeof object.kind !== 'string') return [];
  const finding = checkKind(groupOf(object), object.kind);
  return finding ? [{ rule: STRUCTURE_RULES.kind, ...finding }] : [];
}
