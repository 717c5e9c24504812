import { authorityRule, firstMachineAuthorities } from '../../rules/changes/authority-changes';
import { Provider } from '../../rules/provider';
import { AGENT_FLAGS, configFileRules, SERVER_FLAGS } from '../k3s/config-files';

const AUTHORITIES = { 'controlplane.cluster.x-k8s.io/RKE2ControlPlane': firstMachineAuthorities('rke2 certificate rotate-ca') };

/** Flags that RKE2 adds to those of K3s, on each machine. */
const OWN_FLAGS = 'cloud-provider-name cloud-provider-config profile audit-policy-file pod-security-admission-config-file control-plane-resource-requests '
  + 'control-plane-resource-limits control-plane-probe-configuration kubelet-path kube-apiserver-image etcd-image kube-controller-manager-image '
  + 'cloud-controller-manager-image kube-proxy-image kube-scheduler-image pause-image runtime-image kube-apiserver-extra-mount etcd-extra-mount kube-proxy-extra-mount '
  + 'kube-apiserver-extra-env etcd-extra-env kube-proxy-extra-env system-default-registry';

/** Facts of RKE2 that its table does not hold. */
export const RKE2_FACTS: Partial<Provider> = {
  authorities: AUTHORITIES,
  rules: configFileRules({
    id: 'TC-TRAP-RKE2-CONFIG-FILE',
    name: 'RKE2',
    source: 'rancher/rke2 pkg/cli/cmds/server.go, k3sopts.go; k3s-io/k3s pkg/cli/cmds/agent.go, server.go, issue 8266',
    folder: '/etc/rancher/rke2/',
    template: 'RKE2ConfigTemplate',
    agent: `${AGENT_FLAGS} ${OWN_FLAGS}`,
    server: `${SERVER_FLAGS} cni ingress-controller servicelb-namespace enable-servicelb`,
  }),
  changes: [authorityRule({
    id: 'TC-CHANGE-RKE2-AUTHORITY',
    title: 'The Secrets with certificate authorities of a Cluster of RKE2 must stay as they are: machines do not take others, and the provider uses them to reach etcd and the API server.',
    source: 'rancher/cluster-api-provider-rke2 pkg/secret/certificates.go (LookupOrGenerate), pkg/rke2/workload_cluster.go, pkg/kubeconfig/kubeconfig.go, '
      + 'bootstrap/internal/cloudinit/controlplane_init.go, v0.25.0',
  }, AUTHORITIES)],
};
