import { BUNDLED_ADDON_RULES } from '../../addons/bundled-addon-rules';
import { CNI_RULES } from '../../addons/cni/rules';
import { ADDON_RULES } from '../../addons/rules';
import { ARGUMENT_RULES } from '../../arguments/rules';
import { BLUEPRINT_RULES } from '../../blueprints/rules';
import { CAPABILITIES_RULES } from '../../cluster/capabilities/rules';
import { COMPANY_NETWORK_RULES } from '../../cluster/company-network/rules';
import { ENTRY_POINT_RULES } from '../../cluster/delivery/entry-point-rules';
import { DELIVERY_RULES } from '../../cluster/delivery/rules';
import { NETWORK_RULES } from '../../cluster/network/rules';
import { POOL_RULES } from '../../cluster/node-pool/rules';
import { AUTOSCALER_RULES } from '../../cluster-autoscaler/rules';
import { CONTROLLER_RULES } from '../../controllers/rules';
import { CLAIM_RULES } from '../../csi/rules';
import { FLEET_RULES } from '../../fleet/rules';
import { GIT_RULES } from '../../git/rules';
import { GITOPS_RULES } from '../../gitops/rules';
import { KUBEADM_CLUSTER_RULES } from '../../hosts/rules';
import { IMAGE_RULES } from '../../images/rules';
import { ISOLATION_RULES } from '../../isolation/rules';
import { KAMAJI_RULES } from '../../kamaji/rules';
import { KUBEADM_RULES } from '../../kubeadm/bootstrap/rules';
import { KUBEADM_CONTROL_PLANE_RULES } from '../../kubeadm/control-plane/rules';
import { CLOUD_CONTROLLER_MANAGER_RULES } from '../../kubevirt/cloud-controller-manager/rules';
import { CSI_DRIVER_RULES } from '../../kubevirt/csi-driver/rules';
import { INFRA_CLUSTER_RULES } from '../../kubevirt/infra-cluster/rules';
import { KUBEVIRT_RULES } from '../../kubevirt/rules';
import { MANAGEMENT_RULES } from '../../management/rules';
import { NIFCLOUD_LOAD_BALANCER_RULES } from '../../nifcloud/load-balancer/rules';
import { NIFCLOUD_RULES } from '../../nifcloud/rules';
import { OPERATOR_RULES } from '../../operators/controller/operator-rules';
import { CRD_RULES } from '../../operators/custom-resource/crd-rules';
import { Rule } from '../../problems/problem';
import { SYNTH_RULES } from '../../synth/rules';
import { OUTPUT_RULES } from '../../synth/tree/rules';
import { CLUSTER_RULES } from '../../tenant-cluster/rules';
import { TESTING_RULES } from '../../testing/rules';
import { VULTR_LOAD_BALANCER_RULES } from '../../vultr/load-balancer/rules';
import { VULTR_RULES } from '../../vultr/rules';

/** The rules of one file of the library. */
export interface ConstructRules {
  /** Title of their page. */
  readonly topic: string;

  /** The file, relative to the repository. */
  readonly file: string;

  /** The rules, in the order of the file. */
  readonly rules: readonly Rule[];
}

