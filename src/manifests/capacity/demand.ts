import { Counted, Host, ZONE } from './host';
import { PodGroup } from './pod-group';
import { selects } from '../rules/label-selectors';
import { fieldAt, Fields, isFields, isSet, listAt, numberAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Taint } from '../values/taints';

/** A rule about the pods of a selector in one domain, such as a host or zone. */
export interface Term {
  readonly topologyKey: string;

  /** The namespaces of the pods; undefined for all. */
  readonly namespaces?: readonly string[];
  readonly selector: unknown;
}

/** A spread that the scheduler insists on. */
export interface Spread extends Term {
  readonly maxSkew: number;
  readonly minDomains: number;

  /** True if hosts with taints that the pod does not tolerate are no domains. */
  readonly honorsTaints: boolean;

  /** True if hosts that the pod's selector and affinity exclude are domains, too. */
  readonly ignoresAffinity: boolean;
}

/** Pods of a group, as the scheduler sees them. */
export interface Demand {
  readonly group: PodGroup;

  /** The index of what restricts its hosts, which others may share. */
  readonly eligibility: Eligibility;
  readonly requests: Counted;

  /** Equal for demands with the same hosts and requests. */
  readonly size: string;
  readonly antiAffinity: readonly Term[];
  readonly affinity: readonly Term[];
  readonly spreads: readonly Spread[];

  /** True if it does not matter where other pods are. */
  readonly isFree: boolean;

  /** True if the pods name the zone that they are for, so that they are lost with it. */
  readonly isZonal: boolean;
}

/** Hosts that pods may run on. */
export interface Eligibility {
  readonly key: string;

  /** Indices of hosts, in the order in which they are filled: those with devices that the pods do not request come last. */
  readonly hosts: readonly number[];

  /** Indices of hosts that are domains of spreads although their taints are not tolerated. */
  readonly tainted: readonly number[];

  /** The first requirement that no host meets; undefined where a host is eligible. */
  readonly missing?: string;
}

const REQUIRED_NODES = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'] as const;

/** True if spreads or affinities of the pods tell revisions apart, so that those of a rollout do not count with the others. */
export function hasRevisions({ scheduling: { labels, fields } }: PodGroup): boolean {
  return revisionKeys(fields).some((key) => labels[key] === undefined);
}

function revisionKeys(fields: unknown): string[] {
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => listAt(fields, 'affinity', kind, 'requiredDuringSchedulingIgnoredDuringExecution'));
  return [...terms, ...listAt(fields, 'topologySpreadConstraints')].flatMap((term) => stringsAt(term, 'matchLabelKeys').map(([key]) => key));
}

function withRevision(group: PodGroup, revision: string): PodGroup {
  if (!hasRevisions(group)) return group;
  const { labels, fields } = group.scheduling;
  const own = Object.fromEntries(revisionKeys(fields).map((key) => [key, labels[key] ?? revision]));
  return { ...group, scheduling: { ...group.scheduling, labels: { ...labels, ...own } } };
}

function namesZone(fields: unknown): boolean {
  const expressions = listAt(fields, ...REQUIRED_NODES).flatMap((term) => listAt(term, 'matchExpressions'));
  return isSet(fields, 'nodeSelector', ZONE) || expressions.some((expression) => stringAt(expression, 'key') === ZONE);
}

/** Finds the hosts of demands; the same restrictions are looked at once. */
export class Demands {
  private readonly known = new Map<string, Eligibility>();
  private readonly isCommon: (resource: string) => boolean;

  public constructor(private readonly hosts: readonly Host[]) {
    const common = new Map<string, number>();
    hosts.forEach(({ allocatable }) => [...allocatable.keys()].forEach((resource) => common.set(resource, (common.get(resource) ?? 0) + 1)));
    this.isCommon = (resource) => common.get(resource) === hosts.length;
  }

