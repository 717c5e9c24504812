import { Size } from 'cdk8s';
import { CatalogueAddon, checkGiven, checkObjectName } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Options of the Prometheus stack. */
export interface KubePrometheusStackProps extends BundledAddonProps {
  /**
   * Replicas of Prometheus, each with all metrics (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * Time that metrics are kept, in Prometheus's notation, e.g. `10d` (`TC-ADDON-REQUIRED`).
   *
   * @default 10d
   */
  readonly retention?: string;

  /**
   * Size of a volume for metrics.
   *
   * @default - none: metrics are lost when Prometheus restarts
   */
  readonly storage?: Size;

  /**
   * StorageClass of that volume.
   *
   * @default - the tenant's default class
   */
  readonly storageClass?: string;

  /**
   * True if Grafana runs.
   *
   * @default true
   */
  readonly grafana?: boolean;

  /**
   * Name of a Secret in the namespace of the addon with the keys `admin-user` and `admin-password` for Grafana. It is in the tenant by
   * other means, such as an ExternalSecret. Required with Argo CD: each rendering of the chart would generate a new password.
   *
   * Rules: `TC-ADDON-OBJECT-NAME`, `TC-TRAP-ARGO-CD-GRAFANA-PASSWORD`.
   *
   * @default - the chart generates a password at its installation, and stores it in its own Secret
   */
  readonly grafanaAdminSecret?: string;

  /**
   * True if Alertmanager runs.
   *
   * @default true
   */
  readonly alertmanager?: boolean;

  /**
   * True if monitors and rules of the whole tenant count, false if only those of this release do.
   *
   * @default true
   */
  readonly selectAll?: boolean;
}

/**
 * Prometheus Operator, Prometheus, Alertmanager and Grafana.
 *
 * Controller manager, scheduler, etcd and kube-proxy are not scraped, and raise no alerts: the first three run outside the tenant, and
 * kube-proxy serves its metrics to its own node only, unless its configuration (`metricsBindAddress`) changes that. Source:
 * prometheus-community/helm-charts charts/kube-prometheus-stack 88.5.3.
 *
 * @example
 * acme.addAddon(new KubePrometheusStack({
 *   retention: '15d',
 *   storage: Size.gibibytes(50),
 *   grafanaAdminSecret: 'grafana-admin',
 * }));
 */
export class KubePrometheusStack extends CatalogueAddon {
  public constructor(props: KubePrometheusStackProps = {}) {
    const { replicas, retention, storage, storageClass, grafana = true, grafanaAdminSecret, alertmanager = true, selectAll = true } = props;
    super({
      chart: 'kube-prometheus-stack',
      name: 'kube-prometheus-stack',
      namespace: 'monitoring',
      privileged: true,
      provides: [AddonCapability.PROMETHEUS_OPERATOR_CRDS],
      tolerations: {
        'prometheusOperator.tolerations': [],
        'prometheusOperator.admissionWebhooks.patch.tolerations': [],
        'prometheus.prometheusSpec.tolerations': [],
        'alertmanager.alertmanagerSpec.tolerations': [],
        'grafana.tolerations': [],
        'kube-state-metrics.tolerations': [],
        // The chart's own (charts/prometheus-node-exporter 4.56.1, values.yaml), for it runs on every node.
        'prometheus-node-exporter.tolerations': [{ effect: 'NoSchedule', operator: 'Exists' }],
      },
      check: () => [
        ...checkReplicas('replicas', replicas),
        ...checkObjectName('grafanaAdminSecret', grafanaAdminSecret),
        ...(retention === undefined ? [] : checkGiven('retention', retention, 'give a time such as "10d"')),
      ],
      values: ({ name, namespace }) => ({
        kubeControllerManager: { enabled: false },
        kubeScheduler: { enabled: false },
        kubeEtcd: { enabled: false },
        kubeProxy: { enabled: false },
        defaultRules: {
          rules: {
            etcd: false, kubeControllerManager: false, kubeSchedulerAlerting: false, kubeSchedulerRecording: false, kubeProxy: false,
          },
        },
        grafana: { enabled: grafana, admin: grafana && grafanaAdminSecret !== undefined ? { existingSecret: grafanaAdminSecret } : undefined },
        alertmanager: { enabled: alertmanager },
        prometheus: {
          prometheusSpec: {
            replicas,
            retention,
            externalLabels: { cluster: name, tenant: namespace },
            ...(selectAll && SELECT_ALL),
            storageSpec: storage && { volumeClaimTemplate: { spec: volumeClaim(storage, storageClass) } },
          },
        },
      }),
    }, props);
  }
}

const SELECT_ALL = {
  ruleSelectorNilUsesHelmValues: false,
  serviceMonitorSelectorNilUsesHelmValues: false,
  podMonitorSelectorNilUsesHelmValues: false,
  probeSelectorNilUsesHelmValues: false,
  scrapeConfigSelectorNilUsesHelmValues: false,
};

function volumeClaim(storage: Size, storageClassName: string | undefined): object {
  return { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: `${storage.toMebibytes()}Mi` } } };
}
