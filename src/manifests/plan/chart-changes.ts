import * as path from 'node:path';
import { renderedFolders, RenderedFolder, valuesPath } from '../landscape/chart-units';
import { objectKey } from '../landscape/file-appliers';
import { ManifestState, pathWithin } from '../landscape/manifest-state';
import { ReadObject } from '../landscape/placed-objects';
import { ManifestObject } from '../objects/manifest-object';
import { ChangeEffect, Effect } from '../rules/changes/effects';
import { FieldChange, fieldChanges } from '../rules/changes/field-changes';
import { fieldAt, Fields, fieldText, isFields, objectsAt, sameValue, stringAt } from '../values/fields';

/** Changes of charts of the repository that do nothing but install other charts. */
export interface ChartChanges {
  /** Files whose changes are told. */
  readonly files: ReadonlySet<string>;

  /** Effects by the deliveries that install the charts; see `placedDelivery`. */
  readonly effects: ReadonlyMap<string, readonly ChangeEffect[]>;
}

/** An object in the file that it stands in, as a key. */
export function placedDelivery(object: ManifestObject, file: string): string {
  return JSON.stringify([objectKey(object), file]);
}

/**
 * Changes of dependencies of charts, and of values for them. What they do follows from the other charts, as where a delivery names one of a registry.
 * Values that templates of the chart itself read are left out, and so are charts of the repository that one depends on.
 */
export function chartChanges(before: ManifestState, after: ManifestState): ChartChanges {
  const files = new Set<string>();
  const effects = new Map<string, readonly ChangeEffect[]>();
  const [old, now] = [before, after].map((state) => (state.unread ?? []).some(({ file }) => path.basename(file) === 'Chart.yaml') ? new StateCharts(state) : undefined);
  for (const { folder, delivery, path: file, render } of old && now ? now.folders : []) {
    const former = old!.folders.find((one) => one.folder === folder && objectKey(one.delivery) === objectKey(delivery));
    if (!former) continue;
    const found = now!.filesOf({ folder, delivery, path: file, render })
      .flatMap((one) => changeOf(one, folder, [old!, now!]).map((reasons) => ({ file: one, reasons })));
    if (found.length === 0) continue;
    found.forEach((one) => files.add(one.file));
    const reasons = found.flatMap((one) => one.reasons);
    const isKept = render.packedFor !== undefined && render.packedFor === former.render.packedFor
      && sameValue(fieldAt(old!.metadataOf(folder), 'version'), fieldAt(now!.metadataOf(folder), 'version'));
    effects.set(placedDelivery(delivery, file), isKept
      ? [{ effect: Effect.LATER, reasons: ['it keeps the chart that it has until the version in Chart.yaml changes', ...reasons] }]
      : [{ effect: Effect.RELEASE, reasons }]);
  }
  return { files, effects };
}

/** The charts of a state. */
class StateCharts {
  public readonly folders: readonly RenderedFolder[];
  private readonly values = new Map<string, unknown[]>();
  private readonly texts: readonly (readonly [file: string, text: string])[];

  public constructor(state: ManifestState) {
    this.folders = renderedFolders(state);
    for (const { file, value } of state.unread ?? []) {
      const at = pathWithin(state, file);
      this.values.set(at, [...this.values.get(at) ?? [], value]);
    }
    this.texts = [
      ...[...this.values].flatMap(([file, values]) => values.filter((value) => typeof value === 'string').map((text) => [file, text] as const)),
      ...state.inputs ?? [],
    ];
  }

  /** The only document of a file. */
  public valueOf(file: string): unknown {
    const values = this.values.get(file) ?? [];
    return values.length === 1 ? values[0] : undefined;
  }

  public metadataOf(folder: string): unknown {
    return this.valueOf(path.posix.join(folder, 'Chart.yaml'));
  }

  /** The files of a chart that a delivery installs which have dependencies and values, and the list of what was found for them. */
  public filesOf({ folder, render }: RenderedFolder): string[] {
    const values = render.values.flatMap((value) => ('text' in value ? [] : valuesPath(value, folder, render)));
    return [...new Set([...['Chart.yaml', 'Chart.lock', 'values.yaml'].map((name) => path.posix.join(folder, name)), ...values])];
  }

