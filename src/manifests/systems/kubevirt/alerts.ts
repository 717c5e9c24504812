import { AlertsOf } from '../../rules/alerts/alert';
import { componentAlert } from '../../rules/alerts/component-alerts';
import { conditionMetric, CustomResourceMetric, OBJECT_LABELS } from '../../rules/alerts/custom-resource-metrics';

const KUBEVIRT = conditionMetric({
  kind: 'kubevirt.io/KubeVirt',
  version: 'v1',
  plural: 'kubevirts',
  prefix: 'kubevirt_kubevirt',
  labels: OBJECT_LABELS,
  source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go, v1.9.0',
});

/** The status of a CDI is that of kubevirt/controller-lifecycle-operator-sdk (api/types.go), with the conditions of openshift/custom-resource-status v1.1.2. */
const CDI = conditionMetric({
  kind: 'cdi.kubevirt.io/CDI',
  version: 'v1beta1',
  plural: 'cdis',
  prefix: 'kubevirt_cdi',
  labels: OBJECT_LABELS,
  source: 'kubevirt/containerized-data-importer staging/src/kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1/types.go, v1.66.0',
});

/** Metrics of KubeVirt and CDI. */
export const KUBEVIRT_METRICS: readonly CustomResourceMetric[] = [KUBEVIRT, CDI];

/** Alerts by kind. */
export const KUBEVIRT_ALERTS: Readonly<Record<string, AlertsOf>> = {
  'kubevirt.io/KubeVirt': componentAlert(KUBEVIRT, 'Available'),
  'cdi.kubevirt.io/CDI': componentAlert(CDI, 'Available'),
};
