import { RuleTopic } from '../../src/cli/explain/rule-topics';
import { BUNDLED_ADDON_RULES } from '../../src/constructs/addons/bundled-addon-rules';
import { AUTOSCALER_RULES } from '../../src/constructs/addons/cluster-autoscaler/rules';
import { CNI_RULES } from '../../src/constructs/addons/cni/rules';
import { CONTROLLER_RULES } from '../../src/constructs/addons/controllers/rules';
import { CLAIM_RULES } from '../../src/constructs/addons/csi/rules';
import { ADDON_RULES } from '../../src/constructs/addons/rules';
import { ARGUMENT_RULES } from '../../src/constructs/app/arguments/rules';
import { SYNTH_RULES } from '../../src/constructs/app/synth/rules';
import { OUTPUT_RULES } from '../../src/constructs/app/synth/tree/rules';
import { BLUEPRINT_RULES } from '../../src/constructs/blueprints/rules';
import { CAPABILITIES_RULES } from '../../src/constructs/contracts/capabilities/rules';
import { COMPANY_NETWORK_RULES } from '../../src/constructs/contracts/company-network/rules';
import { ENTRY_POINT_RULES } from '../../src/constructs/contracts/delivery/entry-point-rules';
import { DELIVERY_RULES } from '../../src/constructs/contracts/delivery/rules';
import { NETWORK_RULES } from '../../src/constructs/contracts/network/rules';
import { POOL_RULES } from '../../src/constructs/contracts/node-pool/rules';
import { KAMAJI_RULES } from '../../src/constructs/control-planes/kamaji/rules';
import { KUBEADM_RULES } from '../../src/constructs/control-planes/kubeadm/bootstrap/rules';
import { KUBEADM_CONTROL_PLANE_RULES } from '../../src/constructs/control-planes/kubeadm/control-plane/rules';
import { NIFCLOUD_LOAD_BALANCER_RULES } from '../../src/constructs/hosts/nifcloud/load-balancer/rules';
import { NIFCLOUD_RULES } from '../../src/constructs/hosts/nifcloud/rules';
import { KUBEADM_CLUSTER_RULES } from '../../src/constructs/hosts/rules';
import { IMAGE_RULES } from '../../src/constructs/images/rules';
import { CLOUD_CONTROLLER_MANAGER_RULES } from '../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/rules';
import { CSI_DRIVER_RULES } from '../../src/constructs/infrastructures/kubevirt/csi-driver/rules';
import { INFRA_CLUSTER_RULES } from '../../src/constructs/infrastructures/kubevirt/infra-cluster/rules';
import { KUBEVIRT_RULES } from '../../src/constructs/infrastructures/kubevirt/rules';
import { VULTR_LOAD_BALANCER_RULES } from '../../src/constructs/infrastructures/vultr/load-balancer/rules';
import { VULTR_RULES } from '../../src/constructs/infrastructures/vultr/rules';
import { MANAGEMENT_RULES } from '../../src/constructs/management/rules';
import { OPERATOR_RULES } from '../../src/constructs/operators/controller/operator-rules';
import { CRD_RULES } from '../../src/constructs/operators/custom-resource/crd-rules';
import { FLEET_RULES } from '../../src/constructs/repository/fleet/rules';
import { GITOPS_RULES } from '../../src/constructs/repository/rules';
import { ISOLATION_RULES } from '../../src/constructs/tenant/isolation/rules';
import { CLUSTER_RULES } from '../../src/constructs/tenant/rules';
import { TESTING_RULES } from '../../src/constructs/testing/rules';
import { GIT_RULES } from '../../src/manifests/objects/git/rules';

