import { ChartRule } from '../../rules/chart-rule';
import { documents, replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { missing } from '../../rules/references/missing-references';
import { fieldAt, isFields, objectsAt, scalarText, stringAt } from '../../values/fields';

export const ADVERTISEMENT = 'cilium.io/CiliumBGPAdvertisement';
export const CLUSTER_CONFIG = 'cilium.io/CiliumBGPClusterConfig';
const PEER_CONFIG = 'cilium.io/CiliumBGPPeerConfig';

/** Types of advertisements that select objects. */
const SELECTING: readonly string[] = ['Service', 'CiliumPodIPPool'];

const TEXT = `apiVersion: cilium.io/v2
kind: CiliumBGPAdvertisement
metadata: {name: services, labels: {advertise: bgp}}
spec:
  advertisements:
    - advertisementType: Service
      service: {addresses: [LoadBalancerIP]}
      selector: {matchExpressions: [{key: bgp, operator: NotIn, values: ["false"]}]}
`;
const CONFIG_TEXT = `apiVersion: cilium.io/v2
kind: CiliumBGPClusterConfig
metadata: {name: main}
spec:
  bgpInstances:
    - name: main
      localASN: 64513
      peers: [{name: gateway, peerASN: 64512, peerAddress: 192.0.2.254, peerConfigRef: {name: gateway}}]
`;
const PEER_TEXT = `apiVersion: cilium.io/v2
kind: CiliumBGPPeerConfig
metadata: {name: gateway}
spec: {families: [{afi: ipv4, safi: unicast}]}
`;

const selector: ManifestRule = {
  id: 'TC-TRAP-CILIUM-ADVERTISEMENT',
  title: 'An advertisement of Services or pools of pods must have a selector: nothing is advertised without one.',
  source: 'cilium/cilium pkg/bgpv1/manager/reconcilerv2 (service.go, getServicePrefixes; pod_ip_pool.go), v1.18.3',
  kinds: [ADVERTISEMENT],
  trap: true,
  example: replaced(TEXT, '      selector: {matchExpressions: [{key: bgp, operator: NotIn, values: ["false"]}]}\n', ''),
  check: (object) => objectsAt(object, 'spec', 'advertisements').filter(([one]) => SELECTING.includes(stringAt(one, 'advertisementType') ?? '') && !isFields(one.selector)).map(([, at]) => ({
    path: ['spec', 'advertisements', at, 'selector'], message: 'it is missing, and selects nothing', fix: 'write a selector; {matchExpressions: [{key: none, operator: NotIn, values: [none]}]} selects all',
  })),
};

const peer: ManifestRule = {
  id: 'TC-TRAP-CILIUM-PEER',
  title: 'The configuration that a peer of BGP names must exist: it gets no advertisements otherwise.',
  source: 'cilium/cilium pkg/bgpv1/manager/reconcilerv2/neighbor.go (getPeerConfig), v1.18.3',
  kinds: [CLUSTER_CONFIG],
  trap: true,
  elsewhere: true,
  example: replaced(documents(CONFIG_TEXT, PEER_TEXT), 'peerConfigRef: {name: gateway}', 'peerConfigRef: {name: gatway}'),
  check: (object, index) => objectsAt(object, 'spec', 'bgpInstances').flatMap(([instance, at]) => objectsAt(instance, 'peers').flatMap(([one, number]) => {
    const name = stringAt(one, 'peerConfigRef', 'name');
    const path = ['spec', 'bgpInstances', at, 'peers', number, 'peerConfigRef', 'name'];
    return name === undefined ? [] : missing(object, index, { kind: PEER_CONFIG, name, path, clusterScoped: true });
  })),
};

/** Modes in which Cilium forwards Services, in any release since 1.13; later ones know fewer. */
const MODES: readonly string[] = ['true', 'false', 'strict', 'partial', 'disabled'];

/** A mode of earlier ones (cilium/cilium#22083). */
const OLD_MODE = 'probe';
const OLD_RELEASE = /^v?1\.(\d|1[0-2])(\.|$)/;

/** A rule over the mode of the chart. */
export const PROXY_MODE: ChartRule = {
  id: 'TC-TRAP-CILIUM-PROXY-MODE',
  title: 'The mode in which Cilium replaces kube-proxy must be one that it knows: its chart, or its agents, fail otherwise.',
  source: 'cilium/cilium install/kubernetes/cilium/templates/cilium-configmap.yaml, pkg/kpr/kpr.go, v1.18.3',
  trap: true,
  chart: 'cilium',
  example: replaced(`apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cilium, namespace: kube-system}
spec:
  interval: 1h
  chart: {spec: {chart: cilium, version: 1.18.3, sourceRef: {kind: HelmRepository, name: cilium}}}
  install: {strategy: {name: RetryOnFailure, retryInterval: 30s}}
  values: {kubeProxyReplacement: false, ipam: {mode: kubernetes}}
`, 'kubeProxyReplacement: false', 'kubeProxyReplacement: probe'),
  faultsOf: (values, _, version = '') => {
    const mode = fieldAt(values, 'kubeProxyReplacement');
    const text = scalarText(mode);
    return mode === undefined || mode === null || text === '' || MODES.includes(text) || (text === OLD_MODE && OLD_RELEASE.test(version)) || /[{$]/.test(text) ? [] : [{
      path: ['kubeProxyReplacement'], message: `Cilium knows no mode ${JSON.stringify(mode)}`, accepted: 'true, false', fix: 'write true, or false beside kube-proxy',
    }];
  },
};

/** Rules over BGP. */
export const BGP_RULES: readonly ManifestRule[] = [selector, peer];
