import * as path from 'node:path';
import { Difference } from './paired-objects';
import { ChangeKind, UnreadFile } from './plan-model';
import { namesWords } from './plan-words';
import { ADDRESS } from '../landscape/fetched-parts';
import { APPLIED, KustomizeTree } from '../landscape/kustomize-lists';
import { bothMade } from '../landscape/made-objects';
import { inputFiles, ManifestState, pathWithin } from '../landscape/manifest-state';
import { compareTexts } from '../landscape/place';
import { ManifestObject, nameOf } from '../objects/manifest-object';
import { FieldChange, fieldChanges } from '../rules/changes/field-changes';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../systems/providers';
import { fieldText, sameValue } from '../values/fields';
import { hideSecretParts } from '../values/secret-text';

/** Content of a file of a chart that only Helm can read. */
const TEMPLATE = 'template of a chart';

/** Content of a file that is not compared as objects. */
interface Unread extends Pick<UnreadFile, 'what' | 'fails'> {
  readonly values: readonly unknown[];
}

/**
 * Files that differ, and whose content is not compared as objects: what happens because of them does not follow from the plan.
 *
 * @param before the earlier state
 * @param after the later state
 */
export function unreadFiles(before: ManifestState, after: ManifestState): UnreadFile[] {
  const [old, now] = [before, after].map(unreadIn);
  // The objects that are made of them are compared.
  const { files: made, objects } = bothMade(before, after);
  const all = objects.flat().filter(({ pack }) => !pack).map(({ object }) => object);
  const differing = [...new Set([...old.keys(), ...now.keys()])]
    .filter((file) => !made.has(file) && !sameValue(old.get(file)?.values ?? [], now.get(file)?.values ?? []));
  let takers: readonly Taker[] | undefined;
  const [oldFiles, nowFiles] = differing.length === 0 ? [] : [before, after].map(filesOf);
  return wholeCharts(differing.map((file) => {
    const [was, is] = [old.get(file), now.get(file)];
    const change = !oldFiles.has(file) ? ChangeKind.CREATED : nowFiles.has(file) ? ChangeKind.CHANGED : ChangeKind.REMOVED;
    const fields = was?.values.length === 1 && is?.values.length === 1 ? fieldChanges(was.values[0], is.values[0]) : [];
    const reasons = [takenBy(file, takers ??= takersIn(all)), after.unbuilt?.get(file)].filter((one) => one !== undefined);
    const what = [(is ?? was)!.what, ...reasons].join(', ');
    const shown = [...new Set(fields.map(unreadField))].filter((field) => field !== '');
    return { file, change, what, fields: shown, ...(is?.fails && { fails: is.fails }) };
  }));
}

/** A field that differs; of what kustomize would fetch, with its addresses. */
function unreadField({ path: field, before, after }: FieldChange): string {
  const isFetched = APPLIED.includes(String(field[0])) && [before, after].some((entry) => typeof entry === 'string' && ADDRESS.test(entry));
  const [was, is] = [before, after].map((entry) => (typeof entry === 'string' ? hideSecretParts(entry) : 'none'));
  if (isFetched) return `${fieldText(field)} ${was} -> ${is}, which is not read`;
  return field.at(-1) === 'version' ? `${fieldText(field)} ${was} -> ${is}` : fieldText(field);
}

/** A delivery, and the files and folders of charts that it reads, from the top of its repository. */
interface Taker {
  readonly name: string;
  readonly files: readonly string[];
  readonly folder?: string;
}

function takersIn(objects: readonly ManifestObject[]): readonly Taker[] {
  const index = new ManifestIndex(objects);
  return objects.flatMap((object) => {
    const facts = deliveryFacts(object);
    const folder = facts?.renders?.(object, index)?.path.replace(/^\.?\/|\/$/g, '');
    const files = facts?.valuesFiles?.(object) ?? [];
    return folder || files.length > 0 ? [{ name: `${String(object.kind)} ${nameOf(object)}`, files, ...(folder && { folder }) }] : [];
  });
}

/** The deliveries that read a file of a chart, or with values of one, in words. */
function takenBy(file: string, takers: readonly Taker[]): string | undefined {
  const isSame = (one: string) => one === file || file.endsWith(`/${one}`) || one.endsWith(`/${file}`);
  const isIn = (folder: string | undefined) => folder !== undefined && (file.startsWith(`${folder}/`) || file.includes(`/${folder}/`));
  const names = new Set(takers.filter(({ files, folder }) => files.some(isSame) || isIn(folder)).map(({ name }) => name));
  return names.size === 0 ? undefined : `read by ${namesWords([...names])}`;
}

