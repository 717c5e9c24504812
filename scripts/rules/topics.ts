/** Topics of the rules for constructs, by folder or file of `src`. The longest path that matches decides. */
const TOPICS: readonly (readonly [path: string, topic: string])[] = [
  ['constructs/addons', 'Addons'],
  ['constructs/addons/bundled-addon-rules.ts', 'Bundled addons'],
  ['constructs/addons/cluster-autoscaler', 'Cluster autoscaler'],
  ['constructs/addons/cni', 'Pod networks'],
  ['constructs/addons/controllers', 'Controllers of a tenant'],
  ['constructs/addons/csi', 'Volume claims'],
  ['constructs/app/arguments', 'Arguments of constructors and methods'],
  ['constructs/app/synth', 'Objects and names'],
  ['constructs/app/synth/tree', 'Output folder'],
  ['constructs/app/validation', 'Objects and names'],
  ['constructs/blueprints', 'Blueprints'],
  ['constructs/contracts/capabilities', 'Capabilities of the management cluster'],
  ['constructs/contracts/company-network', 'Company networks'],
  ['constructs/contracts/delivery', 'Deliveries'],
  ['constructs/contracts/delivery/entry-point-rules.ts', 'Entry points'],
  ['constructs/contracts/network', 'Cluster network'],
  ['constructs/contracts/node-pool', 'Node pools'],
  ['constructs/control-planes/kamaji', 'Kamaji control planes'],
  ['constructs/control-planes/kubeadm/bootstrap', 'Bootstrap with kubeadm'],
  ['constructs/control-planes/kubeadm/control-plane', 'Kubeadm control planes'],
  ['constructs/deliveries', 'Deliveries'],
  ['constructs/hosts', 'Clusters on existing machines'],
  ['constructs/hosts/nifcloud', 'Nifcloud'],
  ['constructs/hosts/nifcloud/load-balancer', 'Load balancers of Nifcloud'],
  ['constructs/images', 'Images'],
  ['constructs/infrastructures/kubevirt', 'KubeVirt machines'],
  ['constructs/infrastructures/kubevirt/cloud-controller-manager', 'Cloud controller manager of KubeVirt'],
  ['constructs/infrastructures/kubevirt/csi-driver', 'CSI driver of KubeVirt'],
  ['constructs/infrastructures/kubevirt/infra-cluster', 'Infrastructure clusters of KubeVirt'],
  ['constructs/infrastructures/vultr', 'Vultr'],
  ['constructs/infrastructures/vultr/load-balancer', 'Load balancers of Vultr'],
  ['constructs/management', 'Management cluster'],
  ['constructs/operators/controller', 'Operators'],
  ['constructs/operators/custom-resource', 'Custom resources'],
  ['constructs/repository', 'GitOps apps'],
  ['constructs/repository/fleet', 'Fleets'],
  ['constructs/tenant', 'Tenant clusters'],
  ['constructs/tenant/isolation', 'Isolation of tenants'],
  ['constructs/testing', 'Assertions in tests'],
  ['manifests/objects/git', 'Git'],
];

/** The topic of the rules in a file of `src`; undefined if the file has no rules for constructs. */
export function topicOf(file: string): string | undefined {
  const matching = TOPICS.filter(([path]) => file === path || file.startsWith(`${path}/`));
  return matching.sort(([one], [other]) => other.length - one.length)[0]?.[1];
}
