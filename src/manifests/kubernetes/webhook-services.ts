import { clusterObjectText, objectText } from './examples';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, FieldPath, isFields, numberAt, objectsAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';
import { affixedName, nearestName } from '../values/nearest-name';

const ADMISSION = 'admissionregistration.k8s.io';
const CONFIGURATIONS: readonly string[] = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map((kind) => `${ADMISSION}/${kind}`);
const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';
const API_SERVICE = 'apiregistration.k8s.io/APIService';

/** The port that API servers ask at by default (kubernetes/api admissionregistration/v1/types.go, ServiceReference). */
const DEFAULT_PORT = 443;

const TEXT = documents(clusterObjectText(`${ADMISSION}/v1`, 'ValidatingWebhookConfiguration', `webhooks:
  - name: pods.hook.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig:
      service: {name: hook, namespace: acme}
    rules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
`), objectText('v1', 'Service', 'spec:\n  selector: {app: hook}\n  ports: [{port: 443, targetPort: 8443}]\n', 'hook'));

const service: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-WEBHOOK-SERVICE',
  title: 'The Service of a webhook or an APIService must exist and have its port, which is 443 by default: API servers refuse what they must ask it for otherwise.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/util/webhook/client.go (HookClient), staging/src/k8s.io/apiserver/pkg/util/proxy/proxy.go (ResolveCluster), v1.37.2',
  kinds: [...CONFIGURATIONS, DEFINITION, API_SERVICE],
  trap: true,
  elsewhere: true,
  example: replaced(TEXT, 'port: 443, targetPort', 'port: 8443, targetPort'),
  check: (object, index) => placesOf(object).flatMap((path) => serviceFindings(fieldAt(object, ...path.map(String)), path, index)),
};

function placesOf(object: ManifestObject): FieldPath[] {
  switch (groupKind(object)) {
    case API_SERVICE: return [['spec', 'service']];
    case DEFINITION: return [['spec', 'conversion', 'webhook', 'clientConfig', 'service']];
    default: return objectsAt(object, 'webhooks').map(([, at]) => ['webhooks', at, 'clientConfig', 'service']);
  }
}

function serviceFindings(reference: unknown, path: FieldPath, index: ManifestIndex): Finding[] {
  const [name, namespace] = [stringAt(reference, 'name'), stringAt(reference, 'namespace')];
  if (name === undefined || namespace === undefined) return [];
  const found = index.find('/Service', namespace, name);
  if (!found) {
    const names = index.allIn('/Service', namespace).flatMap((one) => nameOf(one) ?? []);
    const near = nearestName(name, names, 2) ?? affixedName(name, names);
    if (near !== undefined) return [{ path: [...path, 'name'], message: `no Service "${name}" is in the namespace "${namespace}", and one "${near}" is`, fix: `write "${near}"` }];
    const renamed = index.allIn('/Service', namespace).length > 0 ? undefined : renamedService(name, namespace, index);
    return renamed === undefined ? [] : [{
      path: [...path, 'namespace'],
      message: `no Service "${name}" is in the namespace "${namespace}", and one "${nameOf(renamed)}" is in "${namespaceOf(renamed)}": a prefix and a namespace have reached only one of the two`,
      fix: `write "${nameOf(renamed)}" and its namespace`,
    }];
  }
  // Hosts outside are asked at any port.
  if (stringAt(found, 'spec', 'type') === 'ExternalName') return [];
  const ports = objectsAt(found, 'spec', 'ports').flatMap(([port]) => numberAt(port, 'port') ?? []);
  const port = numberAt(reference, 'port') ?? DEFAULT_PORT;
  return ports.length === 0 || ports.includes(port) ? [] : [{
    path: isFields(reference) && 'port' in reference ? [...path, 'port'] : path,
    message: `the Service "${name}" has no port ${port}`,
    accepted: ports.join(', '),
    fix: ports.length === 1 ? `write port: ${ports[0]}` : 'write a port of the Service',
  }];
}

/** The only Service that has got a prefix and another namespace, as kustomize writes them. */
function renamedService(name: string, namespace: string, index: ManifestIndex): ManifestObject | undefined {
  const all = index.all('/Service').filter((one) => nameOf(one)?.endsWith(`-${name}`) && namespaceOf(one)?.endsWith(`-${namespace}`));
  return all.length === 1 ? all[0] : undefined;
}

/** Rules over Services that API servers ask. */
export const WEBHOOK_SERVICES: readonly ManifestRule[] = [service];
