import { clusterConfigurationYaml } from './kubeadm-spec';
import { authorityRule, machineAuthorities } from '../../../rules/changes/authority-changes';
import { keeps, NEW_TEMPLATE } from '../../../rules/changes/kept-fields';
import { loweredMinor, skippedMinor } from '../../../rules/changes/pool-changes';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE } from '../../../rules/cluster-api/cluster-api-kinds';
import { controlPlaneYaml } from '../../../rules/cluster-api/example-manifests';
import { changedText } from '../../../rules/example-text';
import { isFilled } from '../../../values/fields';

const WEBHOOK = 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go';
const CONFIGURATION = ['spec', 'kubeadmConfigSpec', 'clusterConfiguration'];
const ETCD = [...CONFIGURATION, 'etcd'];
const VERSION = ['spec', 'version'];
const NEXT_MINOR = { 'v1.35.4': 'v1.36.1' };

const IMMUTABLE: TransitionRule = {
  id: 'TC-CHANGE-KCP',
  title: 'The endpoint, the folder of certificates and the validity of the authority of a KubeadmControlPlane cannot be changed.',
  source: WEBHOOK,
  kinds: [KUBEADM_CONTROL_PLANE],
  example: changedText(clusterConfigurationYaml('controlPlaneEndpoint: api.acme.example.com:6443\nimageRepository: registry.k8s.io', 'replicas: 3\n'),
    { 'api.acme': 'k8s.acme' }, { 'registry.k8s.io': 'registry.example.com' }),
  check: keeps(['controlPlaneEndpoint', 'certificatesDir', 'caCertificateValidityPeriodDays'].map((field) => ({ path: [...CONFIGURATION, field] })), 'put it back'),
};

const ETCD_PLACE: TransitionRule = {
  id: 'TC-CHANGE-KCP-ETCD',
  title: 'A KubeadmControlPlane cannot change between stacked and external etcd.',
  source: WEBHOOK,
  kinds: [KUBEADM_CONTROL_PLANE],
  example: changedText(clusterConfigurationYaml('etcd:\n  local:\n    imageTag: 3.6.5-0', 'replicas: 3\n'), {
    'local:\n          imageTag: 3.6.5-0': 'external:\n          endpoints: ["https://etcd.example.com:2379"]\n          caFile: /etc/ssl/etcd/ca.crt\n          certFile: /etc/ssl/etcd/client.crt\n          keyFile: /etc/ssl/etcd/client.key',
  }, { '3.6.5-0': '3.6.6-0' }),
  check: ({ before, after }) => {
    if (!before || !after) return [];
    const [was, is] = [before, after].map((object) => isFilled(object, ...ETCD, 'external'));
    return was === is ? [] : [{
      path: ETCD,
      message: is ? 'etcd ran on the machines of the control plane, and is elsewhere now' : 'etcd was elsewhere, and runs on the machines of the control plane now',
      fix: 'put it back, or make a new Cluster and move what runs',
    }];
  },
};

const SKIPPED: TransitionRule = {
  id: 'TC-CHANGE-KCP-VERSION',
  title: 'The minor of a KubeadmControlPlane rises by one at a time.',
  source: WEBHOOK,
  kinds: [KUBEADM_CONTROL_PLANE],
  example: changedText(controlPlaneYaml('replicas: 3'), { 'v1.35.4': 'v1.37.0' }, NEXT_MINOR),
  check: (change) => skippedMinor(change, VERSION),
};

const LOWERED: TransitionRule = {
  id: 'TC-CHANGE-KCP-DOWNGRADE',
  title: 'The minor version of a KubeadmControlPlane must not go down: an older API server may fail to read what a newer one has stored.',
  source: 'kubernetes-sigs/cluster-api docs/proposals/20191017-kubeadm-based-control-plane.md (non-goals)',
  kinds: [KUBEADM_CONTROL_PLANE],
  trap: true,
  example: changedText(controlPlaneYaml('replicas: 3'), { 'v1.35.4': 'v1.34.8' }, NEXT_MINOR),
  check: (change) => loweredMinor(change, VERSION, 'what is stored may be too new for it'),
};

