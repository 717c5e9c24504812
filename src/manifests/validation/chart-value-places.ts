import { knownKey } from './annotations/known-keys';
import { chartKinds, placed, RELEASE_TEXT, valuesOf } from './chart-values';
import { replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { FieldPath, Fields, isFields, listAt } from '../values/fields';
import { Finding } from '../values/finding';

const POLICY_TEXT = `${RELEASE_TEXT}  values:
    service: {type: LoadBalancer, externalTrafficPolicy: Local}
`;

const policy: ManifestRule = {
  id: 'TC-TRAP-CHART-TRAFFIC-POLICY',
  title: 'Values of a chart should not have externalTrafficPolicy beside the type ClusterIP of a Service: API servers refuse it, unless the chart leaves it out.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (validateServiceExternalTrafficPolicy), v1.37.2; k8s-at-home/charts issue 1676',
  get kinds() { return chartKinds(); },
  trap: true,
  warning: true,
  example: replaced(POLICY_TEXT, 'type: LoadBalancer', 'type: ClusterIP'),
  check: (object, index) => valuesOf(object, index).flatMap((layer) => placed(layer, mapsIn(layer.values).flatMap(({ fields, path }): Finding[] => {
    const given = fields.externalTrafficPolicy;
    // Services of any type have the policy if they have external addresses.
    return fields.type !== 'ClusterIP' || typeof given !== 'string' || given === '' || listAt(fields, 'externalIPs').length > 0 ? [] : [{
      path: [...path, 'externalTrafficPolicy'], message: 'a Service of the type ClusterIP has no external traffic, and API servers refuse this field of it', fix: 'remove it (null, if the chart sets it), or change the type',
    }];
  }))),
};

const LABELS_TEXT = `${RELEASE_TEXT}  values:
    podLabels: {example.com/team: shop}
`;

const labels: ManifestRule = {
  id: 'TC-TRAP-CHART-POD-LABEL',
  title: 'Labels of pods in the values of a chart must not be labels that are read of other kinds only: they do nothing there.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/pod-security-admission/api/constants.go, v1.37.2; prometheus-community/helm-charts issue 4837',
  get kinds() { return chartKinds(); },
  trap: true,
  example: replaced(LABELS_TEXT, 'example.com/team: shop', 'pod-security.kubernetes.io/enforce: privileged'),
  check: (object, index) => valuesOf(object, index).flatMap((layer) => placed(layer, mapsIn(layer.values).flatMap(({ fields, path }): Finding[] => (
    Object.keys(isFields(fields.podLabels) ? fields.podLabels : {}).flatMap((label) => {
      const known = label.includes('/') ? knownKey(label) : undefined;
      const kinds = known?.fact.kinds ?? [];
      return kinds.length === 0 || kinds.some((kind) => kind === '*' || kind === '/Pod') ? [] : [{
        path: [...path, 'podLabels', label],
        message: `${known!.system.reader} reads it on ${kinds.map((kind) => kind.slice(kind.indexOf('/') + 1)).join(', ')}, and not on pods`,
        fix: `label the ${kinds[0].slice(kinds[0].indexOf('/') + 1)} instead`,
      }];
    }))))),
};

interface PlacedMap {
  readonly fields: Fields;
  readonly path: FieldPath;
}

/** All maps below a value, with itself. */
function mapsIn(value: unknown, path: FieldPath = []): PlacedMap[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => mapsIn(entry, [...path, index]));
  if (!isFields(value)) return [];
  return [{ fields: value, path }, ...Object.entries(value).flatMap(([field, inner]) => (typeof inner === 'object' ? mapsIn(inner, [...path, field]) : []))];
}

/** Rules over values of charts that stand in a wrong place. */
export const CHART_VALUE_PLACES: readonly ManifestRule[] = [policy, labels];
