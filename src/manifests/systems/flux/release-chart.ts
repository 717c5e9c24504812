import { chartOf } from './deliveries';
import { ManifestObject } from '../../objects/manifest-object';
import { chartIn, ChartReference, splitOci } from '../../rules/image-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, isFields, stringAt } from '../../values/fields';

/** The chart of a HelmRelease, with its repository; none if its source is not known. */
export function releaseChart(object: ManifestObject, index: ManifestIndex): ChartReference[] {
  const { spec: inline, source } = chartOf(object, index);
  const values = fieldAt(object, 'spec', 'values');
  const release = { releaseName: stringAt(object, 'spec', 'releaseName'), ...(isFields(values) && { values }) };
  const url = stringAt(source, 'spec', 'url');
  if (url === undefined) return [];
  if (inline !== undefined) return chartIn(url, stringAt(inline, 'chart'), stringAt(inline, 'version'), release);
  const [repository, chart] = splitOci(url);
  return chartIn(repository, chart, stringAt(source, 'spec', 'ref', 'tag') ?? stringAt(source, 'spec', 'ref', 'semver'), release);
}
