import { PROGRAM_ARGUMENTS } from '../../../src/manifests/kubernetes/program-arguments';
import { findings } from '../rules/rules-under-test';

const KNOWN = 'TC-TRAP-PROGRAM-ARGUMENT';
const OTHER = 'TC-TRAP-PROGRAM-ARGUMENT-RELEASE';

function found(image: string, args: string, kind = 'DaemonSet'): string[] {
  return findings(PROGRAM_ARGUMENTS, `
apiVersion: apps/v1
kind: ${kind}
metadata: {name: a, namespace: acme}
spec: {template: {spec: {containers: [{name: a, image: "${image}", args: [${args}]}]}}}
`).map((line) => line.replace('spec.template.spec.containers.0.args.', ''));
}

test.each([
  ['registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2', '--scan-intervall=10s', `${KNOWN} 0: cluster-autoscaler 1.35 has no flag --scan-intervall and exits on it`],
  ['mirror.example.com/csi-provisioner:v6.4.0', '--logtostderr', `${KNOWN} 0: csi-provisioner has no flag --logtostderr since 5.2, and exits on it`],
  ['cluster-autoscaler:v1.33.6', '--max-startup-time=1m', `${KNOWN} 0: cluster-autoscaler 1.33 has no flag --max-startup-time (exists from 1.36) and exits on it`],
  ['cluster-autoscaler:v1.35.0', '--max-empty-bulk-delete=10', `${KNOWN} 0: cluster-autoscaler has no flag --max-empty-bulk-delete since 1.33, and exits on it`],
  ['csi-attacher:v4.13.0', '--timeout=180', `${KNOWN} 0: --timeout is of type duration, and "180" is not`],
  ['csi-resizer:v2.3.0', '--worker-threads=5', `${KNOWN} 0: csi-resizer 2.3 has no flag --worker-threads and exits on it`],
  ['kubevirt-cloud-controller-manager:v0.6.0', '--cluster-nam=acme', `${KNOWN} 0: kubevirt-cloud-controller-manager 0.6 has no flag --cluster-nam and exits on it`],
  ['vultr/vultr-cloud-controller-manager:v0.18.0', '--leader-elect=no', `${KNOWN} 0: --leader-elect is of type bool, and "no" is not`],
  ['registry.k8s.io/kas-network-proxy/proxy-agent:v0.36.0', '--proxy-server-hosts=a', `${KNOWN} 0: konnectivity-agent 0.36 has no flag --proxy-server-hosts and exits on it`],
  ['registry.k8s.io/kas-network-proxy/proxy-server:v0.34.0', '--tls-min-version=1', `${KNOWN} 0: konnectivity-server 0.34 has no flag --tls-min-version (exists from 0.36) and exits on it`],
  ['registry.k8s.io/kube-scheduler:v1.35.4', '--port=0', `${KNOWN} 0: kube-scheduler 1.35 has no flag --port (removed in 1.24) and exits on it`],
  ['kubevirt-csi-driver:latest', '--infra-cluster-namespaces=a', `${OTHER} 0: no known release of kubevirt-csi-driver has a flag --infra-cluster-namespaces; it exits on it then`],
  ['kubevirt-csi-driver', '--quite-another=a', `${OTHER} 0: no known release of kubevirt-csi-driver has a flag --quite-another; it exits on it then`],
  ['csi-snapshotter:v5.0.1', '--leader-elction', `${OTHER} 0: no known release of csi-snapshotter (8.3, 8.6, 8.7) has a flag --leader-elction; it exits on it then`],
  ['csi-snapshotter', '--enable-volume-group-snapshots', `${OTHER} 0: csi-snapshotter has no flag --enable-volume-group-snapshots since 8.2, and exits on it`],
])('%s %s', (image, args, finding) => {
  expect(found(image, args)).toEqual([finding]);
});

test.each([
  ['cluster-autoscaler:v1.35.2', '--v=4, --scan_interval=$(INTERVAL), --namespace, kube-system, $(MORE), -unknown'],
  ['csi-provisioner:v3.4.0', '--logtostderr, --some-old-flag'],
  ['csi-provisioner:v9.0.0', '--some-new-flag'],
  ['kubevirt-csi-driver:27b52aa2', '--endpoint=unix:///csi/csi.sock, --v=5'],
  ['registry.example.com/openstack-cloud-controller-manager:v1.33.0', '--anything'],
  ['cluster-autoscaler:v1.35.2', '"--$' + '{FLAG}=1", "--scan-interval=$' + '{INTERVAL}"'],
])('%s may have %s', (image, args) => {
  expect(found(image, args)).toEqual([]);
});

test('The arguments of static pods and of Jobs count, too', () => {
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {initContainers: [{name: a, image: "kube-apiserver:v1.35.4", command: [kube-apiserver, --cloud-provider=aws]}]}\n';

  expect(findings(PROGRAM_ARGUMENTS, pod)).toEqual([`${KNOWN} spec.initContainers.0.command.1: kube-apiserver 1.35 has no flag --cloud-provider (removed in 1.33) and exits on it`]);
});