  /**
   * The demand of a group.
   *
   * @param given the group
   * @param revision the value of labels that a controller gives its pods, by which spreads tell revisions apart (`matchLabelKeys`)
   */
  public of(given: PodGroup, revision = 'old'): Demand {
    const group = withRevision(given, revision);
    const { fields } = group.scheduling;
    const terms = (kind: string) => listAt(fields, 'affinity', kind, 'requiredDuringSchedulingIgnoredDuringExecution').flatMap((term) => termOf(term, group));
    const [antiAffinity, affinity] = [terms('podAntiAffinity'), terms('podAffinity')];
    const insisted = objectsAt(fields, 'topologySpreadConstraints').filter(([one]) => one.whenUnsatisfiable !== 'ScheduleAnyway');
    const spreads = insisted.flatMap(([one]) => spreadOf(one, group));
    const eligibility = this.eligibilityOf(group);
    return {
      group,
      eligibility,
      requests: group.requests,
      size: `${eligibility.key} ${JSON.stringify([...group.requests])}`,
      antiAffinity,
      affinity,
      spreads,
      isFree: antiAffinity.length + affinity.length + spreads.length === 0,
      isZonal: namesZone(fields),
    };
  }

  private eligibilityOf({ scheduling: { fields, hostLabels = {} }, requests }: PodGroup): Eligibility {
    const devices = [...requests.keys()].filter((resource) => resource.includes('/'));
    const selector = fieldAt(fields, 'nodeSelector');
    const affinity = fieldAt(fields, ...REQUIRED_NODES);
    const tolerations = listAt(fields, 'tolerations');
    const key = JSON.stringify([selector, affinity, tolerations, hostLabels, devices]);
    let found = this.known.get(key);
    const wanted = { selector: isFields(selector) ? selector : {}, affinity, tolerations, hostLabels, devices };
    if (!found) this.known.set(key, found = this.findEligible(key, wanted));
    return found;
  }

  private findEligible(key: string, wanted: Wanted): Eligibility {
    const reasons = new Map<string, number>();
    const [hosts, tainted]: [number[], number[]] = [[], []];
    this.hosts.forEach((host, index) => {
      const [why, isTaint] = refusal(host, wanted);
      if (why === undefined) {hosts.push(index);} else {
        reasons.set(why, (reasons.get(why) ?? 0) + 1);
        if (isTaint) tainted.push(index);
      }
    });
    const isUnused = (resource: string) => resource.includes('/') && !this.isCommon(resource) && !wanted.devices.includes(resource);
    const unused = (index: number) => [...this.hosts[index].allocatable.keys()].filter(isUnused).length;
    const rank = new Map(hosts.map((index) => [index, unused(index)]));
    const missing = [...reasons].sort(([, one], [, other]) => other - one)[0]?.[0];
    hosts.sort((one, other) => rank.get(one)! - rank.get(other)! || one - other);
    return { key, hosts, tainted, ...(hosts.length === 0 && missing !== undefined && { missing }) };
  }
}

interface Wanted {
  readonly selector: Fields;
  readonly affinity: unknown;
  readonly tolerations: readonly unknown[];
  readonly hostLabels: Readonly<Record<string, string>>;
  readonly devices: readonly string[];
}

/**
 * The reason that a host is not for a pod, and whether it is a taint.
 *
 * Source: kubernetes/kubernetes pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go, plugins/tainttoleration/taint_toleration.go.
 */
function refusal(host: Host, { selector, affinity, tolerations, hostLabels }: Wanted): readonly [why: string | undefined, isTaint: boolean] {
  const label = Object.entries(selector).find(([key, value]) => host.labels[key] !== value);
  if (label) return [`the node label ${label[0]}=${String(label[1])}`, false];
  const own = host.isNode ? Object.entries(hostLabels).find(([key, value]) => host.labels[key] !== value) : undefined;
  if (own) return [`the node label ${own[0]}=${own[1]}`, false];
  if (Array.isArray(affinity) && !affinity.some((term) => matchesTerm(term, host))) return ['the required node affinity', false];
  const taint = host.taints.find((one) => one.effect !== 'PreferNoSchedule' && !tolerations.some((toleration) => tolerates(toleration, one)));
  return [taint && `a toleration of the taint ${taint.key}${taint.value === undefined ? '' : `=${taint.value}`}:${taint.effect}`, taint !== undefined];
}

