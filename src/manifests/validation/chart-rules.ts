import { chartInstalledBy } from './installed-components';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ChartRule, ChartSettings } from '../rules/chart-rule';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { deliveryFacts, providers } from '../systems/providers';
import { fieldAt } from '../values/fields';
import { findingsAt } from '../values/finding';

/** A rule over the values of a chart, by any kind of delivery. */
export function chartRule({ chart, faultsOf, alike, ...rule }: ChartRule): ManifestRule {
  return {
    ...rule,
    get kinds() {
      const deliveries = providers().flatMap(({ deliveries: all = [] }) => all).filter(({ installsChart }) => installsChart);
      return [...deliveries.map(({ kind }) => kind), ...alike ? [alike.kind] : []];
    },
    check: (object, index) => {
      const settings = groupKind(object) === alike?.kind ? alike.settingsOf(object) : settingsOfChart(chart, object, index);
      return settings ? findingsAt(settings.path, faultsOf(settings.values, index, settings.version)) : [];
    },
  };
}

/** The values of a chart that an object installs; undefined if it installs another one, or takes values from somewhere else. */
function settingsOfChart(chart: string, object: ManifestObject, index: ManifestIndex): ChartSettings | undefined {
  const installed = chartInstalledBy(object, index);
  if (installed?.name !== chart || deliveryFacts(object)?.values?.(object).length) return undefined;
  const sources = { hasValues: true, isEmptyConfigMap: () => false };
  const isComplete = providers().every(({ elsewhere }) => !elsewhere?.[groupKind(object)]?.(object, sources).length);
  const [path] = installed.values;
  return isComplete ? { path: path ?? ['spec'], values: path && fieldAt(object, ...path), version: installed.version } : undefined;
}
