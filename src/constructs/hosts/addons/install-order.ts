import { InstallStep, stepName } from './command-line-delivery';
import { NAMESPACES } from '../../addons/addon-deliveries';
import { Addon } from '../../contracts/addon';
import { AddonCapability } from '../../contracts/addon-capability';

/**
 * Sorts steps: namespaces, then the cloud controller manager and its dependencies, then the rest. Until the cloud controller manager runs,
 * nodes have a taint that repels other pods, and the script would wait for these forever.
 *
 * Source: kubernetes.io/docs/concepts/architecture/cloud-controller, kubernetes.io/docs/reference/labels-annotations-taints
 * (node.cloudprovider.kubernetes.io/uninitialized).
 *
 * @param steps the steps, in the order of their dependencies
 * @param addons the addons of the cluster
 */
export function installOrder(steps: readonly InstallStep[], addons: readonly Addon[]): InstallStep[] {
  const managers = addons.filter(({ provides }) => provides.includes(AddonCapability.CLOUD_CONTROLLER_MANAGER)).map(({ name }) => name);
  const first = (step: string) => step === NAMESPACES || managers.some((name) => step === name || step.startsWith(`${name}-`));
  const early = new Set(steps.map(stepName).filter(first));
  // The dependencies of a step come before it, so one pass from the end finds all of them.
  for (const step of [...steps].reverse()) {
    if (early.has(stepName(step))) afterOf(step).forEach((name) => early.add(name));
  }
  return [...steps.filter((step) => early.has(stepName(step))), ...steps.filter((step) => !early.has(stepName(step)))];
}

function afterOf(step: InstallStep): readonly string[] {
  return 'chart' in step ? step.chart.after.names : step.manifests.after.names;
}
