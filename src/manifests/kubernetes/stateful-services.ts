import { deploymentText, objectText } from './examples';
import { nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { selects } from '../rules/label-selectors';
import { Lookup } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { podOf } from '../rules/pod-objects';
import { fieldAt, isFields, stringAt } from '../values/fields';

const HEADLESS = new Lookup(['/Service'], (service) => [namespaceOf(service), stringAt(service, 'spec', 'clusterIP')]);

const SERVICE_TEXT = objectText('v1', 'Service', 'spec:\n  clusterIP: None\n  selector: {app: web}\n  ports: [{port: 80}]\n', 'web');
const SET_TEXT = deploymentText('serviceName: web\nselector:\n  matchLabels: {app: web}').replace('kind: Deployment', 'kind: StatefulSet');

const service: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-STATEFUL-SERVICE',
  title: 'A StatefulSet must name the headless Service that selects its pods: they have no names in DNS otherwise.',
  source: 'kubernetes/kubernetes pkg/controller/statefulset/stateful_set_utils.go (initIdentity), staging/src/k8s.io/endpointslice/util/controller_utils.go (ShouldSetHostname), v1.37.2',
  kinds: ['apps/StatefulSet'],
  trap: true,
  elsewhere: true,
  example: replaced(documents(SET_TEXT, SERVICE_TEXT), 'serviceName: web', 'serviceName: web-headless'),
  check: (object, index) => {
    const [name, namespace] = [stringAt(object, 'spec', 'serviceName'), namespaceOf(object)];
    const labels = fieldAt(podOf(object)?.pod, 'metadata', 'labels');
    if (name === undefined || namespace === undefined || !isFields(labels) || index.find('/Service', namespace, name)) return [];
    const meant = HEADLESS.find(index, namespace, 'None').find((one) => {
      const selector = fieldAt(one, 'spec', 'selector');
      return isFields(selector) && selects({ matchLabels: selector }, labels);
    });
    return meant === undefined ? [] : [{
      path: ['spec', 'serviceName'], message: `no Service "${name}" is among the manifests that were read, and "${nameOf(meant) ?? ''}" selects the pods`, fix: `write ${nameOf(meant) ?? ''}`,
    }];
  },
};

/** Rules over Services of StatefulSets. */
export const STATEFUL_SERVICES: readonly ManifestRule[] = [service];
