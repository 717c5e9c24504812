import { manifestRules } from '../../../src/manifests/validation/manifest-rules';
import { rulesOf } from '../schema/cel';
import { CrdSchemas } from '../schema/crd-schemas';

const PARTITION_TYPE = "self.matches('^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$')";
const UNIQUE_NAMES = 'self.all(x, self.exists_one(y, x.name == y.name))';
const LAYOUT = '[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1';
const CONDITIONS = "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])";
const SECRET_OR_CONTENT = (part: string) => `(has(self.${part}.secretReference) || has(self.${part}.content))`;
const AGENTS = "!(self.mode == 'DaemonSet' && has(self.replicas) && self.replicas != 0) && !(self.mode == 'Deployment' && has(self.replicas) && self.replicas == 0)";
const GENERATED = '(has(self.stringValue) || has(self.fromDefinition)) && !(has(self.stringValue) && has(self.fromDefinition))';
const ONE_OF_TWO = (one: string, other: string) => `(has(self.${one}) && !has(self.${other})) || (!has(self.${one}) && has(self.${other}))`;

const ETCD = (part: string) => `(self.driver == "etcd") ? (self.tlsConfig != null && ${SECRET_OR_CONTENT(`tlsConfig.${part}`)}) : true`;
const BASIC_AUTH = (part: string) => `(self.driver != "etcd" && has(self.basicAuth)) ? (${SECRET_OR_CONTENT(`basicAuth.${part}`)}) : true`;

/** Rules in CEL that definitions have for new objects, and what says so here: the id of a rule, by API group. */
const COVERED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'bootstrap.cluster.x-k8s.io': {
    [PARTITION_TYPE]: 'TC-ADMIT-KUBEADM-PARTITION-TYPE', [UNIQUE_NAMES]: 'TC-ADMIT-KUBEADM-ARGUMENT', [LAYOUT]: 'TC-ADMIT-KUBEADM-DISK-LAYOUT',
  },
  'cdi.kubevirt.io': {
    "self.all(am, am in ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'])": 'TC-ADMIT-CDI-ACCESS-MODE',
  },
  'cert-manager.io': {
    '(has(self.tpp) ? 1 : 0) + (has(self.cloud) ? 1 : 0) + (has(self.ngts) ? 1 : 0) == 1': 'TC-ADMIT-CERT-MANAGER-VENAFI',
  },
  'cluster.x-k8s.io': {
    [CONDITIONS]: 'TC-ADMIT-HEALTH-CHECK-CONDITION',
    'self.all(x, self.exists_one(y, x == y))': 'TC-ADMIT-DRAIN-UNIQUE',
  },
  'controlplane.cluster.x-k8s.io': {
    [PARTITION_TYPE]: 'TC-ADMIT-KUBEADM-PARTITION-TYPE',
    [UNIQUE_NAMES]: 'TC-ADMIT-KUBEADM-ARGUMENT',
    [LAYOUT]: 'TC-ADMIT-KUBEADM-DISK-LAYOUT',
    [AGENTS]: 'TC-ADMIT-KAMAJI-KONNECTIVITY-REPLICAS',
    "!has(self.loadBalancerConfig) || !has(self.loadBalancerConfig.loadBalancerSourceRanges) || (size(self.loadBalancerConfig.loadBalancerSourceRanges) == 0 || self.serviceType == 'LoadBalancer')": 'TC-ADMIT-KAMAJI-LOAD-BALANCER',
    "!has(self.loadBalancerConfig) || !has(self.loadBalancerConfig.loadBalancerClass) || self.serviceType == 'LoadBalancer'": 'TC-ADMIT-KAMAJI-LOAD-BALANCER',
  },
  'helm.toolkit.fluxcd.io': {
    [ONE_OF_TWO('chart', 'chartRef')]: 'TC-ADMIT-FLUX-CHART',
    "!has(self.retryInterval) || self.name != 'RemediateOnFailure'": 'TC-ADMIT-FLUX-RETRY-INTERVAL',
    "!has(self.retryInterval) || self.name == 'RetryOnFailure'": 'TC-ADMIT-FLUX-RETRY-INTERVAL',
    'has(self.configMapRef) || has(self.secretRef)': 'TC-ADMIT-FLUX-KUBECONFIG',
    '!has(self.configMapRef) || !has(self.secretRef)': 'TC-ADMIT-FLUX-KUBECONFIG',
  },
  'kamaji.clastix.io': {
    [ETCD('certificateAuthority.privateKey')]: 'TC-ADMIT-KAMAJI-DATA-STORE-ETCD',
    [ETCD('clientCertificate.certificate')]: 'TC-ADMIT-KAMAJI-DATA-STORE-ETCD',
    [ETCD('clientCertificate.privateKey')]: 'TC-ADMIT-KAMAJI-DATA-STORE-ETCD',
    [`(self.driver != "etcd" && has(self.tlsConfig) && has(self.tlsConfig.clientCertificate)) ? ((${SECRET_OR_CONTENT('tlsConfig.clientCertificate.certificate')})) : true`]: 'TC-ADMIT-KAMAJI-DATA-STORE-CREDENTIALS',
    [BASIC_AUTH('username')]: 'TC-ADMIT-KAMAJI-DATA-STORE-CREDENTIALS',
    [BASIC_AUTH('password')]: 'TC-ADMIT-KAMAJI-DATA-STORE-CREDENTIALS',
    '(self.driver != "etcd") ? (has(self.tlsConfig) || has(self.basicAuth)) : true': 'TC-ADMIT-KAMAJI-DATA-STORE-CREDENTIALS',
    [GENERATED]: 'TC-ADMIT-KAMAJI-KUBECONFIG-GENERATOR',
    "!has(self.networkProfile.loadBalancerSourceRanges) || (size(self.networkProfile.loadBalancerSourceRanges) == 0 || self.controlPlane.service.serviceType == 'LoadBalancer')": 'TC-ADMIT-TCP-LOAD-BALANCER',
    "!has(self.networkProfile.loadBalancerClass) || self.controlPlane.service.serviceType == 'LoadBalancer'": 'TC-ADMIT-TCP-LOAD-BALANCER',
    "!has(self.controlPlane.service.allocateLoadBalancerNodePorts) || self.controlPlane.service.serviceType == 'LoadBalancer'": 'TC-ADMIT-TCP-LOAD-BALANCER',
    [AGENTS]: 'TC-ADMIT-KAMAJI-KONNECTIVITY-REPLICAS',
    '!(has(self.ingress) && has(self.gateway))': 'TC-ADMIT-TCP-INGRESS-AND-GATEWAY',
    "self == '' || isIP(self)": 'TC-ADMIT-TCP-NETWORK',
    'self.all(r, isCIDR(r))': 'TC-ADMIT-TCP-NETWORK',
    "self == '' || isCIDR(self)": 'TC-ADMIT-TCP-NETWORK',
    'self.all(x, isCIDR(x))': 'TC-ADMIT-TCP-NETWORK',
  },
  'kubevirt.io': {
    "self.startsWith('/')": 'TC-ADMIT-VM-CONTAINER-PATH', "!self.contains('..')": 'TC-ADMIT-VM-CONTAINER-PATH', 'self == true': 'TC-ADMIT-VM-CONTAINER-PATH',
  },
  'kustomize.toolkit.fluxcd.io': {
    'has(self.configMapRef) || has(self.secretRef)': 'TC-ADMIT-FLUX-KUBECONFIG', '!has(self.configMapRef) || !has(self.secretRef)': 'TC-ADMIT-FLUX-KUBECONFIG',
  },
  'metallb.io': {
    '!has(self.serviceSelectors) || self.serviceSelectors.size() == 0 || ((!has(self.aggregationLength) || self.aggregationLength == 32) && (!has(self.aggregationLengthV6) || self.aggregationLengthV6 == 128))': 'TC-ADMIT-METALLB-AGGREGATION',
    'duration(self).getSeconds() >= 1 && duration(self).getSeconds() <= 65535': 'TC-ADMIT-METALLB-CONNECT-TIME',
    'duration(self).getMilliseconds() % 1000 == 0': 'TC-ADMIT-METALLB-CONNECT-TIME',
  },
  'operator.cluster.x-k8s.io': {
    '!(has(self.manifestPatches) && has(self.patches))': 'TC-ADMIT-OPERATOR-PATCHES', '[has(self.oci), has(self.url), has(self.selector)].exists_one(x,x)': 'TC-ADMIT-OPERATOR-FETCH',
  },
  'snapshot.storage.k8s.io': {
    [ONE_OF_TWO('volumeHandle', 'snapshotHandle')]: 'TC-ADMIT-SNAPSHOT-SOURCE',
    'has(self.name) && has(self.__namespace__)': 'TC-ADMIT-SNAPSHOT-REFERENCE',
    [ONE_OF_TWO('volumeSnapshotContentName', 'persistentVolumeClaimName')]: 'TC-ADMIT-SNAPSHOT-SOURCE',
    'size(self) > 0': 'TC-ADMIT-SNAPSHOT-CLASS',
  },
  'source.toolkit.fluxcd.io': {
    "!has(self.serviceAccountName) || (has(self.provider) && (self.provider == 'azure' || self.provider == 'aws'))": 'TC-ADMIT-FLUX-SERVICE-ACCOUNT',
  },
};

