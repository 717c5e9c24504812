import { InstallStep } from './command-line-delivery';
import { Addon } from '../../addons/addon';
import { AddonCapability } from '../../addons/addon-capability';
import { NAMESPACES } from '../../addons/addon-deliveries';

/**
 * Steps in the order in which they are taken, one by one: namespaces, then the cloud controller manager and what comes before it. Until it
 * has been there, nodes have a taint that keeps other pods away, and the script would wait for these in vain.
 *
 * Source: kubernetes.io/docs/concepts/architecture/cloud-controller, kubernetes.io/docs/reference/labels-annotations-taints
 * (node.cloudprovider.kubernetes.io/uninitialized).
 *
 * @param steps the steps, each after those that it comes after
 * @param addons the addons of the cluster
 */
export function installOrder(steps: readonly InstallStep[], addons: readonly Addon[]): InstallStep[] {
  const managers = addons.filter(({ provides }) => provides.includes(AddonCapability.CLOUD_CONTROLLER_MANAGER)).map(({ name }) => name);
  const first = (step: string) => step === NAMESPACES || managers.some((name) => step === name || step.startsWith(`${name}-`));
  const early = new Set(steps.map(nameOf).filter(first));
  // What a step comes after stands before it, so that one pass from the end finds everything.
  for (const step of [...steps].reverse()) {
    if (early.has(nameOf(step))) afterOf(step).forEach((name) => early.add(name));
  }
  return [...steps.filter((step) => early.has(nameOf(step))), ...steps.filter((step) => !early.has(nameOf(step)))];
}

function nameOf(step: InstallStep): string {
  return 'chart' in step ? step.chart.name : step.manifests.name;
}

function afterOf(step: InstallStep): readonly string[] {
  return 'chart' in step ? step.chart.after : step.manifests.after;
}
