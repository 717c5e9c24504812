import { annotatedImages } from './images-annotation';
import { valuesOfTemplate } from './values-template';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { fieldAt, Fields, isFields, stringAt } from '../values/fields';

/** A Helm chart that objects make a controller install. */
export interface ChartReference {
  /** Address of the Helm repository, or of the OCI repository without the chart's name (`oci://…`). */
  readonly repository: string;

  /** Name of the chart. */
  readonly chart: string;

  /** Version as the object gives it. */
  readonly version: string;

  /** Name of the release. */
  readonly releaseName?: string;

  /** Values, as far as they stand in the object itself. */
  readonly values?: Fields;

  /** The declared images of the chart with these values. */
  readonly imageNames?: readonly string[];
}

/** The fields of a reference besides chart and version. */
type Release = Pick<ChartReference, 'releaseName' | 'values'>;

const OCI = 'oci://';

/**
 * The charts that an object makes a controller install: a HelmRelease of Flux with its source, a HelmChartProxy, an Application of
 * Argo CD. A chart whose source is not among the objects is left out, and so is one without a version.
 *
 * @param object an object as it is written
 * @param among the objects to look for sources in, the object's own tree
 */
export function chartReferences(object: ManifestObject, among: readonly ManifestObject[] = []): ChartReference[] {
  const found = references(object, among);
  const images = annotatedImages(object);
  // With several charts, the annotation is ambiguous.
  return images === undefined || found.length !== 1 ? found : [{ ...found[0], imageNames: images }];
}

function references(object: ManifestObject, among: readonly ManifestObject[]): ChartReference[] {
  switch (groupKind(object)) {
    case 'helm.toolkit.fluxcd.io/HelmRelease': return helmReleaseChart(object, among);
    case 'addons.cluster.x-k8s.io/HelmChartProxy': return helmChartProxyChart(object);
    case 'argoproj.io/Application': return applicationCharts(object);
    default: return [];
  }
}

function helmReleaseChart(object: ManifestObject, among: readonly ManifestObject[]): ChartReference[] {
  const inline = fieldAt(object, 'spec', 'chart', 'spec');
  const reference = inline === undefined ? fieldAt(object, 'spec', 'chartRef') : fieldAt(inline, 'sourceRef');
  const namespace = stringAt(object, 'metadata', 'namespace');
  const source = among.find((other) => groupKind(other) === `source.toolkit.fluxcd.io/${stringAt(reference, 'kind')}`
    && stringAt(other, 'metadata', 'name') === stringAt(reference, 'name')
    && stringAt(other, 'metadata', 'namespace') === (stringAt(reference, 'namespace') ?? namespace));
  const release = { releaseName: stringAt(object, 'spec', 'releaseName'), values: fieldsAt(object, 'spec', 'values') };
  const url = stringAt(source, 'spec', 'url');
  if (url === undefined) return [];
  if (inline !== undefined) return chartIn(url, stringAt(inline, 'chart'), stringAt(inline, 'version'), release);
  const [repository, chart] = splitOci(url);
  return chartIn(repository, chart, stringAt(source, 'spec', 'ref', 'tag') ?? stringAt(source, 'spec', 'ref', 'semver'), release);
}

/** Its values are a template, which only the provider renders; a template without actions is read as plain YAML. */
function helmChartProxyChart(object: ManifestObject): ChartReference[] {
  const text = stringAt(object, 'spec', 'valuesTemplate');
  const values = text === undefined ? undefined : valuesOfTemplate(text);
  return chartIn(stringAt(object, 'spec', 'repoURL'), stringAt(object, 'spec', 'chartName'), stringAt(object, 'spec', 'version'), {
    releaseName: stringAt(object, 'spec', 'releaseName'), values,
  });
}

function applicationCharts(object: ManifestObject): ChartReference[] {
  const single = fieldAt(object, 'spec', 'source');
  const several = fieldAt(object, 'spec', 'sources');
  return [...(Array.isArray(several) ? several as unknown[] : []), ...(single === undefined ? [] : [single])].flatMap((source) => {
    const address = stringAt(source, 'repoURL');
    const repository = address === undefined || /^[a-z]+:\/\//.test(address) ? address : `${OCI}${address}`;
    return chartIn(repository, stringAt(source, 'chart'), stringAt(source, 'targetRevision'), {
      releaseName: stringAt(source, 'helm', 'releaseName'), values: fieldsAt(source, 'helm', 'valuesObject'),
    });
  });
}

function chartIn(repository: string | undefined, chart: string | undefined, version: string | undefined, release: Release): ChartReference[] {
  if (repository === undefined || chart === undefined || version === undefined) return [];
  const { releaseName, values } = release;
  return [{ repository: repository.replace(/(?<!\/)\/+$/, ''), chart, version, ...(releaseName !== undefined && { releaseName }), ...(values && { values }) }];
}

function splitOci(url: string): [repository: string, chart: string | undefined] {
  const plain = url.replace(/(?<!\/)\/+$/, '');
  const slash = plain.lastIndexOf('/');
  return slash <= OCI.length ? [plain, undefined] : [plain.slice(0, slash), plain.slice(slash + 1)];
}

function fieldsAt(value: unknown, ...path: readonly string[]): Fields | undefined {
  const found = fieldAt(value, ...path);
  return isFields(found) ? found : undefined;
}
