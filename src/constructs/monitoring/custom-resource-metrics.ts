import { ApiObject, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { customResourceMetrics } from '../../manifests/monitoring/declared-alerts';
import { noSubstitution } from '../../manifests/objects/prune-annotations';
import { stateConfiguration, statePermissions } from '../../manifests/rules/alerts/custom-resource-metrics';
import { TypedApiObject } from '../app/synth/typed-api-object';

const KEY = 'config.yaml';
const RBAC = 'rbac.authorization.k8s.io';

/** Properties of `CustomResourceMetrics`. */
export interface CustomResourceMetricsProps {
  /** Namespace of kube-state-metrics. */
  readonly namespace: string;

  /** Name of the service account of kube-state-metrics, which may read the objects then; with its chart that of the release. */
  readonly serviceAccount: string;

  /**
   * Name of the ConfigMap, and of the ClusterRole and its binding.
   *
   * @default kube-state-metrics-cluster-api
   */
  readonly name?: string;
}

/**
 * The configuration by which kube-state-metrics makes metrics of clusters, pools, machines, health checks, charts and manifests, and of the
 * components of a management cluster: a ConfigMap with the key `config.yaml`, and the permissions to read these objects.
 *
 * Add it to a chart of the management cluster, and tell the chart of kube-state-metrics to use it, with these values (below
 * `kube-state-metrics` in kube-prometheus-stack):
 *
 * ```yaml
 * customResourceState:
 *   enabled: true
 *   create: false
 *   name: kube-state-metrics-cluster-api
 *   key: config.yaml
 * ```
 *
 * kube-state-metrics takes one such configuration, and each kind once. Metrics of Cluster API have the names of its own configuration, and those of
 * Flux the names of its monitoring example.
 *
 * Sources: kubernetes/kube-state-metrics docs/metrics/extend/customresourcestate-metrics.md, v2.19.1; prometheus-community/helm-charts
 * charts/kube-state-metrics/values.yaml (customResourceState), 8.4.0.
 *
 * @example
 * new CustomResourceMetrics(chart, 'Metrics', { namespace: 'monitoring', serviceAccount: 'kube-prometheus-stack-kube-state-metrics' });
 */
export class CustomResourceMetrics extends Construct {
  /** The ConfigMap. */
  public readonly configMap: ApiObject;

  public constructor(scope: Construct, id: string, props: CustomResourceMetricsProps) {
    super(scope, id);
    const { namespace, serviceAccount, name = 'kube-state-metrics-cluster-api' } = props;
    const metrics = customResourceMetrics();
    this.configMap = new TypedApiObject(this, 'ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap' }, {
      metadata: { name, namespace, annotations: noSubstitution() },
      data: { [KEY]: Yaml.stringify(stateConfiguration(metrics)) },
    });
    new TypedApiObject(this, 'ClusterRole', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', clusterScoped: true }, {
      metadata: { name }, rules: statePermissions(metrics),
    });
    new TypedApiObject(this, 'ClusterRoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', clusterScoped: true }, {
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace }],
    });
  }
}
