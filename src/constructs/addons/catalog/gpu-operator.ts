import { CatalogueAddon } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps } from '../bundled-addon';

// The default tolerations of the chart's pods: values.yaml of gpu-operator v26.7.0, daemonsets.tolerations.
const GPU_TAINT = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };

/** Options of NVIDIA's GPU operator. */
export interface GpuOperatorProps extends BundledAddonProps {
  /**
   * True if the driver is installed on nodes with GPUs; not where the machine's image holds it.
   *
   * @default true
   */
  readonly driver?: boolean;

  /**
   * True if the container toolkit is installed on nodes with GPUs; not where the machine's image holds it.
   *
   * @default true
   */
  readonly toolkit?: boolean;

  /**
   * True if it brings the discovery of node features along, which finds the GPUs. Switch it off where another addon brings it, such as
   * `NodeFeatureDiscovery`, which must be there then.
   *
   * Rules: `TC-ADDON-EXCLUSIVE`, `TC-ADDON-REQUIREMENT`.
   *
   * @default true
   */
  readonly nodeFeatureDiscovery?: boolean;
}

/**
 * NVIDIA's GPU operator, for nodes that have whole GPUs or vGPUs: driver, container toolkit, device plug-in and metrics.
 *
 * Its pods on nodes tolerate `nvidia.com/gpu:NoSchedule`; `tolerations` adds the other taints of the pools. The operator itself needs a
 * node without that taint, unless `tolerations` holds it, too. Source: NVIDIA/gpu-operator deployments/gpu-operator v26.7.0.
 *
 * @example
 * acme.addAddon(new GpuOperator({ driver: false }));
 */
export class GpuOperator extends CatalogueAddon {
  public constructor(props: GpuOperatorProps = {}) {
    const { driver = true, toolkit = true, nodeFeatureDiscovery = true } = props;
    super({
      chart: 'gpu-operator',
      name: 'gpu-operator',
      namespace: 'gpu-operator',
      privileged: true,
      provides: nodeFeatureDiscovery ? [AddonCapability.NODE_FEATURES] : [],
      requires: nodeFeatureDiscovery ? [] : [AddonCapability.NODE_FEATURES],
      tolerations: {
        'operator.tolerations': [],
        'daemonsets.tolerations': [GPU_TAINT],
        ...(nodeFeatureDiscovery && {
          'node-feature-discovery.worker.tolerations': [GPU_TAINT],
          'node-feature-discovery.master.tolerations': [],
          'node-feature-discovery.gc.tolerations': [],
        }),
      },
      values: () => ({
        driver: { enabled: driver },
        toolkit: { enabled: toolkit },
        nfd: { enabled: nodeFeatureDiscovery },
        // For clusters that hand GPUs on to virtual machines, not for those that run in them.
        sandboxWorkloads: { enabled: false },
      }),
    }, props);
  }
}
