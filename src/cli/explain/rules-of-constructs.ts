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
  /** The file, relative to the repository. */
  readonly file: string;

  /** The rules, in the order of the file. */
  readonly rules: readonly Rule[];
}

/** All rules that synthesis checks the input of constructs by. A new file of rules is an entry here. */
export const CONSTRUCT_RULES: readonly ConstructRules[] = [
  { file: 'src/addons/bundled-addon-rules.ts', rules: Object.values(BUNDLED_ADDON_RULES) },
  { file: 'src/addons/cni/rules.ts', rules: Object.values(CNI_RULES) },
  { file: 'src/addons/rules.ts', rules: Object.values(ADDON_RULES) },
  { file: 'src/arguments/rules.ts', rules: Object.values(ARGUMENT_RULES) },
  { file: 'src/blueprints/rules.ts', rules: Object.values(BLUEPRINT_RULES) },
  { file: 'src/cluster-autoscaler/rules.ts', rules: Object.values(AUTOSCALER_RULES) },
  { file: 'src/cluster/capabilities/rules.ts', rules: Object.values(CAPABILITIES_RULES) },
  { file: 'src/cluster/company-network/rules.ts', rules: Object.values(COMPANY_NETWORK_RULES) },
  { file: 'src/cluster/delivery/entry-point-rules.ts', rules: Object.values(ENTRY_POINT_RULES) },
  { file: 'src/cluster/delivery/rules.ts', rules: Object.values(DELIVERY_RULES) },
  { file: 'src/cluster/network/rules.ts', rules: Object.values(NETWORK_RULES) },
  { file: 'src/cluster/node-pool/rules.ts', rules: Object.values(POOL_RULES) },
  { file: 'src/controllers/rules.ts', rules: Object.values(CONTROLLER_RULES) },
  { file: 'src/csi/rules.ts', rules: Object.values(CLAIM_RULES) },
  { file: 'src/fleet/rules.ts', rules: Object.values(FLEET_RULES) },
  { file: 'src/git/rules.ts', rules: Object.values(GIT_RULES) },
  { file: 'src/gitops/rules.ts', rules: Object.values(GITOPS_RULES) },
  { file: 'src/hosts/rules.ts', rules: Object.values(KUBEADM_CLUSTER_RULES) },
  { file: 'src/images/rules.ts', rules: Object.values(IMAGE_RULES) },
  { file: 'src/isolation/rules.ts', rules: Object.values(ISOLATION_RULES) },
  { file: 'src/kamaji/rules.ts', rules: Object.values(KAMAJI_RULES) },
  { file: 'src/kubeadm/bootstrap/rules.ts', rules: Object.values(KUBEADM_RULES) },
  { file: 'src/kubeadm/control-plane/rules.ts', rules: Object.values(KUBEADM_CONTROL_PLANE_RULES) },
  { file: 'src/kubevirt/cloud-controller-manager/rules.ts', rules: Object.values(CLOUD_CONTROLLER_MANAGER_RULES) },
  { file: 'src/kubevirt/csi-driver/rules.ts', rules: Object.values(CSI_DRIVER_RULES) },
  { file: 'src/kubevirt/infra-cluster/rules.ts', rules: Object.values(INFRA_CLUSTER_RULES) },
  { file: 'src/kubevirt/rules.ts', rules: Object.values(KUBEVIRT_RULES) },
  { file: 'src/management/rules.ts', rules: Object.values(MANAGEMENT_RULES) },
  { file: 'src/nifcloud/load-balancer/rules.ts', rules: Object.values(NIFCLOUD_LOAD_BALANCER_RULES) },
  { file: 'src/nifcloud/rules.ts', rules: Object.values(NIFCLOUD_RULES) },
  { file: 'src/operators/controller/operator-rules.ts', rules: Object.values(OPERATOR_RULES) },
  { file: 'src/operators/custom-resource/crd-rules.ts', rules: Object.values(CRD_RULES) },
  { file: 'src/synth/rules.ts', rules: Object.values(SYNTH_RULES) },
  { file: 'src/synth/tree/rules.ts', rules: Object.values(OUTPUT_RULES) },
  { file: 'src/tenant-cluster/rules.ts', rules: Object.values(CLUSTER_RULES) },
  { file: 'src/testing/rules.ts', rules: Object.values(TESTING_RULES) },
  { file: 'src/vultr/load-balancer/rules.ts', rules: Object.values(VULTR_LOAD_BALANCER_RULES) },
  { file: 'src/vultr/rules.ts', rules: Object.values(VULTR_RULES) },
];