  /** The charts that one depends on, by the keys of their values; undefined if one is not of a registry or repository. */
  public dependenciesOf(folder: string): ReadonlySet<string> | undefined {
    const found = objectsAt(this.metadataOf(folder), 'dependencies').map(([one]) => one);
    const isElsewhere = ({ repository }: Fields) => typeof repository === 'string' && /^(https?|oci):/.test(repository);
    return found.length > 0 && found.every(isElsewhere) ? new Set(found.map((one) => stringAt(one, 'alias') ?? stringAt(one, 'name') ?? '')) : undefined;
  }

  /** True if a template of the chart reads values of a key. */
  public readsItself(folder: string, key: string): boolean {
    return this.texts.some(([file, text]) => file.startsWith(`${path.posix.join(folder, 'templates')}/`) && text.includes(key));
  }

  public textOf(file: string): string | undefined {
    return this.texts.find(([one]) => one === file)?.[1];
  }
}

/** Reasons for the change of a file; none if it has not changed, or its effect does not follow from other charts alone. */
function changeOf(file: string, folder: string, states: readonly [StateCharts, StateCharts]): readonly (readonly string[])[] {
  const dependencies = states.map((state) => state.dependenciesOf(folder));
  if (dependencies.includes(undefined)) return [];
  if (file.endsWith('Chart.lock')) return states[0].textOf(file) === states[1].textOf(file) ? [] : [[]];
  const [was, is] = states.map((state) => state.valueOf(file));
  const changes = isFields(was) && isFields(is) ? fieldChanges(was, is) : [];
  if (changes.length === 0) return [];
  if (path.posix.basename(file) === 'Chart.yaml') return [changes.flatMap(dependencyReasons)];
  const isOfOther = ({ path: [key] }: FieldChange) => (
    (key === 'global' || dependencies.some((known) => known!.has(String(key)))) && !states.some((state) => state.readsItself(folder, String(key))));
  return changes.every(isOfOther) ? [changes.map((change) => `values ${fieldText(change.path)}`)] : [];
}

function dependencyReasons({ path: [field, name, inner], before, after }: FieldChange): string[] {
  if (field === 'version') return [`version ${String(before)} -> ${String(after)}`];
  if (field !== 'dependencies') return [];
  if (inner === undefined) {
    const versionOf = (one: unknown) => `chart ${stringAt(one, 'name') ?? String(name)} ${stringAt(one, 'version') ?? ''}`.trim();
    return isFields(after) ? [`${versionOf(after)} added`] : isFields(before) ? [`${versionOf(before)} removed`] : ['dependencies'];
  }
  const words = `${String(before)} -> ${String(after)}`;
  return [inner === 'version' ? `chart ${String(name)} ${words}` : `chart ${String(name)} ${fieldText([inner])}`];
}

/** A difference that may be of a delivery. */
interface DeliveryDifference {
  readonly after?: ManifestObject;
  readonly charts?: readonly ChangeEffect[];
}

/**
 * Differences with those of deliveries whose charts change, also where they are the same.
 *
 * @param found the differences
 * @param states the objects of both states
 * @param effects the effects of charts
 * @param sameObject makes the difference of an object that is the same
 */
export function withChartChanges<T extends DeliveryDifference>(
  found: readonly T[], { before, after }: { readonly before: readonly ReadObject[]; readonly after: readonly ReadObject[] },
  { effects, pathOf }: Pick<ChartChanges, 'effects'> & { readonly pathOf: (read: ReadObject) => string }, sameObject: (was: ReadObject, read: ReadObject) => T,
): readonly T[] {
  if (effects.size === 0) return found;
  const charts = new Map(after.flatMap((read) => {
    const own = effects.get(placedDelivery(read.object, pathOf(read)));
    return own ? [[read.object, { read, own }] as const] : [];
  }));
  const differing = new Set(found.map((difference) => difference.after));
  const same = [...charts].flatMap(([object, { read }]) => {
    const was = differing.has(object) ? undefined : before.find((one) => objectKey(one.object) === objectKey(object));
    return was ? [sameObject(was, read)] : [];
  });
  return [...found, ...same].map((difference) => {
    const own = difference.after && charts.get(difference.after)?.own;
    return own === undefined ? difference : { ...difference, charts: own };
  });
}
