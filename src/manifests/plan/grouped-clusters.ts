import { PlannedCluster, PlannedConsequences, PlannedEffect, PlannedPart } from './plan-model';
import { countWords } from './plan-words';
import { MachineCount } from '../landscape/cluster-model';
import { Consequence } from '../rules/changes/consequences';

/** Clusters that change in the same way. */
export interface ClusterGroup {
  /** The first cluster. Reasons and counts in it are those of all clusters of the group. */
  readonly first: PlannedCluster;
  readonly others: readonly PlannedCluster[];
}

/** The end of names that follow from content. */
const HASH = /-[0-9a-f]{8}$/;

/** Stands for the names of each cluster of a group. */
const OWN_NAME = '<cluster>';
const OWN_NAMESPACE = '<namespace>';

/** Stands for a value, wherever only the change counts. */
const ANY = '*';

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?\b|\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7}(?:\/\d{1,3})?/gi;

/** Words of a reason, such as `cpu 4 -> 8`, or `certificate names "a" added, "b" removed`. */
const WORD = /"(?:[^"\\]|\\.)*",?|\S+/g;

/** So many different values are listed. */
const MOST_VALUES = 5;

/**
 * Groups clusters whose changes are the same but for the names, sizes and values of each cluster, in the order of the first of each group. The
 * values that differ are in the reasons of the first.
 */
export function groupedClusters(clusters: readonly PlannedCluster[]): ClusterGroup[] {
  const groups = new Map<string, PlannedCluster[]>();
  for (const cluster of clusters) {
    const key = withoutValues(cluster);
    const same = groups.get(key);
    if (same) same.push(cluster);
    else groups.set(key, [cluster]);
  }
  return [...groups.values()].map((group) => ({ first: withValuesOf(group), others: group.slice(1) }));
}

/** Parts of no cluster, or of several, and the management clusters in which they change in the same way. */
export interface SharedParts {
  readonly managementClusters: readonly (string | undefined)[];

  /** The parts in the first management cluster. */
  readonly parts: readonly PlannedPart[];
}

/** Groups parts of no cluster, or of several. */
export function groupedParts(parts: readonly PlannedPart[]): SharedParts[] {
  const names = [...new Set(parts.map(({ managementCluster }) => managementCluster))];
  const groups = new Map<string, { managementClusters: (string | undefined)[]; parts: readonly PlannedPart[] }>();
  for (const name of names) {
    const own = parts.filter(({ managementCluster }) => managementCluster === name);
    const key = JSON.stringify([name === undefined, own.map((part) => (
      { ...part, managementCluster: undefined, objects: part.objects.map((object) => ({ ...object, place: undefined })) }))]);
    const same = groups.get(key);
    if (same) same.managementClusters.push(name);
    else groups.set(key, { managementClusters: [name], parts: own });
  }
  return [...groups.values()];
}

function withoutValues(cluster: PlannedCluster): string {
  const { namespace, change, paused, notes, order, parts } = cluster;
  const own = (text: string): string => ownName(text, cluster).replace(HASH, '-#');
  const inText = (text: string): string => text.split(' ').map(own).join(' ').replace(ADDRESS, ANY);
  return JSON.stringify([change, paused, notes.map(inText), order?.map((step) => step.map(inText)), parts.map((part) => ({
    ...part,
    name: own(part.name),
    effects: part.effects.map(({ effect, reasons, count, waitsFor }) => (
      [effect, reasons.map((reason) => withoutValue(inText(reason))), count && count.maximum > 0, waitsFor])),
    notes: part.notes.map(inText),
    consequences: part.consequences && sameConsequences(part.consequences, inText),
    objects: part.objects.map((object) => ({
      ...object,
      name: own(object.name),
      namespace: object.namespace === namespace ? ANY : object.namespace,
      place: undefined,
      fields: object.fields.map(({ path }) => path.map((name) => (typeof name === 'string' ? inText(name) : name))),
    })),
  }))]);
}

/** Consequences without what clusters of a group have of their own: names, and times that depend on sizes. */
function sameConsequences({ lost, down, felt, time, undo }: PlannedConsequences, inText: (text: string) => string): unknown {
  const texts = [...lost, ...down].map(({ what, detail = '' }) => `${what} ${detail}`);
  const steps = time?.steps.map((step) => ({ ...step, field: inText(step.field) }));
  return [lost.length, [...texts, ...felt, undo?.why ?? ''].map(inText), time && [time.seconds === undefined, steps], undo?.revert];
}

/** Names of objects begin with that of the cluster; host names and images have it anywhere. */
function ownName(text: string, { namespace, name }: PlannedCluster): string {
  if (text.startsWith(`${name}-`)) return `${OWN_NAME}${text.slice(name.length)}`;
  const asWord = (word: string) => new RegExp(`(?<![A-Za-z0-9_-])${word.replace(/[.]/g, '\\.')}(?![A-Za-z0-9_-])`, 'g');
  const replaced = text.replace(asWord(name), OWN_NAME);
  return namespace === undefined ? replaced : replaced.replace(asWord(namespace), OWN_NAMESPACE);
}

