import * as path from 'node:path';
import { builtDeliveries, deliveredFolders, deliveriesIn, objectKey, placedKey, PlacedDelivery } from './file-appliers';
import { distinctUnits, sameContent } from './kustomize-units';
import { ManifestState, pathWithin } from './manifest-state';
import { FileContent, StateContent } from './state-content';
import { ManifestObject, nameOf } from '../objects/manifest-object';
import { decode, readText } from '../objects/manifest-text';
import { ChartRender } from '../rules/delivery-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../systems/providers';
import { fieldAt, objectsAt, sameValue, stringAt } from '../values/fields';

/** A chart of the repository, as a delivery installs it. */
export interface ChartUnit {
  /** The same for the same unit of another state; units of deliveries that have one name in several clusters share it. */
  readonly key: string;

  /** The path of the file that holds its delivery. */
  readonly origins: readonly [string];
  readonly folder: string;

  /** The file that its objects are in, once it is rendered. */
  readonly file: string;
  readonly delivery: ManifestObject;
  readonly render: ChartRender;

  /** The files of the chart, by their paths below it, with the charts of the repository that it depends on. */
  readonly chart: StateContent;

  /** Values, those of the last one over those before. */
  readonly values: readonly FileContent[];

  /** Number of values that are files of the repository, which are the first ones. */
  readonly valuesFiles: number;

  /** All files that it reads. */
  readonly paths: ReadonlySet<string>;

  /** Reason that it is not rendered. */
  readonly fault?: string;
}

/** True if two units render the same. */
export function sameChart(one: ChartUnit, other: ChartUnit): boolean {
  return one.fault === other.fault && sameValue(one.render, other.render) && sameContent(one.chart, other.chart)
    && one.values.length === other.values.length && one.values.every((value, index) => value.bytes.equals(other.values[index].bytes));
}

/**
 * A chart as it is installed after another state: the former one, where its version is the same and it is not packed anew. Undefined if it is
 * installed as it is.
 */
export function keptChart(former: ChartUnit, unit: ChartUnit): ChartUnit | undefined {
  const { render: { packedFor }, values, valuesFiles } = unit;
  if (packedFor === undefined || packedFor !== former.render.packedFor || former.fault !== undefined || unit.fault !== undefined) return undefined;
  const [was, is] = [former, unit].map(({ chart }) => ['name', 'version'].map((field) => fieldAt(metadataOf(chart), field)));
  if (!sameValue(was, is)) return undefined;
  const ofFormer = former.values.slice(0, former.valuesFiles);
  return { ...unit, chart: former.chart, values: [...ofFormer, ...values.slice(valuesFiles)], valuesFiles: ofFormer.length };
}

/** An address, or a path of another source. */
const ELSEWHERE = /^[^/]*:/;
const LOCAL = 'file://';

/**
 * The charts of a state that its deliveries install from folders that were read.
 *
 * @param state the state
 * @param content its files
 */
export function chartUnits(state: ManifestState, content: StateContent): readonly ChartUnit[] {
  const charts = new Set((state.charts ?? []).map((folder) => pathWithin(state, folder) || '.'));
  if (charts.size === 0) return [];
  return distinctUnits(renderedFolders(state).flatMap(({ folder, delivery, path: origin, render }) => (
    charts.has(folder) ? [unitOf(folder, { object: delivery, path: origin }, render, content)] : [])), state);
}

/** A folder with a chart, as a delivery installs it. */
export interface RenderedFolder {
  readonly folder: string;
  readonly delivery: ManifestObject;

  /** The path of the file that holds the delivery. */
  readonly path: string;
  readonly render: ChartRender;
}