/** All rules that synthesis checks the input of constructs by. A new file of rules is an entry here. */
export const CONSTRUCT_RULES: readonly RuleTopic[] = [
  { topic: 'Bundled addons', file: 'src/constructs/addons/bundled-addon-rules.ts', rules: Object.values(BUNDLED_ADDON_RULES) },
  { topic: 'Cluster autoscaler', file: 'src/constructs/addons/cluster-autoscaler/rules.ts', rules: Object.values(AUTOSCALER_RULES) },
  { topic: 'Pod networks', file: 'src/constructs/addons/cni/rules.ts', rules: Object.values(CNI_RULES) },
  { topic: 'Controllers of a tenant', file: 'src/constructs/addons/controllers/rules.ts', rules: Object.values(CONTROLLER_RULES) },
  { topic: 'Volume claims', file: 'src/constructs/addons/csi/rules.ts', rules: Object.values(CLAIM_RULES) },
  { topic: 'Addons', file: 'src/constructs/addons/rules.ts', rules: Object.values(ADDON_RULES) },
  { topic: 'Arguments of constructors and methods', file: 'src/constructs/app/arguments/rules.ts', rules: Object.values(ARGUMENT_RULES) },
  { topic: 'Objects and names', file: 'src/constructs/app/synth/rules.ts', rules: Object.values(SYNTH_RULES) },
  { topic: 'Output folder', file: 'src/constructs/app/synth/tree/rules.ts', rules: Object.values(OUTPUT_RULES) },
  { topic: 'Blueprints', file: 'src/constructs/blueprints/rules.ts', rules: Object.values(BLUEPRINT_RULES) },
  { topic: 'Capabilities of the management cluster', file: 'src/constructs/contracts/capabilities/rules.ts', rules: Object.values(CAPABILITIES_RULES) },
  { topic: 'Company networks', file: 'src/constructs/contracts/company-network/rules.ts', rules: Object.values(COMPANY_NETWORK_RULES) },
  { topic: 'Entry points', file: 'src/constructs/contracts/delivery/entry-point-rules.ts', rules: Object.values(ENTRY_POINT_RULES) },
  { topic: 'Deliveries', file: 'src/constructs/contracts/delivery/rules.ts', rules: Object.values(DELIVERY_RULES) },
  { topic: 'Cluster network', file: 'src/constructs/contracts/network/rules.ts', rules: Object.values(NETWORK_RULES) },
  { topic: 'Node pools', file: 'src/constructs/contracts/node-pool/rules.ts', rules: Object.values(POOL_RULES) },
  { topic: 'Kamaji control planes', file: 'src/constructs/control-planes/kamaji/rules.ts', rules: Object.values(KAMAJI_RULES) },
  { topic: 'Bootstrap with kubeadm', file: 'src/constructs/control-planes/kubeadm/bootstrap/rules.ts', rules: Object.values(KUBEADM_RULES) },
  { topic: 'Kubeadm control planes', file: 'src/constructs/control-planes/kubeadm/control-plane/rules.ts', rules: Object.values(KUBEADM_CONTROL_PLANE_RULES) },
  { topic: 'Load balancers of Nifcloud', file: 'src/constructs/hosts/nifcloud/load-balancer/rules.ts', rules: Object.values(NIFCLOUD_LOAD_BALANCER_RULES) },
  { topic: 'Nifcloud', file: 'src/constructs/hosts/nifcloud/rules.ts', rules: Object.values(NIFCLOUD_RULES) },
  { topic: 'Clusters on existing machines', file: 'src/constructs/hosts/rules.ts', rules: Object.values(KUBEADM_CLUSTER_RULES) },
  { topic: 'Images', file: 'src/constructs/images/rules.ts', rules: Object.values(IMAGE_RULES) },
  { topic: 'Cloud controller manager of KubeVirt', file: 'src/constructs/infrastructures/kubevirt/cloud-controller-manager/rules.ts', rules: Object.values(CLOUD_CONTROLLER_MANAGER_RULES) },
  { topic: 'CSI driver of KubeVirt', file: 'src/constructs/infrastructures/kubevirt/csi-driver/rules.ts', rules: Object.values(CSI_DRIVER_RULES) },
  { topic: 'Infrastructure clusters of KubeVirt', file: 'src/constructs/infrastructures/kubevirt/infra-cluster/rules.ts', rules: Object.values(INFRA_CLUSTER_RULES) },
  { topic: 'KubeVirt machines', file: 'src/constructs/infrastructures/kubevirt/rules.ts', rules: Object.values(KUBEVIRT_RULES) },
  { topic: 'Load balancers of Vultr', file: 'src/constructs/infrastructures/vultr/load-balancer/rules.ts', rules: Object.values(VULTR_LOAD_BALANCER_RULES) },
  { topic: 'Vultr', file: 'src/constructs/infrastructures/vultr/rules.ts', rules: Object.values(VULTR_RULES) },
  { topic: 'Management cluster', file: 'src/constructs/management/rules.ts', rules: Object.values(MANAGEMENT_RULES) },
  { topic: 'Operators', file: 'src/constructs/operators/controller/operator-rules.ts', rules: Object.values(OPERATOR_RULES) },
  { topic: 'Custom resources', file: 'src/constructs/operators/custom-resource/crd-rules.ts', rules: Object.values(CRD_RULES) },
  { topic: 'Fleets', file: 'src/constructs/repository/fleet/rules.ts', rules: Object.values(FLEET_RULES) },
  { topic: 'GitOps apps', file: 'src/constructs/repository/rules.ts', rules: Object.values(GITOPS_RULES) },
  { topic: 'Isolation of tenants', file: 'src/constructs/tenant/isolation/rules.ts', rules: Object.values(ISOLATION_RULES) },
  { topic: 'Tenant clusters', file: 'src/constructs/tenant/rules.ts', rules: Object.values(CLUSTER_RULES) },
  { topic: 'Assertions in tests', file: 'src/constructs/testing/rules.ts', rules: Object.values(TESTING_RULES) },
  { topic: 'Git', file: 'src/manifests/objects/git/rules.ts', rules: Object.values(GIT_RULES) },
];
