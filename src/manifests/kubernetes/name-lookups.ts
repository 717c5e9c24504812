import { deploymentText, objectText } from './examples';
import { nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { isEmptySelector, selects } from '../rules/label-selectors';
import { Lookup } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { containersOf, podOf } from '../rules/pod-objects';
import { fieldAt, Fields, isFields, listAt, numberAt, objectsAt, stringAt, stringsAt } from '../values/fields';

const POLICY = 'networking.k8s.io/NetworkPolicy';
const WORKLOADS: readonly string[] = ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet'];
const POLICIES = new Lookup([POLICY], (policy) => [namespaceOf(policy)]);
const BY_NAMESPACE = new Lookup(WORKLOADS, (workload) => [namespaceOf(workload)]);

/**
 * The address of a Service by a name that only the DNS of the cluster knows: a URL, a name with a port, or the name alone. Names in lists and behind
 * other flags may be those of certificates and of proxies, which no pod asks for.
 */
const SERVICE_NAME = /(?:\/\/[^/\s,]{1,253}\.svc(?![\w-])|^[\w.-]{1,253}\.svc(?:\.[a-z0-9.-]{1,253})?$|[a-z0-9]\.svc(?:\.[a-z0-9.-]{1,253})?:\d)/;

/** Variables with names of certificates and of hosts without a proxy. */
const OTHER_USE = /no_?proxy|cert|san|dns|tls|cn$/i;

const DNS_PORTS: readonly unknown[] = [53, 'dns', 'dns-tcp', 5353, 8053, 1053, '53'];

const TEXT = documents(
  objectText('networking.k8s.io/v1', 'NetworkPolicy', `spec:
  podSelector: {}
  policyTypes: [Egress]
  egress:
    - to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: data}}}]
      ports: [{port: 5432, protocol: TCP}]
    - ports: [{port: 53, protocol: UDP}]
`),
  deploymentText('selector:\n  matchLabels: {app: web}').replace('image: registry.example.com/web:v1\n', 'image: registry.example.com/web:v1\n          env: [{name: PGHOST, value: db.data.svc.cluster.local}]\n'),
);

const names: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-NAME-LOOKUP',
  title: 'Policies that limit what pods may reach must let them ask for names, at port 53, where the pods are given names of Services.',
  source: 'kubernetes.io/docs/concepts/services-networking/network-policies (default deny all egress), aws/aws-network-policy-agent issue 230',
  kinds: [POLICY],
  trap: true,
  example: replaced(TEXT, '    - ports: [{port: 53, protocol: UDP}]\n', ''),
  check: (object, index) => {
    const namespace = namespaceOf(object);
    // Policies of a pod network's own kinds may allow more.
    if (namespace === undefined || !limitsEgress(object) || allowsNames(object) || index.kinds().some((kind) => kind !== POLICY && kind.endsWith('NetworkPolicy'))) return [];
    const all = POLICIES.find(index, namespace);
    // Manifests of several clusters may share a namespace, and policies without one may be of it.
    if (POLICIES.find(index, undefined).length > 0) return [];
    const asking = BY_NAMESPACE.find(index, namespace).find((workload) => {
      const pod = podOf(workload);
      if (!pod || pod.spec.hostNetwork === true || (stringAt(pod.spec, 'dnsPolicy') ?? 'ClusterFirst') !== 'ClusterFirst' || !asksForNames(containersOf(workload).map(({ container }) => container))) return false;
      const labels = fieldAt(workload, ...pod.path, 'metadata', 'labels');
      const concerns = (policy: Fields) => isEmptySelector(fieldAt(policy, 'spec', 'podSelector')) || selects(fieldAt(policy, 'spec', 'podSelector'), isFields(labels) ? labels : {});
      return concerns(object) && !all.some((policy) => policy !== object && concerns(policy) && allowsNames(policy));
    });
    return asking === undefined ? [] : [{
      path: ['spec', 'egress'],
      message: `${String(asking.kind)} ${nameOf(asking)} is given the name of a Service, and its pods may not ask for names`,
      fix: 'allow port 53 by UDP and TCP',
    }];
  },
};

function limitsEgress(policy: Fields): boolean {
  const policyTypes = stringsAt(policy, 'spec', 'policyTypes').map(([type]) => type);
  return policyTypes.length > 0 ? policyTypes.includes('Egress') : listAt(policy, 'spec', 'egress').length > 0;
}

/** True if a rule may let pods ask for names: ports of DNS, or all ports of any peer. */
function allowsNames(policy: Fields): boolean {
  return objectsAt(policy, 'spec', 'egress').some(([rule]) => {
    const ports = objectsAt(rule, 'ports').map(([port]) => port);
    return ports.length === 0 || ports.some((port) => port.port === undefined || DNS_PORTS.includes(port.port)
      || (typeof port.port === 'number' && port.port <= 53 && (numberAt(port, 'endPort') ?? 0) >= 53) || /\$\{|\{\{/.test(String(port.port)));
  });
}

function asksForNames(containers: readonly Fields[]): boolean {
  return containers.some((container) => [
    ...objectsAt(container, 'env').filter(([variable]) => !OTHER_USE.test(String(variable.name))).map(([variable]) => stringAt(variable, 'value') ?? ''), ...stringsAt(container, 'args').map(([text]) => text), ...stringsAt(container, 'command').map(([text]) => text),
  ].some((text) => SERVICE_NAME.test(text)));
}

/** Rules over pods that ask for names. */
export const NAME_LOOKUPS: readonly ManifestRule[] = [names];
