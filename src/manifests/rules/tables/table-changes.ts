import { defaultAt, entryOf, FoundChange, isRefusal, isRefused, KindTable, partsOf, ProviderTable } from './provider-table';
import { groupKind, groupOf, ManifestObject } from '../../objects/manifest-object';
import { nodeAt } from '../../schema/schema-node';
import { FieldPath, fieldText } from '../../values/fields';
import { Finding } from '../../values/finding';
import { FieldChange, fieldChanges } from '../changes/field-changes';
import { changeWords, isUpdate, NEW_TEMPLATE } from '../changes/kept-fields';
import { loweredMinor, skippedMinor } from '../changes/pool-changes';
import { TransitionExample, TransitionRule } from '../changes/transition-rule';
import { structureOf } from '../structure/structures';

/** Versions of the examples. */
const RUNNING = 'v1.34.1';
const NEXT = 'v1.35.0';
const SKIPPED = 'v1.36.1';
const LOWER = 'v1.33.4';

/** Number of changed fields that a finding names. */
const MOST_NAMED = 3;

/** A refused change of an object. */
export interface RefusedChange {
  readonly change: FieldChange;
  readonly entry: FoundChange;
}

/**
 * The changes of an object that the API server refuses.
 *
 * @param defaults values that the definition sets, by path, for a kind whose definition is not known
 */
export function refusedChanges(
  before: ManifestObject, after: ManifestObject, table: KindTable, defaults: Readonly<Record<string, unknown>> = {},
): RefusedChange[] {
  const { changes = [] } = table;
  if (!changes.some(({ effect }) => isRefusal(effect))) return [];
  const root = structureOf(groupOf(after), String(after.kind))?.versions.get(String(after.apiVersion).split('/')[1]);
  const defaultOf = (path: FieldPath) => (root ? nodeAt(root, path)?.default : defaultAt(defaults, path));
  return partsOf(fieldChanges(before, after), table).flatMap((change) => {
    const entry = entryOf(changes, change.path, after);
    return entry && isRefused(change, entry, table, defaultOf) ? [{ change, entry }] : [];
  });
}

/** The rules over changes that follow from a table: fields that cannot be changed, and versions. */
export function tableRules(table: ProviderTable): TransitionRule[] {
  const id = `TC-CHANGE-${table.name.toUpperCase()}`;
  return [...fieldRule(table, `${id}-FIELD`), ...versionRules(table, id)];
}

function fieldRule(table: ProviderTable, id: string): TransitionRule[] {
  const refusing = kindsWhere(table, ({ changes = [] }) => changes.some(({ effect }) => isRefusal(effect)));
  if (refusing.length === 0) return [];
  const files = refusing.flatMap(([, { changes = [] }]) => changes.filter(({ effect }) => isRefusal(effect)).map(({ source }) => source.replace(/:\d+$/, '')));
  return [{
    id,
    title: `Fields that ${table.title}'s webhooks and definitions protect cannot be changed.`,
    source: `${table.project} ${table.release}: ${[...new Set(files)].map((file) => file.replace('x-kubernetes-validations of the definition', 'its definitions')).join(', ')}`,
    kinds: refusing.map(([kind]) => kind),
    example: fieldExample(table),
    check: (change) => {
      const { before, after } = change;
      if (!isUpdate(change) || !before || !after) return [];
      const kind = groupKind(after);
      return findingsOf(refusedChanges(before, after, table.kinds[kind], table.defaults?.[kind]), String(after.kind));
    },
  }];
}

/** One finding for each entry of the table. */
function findingsOf(refused: readonly RefusedChange[], kind: string): Finding[] {
  const keys = new Map<string, RefusedChange[]>();
  for (const one of refused) {
    const key = one.entry.path.join('.');
    keys.set(key, [...keys.get(key) ?? [], one]);
  }
  return [...keys.values()].map((changes) => {
    const [{ change, entry }] = changes;
    const names = changes.map((one) => fieldText(one.change.path.slice(entry.path.length)));
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    return {
      path: changes.length === 1 ? change.path : entry.path,
      message: changes.length === 1 ? changeWords(change.before, change.after) : `${names.slice(0, MOST_NAMED).join(', ')}${more} changed`,
      fix: kind.endsWith('Template') ? NEW_TEMPLATE : entry.effect === 'refused' || entry.effect === 'refused while set' ? 'put it back, or make another object' : 'put it back',
    };
  });
}

function fieldExample({ examples: { field } }: ProviderTable): TransitionExample {
  const { apiVersion, kind, before, after, corrected } = field!;
  const written = (spec: object, name = 'acme') => yamlOf(apiVersion, kind, name, spec);
  return { before: written(before), failing: written(after), corrected: corrected ? written(corrected) : written(after, 'acme-2') };
}

function yamlOf(apiVersion: string, kind: string, name: string, spec: object): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: tenant-acme\nspec: ${JSON.stringify(spec)}\n`;
}

function versionRules(table: ProviderTable, id: string): TransitionRule[] {
  const rule = (kinds: readonly (readonly [string, KindTable])[], is: 'refused' | 'trap', name: string, title: string): TransitionRule[] => (kinds.length === 0 ? [] : [{
    id: `${id}-${name}`,
    title,
    source: `${table.project} ${table.release}: ${kinds.map(([, { version }]) => version?.source).join(', ')}`,
    kinds: kinds.map(([kind]) => kind),
    ...(is === 'trap' && { trap: true }),
    example: versionExample(table, kinds[0][1], is === 'refused' && kinds.some(([, { version }]) => version?.skip) ? SKIPPED : LOWER),
    check: (change) => {
      const kind = table.kinds[groupKind((change.after ?? change.before)!)];
      const { skip, lower } = kind.version!;
      const path = versionPath(kind);
      return [
        ...(skip === is ? skippedMinor(change, path) : []),
        ...(lower === is ? loweredMinor(change, path, is === 'trap' ? 'what is stored may be too new for it' : 'the webhook refuses an older version') : []),
      ];
    },
  }]);
  const refused = kindsWhere(table, ({ version }) => version?.skip === 'refused' || version?.lower === 'refused');
  const trap = kindsWhere(table, ({ version }) => version?.lower === 'trap');
  return [
    ...rule(refused, 'refused', 'VERSION', `The minor version of a control plane of ${table.title} ${versionWords(refused)}.`),
    ...rule(trap, 'trap', 'DOWNGRADE', `The minor version of a control plane of ${table.title} must not go down: an older API server may fail to read what a newer one has stored.`),
  ];
}

function versionWords(kinds: readonly (readonly [string, KindTable])[]): string {
  return kinds.some(([, { version }]) => version?.skip) ? 'rises by one at a time' : 'must not go down';
}

/** The place of the version of Kubernetes in an object. */
function versionPath({ version }: KindTable): readonly string[] {
  return (version?.path ?? 'spec.version').split('.');
}

function versionExample({ examples: { version } }: ProviderTable, table: KindTable, failing: string): TransitionExample {
  const { apiVersion, kind, spec, build = '' } = version!;
  const [, field] = versionPath(table);
  const [before, other, corrected] = [RUNNING, failing, NEXT].map((text) => yamlOf(apiVersion, kind, 'acme', { ...spec, [field]: `${text}${build}` }));
  return { before, failing: other, corrected };
}

function kindsWhere(table: ProviderTable, holds: (kind: KindTable) => boolean): (readonly [string, KindTable])[] {
  return Object.entries(table.kinds).filter(([, kind]) => holds(kind));
}