/** Rules in CEL of all definitions, without those that only compare with what was there before: `group/Kind` by group and rule. */
function rulesOfDefinitions(): Map<string, Set<string>> {
  const rules = new Map<string, Set<string>>();
  for (const { apiVersion, kind, schema } of CrdSchemas.load().all()) {
    const [group] = apiVersion.split('/');
    for (const [, { rule }] of rulesOf(schema)) {
      if (/\boldSelf\b/.test(rule)) continue;
      const key = JSON.stringify([group, rule.replace(/\s+/g, ' ').trim()]);
      rules.set(key, (rules.get(key) ?? new Set()).add(`${group}/${kind}`));
    }
  }
  return rules;
}

test('every rule in CEL that a definition has for new objects is known, and no other', () => {
  const known = Object.entries(COVERED).flatMap(([group, rules]) => Object.keys(rules).map((rule) => JSON.stringify([group, rule])));

  expect([...rulesOfDefinitions().keys()].sort()).toEqual(known.sort());
});

test('what says the same here looks at the same kinds', () => {
  for (const [key, kinds] of rulesOfDefinitions()) {
    const [group, rule] = JSON.parse(key) as [string, string];
    const ours = manifestRules().find(({ id }) => id === COVERED[group]?.[rule]);

    expect([key, [...kinds].filter((kind) => !ours?.kinds.includes(kind))]).toEqual([key, []]);
    expect(ours?.source).toContain('x-kubernetes-validations');
  }
});