/** The folders that deliveries of a state install as charts, as far as they were read. */
export function renderedFolders(state: ManifestState): readonly RenderedFolder[] {
  const index = new ManifestIndex(state.objects.map(({ object }) => object));
  const renders = new Map(state.objects.filter(({ pack }) => !pack).flatMap(({ object }) => {
    const render = deliveryFacts(object)?.renders?.(object, index);
    return render ? [[object, render] as const] : [];
  }));
  if (renders.size === 0) return [];
  const built = builtDeliveries(state);
  const rendering = state.objects.filter(({ object }) => renders.has(object))
    .map(({ object, place }) => ({ object, path: pathWithin(state, place.file) })).filter((one) => !built.has(placedKey(one)));
  const others = deliveriesIn(state).filter(({ object }) => !renders.has(object));
  const folders = deliveredFolders(state, [...others, ...rendering], (object) => {
    const render = renders.get(object);
    return render ? [render] : deliveryFacts(object)?.folders?.(object) ?? [];
  });
  return folders.flatMap(([folder, { delivery, path: origin }]) => {
    const render = renders.get(delivery);
    return render ? [{ folder, delivery, path: origin, render }] : [];
  });
}

function unitOf(folder: string, { object: delivery, path: origin }: PlacedDelivery, render: ChartRender, content: StateContent): ChartUnit {
  const faults = render.fault === undefined ? [] : [render.fault];
  const paths = new Set<string>();
  const chart = chartFiles(folder, content, paths, faults);
  const values = render.values.flatMap((value): FileContent[] => {
    if ('text' in value) return [{ bytes: Buffer.from(value.text) }];
    const at = valuesPath(value, folder, render);
    const found = ELSEWHERE.test(value.file) ? undefined : content.get(at);
    if (found) paths.add(at);
    else if (!value.isOptional) faults.push(`${at} is not among the files that are read`);
    return found ? [found] : [];
  });
  return {
    key: `chart ${objectKey(delivery)}`,
    origins: [origin],
    folder,
    file: `${path.posix.join(folder, 'Chart.yaml')} (${String(delivery.kind)} ${nameOf(delivery) ?? ''})`,
    delivery,
    render,
    chart,
    values,
    valuesFiles: values.length - render.values.filter((value) => 'text' in value).length,
    paths,
    fault: faults[0],
  };
}

/** The path of a file with values of a chart in a folder. */
export function valuesPath({ file, ofSource }: { readonly file: string; readonly ofSource?: boolean }, folder: string, render: ChartRender): string {
  const own = path.posix.normalize(render.path).replace(/^\.\/|\/$/g, '');
  const top = folder.endsWith(own) ? folder.slice(0, folder.length - own.length) : '';
  return path.posix.join(ofSource ? top || '.' : folder, file);
}

/** The content of `Chart.yaml`. */
function metadataOf(chart: StateContent): unknown {
  const decoded = decode(chart.get('Chart.yaml')?.bytes ?? Buffer.alloc(0));
  return 'text' in decoded ? readText(decoded.text).documents[0]?.value : undefined;
}

/** The files of a chart, with those of charts beside it that it depends on. */
function chartFiles(folder: string, content: StateContent, paths: Set<string>, faults: string[], around: readonly string[] = []): StateContent {
  const start = folder === '.' ? '' : `${folder}/`;
  const files = new Map([...content].filter(([file]) => file.startsWith(start)).map(([file, bytes]) => [file.slice(start.length), bytes]));
  files.forEach((_, file) => paths.add(`${start}${file}`));
  for (const [dependency] of objectsAt(metadataOf(files), 'dependencies')) {
    const [name, repository] = [stringAt(dependency, 'name') ?? '', stringAt(dependency, 'repository') ?? ''];
    if (!repository.startsWith(LOCAL)) continue;
    const at = path.posix.join(folder, repository.slice(LOCAL.length)).replace(/(?<=.)\/$/, '');
    if (at.startsWith('..') || around.includes(at) || name === '' || /[/\\]|^\.+$/.test(name)) {
      faults.push(`the chart depends on ${at}, which is not among the files that are read`);
      continue;
    }
    for (const [file, bytes] of chartFiles(at, content, paths, faults, [...around, folder])) files.set(`charts/${name}/${file}`, bytes);
  }
  return files;
}
