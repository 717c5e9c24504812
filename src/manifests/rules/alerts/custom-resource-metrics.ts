import { Metric } from './metrics';

/** Path of a field in an object; an entry such as `[type=Ready]` finds the element of a list. */
type StatePath = readonly string[];

/** A kind whose objects kube-state-metrics is configured to read. */
export interface CustomResource<L extends string = string> {
  /** `group/Kind`. */
  readonly kind: string;
  readonly version: string;

  /** Plural of the kind, as permissions name it. */
  readonly plural: string;

  /** Prefix of its metrics. */
  readonly prefix: string;

  /** Labels of each of its metrics. */
  readonly labels: Readonly<Record<L, StatePath>>;

  /** The file that defines the fields. */
  readonly source: string;
}

/** Label that kube-state-metrics adds to each metric of custom resources. */
type KindLabel = 'customresource_kind';

/** A metric that kube-state-metrics is configured to make of a field. */
export interface CustomResourceMetric<L extends string = string> extends Metric<L | KindLabel> {
  readonly resource: CustomResource;

  /** Its entry in the configuration. */
  readonly entry: object;
}

/** Labels by which objects are found. */
export const OBJECT_LABELS = { namespace: ['metadata', 'namespace'], name: ['metadata', 'name'] } as const;

const EXPORTER = 'kube-state-metrics, with the configuration for custom resources';

function stateMetric<L extends string, M extends string>(
  resource: CustomResource<L>, name: string, help: string, each: object, labels: readonly M[],
): CustomResourceMetric<L | M> {
  return {
    name: `${resource.prefix}_${name}`,
    labels: ['customresource_kind', ...Object.keys(resource.labels) as L[], ...labels],
    exporter: EXPORTER,
    source: resource.source,
    resource,
    entry: { name, help, each },
  };
}

/** The conditions of an object: a series for each type and status, of which one has the value 1. */
export function conditionMetric<L extends string>(resource: CustomResource<L>): CustomResourceMetric<L | 'status' | 'type'> {
  return stateMetric(resource, 'status_condition', 'The condition of the object.', {
    type: 'StateSet',
    stateSet: { labelName: 'status', labelsFromPath: { type: ['type'] }, list: ['True', 'False', 'Unknown'], path: ['status', 'conditions'], valueFrom: ['status'] },
  }, ['status', 'type']);
}

/** A number or time of an object, and the value where it is unset: 0, or no series. */
export function gaugeMetric<L extends string>(
  resource: CustomResource<L>, name: string, help: string, path: StatePath, unset: 'zero' | 'none' = 'none',
): CustomResourceMetric<L> {
  return stateMetric(resource, name, help, { type: 'Gauge', gauge: { path, ...(unset === 'zero' && { nilIsZero: true }) } }, []);
}

/** A field with one of a list of values: a series for each, of which one has the value 1. */
export function stateSetMetric<L extends string, M extends string>(
  resource: CustomResource<L>, name: string, help: string, label: M, states: { readonly path: StatePath; readonly list: readonly string[] },
): CustomResourceMetric<L | M> {
  return stateMetric(resource, name, help, { type: 'StateSet', stateSet: { labelName: label, list: states.list, path: states.path } }, [label]);
}

/** Fields of an object as labels of a series with the value 1. */
export function infoMetric<L extends string, M extends string>(
  resource: CustomResource<L>, name: string, help: string, labels: Readonly<Record<M, StatePath>>,
): CustomResourceMetric<L | M> {
  return stateMetric(resource, name, help, { type: 'Info', info: { labelsFromPath: labels } }, Object.keys(labels) as M[]);
}

/**
 * The configuration of kube-state-metrics for custom resources.
 *
 * Source: kubernetes/kube-state-metrics docs/metrics/extend/customresourcestate-metrics.md, v2.19.1.
 */
export function stateConfiguration(metrics: readonly CustomResourceMetric[]): object {
  return {
    kind: 'CustomResourceStateMetrics',
    spec: {
      resources: resourcesOf(metrics).map((resource) => {
        const [group, kind] = resource.kind.split('/');
        return {
          groupVersionKind: { group, version: resource.version, kind },
          labelsFromPath: copied(resource.labels),
          metricNamePrefix: resource.prefix,
          metrics: metrics.filter((metric) => metric.resource === resource).map(({ entry }) => copied(entry)),
        };
      }),
    },
  };
}

/** The permissions that kube-state-metrics needs for this: to read the objects, and the definitions of their kinds. */
export function statePermissions(metrics: readonly CustomResourceMetric[]): object[] {
  const groups = new Map<string, string[]>();
  for (const { kind, plural } of resourcesOf(metrics)) {
    const [group] = kind.split('/');
    groups.set(group, [...groups.get(group) ?? [], plural]);
  }
  return [['apiextensions.k8s.io', ['customresourcedefinitions']] as const, ...groups].map(([group, resources]) => ({
    apiGroups: [group], resources: [...resources].sort(), verbs: ['list', 'watch'],
  }));
}

/** A copy, so that YAML has no references to what several entries share. */
function copied<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function resourcesOf(metrics: readonly CustomResourceMetric[]): CustomResource[] {
  return [...new Set(metrics.map(({ resource }) => resource))];
}