/** All rules that synthesis checks the input of constructs by. A new file of rules is an entry here. */
export const CONSTRUCT_RULES: readonly ConstructRules[] = [
  { topic: 'Bundled addons', file: 'src/addons/bundled-addon-rules.ts', rules: Object.values(BUNDLED_ADDON_RULES) },
  { topic: 'Pod networks', file: 'src/addons/cni/rules.ts', rules: Object.values(CNI_RULES) },
  { topic: 'Addons', file: 'src/addons/rules.ts', rules: Object.values(ADDON_RULES) },
  { topic: 'Arguments of constructors and methods', file: 'src/arguments/rules.ts', rules: Object.values(ARGUMENT_RULES) },
  { topic: 'Blueprints', file: 'src/blueprints/rules.ts', rules: Object.values(BLUEPRINT_RULES) },
  { topic: 'Cluster autoscaler', file: 'src/cluster-autoscaler/rules.ts', rules: Object.values(AUTOSCALER_RULES) },
  { topic: 'Capabilities of the management cluster', file: 'src/cluster/capabilities/rules.ts', rules: Object.values(CAPABILITIES_RULES) },
  { topic: 'Company networks', file: 'src/cluster/company-network/rules.ts', rules: Object.values(COMPANY_NETWORK_RULES) },
  { topic: 'Entry points', file: 'src/cluster/delivery/entry-point-rules.ts', rules: Object.values(ENTRY_POINT_RULES) },
  { topic: 'Deliveries', file: 'src/cluster/delivery/rules.ts', rules: Object.values(DELIVERY_RULES) },
  { topic: 'Cluster network', file: 'src/cluster/network/rules.ts', rules: Object.values(NETWORK_RULES) },
  { topic: 'Node pools', file: 'src/cluster/node-pool/rules.ts', rules: Object.values(POOL_RULES) },
  { topic: 'Controllers of a tenant', file: 'src/controllers/rules.ts', rules: Object.values(CONTROLLER_RULES) },
  { topic: 'Volume claims', file: 'src/csi/rules.ts', rules: Object.values(CLAIM_RULES) },
  { topic: 'Fleets', file: 'src/fleet/rules.ts', rules: Object.values(FLEET_RULES) },
  { topic: 'Git', file: 'src/git/rules.ts', rules: Object.values(GIT_RULES) },
  { topic: 'GitOps apps', file: 'src/gitops/rules.ts', rules: Object.values(GITOPS_RULES) },
  { topic: 'Clusters on existing machines', file: 'src/hosts/rules.ts', rules: Object.values(KUBEADM_CLUSTER_RULES) },
  { topic: 'Images', file: 'src/images/rules.ts', rules: Object.values(IMAGE_RULES) },
  { topic: 'Isolation of tenants', file: 'src/isolation/rules.ts', rules: Object.values(ISOLATION_RULES) },
  { topic: 'Kamaji control planes', file: 'src/kamaji/rules.ts', rules: Object.values(KAMAJI_RULES) },
  { topic: 'Bootstrap with kubeadm', file: 'src/kubeadm/bootstrap/rules.ts', rules: Object.values(KUBEADM_RULES) },
  { topic: 'Kubeadm control planes', file: 'src/kubeadm/control-plane/rules.ts', rules: Object.values(KUBEADM_CONTROL_PLANE_RULES) },
  { topic: 'Cloud controller manager of KubeVirt', file: 'src/kubevirt/cloud-controller-manager/rules.ts', rules: Object.values(CLOUD_CONTROLLER_MANAGER_RULES) },
  { topic: 'CSI driver of KubeVirt', file: 'src/kubevirt/csi-driver/rules.ts', rules: Object.values(CSI_DRIVER_RULES) },
  { topic: 'Infrastructure clusters of KubeVirt', file: 'src/kubevirt/infra-cluster/rules.ts', rules: Object.values(INFRA_CLUSTER_RULES) },
  { topic: 'KubeVirt machines', file: 'src/kubevirt/rules.ts', rules: Object.values(KUBEVIRT_RULES) },
  { topic: 'Management cluster', file: 'src/management/rules.ts', rules: Object.values(MANAGEMENT_RULES) },
  { topic: 'Load balancers of Nifcloud', file: 'src/nifcloud/load-balancer/rules.ts', rules: Object.values(NIFCLOUD_LOAD_BALANCER_RULES) },
  { topic: 'Nifcloud', file: 'src/nifcloud/rules.ts', rules: Object.values(NIFCLOUD_RULES) },
  { topic: 'Operators', file: 'src/operators/controller/operator-rules.ts', rules: Object.values(OPERATOR_RULES) },
  { topic: 'Custom resources', file: 'src/operators/custom-resource/crd-rules.ts', rules: Object.values(CRD_RULES) },
  { topic: 'Objects and names', file: 'src/synth/rules.ts', rules: Object.values(SYNTH_RULES) },
  { topic: 'Output folder', file: 'src/synth/tree/rules.ts', rules: Object.values(OUTPUT_RULES) },
  { topic: 'Tenant clusters', file: 'src/tenant-cluster/rules.ts', rules: Object.values(CLUSTER_RULES) },
  { topic: 'Assertions in tests', file: 'src/testing/rules.ts', rules: Object.values(TESTING_RULES) },
  { topic: 'Load balancers of Vultr', file: 'src/vultr/load-balancer/rules.ts', rules: Object.values(VULTR_LOAD_BALANCER_RULES) },
  { topic: 'Vultr', file: 'src/vultr/rules.ts', rules: Object.values(VULTR_RULES) },
];
