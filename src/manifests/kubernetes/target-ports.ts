import { deploymentText, objectText } from './examples';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { isEmptySelector, SelectedObjects } from '../rules/label-selectors';
import { Lookup } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { containersOf, podOf } from '../rules/pod-objects';
import { fieldAt, isFields, objectsAt, stringAt } from '../values/fields';

const WORKLOADS = new Lookup(['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet', 'apps/ReplicaSet', '/Pod'], (workload) => [namespaceOf(workload)]);
const BY_LABELS = new SelectedObjects((workload) => {
  const labels = fieldAt(podOf(workload)?.pod, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
});

const SERVICE_TEXT = objectText('v1', 'Service', 'spec:\n  selector: {app: web}\n  ports: [{port: 80, targetPort: http}]\n');
const DEPLOYMENT_TEXT = deploymentText('selector:\n  matchLabels: {app: web}').replace('    image:', '    ports: [{name: http, containerPort: 8080}]\n          image:');

const targetPort: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-TARGET-PORT',
  title: 'A name as the target port of a Service must be that of a port of the pods that it selects: they become no endpoints otherwise.',
  source: 'kubernetes/endpointslice utils.go (FindPort), v0.37.2',
  kinds: ['/Service'],
  trap: true,
  example: replaced(documents(SERVICE_TEXT, DEPLOYMENT_TEXT), 'targetPort: http', 'targetPort: web'),
  check: (object, index) => {
    const labels = fieldAt(object, 'spec', 'selector');
    const selector = { matchLabels: labels };
    if (!isFields(labels) || isEmptySelector(selector)) return [];
    const selected = BY_LABELS.of(WORKLOADS.find(index, namespaceOf(object)), selector);
    const names = new Set(selected.flatMap(portsOf));
    // Pods without any stated port may be a part of kustomize.
    return names.size === 0 ? [] : objectsAt(object, 'spec', 'ports').flatMap(([port, at]) => {
      const target = stringAt(port, 'targetPort');
      return target === undefined || /^\d+$/.test(target) || names.has(target) ? [] : [{
        path: ['spec', 'ports', at, 'targetPort'],
        message: `pods of ${selected.map((one) => `${String(one.kind)} ${nameOf(one) ?? ''}`).join(' and ')} have no port "${target}"`,
        accepted: [...names].join(', '),
        fix: 'write the name or the number of a port of the pods',
      }];
    });
  },
};

function portsOf(workload: ManifestObject): string[] {
  return containersOf(workload).flatMap(({ container }) => objectsAt(container, 'ports').flatMap(([port]) => stringAt(port, 'name') ?? []));
}

/** Rules over the ports of pods that Services name. */
export const TARGET_PORTS: readonly ManifestRule[] = [targetPort];
