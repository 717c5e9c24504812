import { companyNetworkScenarios } from './company-network';
import { controlPlaneScenarios } from './control-planes';
import { deliveryScenarios } from './deliveries';
import { isolationScenarios } from './isolation';
import { kubeadmControlPlaneScenarios } from './kubeadm-control-planes';
import { poolScenarios } from './pools';
import { Scenario } from './scenario';

/** All scenarios by the name of their golden file. */
export const SCENARIOS: { readonly [name: string]: Scenario } = {
  ...companyNetworkScenarios,
  ...controlPlaneScenarios,
  ...deliveryScenarios,
  ...isolationScenarios,
  ...kubeadmControlPlaneScenarios,
  ...poolScenarios,
};