function withoutOwnName(text: string, cluster: PlannedCluster): string {
  return text.split(' ').map((word) => ownName(word, cluster)).join(' ');
}

/** A reason without what a field was and is. The first word is the field. */
function withoutValue(reason: string): string {
  const words = reason.match(WORD) ?? [];
  const isValue = (index: number) => index > 0 && (words[index - 1] === '->' || words[index + 1] === '->' || /^(?:added|removed),?$/.test(words[index + 1] ?? ''));
  const text = words.map((word, index) => (isValue(index) ? ANY : word)).join(' ');
  return text.replace(/(\* (?:added|removed))(?:, \1)+/g, '$1');
}

/** The first cluster of a group, with what differs between its clusters. */
function withValuesOf(group: readonly PlannedCluster[]): PlannedCluster {
  const [first] = group;
  if (group.length === 1) return first;
  return {
    ...first,
    notes: first.notes.map((_, index) => joined(group, ({ notes }) => notes[index])),
    ...(first.order && { order: first.order.map((step) => step.map((name) => withoutOwnName(name, first))) }),
    parts: first.parts.map((part, index) => partOf(part, group, ({ parts }) => parts[index])),
  };
}

function partOf(first: PlannedPart, group: readonly PlannedCluster[], part: (cluster: PlannedCluster) => PlannedPart): PlannedPart {
  return {
    ...first,
    effects: first.effects.map((effect, index): PlannedEffect => {
      const all = group.map((cluster) => part(cluster).effects[index]);
      const { atATime, ...rest } = effect;
      return {
        ...rest,
        reasons: effect.reasons.map((_, at) => joined(group, (cluster) => part(cluster).effects[index].reasons[at])),
        ...(effect.count && { count: range(all.flatMap(({ count }) => count ?? [])) }),
        ...(atATime !== undefined && all.every((one) => one.atATime === atATime) && { atATime }),
      };
    }),
    ...(first.consequences && { consequences: consequencesOf(first.consequences, group, (cluster) => part(cluster).consequences!) }),
    notes: [
      ...first.effects.flatMap((_, index) => sizes(group.map((cluster) => part(cluster).effects[index].count))),
      ...first.notes.map((_, index) => joined(group, (cluster) => part(cluster).notes[index])),
    ],
  };
}

/** Consequences of a part in all clusters of a group: names of each are left out, and of times the longest counts. */
function consequencesOf(
  first: PlannedConsequences, group: readonly PlannedCluster[], of: (cluster: PlannedCluster) => PlannedConsequences,
): PlannedConsequences {
  const own = (text: string) => withoutOwnName(text, group[0]);
  const withoutNames = ({ what, detail }: Consequence) => ({ what: own(what), ...(detail !== undefined && { detail: own(detail) }) });
  const longest = group.map((cluster) => of(cluster).time).reduce((one, other) => ((other?.turns ?? 0) > (one?.turns ?? 0) ? other : one));
  return {
    ...first, lost: first.lost.map(withoutNames), down: first.down.map(withoutNames), felt: first.felt.map(own), ...(longest && { time: longest }),
  };
}

function range(counts: readonly MachineCount[]): MachineCount {
  return { minimum: Math.min(...counts.map(({ minimum }) => minimum)), maximum: Math.max(...counts.map(({ maximum }) => maximum)) };
}

/** The sizes of a group whose clusters have several. */
function sizes(counts: readonly (MachineCount | undefined)[]): string[] {
  const found = occurrences(counts.flatMap((count) => (count ? [countWords(count, '', '').trim()] : [])));
  return found.size > 1 ? [`in each cluster: ${listed(found)}`] : [];
}

/** A text that each cluster of a group has, with all of its values. */
function joined(group: readonly PlannedCluster[], textOf: (cluster: PlannedCluster) => string): string {
  const texts = group.map(textOf);
  if (texts.every((text) => text === texts[0])) return texts[0];
  const own = group.map((cluster, index) => texts[index].split(' ').map((word) => ownName(word, cluster).replace(HASH, '-…')).join(' '));
  const found = occurrences(own);
  if (found.size === 1) return own[0];
  const words = [...found.keys()].map((text) => text.split(' '));
  const same = words[0].findIndex((word, index) => words.some((other) => other[index] !== word));
  const start = words[0].slice(0, same).join(' ');
  return `${start === '' ? '' : `${start} `}${listed(new Map([...found].map(([text, count]) => [text.split(' ').slice(same).join(' '), count])))}`;
}

function occurrences(texts: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return found;
}

function listed(found: ReadonlyMap<string, number>): string {
  const all = [...found].map(([text, count]) => `${text} (${count} cluster${count === 1 ? '' : 's'})`);
  return `${all.slice(0, MOST_VALUES).join(' or ')}${all.length > MOST_VALUES ? ` or ${all.length - MOST_VALUES} other values` : ''}`;
}
