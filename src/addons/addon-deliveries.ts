import { ApiObject, Chart } from 'cdk8s';
import { PlannedAddon } from './addon-plan';
import { GitManifests } from './git-manifests';
import { HelmChart } from './helm-chart';
import { ADDON_RULES } from './rules';
import { checkDnsLabel } from '../network/dns';
import { Problem } from '../validation/problem';

/** Name of the delivery of namespaces that need labels. */
export const NAMESPACES = 'namespaces';

/** What an addon made for one cluster. */
export interface BoundAddon {
  readonly manifests: Chart;
  readonly charts: readonly HelmChart[];
  readonly gitManifests?: readonly GitManifests[];
  readonly chartsFirst?: boolean;
}

/** One thing to deliver: a chart or manifests. */
export interface PlannedDelivery {
  readonly name: string;
  readonly after: string[];
  readonly chart?: HelmChart;
  readonly manifests?: Chart;
  readonly gitManifests?: GitManifests;
}

/** Everything that the addons of a cluster deliver. */
export interface DeliveryPlan {
  /** In an order that puts nothing before what it comes after. */
  readonly deliveries: readonly PlannedDelivery[];
  /** Namespaces that charts need labels on, by name; they are delivered as `NAMESPACES`. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Names of the deliveries that complete the addons: what comes after all addons comes after these. */
  readonly last: string[];
  readonly problems: readonly Problem[];
}

/**
 * Plans what the addons of a cluster deliver: the manifests of an addon before its charts, or after them with `chartsFirst`, these in
 * their order, and all of it after what the addons that it depends on deliver.
 *
 * @param order the addons, as `planAddons` orders them
 * @param boundOf what each of them made, by name
 */
export function planDeliveries(order: readonly PlannedAddon[], boundOf: (name: string) => BoundAddon): DeliveryPlan {
  const lastOf = new Map<string, readonly string[]>();
  const deliveries = order.flatMap(({ addon, dependencies }) => {
    const stages = stagesOf(standIn(addon.name), renamed(boundOf(addon.name), addon.name));
    const first = unique(dependencies.flatMap((name) => lastOf.get(name) ?? []));
    // An addon that delivers nothing still passes on what it waits for.
    lastOf.set(addon.name, stages.at(-1)?.map(({ name }) => name) ?? first);
    return inSequence(stages, first);
  });
  const waitedFor = new Set(deliveries.flatMap(({ after }) => after));
  return {
    deliveries,
    namespaces: namespacesOf(deliveries),
    last: deliveries.map(({ name }) => name).filter((name) => !waitedFor.has(name)).sort(),
    problems: [...checkNames(deliveries), ...checkReleases(deliveries), ...checkNamespaces(deliveries)],
  };
}

/** The name of an addon; one that is refused is told once, and something like it takes its place for all that is looked at besides. */
function standIn(addon: string): string {
  if (checkDnsLabel(addon) === undefined) return addon;
  return String(addon).slice(0, 40).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'addon';
}

/** A release has the name of its addon unless told otherwise. */
function renamed({ charts, ...others }: BoundAddon, addon: string): BoundAddon {
  return { ...others, charts: charts.map((chart) => (chart.releaseName === addon ? { ...chart, releaseName: standIn(addon) } : chart)) };
}

/** What an addon delivers, in stages: what is in one comes after all that is in the stage before. */
function stagesOf(addon: string, { manifests, charts, gitManifests = [], chartsFirst }: BoundAddon): PlannedDelivery[][] {
  const objects = manifests.node.findAll().some((construct) => ApiObject.isApiObject(construct));
  const ofObjects = objects ? [[{ name: charts.length > 0 ? `${addon}-manifests` : addon, manifests, after: [] }]] : [];
  const ofGit = gitManifests.length > 0 ? [gitManifests.map((one) => ({ name: one.name, gitManifests: one, after: [] }))] : [];
  const ofCharts = charts.map((chart) => (
    [{ name: chart.releaseName.startsWith(addon) ? chart.releaseName : `${addon}-${chart.releaseName}`, chart, after: [] }]));
  return chartsFirst ? [...ofGit, ...ofCharts, ...ofObjects] : [...ofObjects, ...ofGit, ...ofCharts];
}

function inSequence(stages: readonly (readonly PlannedDelivery[])[], first: readonly string[]): PlannedDelivery[] {
  return stages.flatMap((stage, index) => stage.map((delivery) => ({
    ...delivery,
    after: [...(delivery.chart?.namespaceLabels ? [NAMESPACES] : []), ...(index === 0 ? first : stages[index - 1].map(({ name }) => name))],
  })));
}

function namespacesOf(deliveries: readonly PlannedDelivery[]): Map<string, Record<string, string>> {
  const namespaces = new Map<string, Record<string, string>>();
  for (const { chart } of [...deliveries].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (chart?.namespaceLabels) namespaces.set(chart.namespace, { ...namespaces.get(chart.namespace), ...chart.namespaceLabels });
  }
  return new Map([...namespaces].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function checkNames(deliveries: readonly PlannedDelivery[]): Problem[] {
  const names = [...deliveries.map(({ name }) => name), ...(namespacesOf(deliveries).size > 0 ? [NAMESPACES] : [])];
  return unique(names.filter((name, index) => names.indexOf(name) !== index)).map((name) => ({
    rule: ADDON_RULES.nameTaken,
    property: name,
    message: `two things that addons deliver are called "${name}"`,
    fix: 'give one of the addons, or its release, another name',
  }));
}

function checkReleases(deliveries: readonly PlannedDelivery[]): Problem[] {
  return pairs(deliveries).filter(({ one, other }) => one.releaseName === other.releaseName && one.namespace === other.namespace)
    .map(({ names, one }) => ({
      rule: ADDON_RULES.releaseTaken,
      message: `"${names[0]}" and "${names[1]}" both install the Helm release "${one.releaseName}" in namespace "${one.namespace}"`,
      fix: 'give one of them another releaseName or namespace',
    }));
}

function checkNamespaces(deliveries: readonly PlannedDelivery[]): Problem[] {
  return pairs(deliveries).filter(({ one, other }) => one.namespace === other.namespace).flatMap(({ names, one, other }) => {
    const labels = one.namespaceLabels ?? {};
    return Object.entries(other.namespaceLabels ?? {}).filter(([key, value]) => labels[key] !== undefined && labels[key] !== value)
      .map(([key, value]) => ({
        rule: ADDON_RULES.namespaceLabels,
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
