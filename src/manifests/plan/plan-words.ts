import { consequenceLines } from './consequences/consequence-words';
import { ChangeKind, ObjectChange, PartKind, PlannedCluster, PlannedEffect, PlannedPart, Refusal, UnreadFile } from './plan-model';
import { MachineCount } from '../landscape/cluster-model';
import { Effect } from '../rules/changes/effects';
import { valueWords } from '../rules/changes/field-changes';
import { fieldText } from '../values/fields';
import { parseSemanticVersion } from '../values/semantic-version';

/** The number of reasons on a line. */
const MOST_REASONS = 6;

/** The number of clusters of a group that are named. */
const MOST_NAMED = 5;

/** The name of a cluster with its namespace, and its management cluster if there are several. */
export function clusterName({ managementCluster, namespace, name }: Pick<PlannedCluster, 'managementCluster' | 'namespace' | 'name'>): string {
  return withManagement(managementCluster, namespace === undefined ? name : `${namespace}/${name}`);
}

/** A heading over parts of no cluster, or of several. */
export function sharedHeading([first, ...others]: readonly (string | undefined)[]): string {
  return `${withManagement(first, 'Objects of no cluster, or of several clusters')}${sameWords(others.map(String))}`;
}

/** Text about one of several management clusters. */
export function withManagement(managementCluster: string | undefined, text: string): string {
  return managementCluster === undefined ? text : `${managementCluster}: ${text}`;
}

/** The other clusters of a group. */
export function othersWords(others: readonly PlannedCluster[]): string {
  return sameWords(others.map(clusterName));
}

/** The end of a heading over what is the same for others. */
export function sameWords(others: readonly string[]): string {
  return others.length === 0 ? '' : `; the same for ${namesWords(others)}`;
}