const CONTROL_PLANE_TEMPLATE_TEXT = `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlaneTemplate
metadata:
  name: small
  namespace: tenant-acme
spec:
  template:
    spec:
      kubeadmConfigSpec:
        clusterConfiguration:
          imageRepository: registry.k8s.io
`;

const TEMPLATE: TransitionRule = {
  id: 'TC-CHANGE-KCP-TEMPLATE',
  title: 'What a KubeadmControlPlaneTemplate makes stays what it is.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplanetemplate.go',
  kinds: [KUBEADM_CONTROL_PLANE_TEMPLATE],
  example: changedText(CONTROL_PLANE_TEMPLATE_TEXT, { 'registry.k8s.io': 'registry.example.com' }, { 'registry.k8s.io': 'registry.example.com', 'name: small': 'name: small-2' }),
  check: keeps([{ path: ['spec', 'template', 'spec'] }], NEW_TEMPLATE),
};

/** Authorities of control planes, by their kind: kubernetes-sigs/cluster-api util/secret/consts.go, v1.14.2. */
export const AUTHORITIES = { [KUBEADM_CONTROL_PLANE]: machineAuthorities() };

const AUTHORITY = authorityRule({
  id: 'TC-CHANGE-KUBEADM-AUTHORITY',
  title: 'The certificate authorities and keys of a Cluster must stay as they are: machines take them once, and new machines do not fit the existing ones.',
  source: 'kubernetes-sigs/cluster-api util/secret/certificates.go (LookupOrGenerate), controlplane/kubeadm/reconcilers/kubeadmcontrolplane/kubeadmcontrolplane_controller.go (reconcileClusterCertificates), docs/book/src/tasks/certs/using-custom-certificates.md, v1.14.2',
}, AUTHORITIES);

/** The file from which kubeadm starts a cluster on machines without Cluster API. */
const CLUSTER_CONFIGURATION = 'kubeadm.k8s.io/ClusterConfiguration';

const CLUSTER_CONFIGURATION_TEXT = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
clusterName: factory
kubernetesVersion: v1.35.4
controlPlaneEndpoint: kubernetes.example.com:6443
networking:
  podSubnet: 10.244.0.0/16
  serviceSubnet: 10.96.0.0/16
`;

const HOSTS_VERSION: TransitionRule = {
  id: 'TC-CHANGE-KUBEADM-VERSION',
  title: 'The minor version in a ClusterConfiguration must rise by one at a time, and must not go down.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/upgrade/policy.go (EnforceVersionPolicies)',
  kinds: [CLUSTER_CONFIGURATION],
  example: changedText(CLUSTER_CONFIGURATION_TEXT, { 'v1.35.4': 'v1.37.0' }, NEXT_MINOR),
  check: (change) => [...skippedMinor(change, ['kubernetesVersion']), ...loweredMinor(change, ['kubernetesVersion'], 'kubeadm refuses an older minor')],
};

const HOSTS_NETWORK: TransitionRule = {
  id: 'TC-CHANGE-KUBEADM-CLUSTER',
  title: 'The endpoint, the networks and the folders in a ClusterConfiguration must stay: kubeadm does not bring such a change to a running cluster.',
  source: 'kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-reconfigure (what is not persisted, and what cannot be reconfigured)',
  kinds: [CLUSTER_CONFIGURATION],
  trap: true,
  example: changedText(CLUSTER_CONFIGURATION_TEXT, { 10.244: '10.245' }, NEXT_MINOR),
  check: keeps([
    { path: ['controlPlaneEndpoint'] },
    ...['podSubnet', 'serviceSubnet', 'dnsDomain'].map((field) => ({ path: ['networking', field] })),
    { path: ['certificatesDir'], byDefault: '/etc/kubernetes/pki' },
    { path: ['etcd', 'local', 'dataDir'], byDefault: '/var/lib/etcd' },
  ], 'put it back, or make a new cluster and move what runs'),
};

/** Control planes of kubeadm. */
export const KUBEADM_CHANGES: readonly TransitionRule[] = [
  SKIPPED, LOWERED, TEMPLATE, IMMUTABLE, ETCD_PLACE, AUTHORITY, HOSTS_VERSION, HOSTS_NETWORK,
];
