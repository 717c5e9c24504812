import { CatalogueAddon } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps } from '../bundled-addon';

/** Options of the discovery of node features. */
export interface NodeFeatureDiscoveryProps extends BundledAddonProps {
  /**
   * Configuration of the workers, in the notation of `nfd-worker.conf`.
   *
   * @default - the program's own
   */
  readonly workerConfig?: { [key: string]: any };
}

/**
 * Node feature discovery, which labels nodes with their hardware features; its workers run on every node, and tolerate all taints. Source:
 * kubernetes-sigs/node-feature-discovery deployment/helm/node-feature-discovery v0.19.0.
 *
 * @example
 * acme.addAddon(new NodeFeatureDiscovery());
 */
export class NodeFeatureDiscovery extends CatalogueAddon {
  public constructor(props: NodeFeatureDiscoveryProps = {}) {
    super({
      chart: 'node-feature-discovery',
      name: 'node-feature-discovery',
      namespace: 'node-feature-discovery',
      privileged: true,
      provides: [AddonCapability.NODE_FEATURES],
      tolerations: { 'master.tolerations': [], 'gc.tolerations': [] },
      values: () => ({ worker: { tolerations: [{ operator: 'Exists' }], config: props.workerConfig } }),
    }, props);
  }
}
