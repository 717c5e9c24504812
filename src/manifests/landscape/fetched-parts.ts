import * as path from 'node:path';
import { FileContent, StateContent } from './state-content';
import { groupOf, isManifestObject, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { valuesIn } from '../objects/manifest-text';
import { Fields, isFields, listAt, objectsAt, stringAt } from '../values/fields';

/** Entries that may be an address: kustomize would fetch them. Source: kubernetes-sigs/kustomize api/internal/loader/fileloader.go (IsRemoteFile). */
export const ADDRESS = /^[^/]*[:@]|\/\/|\?ref=/;

/** Fields of charts that kustomize has Helm fetch and render, if the user allows it. */
export const CHART_FIELDS: readonly string[] = ['helmCharts', 'helmGlobals'];

/** Lists whose entries may be addresses. */
const LISTS: readonly string[] = ['bases', 'resources'];

/** Fields that change nothing of what is fetched. */
const BESIDE: readonly string[] = [...LISTS, 'apiVersion', 'components', 'configMapGenerator', 'crds', 'generatorOptions', 'kind', 'metadata', 'openapi', 'secretGenerator'];

/** A kustomization, and what only a network has of it. */
interface DividedKustomization {
  /** The kustomization without charts and addresses. */
  readonly local: Fields;

  /** Charts with their values, addresses, and the fields that change what comes of them. */
  readonly fetched: Fields;

  /** The files with values of charts. */
  readonly files: readonly string[];
}

/** Divides a kustomization; undefined if it fetches nothing. */
export function withoutFetched(folder: string, value: Fields, content: StateContent): DividedKustomization | undefined {
  const isAddress = (entry: unknown) => typeof entry === 'string' && ADDRESS.test(entry) && !entry.includes('\n');
  const fields = LISTS.filter((field) => listAt(value, field).some(isAddress));
  const charts = objectsAt(value, 'helmCharts').map(([chart]) => ({ chart, files: valuesFilesOf(folder, chart).filter((file) => content.has(file)) }));
  if (fields.length === 0 && charts.length === 0) return undefined;
  const left = Object.entries(value).filter(([field]) => !CHART_FIELDS.includes(field));
  return {
    // An empty list is a kustomization, and none is not.
    local: {
      ...Object.fromEntries(left),
      resources: [],
      ...Object.fromEntries(LISTS.flatMap((field) => (
        value[field] === undefined ? [] : [[field, listAt(value, field).filter((entry) => !isAddress(entry))]]))),
    },
    fetched: {
      ...Object.fromEntries(left.filter(([field]) => !BESIDE.includes(field))),
      ...Object.fromEntries(fields.map((field) => [field, listAt(value, field).filter(isAddress)])),
      ...(charts.length > 0 && {
        helmCharts: charts.map(({ chart, files }) => (
          { ...chart, ...(files.length > 0 && { values: files.flatMap((file) => valuesIn(content.get(file)!.bytes.toString())) }) })),
      }),
    },
    files: charts.flatMap(({ files }) => files),
  };
}

function valuesFilesOf(folder: string, chart: Fields): string[] {
  return [stringAt(chart, 'valuesFile'), ...listAt(chart, 'additionalValuesFiles')].flatMap((file) => (typeof file === 'string' ? [path.posix.join(folder, file)] : []));
}

/**
 * A kustomization whose patches are for objects that may be among what is not fetched. One that names its object itself fails without it; one that
 * selects it does not.
 *
 * Source: kubernetes-sigs/kustomize api/internal/builtins/PatchTransformer.go (transformStrategicMerge), v0.21.2; api/types/selector.go, whose
 * fields are regular expressions, and select all if they are empty.
 */
export function withSelectingPatches(folder: string, value: Fields, files: ReadonlyMap<string, FileContent>): Fields {
  const merged = listAt(value, 'patchesStrategicMerge').flatMap((entry): Fields[] => (
    typeof entry === 'string' ? [{ [entry.includes('\n') ? 'patch' : 'path']: entry }] : []));
  const patches = [...objectsAt(value, 'patches').map(([entry]) => entry), ...merged];
  if (patches.length === 0) return value;
  const { patchesStrategicMerge: _, ...others } = value;
  return {
    ...others,
    patches: patches.flatMap((entry) => {
      const text = stringAt(entry, 'patch') ?? files.get(path.posix.join(folder, stringAt(entry, 'path') ?? ''))?.bytes.toString() ?? '';
      const objects = isFields(entry.target) ? [] : valuesIn(text);
      if (objects.length === 0 || !objects.every(isNamed)) return [entry];
      const { path: file, ...settings } = entry;
      return objects.map((one) => ({ ...settings, patch: JSON.stringify(one), target: selectorOf(one) }));
    }),
  };
}

function isNamed(patch: unknown): patch is ManifestObject {
  return isManifestObject(patch) && nameOf(patch) !== undefined;
}

/** Selector of the one object that a patch names. */
function selectorOf(patch: ManifestObject): Fields {
  const namespace = namespaceOf(patch);
  const given = { group: groupOf(patch), kind: String(patch.kind), name: nameOf(patch)!, ...(namespace !== undefined && { namespace }) };
  return Object.fromEntries(Object.entries(given).map(([field, text]) => [field, exactly(text)]));
}

/** Regular expression of a text. */
function exactly(text: string): string {
  return text === '' ? '^$' : text.replace(/[^\w-]/g, '\\$&');
}
