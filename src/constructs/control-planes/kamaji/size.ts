import { Component } from '../../../manifests/values/component-facts';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';

/**
 * CPU and memory of a control plane that Kamaji hosts, by the number of nodes: measured with 30 pods on each node, and about half as much again.
 * Kamaji sets no variables of the containers, and so no `GOMEMLIMIT`.
 *
 * A tenant with many custom resources needs more than its nodes suggest. Another size replaces the pods of the control plane, and no machine.
 *
 * @example
 * new KamajiControlPlane({ dataStore: 'default', size: KamajiSize.LARGE });
 */
export class KamajiSize {
  /** Up to 10 nodes: API server 1Gi, controller manager and scheduler 256Mi. */
  public static readonly SMALL = new KamajiSize('SMALL', 10, ['200m', '1Gi'], ['50m', '256Mi'], ['50m', '256Mi']);

  /** Up to 100 nodes: API server 2Gi, controller manager 512Mi, scheduler 256Mi. */
  public static readonly MEDIUM = new KamajiSize('MEDIUM', 100, ['200m', '2Gi'], ['50m', '512Mi'], ['50m', '256Mi']);

  /** Up to 250 nodes: API server 4Gi, controller manager 768Mi, scheduler 512Mi. */
  public static readonly LARGE = new KamajiSize('LARGE', 250, ['500m', '4Gi'], ['100m', '768Mi'], ['100m', '512Mi']);

  /** Up to 500 nodes, and the default for more: API server 8Gi, controller manager 1536Mi, scheduler 1Gi. */
  public static readonly EXTRA_LARGE = new KamajiSize('EXTRA_LARGE', 500, ['1', '8Gi'], ['200m', '1536Mi'], ['200m', '1Gi']);

  /**
   * The smallest size for a number of nodes.
   *
   * @internal
   */
  public static _for(nodes: number): KamajiSize {
    return [KamajiSize.SMALL, KamajiSize.MEDIUM, KamajiSize.LARGE].find((size) => nodes <= size.nodes) ?? KamajiSize.EXTRA_LARGE;
  }

  /** Name of the size. */
  public readonly name: string;

  /** The largest number of nodes that it is meant for. */
  public readonly nodes: number;

  private readonly amounts: Readonly<Record<string, readonly string[]>>;

  private constructor(name: string, nodes: number, apiServer: readonly string[], controllerManager: readonly string[], scheduler: readonly string[]) {
    this.name = name;
    this.nodes = nodes;
    this.amounts = { 'kube-apiserver': apiServer, 'kube-controller-manager': controllerManager, 'kube-scheduler': scheduler };
  }

  /** @internal */
  public _resources(component: Component): ResourceRequirements {
    const [cpu, memory] = this.amounts[component];
    return { requests: { cpu, memory }, limits: { memory } };
  }
}
