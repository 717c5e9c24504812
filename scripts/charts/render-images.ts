import { CHART_IMAGE_KEYS, ChartImageKeys, ImageKeys } from './image-keys';
import { ChartRenders, ReferenceChart } from './reference';
import { Rows, rowsOf } from './tables';
import { ChartEntry, ChartImage } from '../../src/manifests/images/chart-image-entry';

/** Values of keys without a default. */
const NOTHING: readonly unknown[] = ['null', '', null, undefined];

/** Conditions whose default `values.yaml` leaves to the templates. */
const TEMPLATE_DEFAULTS: Readonly<Record<string, boolean>> = { 'envoy.enabled': true, 'grafana.initChownData.enabled': true };

/** The images of charts. */
export function imageRows(charts: readonly ReferenceChart[], renders: Readonly<Record<string, ChartRenders>>): Rows {
  return rowsOf(charts, (chart) => {
    const { [chart.chart]: keys } = CHART_IMAGE_KEYS as Readonly<Record<string, ChartImageKeys | undefined>>;
    if (!keys) throw new Error(`scripts/charts/image-keys.ts has no entry for the chart "${chart.chart}"`);
    return { source: `${chart.source}; ${keys.source}`, ...chartEntry(chart, keys, digests(chart, renders[chart.chart])) };
  });
}

/** The digests that the templates of a chart name, by name and tag, as far as a render of this version shows them. */
function digests({ chartVersion }: ReferenceChart, renders: ChartRenders | undefined): ReadonlyMap<string, string> {
  const images = renders?.version === chartVersion ? Object.values(renders.samples).flatMap((render) => render.images) : [];
  return new Map(images.filter((image) => image.includes('@')).map((image) => image.split('@') as [string, string]));
}

/** The images of a chart, with the defaults of its values. */
function chartEntry(chart: ReferenceChart, keys: ChartImageKeys, digestOf: ReadonlyMap<string, string>): ChartEntry {
  const { globalRegistry, containers, unknown } = keys;
  const images = keys.images.map((image) => chartImage(chart, image)).map((image) => {
    const { registry, repository, suffix = '', tag } = image;
    const digest = image.pinned && digestOf.get(`${registry === undefined ? '' : `${registry}/`}${repository}${suffix}:${tag}`);
    return digest ? { ...image, digest } : image;
  });
  const conditions = [...keys.images, ...unknown ?? [], ...(unknown ?? []).flatMap(({ named }) => named?.images ?? [])].flatMap(({ when }) => when ?? []).map((condition) => condition.replace(/^!|=.*$/g, ''));
  const defaults = [...new Set(conditions)].sort().map((key) => [key, TEMPLATE_DEFAULTS[key] ?? chart.values[key]] as [string, unknown])
    .filter(([, value]) => value === true || (typeof value === 'string' && !value.startsWith('{') && !NOTHING.includes(value)));
  return {
    version: chart.chartVersion,
    images,
    globalRegistry,
    containers,
    unknown,
    ...(defaults.length > 0 && { defaults: Object.fromEntries(defaults) as Record<string, string | boolean> }),
  };
}

function chartImage(chart: ReferenceChart, image: ImageKeys): ChartImage {
  const known = (name: string): string | undefined => (Object.hasOwn(chart.values, `${image.at}.${name}`) ? `${image.at}.${name}` : undefined);
  // With both keys, "repository" is the part before "image".
  const split = known('repository') !== undefined && known('image') !== undefined;
  const registryKey = image.keys?.registry ?? (split ? known('repository') : known('registry'));
  const repositoryKey = image.keys?.repository ?? (split ? known('image') : known('repository') ?? known('image'));
  const tagKey = image.keys?.tag ?? known('tag') ?? known('version');
  const digestKey = image.keys?.digest ?? known('digest') ?? known('sha');
  if (repositoryKey === undefined) throw new Error(`${chart.chart}: no key of a repository below ${image.at}`);
  const whole = tagKey === undefined && (image.at === repositoryKey);
  // A repository that is stated to be empty is one that a release of the chart writes.
  const given = image.name?.repository === '' ? undefined : defaultOf(chart, repositoryKey);
  return withoutNothing({
    registryKey,
    repositoryKey,
    tagKey,
    digestKey,
    whole: whole || undefined,
    registry: registryKey && (defaultOf(chart, registryKey) ?? defaultOf(chart, `${image.at}.defaultRegistry`) ?? image.name?.registry),
    repository: given?.split(':')[0] ?? nameOf(image, registryKey),
    tag: whole && given !== undefined ? given.split(':')[1] : tagOf(chart, image, tagKey),
    stated: (given === undefined && Boolean(image.name?.repository)) || undefined,
    suffix: image.suffix,
    pinned: image.pinned,
    when: image.when,
  });
}

/** The repository with its registry, where that has no key. */
function nameOf({ name }: ImageKeys, registryKey: string | undefined): string | undefined {
  if (!name?.repository) return undefined;
  return registryKey === undefined && name.registry !== undefined ? `${name.registry}/${name.repository}` : name.repository;
}

function tagOf(chart: ReferenceChart, { tag }: ImageKeys, tagKey: string | undefined): string | undefined {
  if (typeof tag === 'object') return tag.is || undefined;
  const given = tagKey === undefined ? undefined : defaultOf(chart, tagKey);
  if (given !== undefined) return given;
  return tag === 'app' ? chart.appVersion : tag === 'v-app' ? `v${chart.appVersion}` : undefined;
}

function defaultOf(chart: ReferenceChart, key: string): string | undefined {
  const value = chart.values[key];
  return NOTHING.includes(value) || String(value).startsWith('${') ? undefined : String(value);
}

function withoutNothing<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}
