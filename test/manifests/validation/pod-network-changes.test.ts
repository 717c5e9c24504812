import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { POD_NETWORK_CHANGES } from '../../../src/manifests/validation/changes/pod-network-changes';

const METADATA = { name: 'cilium', namespace: 'tenant-acme' };

const CLUSTER: ManifestObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { ...METADATA, name: 'acme', labels: { tier: 'gold' } }, spec: {},
};

function release(version: string, values: object = {}): ManifestObject {
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: METADATA, spec: { chart: { spec: { chart: 'cilium', version } }, values },
  };
}

function proxy(version: string, valuesTemplate: string): ManifestObject {
  const spec = { clusterSelector: { matchLabels: { tier: 'gold' } }, chartName: 'cilium', version, valuesTemplate };
  return { apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', metadata: METADATA, spec };
}

function found(before: ManifestObject, after: ManifestObject): string[] {
  const [old, now] = [before, after].map((object) => new ManifestIndex([object, CLUSTER]));
  return POD_NETWORK_CHANGES.flatMap((rule) => (
    rule.check({ before, after, old, now }).map(({ path }) => `${rule.id.replace('TC-CHANGE-CNI-', '')} ${path.join('.')}`)));
}

test.each<[string, string, string[]]>([
  ['1.18.12', '1.20.0', ['STEP spec']],
  ['1.20.0', '1.17.0', ['STEP spec']],
  ['v1.20.0', 'v1.18.0', ['STEP spec']],
  ['1.19.6', '1.20.0', []],
  ['1.20.0', '1.19.6', []],
  ['1.19.4', '1.19.6', []],
  ['1.x', '1.20.0', []],
])('Cilium %s -> %s', (from, to, expected) => {
  expect(found(release(from), release(to))).toEqual(expected);
  expect(found(proxy(from, ''), proxy(to, ''))).toEqual(expected);
});

const pools = (list: string[], more: object = {}) => ({ ipam: { mode: 'cluster-pool', operator: { clusterPoolIPv4PodCIDRList: list, ...more } } });

test.each<[string, object, object, string[]]>([
  ['another mode', { ipam: { mode: 'kubernetes' } }, { ipam: { mode: 'cluster-pool' } }, ['ADDRESSES spec.values.ipam.mode']],
  ['the mode of the chart', { ipam: { mode: 'kubernetes' } }, {}, ['ADDRESSES spec.values']],
  ['the mode of the chart, written out', {}, { ipam: { mode: 'cluster-pool' } }, []],
  ['another pool', pools(['10.42.0.0/16']), pools(['10.43.0.0/16']), ['ADDRESSES spec.values.ipam.operator.clusterPoolIPv4PodCIDRList']],
  ['a further pool', pools(['10.42.0.0/16']), pools(['10.42.0.0/16', '10.43.0.0/16']), []],
  ['other ranges of nodes', pools(['10.42.0.0/16']), pools(['10.42.0.0/16'], { clusterPoolIPv4MaskSize: 25 }), [
    'ADDRESSES spec.values.ipam.operator.clusterPoolIPv4MaskSize',
  ]],
  ['ranges of nodes that are not used', { ipam: { mode: 'kubernetes' } }, { ipam: { mode: 'kubernetes', operator: { clusterPoolIPv4MaskSize: 25 } } }, []],
  ['another protocol', {}, { tunnelProtocol: 'geneve' }, ['TUNNEL spec.values']],
  ['another port', { tunnelPort: 8472 }, { tunnelPort: 8473 }, ['TUNNEL spec.values.tunnelPort']],
  ['the port of the chart, written out', {}, { tunnelPort: 8472 }, []],
  ['kube-proxy again', { kubeProxyReplacement: true }, { kubeProxyReplacement: 'false' }, ['SERVICE-PROXY spec.values.kubeProxyReplacement']],
  ['a boolean as a string', { kubeProxyReplacement: true }, { kubeProxyReplacement: 'true' }, []],
])('%s', (_, before, after, expected) => {
  expect(found(release('1.20.0', before), release('1.20.0', after))).toEqual(expected);
});