function matchesTerm(term: unknown, { labels, name }: Host): boolean {
  const expressions = listAt(term, 'matchExpressions');
  const fields = listAt(term, 'matchFields');
  if (expressions.length + fields.length === 0) return false;
  const holds = (of: Fields) => (expression: unknown) => {
    const operator = stringAt(expression, 'operator');
    if (operator !== 'Gt' && operator !== 'Lt') return selects({ matchExpressions: [expression] }, of);
    const [[limit]] = stringsAt(expression, 'values').length > 0 ? stringsAt(expression, 'values') : [['']];
    const value = Number.parseInt(String(of[stringAt(expression, 'key') ?? '']), 10);
    return operator === 'Gt' ? value > Number(limit) : value < Number(limit);
  };
  return expressions.every(holds(labels)) && fields.every(holds({ 'metadata.name': name }));
}

function tolerates(toleration: unknown, { key, value = '', effect }: Taint): boolean {
  const [wantedEffect, wantedKey] = [stringAt(toleration, 'effect'), stringAt(toleration, 'key')];
  if (wantedEffect !== undefined && wantedEffect !== '' && wantedEffect !== effect) return false;
  if (wantedKey !== undefined && wantedKey !== '' && wantedKey !== key) return false;
  return stringAt(toleration, 'operator') === 'Exists' || (wantedKey !== undefined && (stringAt(toleration, 'value') ?? '') === value);
}

function termOf(term: unknown, { namespace, scheduling: { labels } }: PodGroup): Term[] {
  const topologyKey = stringAt(term, 'topologyKey');
  const selector = withKeys(term, labels);
  if (topologyKey === undefined || selector === undefined) return [];
  const listed = stringsAt(term, 'namespaces').map(([name]) => name);
  // Labels of namespaces are not known: a selector of them counts for all.
  const namespaces = isSet(term, 'namespaceSelector') ? undefined : listed.length > 0 ? listed : [namespace];
  return [{ topologyKey, selector, ...(namespaces && { namespaces }) }];
}

function spreadOf(spread: Fields, { namespace, scheduling: { labels } }: PodGroup): Spread[] {
  const topologyKey = stringAt(spread, 'topologyKey');
  const selector = withKeys(spread, labels);
  if (topologyKey === undefined || selector === undefined) return [];
  return [{
    topologyKey,
    selector,
    namespaces: [namespace],
    maxSkew: numberAt(spread, 'maxSkew') ?? 1,
    minDomains: numberAt(spread, 'minDomains') ?? 1,
    honorsTaints: spread.nodeTaintsPolicy === 'Honor',
    ignoresAffinity: spread.nodeAffinityPolicy === 'Ignore',
  }];
}

/** The selector of a term, with `matchLabelKeys`, of which the values are those of the pod. */
function withKeys(term: unknown, labels: Readonly<Record<string, unknown>>): unknown {
  const selector = fieldAt(term, 'labelSelector');
  if (!isFields(selector)) return undefined;
  const keys = stringsAt(term, 'matchLabelKeys').map(([key]) => key).filter((key) => labels[key] !== undefined);
  if (keys.length === 0) return selector;
  const own = isFields(selector.matchLabels) ? selector.matchLabels : {};
  return { ...selector, matchLabels: { ...own, ...Object.fromEntries(keys.map((key) => [key, labels[key]])) } };
}

/** True if a term is about the pods of a group. */
export function concerns({ namespaces, selector }: Term, { namespace, scheduling: { labels } }: PodGroup): boolean {
  return (!namespaces || namespaces.includes(namespace)) && selects(selector, labels);
}
