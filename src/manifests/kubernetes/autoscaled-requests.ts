import { AUTOSCALER_TEXT, WORKLOAD_TEXT } from './autoscaling';
import { AUTOSCALER, SCALED } from './scaled-workloads';
import { groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { ManifestIndex, namespacesFor } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { containersOf, isWhole, podOf } from '../rules/pod-objects';
import { fieldAt, FieldPath, Fields, isSet, objectsAt, stringAt } from '../values/fields';

/** A resource whose use is measured in relation to what is requested. */
interface Measured {
  readonly resource: string;
  readonly path: FieldPath;

  /** The only container that counts. */
  readonly container?: string;
}

const requests: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-AUTOSCALER-REQUEST',
  title: 'Containers must request the resource by whose use in percent an autoscaler scales: it never scales otherwise.',
  source: 'kubernetes/kubernetes pkg/controller/podautoscaler/replica_calculator.go (calculatePodRequestsFromContainers), v1.37.2',
  kinds: [AUTOSCALER],
  trap: true,
  example: replaced(documents(AUTOSCALER_TEXT, WORKLOAD_TEXT), 'requests: {cpu: 100m}', 'requests: {memory: 100Mi}'),
  check: (object, index) => {
    const target = fieldAt(object, 'spec', 'scaleTargetRef');
    const kind = `${groupOf({ apiVersion: fieldAt(target, 'apiVersion') })}/${stringAt(target, 'kind') ?? ''}`;
    const workload = SCALED.includes(kind) ? index.find(kind, namespaceOf(object), stringAt(target, 'name')) : undefined;
    if (!workload || isRequestedElsewhere(workload, index)) return [];
    const containers = containersOf(workload)
      .filter(({ container, list }) => list === 'containers' || (list === 'initContainers' && container.restartPolicy === 'Always'));
    if (!containers.every(isWhole)) return [];
    return measuredIn(object).flatMap(({ resource, path, container: only }) => {
      const without = containers.map(({ container }) => container)
        .filter((container) => (only === undefined || container.name === only) && !requestsOf(container, resource));
      return without.length === 0 ? [] : [{
        path,
        message: `${without.map((one) => `the container "${stringAt(one, 'name') ?? ''}"`).join(' and ')} of ${stringAt(target, 'kind') ?? ''} ${nameOf(workload) ?? ''} requests no ${resource}`,
        fix: `add requests of ${resource}`,
      }];
    });
  },
};

/** Limits of the namespace and of whole pods bring requests, and a vertical autoscaler writes them. */
function isRequestedElsewhere(workload: ManifestObject, index: ManifestIndex): boolean {
  const inNamespace = (kind: string) => namespacesFor(namespaceOf(workload)).flatMap((namespace) => index.allIn(kind, namespace));
  return isSet(podOf(workload)?.spec, 'resources') || inNamespace('/LimitRange').length > 0
    || inNamespace('autoscaling.k8s.io/VerticalPodAutoscaler').some((one) => stringAt(one, 'spec', 'targetRef', 'name') === nameOf(workload));
}

function measuredIn(object: Fields): Measured[] {
  if (isSet(object, 'spec', 'targetCPUUtilizationPercentage')) return [{ resource: 'cpu', path: ['spec', 'targetCPUUtilizationPercentage'] }];
  return objectsAt(object, 'spec', 'metrics').flatMap(([metric, at]): Measured[] => ['resource', 'containerResource'].flatMap((field) => {
    const resource = stringAt(metric, field, 'name');
    if (resource === undefined || stringAt(metric, field, 'target', 'type') !== 'Utilization') return [];
    return [{ resource, path: ['spec', 'metrics', at, field], ...(field === 'containerResource' && { container: stringAt(metric, field, 'container') }) }];
  }));
}

/** Without requests, limits are requests (kubernetes/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_Pod). */
function requestsOf(container: Fields, resource: string): boolean {
  return ['requests', 'limits'].some((field) => isSet(container, 'resources', field, resource));
}

/** Rules over what autoscalers measure. */
export const AUTOSCALED_REQUESTS: readonly ManifestRule[] = [requests];
