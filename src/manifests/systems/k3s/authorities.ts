import { AGENT_FLAGS, configFileRules, SERVER_FLAGS } from './config-files';
import { authorityRule, firstMachineAuthorities } from '../../rules/changes/authority-changes';
import { Provider } from '../../rules/provider';

const AUTHORITIES = { 'controlplane.cluster.x-k8s.io/KThreesControlPlane': firstMachineAuthorities('k3s certificate rotate-ca') };

/** Facts of K3s that its table does not hold. */
export const K3S_FACTS: Partial<Provider> = {
  authorities: AUTHORITIES,
  rules: configFileRules({
    id: 'TC-TRAP-K3S-CONFIG-FILE',
    name: 'K3s',
    source: 'k3s-io/k3s pkg/cli/cmds/agent.go, server.go, issues 8266 and 270 of k3s-io/k3s-ansible',
    folder: '/etc/rancher/k3s/',
    template: 'KThreesConfigTemplate',
    agent: AGENT_FLAGS,
    server: SERVER_FLAGS,
  }),
  changes: [authorityRule({
    id: 'TC-CHANGE-K3S-AUTHORITY',
    title: 'The Secrets with certificate authorities of a Cluster of K3s must stay as they are: machines do not take others, and the provider uses them to reach etcd and the API server.',
    source: 'k3s-io/cluster-api-k3s pkg/secret/certificates.go (LookupOrGenerate), pkg/k3s/management_cluster.go, pkg/kubeconfig/kubeconfig.go, '
      + 'pkg/cloudinit/controlplane_init.go, v0.3.1',
  }, AUTHORITIES)],
};