/**
 * Two states without the objects of files that are templates of charts in one of them: without Helm, it is not known what they make in both.
 *
 * @param states both states
 */
export function withoutTemplates(states: readonly [ManifestState, ManifestState]): readonly [ManifestState, ManifestState] {
  const isTemplate = ({ what }: { readonly what: string }) => what === TEMPLATE;
  const templates = states.map((state) => new Set((state.unread ?? []).filter(isTemplate).map(({ file }) => pathWithin(state, file))));
  if (templates.every(({ size }) => size === 0)) return states;
  const [before, after] = states.map((state, index) => {
    const others = templates[1 - index];
    const objects = state.objects.filter(({ place }) => !others.has(pathWithin(state, place.file)));
    return objects.length === state.objects.length ? state : { ...state, objects };
  });
  return [before, after];
}

/** Files with one for all of a chart that is new or gone. */
function wholeCharts(files: readonly UnreadFile[]): UnreadFile[] {
  const charts = files.filter(({ file, change }) => change !== ChangeKind.CHANGED && path.posix.basename(file) === 'Chart.yaml')
    .sort((one, other) => one.file.length - other.file.length);
  const chartOf = ({ file, change }: UnreadFile) => charts.find((chart) => chart.change === change && file.startsWith(`${path.posix.dirname(chart.file)}/`));
  const sizes = new Map<UnreadFile | undefined, number>();
  files.forEach((file) => sizes.set(chartOf(file), (sizes.get(chartOf(file)) ?? 0) + 1));
  return files.flatMap((file) => {
    const chart = chartOf(file);
    if (chart === undefined) return [file];
    const size = sizes.get(chart)!;
    return file === chart ? [{ ...file, what: size === 1 ? file.what : file.what.replace(/^[^,]*/, (nature) => `${nature} of ${size} files`) }] : [];
  });
}

/**
 * Kustomizations that are the same, and change objects that differ before they are applied.
 *
 * @param differences what differs
 * @param before the earlier state
 * @param after the later state
 */
export function changingKustomizations(differences: readonly Difference[], before: ManifestState, after: ManifestState): UnreadFile[] {
  const files = [before, after].map((state, index) => {
    const tree = new KustomizeTree((state.kustomizations ?? []).map((one) => ({ ...one, file: pathWithin(state, one.file) })));
    const differing = new Set(differences.flatMap(({ files: [old, now] }) => (index === 0 ? old : now) ?? []));
    return new Set([...differing].flatMap((file) => tree.changersOf(file)).map(({ file }) => file));
  });
  return [...new Set(files.flatMap((found) => [...found]))]
    .map((file) => {
      const reason = after.unbuilt?.get(file);
      const what = `input of kustomize, which changes what differs before it is applied${reason === undefined ? '' : `, ${reason}`}`;
      return { file, change: undefined, what, fields: [] };
    });
}

/** Files in their order, each once. */
export function sortedFiles(files: readonly UnreadFile[]): UnreadFile[] {
  const found = new Map<string, UnreadFile>();
  for (const file of files) if (!found.has(file.file)) found.set(file.file, file);
  return [...found.values()].sort((one, other) => compareTexts(one.file, other.file));
}

function unreadIn(state: ManifestState): ReadonlyMap<string, Unread> {
  const found = new Map<string, Unread & { readonly values: unknown[] }>();
  const inputs = inputFiles([state]);
  for (const { file, value, isTooling, ...one } of state.unread ?? []) {
    const name = pathWithin(state, file) || path.basename(file);
    if (isTooling && !inputs.has(name)) continue;
    const same = found.get(name);
    if (same) same.values.push(value);
    else found.set(name, { ...one, values: [value] });
  }
  for (const [file, content] of state.inputs ?? []) found.set(file, { what: 'input of kustomize or of a chart', values: [content] });
  return found;
}

function filesOf(state: ManifestState): ReadonlySet<string> {
  const files = [...state.objects.map(({ place }) => place.file), ...state.unread ?? [], ...state.kustomizations ?? []];
  return new Set([...files.map((file) => pathWithin(state, typeof file === 'string' ? file : file.file)), ...state.inputs?.keys() ?? []]);
}
