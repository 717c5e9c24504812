import { authorityRule, firstMachineAuthorities } from '../../rules/changes/authority-changes';
import { Provider } from '../../rules/provider';

const AUTHORITIES = { 'controlplane.cluster.x-k8s.io/RKE2ControlPlane': firstMachineAuthorities('rke2 certificate rotate-ca') };

/** Facts of RKE2 that its table does not hold. */
export const RKE2_FACTS: Partial<Provider> = {
  authorities: AUTHORITIES,
  changes: [authorityRule({
    id: 'TC-CHANGE-RKE2-AUTHORITY',
    title: 'The Secrets with certificate authorities of a Cluster of RKE2 must stay as they are: machines do not take others, and the provider uses them to reach etcd and the API server.',
    source: 'rancher/cluster-api-provider-rke2 pkg/secret/certificates.go (LookupOrGenerate), pkg/rke2/workload_cluster.go, pkg/kubeconfig/kubeconfig.go, '
      + 'bootstrap/internal/cloudinit/controlplane_init.go, v0.25.0',
  }, AUTHORITIES)],
};
