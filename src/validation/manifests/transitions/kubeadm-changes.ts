import { changedText } from './change-examples';
import { keeps } from './kept-fields';
import { TransitionRule } from './transition-rule';
import { KUBEADM_CONTROL_PLANE } from '../cluster-api/cluster-api-kinds';
import { clusterConfigurationYaml } from '../kubeadm/example-kubeadm';
import { isFilled } from '../manifest-fields';

const WEBHOOK = 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go';
const CONFIGURATION = ['spec', 'kubeadmConfigSpec', 'clusterConfiguration'];
const ETCD = [...CONFIGURATION, 'etcd'];

const IMMUTABLE: TransitionRule = {
  id: 'TC-CHANGE-KCP',
  title: 'Endpoint, folder of certificates and validity of the authority of a KubeadmControlPlane stay what they are.',
  source: WEBHOOK,
  kinds: [KUBEADM_CONTROL_PLANE],
  example: changedText(clusterConfigurationYaml('controlPlaneEndpoint: api.acme.example.com:6443\nimageRepository: registry.k8s.io', 'replicas: 3\n'),
    { 'api.acme': 'k8s.acme' }, { 'registry.k8s.io': 'registry.example.com' }),
  check: keeps(['controlPlaneEndpoint', 'certificatesDir', 'caCertificateValidityPeriodDays'].map((field) => ({ path: [...CONFIGURATION, field] })), 'put it back'),
};

const ETCD_PLACE: TransitionRule = {
  id: 'TC-CHANGE-KCP-ETCD',
  title: 'A KubeadmControlPlane keeps its etcd, on its machines or elsewhere.',
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

/** Control planes of kubeadm. */
export const KUBEADM_CHANGES: readonly TransitionRule[] = [IMMUTABLE, ETCD_PLACE];
