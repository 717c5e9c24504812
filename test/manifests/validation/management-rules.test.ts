import { parseAllDocuments } from 'yaml';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { MANAGEMENT_RULES } from '../../../src/manifests/validation/management-rules';

const [MOVED, REFUSED] = MANAGEMENT_RULES;
const objectsIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as ManifestObject);

/** The messages of a rule about its failing example, changed in some words. */
function messages(rule: typeof MOVED, edits: readonly (readonly [from: string, to: string])[], ...others: readonly ManifestObject[]): string[] {
  const text = edits.reduce((all, [from, to]) => {
    expect(all).toContain(from);
    return all.replace(from, to);
  }, rule.example.failing);
  const index = new ManifestIndex([...objectsIn(text), ...others]);
  return rule.kinds.flatMap((kind) => index.all(kind)).flatMap((object) => rule.check(object, index)).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const VM = 'spec.template.spec.virtualMachineTemplate.spec.template.spec.evictionStrategy';

describe('a machine that moves', () => {
  const release = (chart: string, values: object = {}) => (
    { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: { name: chart, namespace: 'a' }, spec: { chart: { spec: { chart } }, values } });
  const ovn = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

  test.each<[what: string, edits: readonly (readonly [string, string])[]]>([
    ['at all costs', []],
    ['if it can', [['LiveMigrate', 'LiveMigrateIfPossible']]],
    ['on Cilium', [['chart: flannel', 'chart: cilium']]],
  ])('%s', (_, edits) => {
    expect(messages(MOVED, edits)).toEqual([expect.stringMatching(`^${VM}: (Flannel|Cilium) of the management cluster gives a moved machine another address`)]);
  });

  test.each<[what: string, edits: readonly (readonly [string, string])[], others: readonly object[]]>([
    ['is drained', [['LiveMigrate', 'External']], []],
    ['has another network', [['pod: {}', 'multus: {networkName: hall}']], []],
    ['is not moved by KubeVirt', [['kubevirt.io/allow-pod-bridge-network-live-migration', 'example.com/a']], []],
    ['runs elsewhere', [['      virtualMachineBootstrapCheck', '      infraClusterSecretRef: {name: hall-2, namespace: a}\n      virtualMachineBootstrapCheck']], []],
    ['is on a plug-in that is not known', [['chart: flannel', 'chart: kube-ovn']], []],
    ['is on Calico, which may keep addresses', [['chart: flannel', 'chart: tigera-operator']], []],
    ['is on a plug-in to which Cilium is chained', [['chart: flannel', 'chart: cilium'], ['sourceRef: {kind: HelmRepository, name: flannel}', 'sourceRef: {kind: HelmRepository, name: flannel}\n  values: {cni: {chainingMode: generic-veth}}']], [ovn]],
    ['is beside a network that a tenant has', [['spec:\n  interval: 1h', 'spec:\n  interval: 1h\n  kubeConfig: {secretRef: {name: acme-kubeconfig}}']], []],
  ])('%s', (_, edits, others) => {
    expect(messages(MOVED, edits, ...others as ManifestObject[])).toEqual([]);
  });

  test('on one of two networks, one of which is not known', () => {
    expect(messages(MOVED, [], release('cilium', { cni: { chainingMode: 'generic-veth' } }))).toEqual([]);
  });
});

const KEY = 'external-dns.alpha.kubernetes.io/hostname';
const ANNOTATIONS = `annotations: {${KEY}: shop.example.com}`;

describe('annotations of a Service in values', () => {
  test.each<[what: string, edits: readonly (readonly [string, string])[], path: string]>([
    ['of a chart with a load balancer by default', [], `spec.values.controller.service.annotations.${KEY}`],
    ['of another such chart', [['chart: ingress-nginx', 'chart: traefik'], ['    controller:\n      service:\n        annotations', '    service:\n        annotations']], `spec.values.service.annotations.${KEY}`],
    ['of any chart that is told the type', [['chart: ingress-nginx', 'chart: shop'], ['controller:', 'web:'], [ANNOTATIONS, `type: LoadBalancer\n        ${ANNOTATIONS}`]], `spec.values.web.service.annotations.${KEY}`],
  ])('%s', (_, edits, path) => {
    expect(messages(REFUSED, edits)).toEqual([`${path}: ${KEY} of a load balancer is copied to the management cluster, whose policy for "acme" refuses it: the Service stays pending`]);
  });

  test.each<[what: string, edits: readonly (readonly [string, string])[]]>([
    ['that are allowed', [[KEY, 'example.com/pool']]],
    ['of another type', [[ANNOTATIONS, `type: ClusterIP\n        ${ANNOTATIONS}`]]],
    ['with a class', [[ANNOTATIONS, `loadBalancerClass: example.com/a\n        ${ANNOTATIONS}`]]],
    ['of a chart that is not known', [['chart: ingress-nginx', 'chart: shop']]],
    ['of a release for the management cluster', [['  kubeConfig:\n    secretRef: {name: acme-admin-kubeconfig, key: super-admin.svc}\n', '']]],
    ['of a tenant without a policy', [['refusedAnnotations', 'others']]],
    ['of a tenant that another cloud controller manager publishes', [['--cloud-provider=kubevirt', '--cloud-provider=other'], ['kubevirt/kubevirt-cloud-controller-manager', 'example/other']]],
    ['of a tenant whose policy drops them', [['size(variables.refusedAnnotations) == 0', `size(variables.refusedAnnotations) == 0
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: a}
spec:
  matchConditions:
    - {name: a, expression: 'request.userInfo.username == "system:serviceaccount:tenant-acme:acme-cloud-controller-manager"'}`]]],
  ])('%s', (_, edits) => {
    expect(messages(REFUSED, edits)).toEqual([]);
  });
});
