import { App } from 'cdk8s';
import { controlPlaneScenarios } from './control-planes';
import { deliveryScenarios } from './deliveries';
import { kubeadmControlPlaneScenarios } from './kubeadm-control-planes';
import { poolScenarios } from './pools';

/** A tree whose manifests are kept as golden output. */
export type Scenario = (app: App) => void;

/** All scenarios by the name of their golden file. */
export const SCENARIOS: { readonly [name: string]: Scenario } = {
  ...controlPlaneScenarios, ...deliveryScenarios, ...kubeadmControlPlaneScenarios, ...poolScenarios,
};
