import { KUBEVIRT_CLUSTER } from './kubevirt-objects';
import { ManifestObject, nameOf } from '../../../objects/manifest-object';
import { ChartRule, ChartSettings } from '../../../rules/chart-rule';
import { documents, edited } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { fieldAt, FieldPath } from '../../../values/fields';

const KUBEVIRT = 'kubevirt.io/KubeVirt';

const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: cilium
  namespace: kube-system
spec:
  interval: 1h
  chart:
    spec:
      chart: cilium
      version: 1.20.0
      sourceRef: {kind: HelmRepository, name: cilium}
  values:
    kubeProxyReplacement: true
    socketLB: {hostNamespaceOnly: true}
`;

const KUBEVIRT_TEXT = `apiVersion: kubevirt.io/v1
kind: KubeVirt
metadata:
  name: kubevirt
  namespace: kubevirt
spec: {}
`;

/** Values of Cilium's chart that its ConfigMap stands for. */
function settingsOf(object: ManifestObject): ChartSettings | undefined {
  if (nameOf(object) !== 'cilium-config') return undefined;
  const [kubeProxyReplacement, enabled, hostNamespaceOnly] = ['kube-proxy-replacement', 'bpf-lb-sock', 'bpf-lb-sock-hostns-only']
    .map((key) => fieldAt(object, 'data', key));
  return { path: ['data'], values: { kubeProxyReplacement, socketLB: { enabled, hostNamespaceOnly } } };
}

/** True if virtual machines of tenants run beside the object. */
function hasMachines(index: ManifestIndex): boolean {
  return index.all(KUBEVIRT).length > 0 || index.all(KUBEVIRT_CLUSTER).length > 0;
}

/** Network plug-in of a cluster that runs virtual machines. */
export const MANAGEMENT_NETWORK: ChartRule = {
  id: 'TC-TRAP-KUBEVIRT-CILIUM-SOCKETS',
  title: 'Cilium in place of kube-proxy must leave the sockets of pods alone where virtual machines run: they reach no Service otherwise, not the DNS and not the API server of their tenant.',
  source: 'docs.cilium.io, "Kubernetes Without kube-proxy", "Socket LoadBalancer Bypass in Pod Namespace"; cilium issues 14563, 37669; kubevirt issue 10388',
  chart: 'cilium',
  alike: { kind: '/ConfigMap', settingsOf },
  trap: true,
  warning: true,
  example: {
    failing: documents(edited(RELEASE_TEXT, { '    socketLB: {hostNamespaceOnly: true}\n': '' }), KUBEVIRT_TEXT),
    corrected: documents(RELEASE_TEXT, KUBEVIRT_TEXT),
  },
  faultsOf: (values, index) => {
    const is = (value: boolean, ...path: FieldPath): boolean => [value, `${value}`].includes(fieldAt(values, ...path) as boolean | string);
    if (!is(true, 'kubeProxyReplacement') || is(true, 'socketLB', 'hostNamespaceOnly') || is(false, 'socketLB', 'enabled') || !hasMachines(index)) return [];
    return [{
      path: [],
      message: 'Services are translated at the sockets of pods, which the packets of a virtual machine do not pass: it reaches no Service',
      fix: 'write socketLB: {hostNamespaceOnly: true} in the values, which is bpf-lb-sock-hostns-only: "true" in cilium-config',
    }];
  },
};
