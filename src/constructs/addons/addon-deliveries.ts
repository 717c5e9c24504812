import { Chart } from 'cdk8s';
import { ADDON_NAME_TAKEN_RULE, PlannedAddon } from './addon-plan';
import { checkDnsLabel } from '../../manifests/values/dns';
import { Problem, Rule } from '../../manifests/values/problem';
import { GitManifests } from '../contracts/git-manifests';
import { HelmChart } from '../contracts/helm-chart';

/** Name of the delivery of namespaces that need labels. */
export const NAMESPACES = 'namespaces';

/** True if a chart needs labels on its namespace. An empty namespace is reported, and cannot be an id. */
export function hasLabels(chart: HelmChart | undefined): boolean {
  return chart?.namespaceLabels !== undefined && chart.namespace !== '';
}

/** The deliveries of an addon for one cluster. */
interface BoundAddon {
  readonly manifests?: Chart;
  readonly charts: readonly HelmChart[];
  readonly gitManifests?: readonly GitManifests[];
  readonly chartsFirst?: boolean;
}

/** One delivery: a chart or manifests. */
export interface AddonDelivery {
  readonly name: string;
  readonly chart?: HelmChart;
  readonly manifests?: Chart;
  readonly gitManifests?: GitManifests;
}

/** One thing to deliver, and the names of the deliveries before it. */
interface PlannedDelivery extends AddonDelivery {
  readonly after: string[];
}

/** Everything that the addons of a cluster deliver. */
export interface DeliveryPlan {
  /** In the order of their dependencies. */
  readonly deliveries: readonly PlannedDelivery[];
  /** Names of the final deliveries: an item after all addons depends on these. */
  readonly last: string[];
  readonly problems: readonly Problem[];
}

/**
 * Plans the deliveries of a cluster's addons. The manifests of an addon come before its charts, or after them with `chartsFirst`. Charts
 * keep their order. All deliveries of an addon come after those of its dependencies.
 *
 * @param order the addons, as `planAddons` orders them
 * @param stagesOf returns the deliveries of an addon by its name
 */
export function planDeliveries(
  order: readonly PlannedAddon[], stagesOf: (name: string) => readonly (readonly AddonDelivery[])[],
): DeliveryPlan {
  const lastOf = new Map<string, readonly string[]>();
  const deliveries = order.flatMap(({ addon, dependencies }) => {
    const stages = stagesOf(addon.name);
    const first = unique(dependencies.flatMap((name) => lastOf.get(name) ?? []));
    // An addon without deliveries still passes on its dependencies.
    lastOf.set(addon.name, stages.at(-1)?.map(({ name }) => name) ?? first);
    return inSequence(stages, first);
  });
  const waitedFor = new Set(deliveries.flatMap(({ after }) => after));
  return {
    deliveries,
    last: deliveries.map(({ name }) => name).filter((name) => !waitedFor.has(name)).sort(),
    problems: [...checkNames(deliveries), ...checkReleases(deliveries), ...checkNamespaces(deliveries)],
  };
}

/**
 * The deliveries of an addon in stages: a stage comes after the whole previous stage.
 *
 * @param addon name of the addon
 * @param bound the manifests and charts that it made
 */
export function deliveryStages(addon: string, { manifests, charts, gitManifests = [], chartsFirst }: BoundAddon): AddonDelivery[][] {
  const name = standIn(addon);
  const ofObjects = manifests ? [[{ name: charts.length > 0 ? `${name}-manifests` : name, manifests }]] : [];
  const ofGit = gitManifests.length > 0 ? [gitManifests.map((one) => ({ name: one.name, gitManifests: one }))] : [];
  const ofCharts = charts.map((given) => {
    // The default name of a release is that of its addon.
    const chart = given.releaseName === addon ? { ...given, releaseName: name } : given;
    return [{ name: chart.releaseName.startsWith(name) ? chart.releaseName : `${name}-${chart.releaseName}`, chart }];
  });
  return chartsFirst ? [...ofGit, ...ofCharts, ...ofObjects] : [...ofObjects, ...ofGit, ...ofCharts];
}

/** The name of an addon, or a valid placeholder: the invalid name is already reported. */
function standIn(addon: string): string {
  if (checkDnsLabel(addon) === undefined) return addon;
  return String(addon).slice(0, 40).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'addon';
}

function inSequence(stages: readonly (readonly AddonDelivery[])[], first: readonly string[]): PlannedDelivery[] {
  return stages.flatMap((stage, index) => stage.map((delivery) => ({
    ...delivery,
    after: [...(hasLabels(delivery.chart) ? [NAMESPACES] : []), ...(index === 0 ? first : stages[index - 1].map(({ name }) => name))],
  })));
}

function checkNames(deliveries: readonly PlannedDelivery[]): Problem[] {
  const names = [...deliveries.map(({ name }) => name), ...(deliveries.some(({ chart }) => hasLabels(chart)) ? [NAMESPACES] : [])];
  return unique(names.filter((name, index) => names.indexOf(name) !== index)).map((name) => ({
    rule: ADDON_NAME_TAKEN_RULE,
    property: name,
    message: `two things that addons deliver are called "${name}"`,
    fix: 'give one of the addons, or its release, another name',
  }));
}

const RELEASE_TAKEN_RULE: Rule = {
  id: 'TC-ADDON-RELEASE-TAKEN',
  title: 'Only one addon may install a Helm release, by name and namespace.',
  source: 'helm.sh/docs/intro/using_helm (release names are unique within a namespace)',
};

function checkReleases(deliveries: readonly PlannedDelivery[]): Problem[] {
  return pairs(deliveries).filter(({ one, other }) => one.releaseName === other.releaseName && one.namespace === other.namespace)
    .map(({ names, one }) => ({
      rule: RELEASE_TAKEN_RULE,
      message: `"${names[0]}" and "${names[1]}" both install the Helm release "${one.releaseName}" in namespace "${one.namespace}"`,
      fix: 'give one of them another releaseName or namespace',
    }));
}

const NAMESPACE_LABELS_RULE: Rule = {
  id: 'TC-ADDON-NAMESPACE-LABELS',
  title: 'Addons that share a namespace must agree on its labels.',
};

function checkNamespaces(deliveries: readonly PlannedDelivery[]): Problem[] {
  return pairs(deliveries).filter(({ one, other }) => one.namespace === other.namespace).flatMap(({ names, one, other }) => {
    const labels = one.namespaceLabels ?? {};
    return Object.entries(other.namespaceLabels ?? {}).filter(([key, value]) => labels[key] !== undefined && labels[key] !== value)
      .map(([key, value]) => ({
        rule: NAMESPACE_LABELS_RULE,
        property: `namespaceLabels["${key}"]`,
        message: `"${names[0]}" wants "${labels[key]}" on namespace "${one.namespace}", and "${names[1]}" wants "${value}"`,
        fix: 'give both the same value, or one of them another namespace',
      }));
  });
}

function pairs(deliveries: readonly PlannedDelivery[]): { names: [string, string]; one: HelmChart; other: HelmChart }[] {
  const charts = deliveries.flatMap(({ name, chart }) => (chart ? [{ name, chart }] : []));
  return charts.flatMap((one, index) => charts.slice(index + 1).map((other) => ({
    names: [one.name, other.name] as [string, string], one: one.chart, other: other.chart,
  })));
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
