import { ChangeKind, ObjectChange, PartKind, PlannedCluster, PlannedEffect, PlannedPart } from './plan-model';
import { MachineCount } from '../landscape/cluster-model';
import { Effect } from '../rules/changes/effects';
import { fieldText } from '../values/fields';

/** More reasons than this would hide the first ones. */
const MOST_REASONS = 6;

/** Of the clusters that change in the same way, this many are named. */
const MOST_NAMED = 5;

/** How a cluster is called. */
export function clusterName({ namespace, name }: Pick<PlannedCluster, 'namespace' | 'name'>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The clusters to which the same happens as to the first one. */
export function othersWords(others: readonly PlannedCluster[]): string {
  return others.length === 0 ? '' : `, and so ${others.length === 1 ? 'is' : 'are'} ${namesWords(others.map(clusterName))}`;
}

/** The first of several names, and how many more there are. */
export function namesWords(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

/** How a part is called. */
export function partName({ part, name }: PlannedPart): string {
  if (part === PartKind.OTHER) return name;
  return name === '' ? part : `${part} ${name}`;
}

/** The parts of a cluster that are worth a line: of a new or removed one, those in which something happens. */
export function shownParts({ change, parts }: PlannedCluster): readonly PlannedPart[] {
  return change === ChangeKind.CHANGED ? parts : parts.filter(({ effects }) => effects.length > 0);
}

/** Lines that say what happens to a part. */
export function partLines(part: PlannedPart): string[] {
  const effects = part.effects.map((effect) => effectWords(part, effect));
  const lines = effects.length > 0 ? effects : [objectWords(part)];
  return [...lines, ...part.notes];
}

/** Whether something that runs is replaced or deleted, or may be. */
export function isDisruptive({ effect, count }: PlannedEffect, change: ChangeKind): boolean {
  if (effect === Effect.SCALED) return change === ChangeKind.REMOVED && (count?.maximum ?? 1) > 0;
  return effect === Effect.MACHINES || effect === Effect.PODS || effect === Effect.MOVED || effect === Effect.UNKNOWN;
}

/** An object and its changed fields on one line. */
export function objectLine({ change, kind, namespace, name, inTenant, fields }: ObjectChange): string {
  const paths = fields.map(({ path }) => fieldText(path));
  const shown = paths.slice(0, MOST_REASONS).join(', ');
  const more = paths.length > MOST_REASONS ? ` and ${paths.length - MOST_REASONS} more` : '';
  const who = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${inTenant ? ' in the tenant' : ''}`;
  return `${change} ${who}${paths.length > 0 ? `: ${shown}${more}` : ''}`;
}

/** A number, or from one to another. */
export function countWords({ minimum, maximum }: MachineCount, one: string, many: string): string {
  if (minimum === maximum) return `${maximum} ${maximum === 1 ? one : many}`;
  return `${minimum} to ${maximum} ${many}`;
}

function effectWords(part: PlannedPart, { effect, reasons, count, atATime }: PlannedEffect): string {
  const why = reasonWords(reasons);
  switch (effect) {
    case Effect.MACHINES: {
      const machines = count ? countWords(count, 'machine is replaced', 'machines are replaced') : 'machines are replaced';
      const turn = atATime === undefined ? ', each when it is deleted by hand' : `, ${atATime} at a time`;
      return `${machines}${count?.maximum === 0 ? '' : turn}${why}`;
    }
    case Effect.PODS: return `${count ? countWords(count, 'pod is replaced', 'pods are replaced') : 'pods are replaced'}${why}`;
    case Effect.SCALED: return scaledWords(part.change, reasons, count);
    case Effect.MOVED: return `its state is moved${why}`;
    case Effect.RELEASE: return `upgraded${why}`;
    case Effect.IN_PLACE: return `changed in place${why}`;
    case Effect.LATER: return `only what is made from then on differs${why}`;
    default: return `changed, effect unknown${why}`;
  }
}

function scaledWords(change: ChangeKind, reasons: readonly string[], count: MachineCount | undefined): string {
  if (change === ChangeKind.CREATED) return `new${count ? `, ${countWords(count, 'machine', 'machines')}` : ''}`;
  if (change === ChangeKind.REMOVED) return `removed: ${count ? countWords(count, 'machine is deleted', 'machines are deleted') : 'its machines are deleted'}`;
  return `scaled${reasonWords(reasons)}`;
}

function reasonWords(reasons: readonly string[]): string {
  if (reasons.length === 0) return '';
  const more = reasons.length > MOST_REASONS ? ` and ${reasons.length - MOST_REASONS} more` : '';
  return `: ${reasons.slice(0, MOST_REASONS).join(', ')}${more}`;
}

function objectWords({ objects }: PlannedPart): string {
  return Object.values(ChangeKind).flatMap((change) => {
    const names = objects.filter((object) => object.change === change).map(({ name }) => name);
    return names.length === 0 ? [] : `${change}: ${names.slice(0, MOST_REASONS).join(', ')}${names.length > MOST_REASONS ? ` and ${names.length - MOST_REASONS} more` : ''}`;
  }).join('; ');
}