/** The first of several names, and how many more there are. */
export function namesWords(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

/** The name of a part. */
export function partName({ part, name }: PlannedPart): string {
  if (part === PartKind.OTHER) return name;
  return name === '' ? part : `${part} ${name}`;
}

/** The parts of a removed cluster that are printed. */
const SHOWN_OF_REMOVED: readonly PartKind[] = [PartKind.CLUSTER, PartKind.CONTROL_PLANE, PartKind.POOL];

/** The parts of a cluster that are printed: of a new one, those with effects; of a removed one, its machines and what stays. */
export function shownParts({ change, parts }: PlannedCluster): readonly PlannedPart[] {
  if (change === ChangeKind.CHANGED) return parts;
  if (change === ChangeKind.CREATED) return parts.filter(({ effects }) => effects.length > 0);
  return parts.filter(({ part, notes }) => SHOWN_OF_REMOVED.includes(part) || notes.length > 0);
}

/** The effects and notes of a part, a line each. */
export function partLines(part: PlannedPart): string[] {
  return [...effectLines(part), ...part.notes];
}

/** The effects, consequences and notes of a part, a line each. */
export function detailedPartLines(part: PlannedPart): string[] {
  const consequences = part.consequences ? consequenceLines(part.consequences) : [];
  return [...effectLines(part), ...consequences.map((line) => `${waitWords(part)}${line}`), ...part.notes];
}

function effectLines(part: PlannedPart): string[] {
  const effects = part.effects.map((effect) => (
    `${effect.effect === Effect.REFUSED || (!part.heldBy && effect.effect === Effect.IN_PLACE) ? '' : waitWords(part)}${untilWords(effect)}${effectWords(part, effect)}`));
  if (effects.length === 0) return [changedObjects(part, Object.values(ChangeKind))];
  // Effects are those of objects that were there before.
  const created = part.part === PartKind.OTHER && part.change === ChangeKind.CHANGED ? changedObjects(part, [ChangeKind.CREATED]) : '';
  return created === '' ? effects : [...effects, created];
}

/** Reason that a change is refused: the field, what it was and is, and the rule. */
export function refusalWords({ rule, path, fields, message }: Refusal): string {
  const field = fieldText(path);
  // A message about one field names both values itself.
  const isOne = fields.length === 1 && fieldText(fields[0].path) === field;
  const what = isOne || fields.length === 0 ? field : fields.slice(0, MOST_REASONS).map((change) => `${fieldText(change.path)} ${valueWords(change)}`).join(', ');
  return `${what === '' ? '' : `${what}: `}${message} (${rule})`;
}

/** An object, with its namespace. */
export function objectWords({ kind, namespace, name, made, inTenant }: ObjectChange): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${inTenant ? ' in the tenant' : made ? ' of the topology' : ''}`;
}

/** Condition that a part waits for, in words. */
function waitWords({ paused, heldBy }: PlannedPart): string {
  if (heldBy) return `once ${heldBy.join(' and ')} can be applied: `;
  return paused ? 'once it is resumed: ' : '';
}

function untilWords({ waitsFor }: PlannedEffect): string {
  return waitsFor === undefined ? '' : `once ${waitsFor}: `;
}

const DISRUPTIVE: readonly Effect[] = [
  Effect.REFUSED, Effect.ENDLESS, Effect.MACHINES, Effect.DELETED, Effect.PODS, Effect.MOVED, Effect.REDIRECTED, Effect.FAILING, Effect.UNKNOWN,
];

/** True if something is replaced, moved or deleted, or may be. */
export function isDisruptive({ effect }: PlannedEffect): boolean {
  return DISRUPTIVE.includes(effect);
}

/** An object and its changed fields on one line. */
export function objectLine(object: ObjectChange): string {
  const { change, fields } = object;
  const paths = fields.map(({ path }) => fieldText(path));
  const shown = paths.slice(0, MOST_REASONS).join(', ');
  const more = paths.length > MOST_REASONS ? ` and ${paths.length - MOST_REASONS} more` : '';
  return `${change} ${objectWords(object)}${paths.length > 0 ? `: ${shown}${more}` : ''}`;
}

/** A heading over files that are not read, or not applied. */
export function unreadHeading(files: readonly UnreadFile[]): string {
  const kinds = [...files.some(({ isUnapplied }) => !isUnapplied) ? ['read'] : [], ...files.some(({ isUnapplied }) => isUnapplied) ? ['applied'] : []];
  return `Files that are not ${kinds.join(' or not ')}`;
}

/** A file that is not read, on one line. */
export function unreadLine(file: UnreadFile): string {
  return `${unreadState(file)}: ${file.file}: ${unreadReason(file)}`;
}

/** The state of a file that is not read, or not applied. */
export function unreadState({ change, isUnapplied }: UnreadFile): string {
  const state = isUnapplied ? 'not applied' : 'not read';
  return change === undefined ? state : `${change}, ${state}`;
}

/** Reason that a file is not read, and its fields that differ. */
export function unreadReason({ what, fields }: UnreadFile): string {
  const more = fields.length > MOST_REASONS ? ` and ${fields.length - MOST_REASONS} more` : '';
  return `${what}${fields.length === 0 ? '' : `: ${fields.slice(0, MOST_REASONS).join(', ')}${more}`}`;
}

/** A number of objects. */
export function objectsWords(count: number): string {
  return `${count} object${count === 1 ? '' : 's'}`;
}

/** A number, or from one to another. */
export function countWords({ minimum, maximum }: MachineCount, one: string, many: string): string {
  if (minimum === maximum) return `${maximum} ${maximum === 1 ? one : many}`;
  return `${minimum} to ${maximum} ${many}`;
}

function effectWords(part: PlannedPart, { effect, reasons, count, atATime }: PlannedEffect): string {
  const why = reasonWords(reasons);
  switch (effect) {
    case Effect.REFUSED: return `REFUSED by the server${why}`;
    case Effect.FAILING: return `accepted, and fails later${why}`;
    case Effect.ENDLESS: return `machines without end${why}`;
    case Effect.MACHINES: {
      const machines = count ? countWords(count, 'machine is replaced', 'machines are replaced') : 'machines are replaced';
      return `${machines}${count?.maximum === 0 ? '' : turnWords(atATime)}${why}`;
    }
    case Effect.DELETED: return `${count?.maximum ? countWords(count, 'machine is deleted', 'machines are deleted') : 'deleted'}${why}`;
    case Effect.PODS: return `${count ? countWords(count, 'pod is replaced', 'pods are replaced') : 'pods are replaced'}${why}`;
    case Effect.SCALED:
      if (part.change === ChangeKind.CREATED) return `new${count ? `, ${countWords(count, 'machine', 'machines')}` : ''}`;
      return `scaled${why}`;
    case Effect.MOVED: return `data moves to another data store, without writes meanwhile${why}`;
    case Effect.REDIRECTED: return `delivered elsewhere${why}`;
    case Effect.RELEASE: return `${reasons.some(isDowngrade) ? 'downgraded' : 'upgraded'}${why}`;
    case Effect.IN_PLACE: return `changed in place${why}`;
    case Effect.LATER: return `affects only what is created later${why}`;
    default: return `changed, effect unknown${why}`;
  }
}

/** True of a reason such as `version 1.20.0 -> 1.17.0`. */
function isDowngrade(reason: string): boolean {
  const versions = / (\S+) -> (\S+)$/.exec(reason)?.slice(1).map(parseSemanticVersion) ?? [];
  const [from, to] = versions.map((version) => version && [version.major, version.minor, version.patch]);
  const step = from && to ? to.map((part, index) => part - from[index]).find((difference) => difference !== 0) : undefined;
  return step !== undefined && step < 0;
}

function turnWords(atATime: number | undefined): string {
  if (atATime === undefined) return '';
  return atATime === 0 ? ', each after it is deleted manually' : `, ${atATime} at a time`;
}

function reasonWords(reasons: readonly string[]): string {
  if (reasons.length === 0) return '';
  const more = reasons.length > MOST_REASONS ? ` and ${reasons.length - MOST_REASONS} more` : '';
  return `: ${reasons.slice(0, MOST_REASONS).join(', ')}${more}`;
}

function changedObjects({ objects }: PlannedPart, changes: readonly ChangeKind[]): string {
  return changes.flatMap((change) => {
    const isSame = change === ChangeKind.CHANGED;
    const found = objects.filter((object) => object.change === change);
    const fields = isSame ? [...new Set(found.flatMap((object) => object.fields.map(({ path }) => fieldText(path))))] : [];
    const texts = fields.length > 0 ? fields : found.map(({ name }) => name);
    const what = isSame ? 'changed without effect' : change;
    return texts.length === 0 ? [] : `${what}: ${texts.slice(0, MOST_REASONS).join(', ')}${texts.length > MOST_REASONS ? ` and ${texts.length - MOST_REASONS} more` : ''}`;
  }).join('; ');
}
