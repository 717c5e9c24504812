import { CatalogueAddon } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps } from '../bundled-addon';

const EVERYWHERE = [{ operator: 'Exists' }];

/** Options of MetalLB. */
export interface MetalLbProps extends BundledAddonProps {
  /**
   * Class of the Services that MetalLB serves. Needed beside a cloud controller manager that serves Services as well, for both would take
   * those without a class (`TC-ADDON-EXCLUSIVE`).
   *
   * @default - Services without a class
   */
  readonly loadBalancerClass?: string;

  /**
   * True if addresses are announced by BGP with FRR, by a further DaemonSet with host access. Without it MetalLB answers ARP and neighbor
   * requests (layer 2), and speaks the simple BGP of its own.
   *
   * @default false
   */
  readonly frr?: boolean;
}

/**
 * MetalLB, which gives addresses to Services of type LoadBalancer; its speakers run on every node, and tolerate all taints.
 *
 * IPAddressPools and L2Advertisements belong into the cluster's `workloads`; the classes of `metallb` have their types. Machines on KubeVirt
 * usually have no use for it: their cloud controller manager serves such Services. Source: metallb/metallb charts/metallb 0.16.1.
 *
 * @example
 * acme.addAddon(new MetalLb({ loadBalancerClass: 'metallb.io/metallb' }));
 */
export class MetalLb extends CatalogueAddon {
  public constructor(props: MetalLbProps = {}) {
    super({
      chart: 'metallb',
      name: 'metallb',
      namespace: 'metallb-system',
      privileged: true,
      provides: props.loadBalancerClass ?? props.values?.loadBalancerClass ? [] : [AddonCapability.DEFAULT_LOAD_BALANCER],
      tolerations: { 'controller.tolerations': [] },
      values: () => ({
        'loadBalancerClass': props.loadBalancerClass,
        'crds': { enabled: true },
        'frrk8s': { enabled: props.frr ?? false },
        // Both DaemonSets announce; without one on a node, that node announces nothing.
        'speaker': { tolerations: EVERYWHERE },
        'frr-k8s': props.frr ? { frrk8s: { tolerations: EVERYWHERE } } : undefined,
      }),
    }, props);
  }
}
