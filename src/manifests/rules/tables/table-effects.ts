import { entryOf, KindTable, partsOf, TableEffect, TableTurn } from './provider-table';
import { refusedChanges } from './table-changes';
import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, isSet } from '../../values/fields';
import { parseSemanticVersion } from '../../values/semantic-version';
import { ChangeEffect, Effect, EffectsOf, groupEffects, reason, withVariables } from '../changes/effects';
import { FieldChange, fieldChanges } from '../changes/field-changes';
import { MachinePoolFacts, MachinePoolField } from '../cluster-facts';
import { referencesOf } from '../references/object-references';

const EFFECTS: Readonly<Record<TableEffect, Effect>> = {
  'refused': Effect.REFUSED,
  'refused once set': Effect.REFUSED,
  'refused while set': Effect.REFUSED,
  'refused to unset': Effect.REFUSED,
  'machines': Effect.MACHINES,
  'pods': Effect.PODS,
  'fails later': Effect.FAILING,
  'scaled': Effect.SCALED,
  'in place': Effect.IN_PLACE,
  'new only': Effect.LATER,
  'unknown': Effect.UNKNOWN,
};

/** The address of the API server: Cluster API copies it to the Cluster once. */
const ENDPOINT = 'spec.controlPlaneEndpoint';

/**
 * Effects of changes of an object, by a table. Cluster API reads annotations and fields of providers' objects, and no labels.
 *
 * @param table the kind
 * @param defaults values that the definition sets, by path
 */
export function tableEffects(table: KindTable, defaults?: Readonly<Record<string, unknown>>): EffectsOf {
  return ({ before, after, templateReasons }) => {
    const changes = partsOf(fieldChanges(before, after), table);
    if (before.apiVersion !== after.apiVersion) return versionEffects(changes);
    const refused = new Set(refusedChanges(before, after, table, defaults).map(({ change }) => change.path.join('.')));
    const [old, now] = [before, after].map((object) => referencesOf(object).at(0));
    const template = (old ?? now)?.path.join('.');
    const isOther = old?.reference.kind !== now?.reference.kind || old?.reference.name !== now?.reference.name;
    return groupEffects([
      ...(isOther ? [{ effect: templateEffect(table, (old ?? now)!.path, after), reasons: templateReasons(old?.reference, now?.reference) }] : []),
      ...changes.filter(({ path }) => template === undefined || !isWithin(path.join('.'), template)).map((change) => effectOf(change, table, after, refused)),
    ]);
  };
}

/** Effect of another machine template: control planes replace their machines, unless the table says that they do not. */
function templateEffect({ changes = [] }: KindTable, path: FieldPath, after: ManifestObject): Effect {
  const entry = entryOf(changes, path, after);
  return entry?.path.length === path.length ? EFFECTS[entry.effect] : Effect.MACHINES;
}

/** Fields of another version of the API may have other places. */
function versionEffects(changes: readonly FieldChange[]): ChangeEffect[] {
  const others = changes.filter(({ path }) => path[0] !== 'apiVersion' && path[0] !== 'metadata');
  return [{ effect: others.length === 0 ? Effect.IN_PLACE : Effect.UNKNOWN, reasons: changes.map((change) => reason(change)) }];
}

function effectOf(change: FieldChange, table: KindTable, after: ManifestObject, refused: ReadonlySet<string>): ChangeEffect {
  const key = change.path.join('.');
  const entry = entryOf(table.changes ?? [], change.path, after);
  const written = reason({ ...change, path: change.path[0] === 'spec' && change.path.length > 1 ? change.path.slice(1) : change.path });
  const reasons = [entry?.says === undefined ? written : `${written} (${entry.says})`];
  if (!entry && isWithin(key, 'metadata')) return { effect: isWithin(key, 'metadata.annotations') && table.role !== 'controlPlane' ? Effect.UNKNOWN : Effect.IN_PLACE, reasons };
  if (table.role === 'cluster' && isWithin(key, ENDPOINT) && !refused.has(key)) return { effect: Effect.LATER, reasons: [`${written} (the Cluster, nodes and kubeconfigs keep the former address)`] };
  if (key === 'spec.version' && table.version?.patch && isOtherPatch(change)) return { effect: EFFECTS[table.version.patch], reasons: [written] };
  if (!entry) return { effect: Effect.UNKNOWN, reasons };
  const effect = EFFECTS[entry.effect];
  const waits = effect === Effect.MACHINES && table.onDelete !== undefined && fieldAt(after, ...table.onDelete.split('.')) === 'OnDelete';
  if (waits) return { effect: Effect.LATER, reasons: reasons.map((text) => `${text} (each machine when it is deleted by hand)`) };
  return { effect: effect === Effect.REFUSED && !refused.has(key) ? Effect.IN_PLACE : withVariables(effect, change), reasons };
}

function isOtherPatch({ before, after }: FieldChange): boolean {
  const [old, now] = [before, after].map((version) => parseSemanticVersion(String(version)));
  return old !== undefined && now !== undefined && old.major === now.major && old.minor === now.minor;
}

function isWithin(key: string, prefix: string): boolean {
  return key === prefix || key.startsWith(`${prefix}.`);
}

/**
 * Effects of the infrastructure of a MachinePool, by a table.
 *
 * @param table the kind of the infrastructure
 */
export function machinePoolFacts(table: KindTable): MachinePoolFacts {
  return {
    effectOf: (field: MachinePoolField, infrastructure: ManifestObject) => {
      const entry = entryOf(table.changes ?? [], ['machinePool', field], infrastructure);
      return entry && { effect: EFFECTS[entry.effect], says: entry.says };
    },
    atATime: (infrastructure, size) => table.turn && machinesAtATime(table.turn, infrastructure, size),
  };
}

function machinesAtATime({ surge = [0], unavailable = [0], healthy }: TableTurn, infrastructure: ManifestObject, size: number): number | undefined {
  const amounts = [amountOf(surge, infrastructure, size, Math.ceil), amountOf(unavailable, infrastructure, size, Math.floor)];
  const healthiest = healthy && numberIn(healthy, infrastructure);
  if (typeof healthiest === 'number') amounts.push(Math.floor((100 - healthiest) * size / 100));
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  return Number.isNaN(sum) ? undefined : Math.max(1, Math.min(sum, size));
}

function amountOf(fields: readonly (string | number)[], object: ManifestObject, size: number, round: (amount: number) => number): number {
  const value = numberIn(fields, object);
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value) : undefined;
  return percent ? round(Number(percent[1]) * size / 100) : Number(value);
}

/** The first field that is set, or the default. */
function numberIn(fields: readonly (string | number)[], object: ManifestObject): unknown {
  for (const field of fields) {
    if (typeof field === 'number') return field;
    const isPercentage = field.endsWith('%');
    const value = fieldAt(object, ...field.replace(/%$/, '').split('.'));
    if (isSet(value)) return isPercentage ? `${String(value)}%` : value;
  }
  return undefined;
}
