import { credentialKeys, NifcloudCredentials } from './credentials';
import { checkInterfaces, GUEST_TOOLS_SCRIPT, guestToolsScript, NifcloudNetworkInterfaces } from './guest-tools';
import { NifcloudCloudControllerManager } from './nifcloud-cloud-controller-manager';
import { NifcloudCsiDriver } from './nifcloud-csi-driver';
import { NifcloudStorageClass } from './nifcloud-storage-class';
import { checkKnownRegion, checkWorkers, checkZones } from './zone-checks';
import { Problem } from '../../../manifests/values/problem';
import { BundledAddonProps } from '../../addons/bundled-addon-props';
import { KubeadmNodes, KubeadmPlatform, KubeadmPlatformConfig, RequiredSecret } from '../kubeadm-platform';

/** Options of a cluster on Nifcloud. */
export interface NifcloudPlatformProps {
  /** Region of the machines, e.g. `jp-east-1` (`TC-NIFCLOUD-REGION`, `TC-NIFCLOUD-REGION-UNKNOWN`). */
  readonly region: string;

  /** Zones of the nodes, e.g. `east-11`. Every node must name one of them (`TC-NIFCLOUD-ZONE`). */
  readonly zones: string[];

  /** Secret with the keys of Nifcloud's API, in the namespace of the addons. */
  readonly credentials: NifcloudCredentials;

  /**
   * The storage classes of the cluster. A disk stays in its zone: a zone with only one worker causes a warning
   * (`TC-NIFCLOUD-ZONE-WORKERS`).
   *
   * @default - none, and no CSI driver
   */
  readonly storageClasses?: NifcloudStorageClass[];

  /**
   * Which network interfaces the guest tools of the nodes report. Otherwise addresses of containers would count as addresses of the node.
   * Other settings of the guest tools, in `/etc/vmware-tools/tools.conf`, stay as they are.
   *
   * @default - ens160 and ens192; interfaces of container runtimes and pod networks are hidden
   */
  readonly networkInterfaces?: NifcloudNetworkInterfaces;

  /**
   * Options of the cloud controller manager's chart.
   *
   * @default - nothing
   */
  readonly cloudControllerManager?: BundledAddonProps;

  /**
   * Options of the CSI driver's chart.
   *
   * @default - nothing
   */
  readonly csiDriver?: BundledAddonProps;
}

/**
 * Machines at Nifcloud: nodes that are named by the instance id of their machine, the cloud controller manager, the CSI driver where there
 * are storage classes, and open-vm-tools that report the addresses of the machines alone.
 *
 * Load balancers of Nifcloud are in one zone, so that the API servers of several zones are best behind
 * `KubeadmLoadBalancer.haproxyHosts()`, on hosts that are no nodes, in a private network that the zones share.
 *
 * @example
 * new nifcloud.NifcloudPlatform({
 *   region: 'jp-east-1',
 *   zones: ['east-11', 'east-12'],
 *   credentials: { secretName: 'nifcloud-api' },
 *   storageClasses: [{ name: 'standard', type: nifcloud.NifcloudDiskType.STANDARD, isDefault: true }],
 * });
 */
export class NifcloudPlatform extends KubeadmPlatform {
  /** Nifcloud's cloud controller manager initializes the nodes. */
  public readonly externalCloudProvider = true;

  private readonly props: NifcloudPlatformProps;

  public constructor(props: NifcloudPlatformProps) {
    super();
    this.props = props;
  }

  /** The cloud controller manager, the CSI driver, the configuration of the guest tools, and the Secret with the keys of Nifcloud's API. */
  public config(): KubeadmPlatformConfig {
    const { region, credentials, storageClasses = [], cloudControllerManager, csiDriver, networkInterfaces = {} } = this.props;
    const namespaces = [cloudControllerManager, ...(storageClasses.length > 0 ? [csiDriver] : [])].map((options) => options?.namespace ?? 'kube-system');
    return {
      addons: [
        new NifcloudCloudControllerManager({ ...cloudControllerManager, region, credentials }),
        ...(storageClasses.length > 0 ? [new NifcloudCsiDriver({ ...csiDriver, region, credentials, storageClasses })] : []),
      ],
      nodeFiles: [guestToolsScript(networkInterfaces)],
      nodeCommands: [GUEST_TOOLS_SCRIPT],
      nodeRequirements: [
        'open-vm-tools, by which Nifcloud knows the addresses of a machine, and the instance id of the machine as the name of the node',
      ],
      secrets: [...new Set(namespaces)].map((namespace) => this.secretIn(namespace)),
    };
  }

  /**
   * Checks the zones of nodes, and the network interfaces.
   *
   * @param nodes the nodes
   */
  public override check(nodes: KubeadmNodes): Problem[] {
    const { region, zones, storageClasses = [], networkInterfaces = {} } = this.props;
    return [
      ...checkKnownRegion(region),
      ...checkZones(region, zones, nodes),
      ...(storageClasses.length > 0 ? checkWorkers(nodes) : []),
      ...checkInterfaces(networkInterfaces),
    ];
  }

  private secretIn(namespace: string): RequiredSecret {
    const { accessKeyIdKey, secretAccessKeyKey } = credentialKeys(this.props.credentials);
    return { namespace, name: this.props.credentials.secretName, keys: [accessKeyIdKey, secretAccessKeyKey] };
  }
}
