import { credentialKeys, isRegion, NifcloudCredentials } from './credentials';
import { checkInterfaces, GUEST_TOOLS_SCRIPT, guestToolsScript, NifcloudNetworkInterfaces } from './guest-tools';
import { NifcloudCloudControllerManager } from './nifcloud-cloud-controller-manager';
import { NifcloudCsiDriver } from './nifcloud-csi-driver';
import { NifcloudStorageClass } from './nifcloud-storage-class';
import { Problem, Rule } from '../../../manifests/values/problem';
import { BundledAddonProps } from '../../addons/bundled-addon';
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
   * Network interfaces that the guest tools of the nodes report. Otherwise addresses of containers would count as addresses of the node.
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

const REGIONS_SOURCE = 'docs.nifcloud.com/common/spec/spec_infomation.htm (regions and zones)';

const REGION_UNKNOWN_RULE: Rule = {
  id: 'TC-NIFCLOUD-REGION-UNKNOWN',
  title: 'A region should be known: the library lists the regions of Nifcloud at its release.',
  source: REGIONS_SOURCE,
  warning: true,
};

/** Some names of the list of Nifcloud omit the country, which the API requires. */
const REGIONS = ['jp-east-1', 'jp-east-2', 'jp-east-3', 'jp-east-4', 'jp-west-1', 'jp-west-2', 'us-east-1'];

/** Checks that a region is known; another rule rejects malformed names. */
function checkKnownRegion(region: string): Problem[] {
  return REGIONS.includes(region) || !isRegion(region) ? [] : [{
    rule: REGION_UNKNOWN_RULE,
    property: 'platform.region',
    message: `"${region}" is not a known region`,
    accepted: REGIONS.join(', '),
    fix: 'correct it, unless the region is newer than this list',
  }];
}

const DISK_SOURCE = 'nifcloud/nifcloud-additional-storage-csi-driver pkg/driver/controller.go (a disk belongs to a zone)';

const ZONE_RULE: Rule = {
  id: 'TC-NIFCLOUD-ZONE',
  title: 'Every node must be in a zone of the platform, and every zone must be in its region.',
  source: `${DISK_SOURCE}; ${REGIONS_SOURCE}`,
};

/** Checks zones, and the nodes in them. */
function checkZones(region: string, zones: readonly string[], { controlPlaneNodes, workers }: KubeadmNodes): Problem[] {
  const placed = [
    ...controlPlaneNodes.map(({ zone }, index) => ({ property: `controlPlaneNodes[${index}].zone`, zone })),
    ...workers.map(({ zone }, index) => ({ property: `workers[${index}].zone`, zone })),
  ];
  const faults = checkZoneNames(region, zones);
  return faults.length > 0 ? faults : placed.filter(({ zone }) => zone === undefined || !zones.includes(zone)).map(({ property, zone }) => ({
    rule: ZONE_RULE, property, message: zone === undefined ? 'the zone of the node is not set' : `"${zone}" is not a zone of the platform`, accepted: zones.join(', '), fix: 'name the zone of the machine, or add it to the platform',
  }));
}

function checkZoneNames(region: string, zones: readonly string[]): Problem[] {
  const at = { rule: ZONE_RULE, property: 'platform.zones' };
  if (zones.length === 0) return [{ ...at, message: 'the list is empty', fix: 'name the zones of the nodes, such as "east-11"' }];
  return zones.flatMap((zone, index) => {
    const message = zoneFault(region, zone, zones.indexOf(zone) < index);
    return message === undefined ? [] : [{ ...at, property: `platform.zones[${index}]`, message, accepted: 'names such as "east-11"', fix: 'correct or remove it' }];
  });
}

// A zone such as east-11 has two digits, a region such as jp-east-1 one.
const ZONE = /^([a-z]{2}-)?[a-z]+-\d{2}$/;

function zoneFault(region: string, zone: string, twice: boolean): string | undefined {
  if (!ZONE.test(zone)) return `${JSON.stringify(zone)} is not the name of a zone`;
  if (twice) return `"${zone}" is there twice`;
  const own = regionOf(zone);
  return own === region || !isRegion(region) ? undefined : `"${zone}" is a zone of ${own}, but the machines are in ${region}`;
}

/** A zone is named after its region, with one more digit; Japan, the first country, may be left out. */
function regionOf(zone: string): string {
  const region = zone.slice(0, -1);
  return isRegion(region) ? region : `jp-${region}`;
}

const ZONE_WORKERS_RULE: Rule = {
  id: 'TC-NIFCLOUD-ZONE-WORKERS',
  title: 'With storage classes, a zone should have several workers or none: a disk stays in its zone, and its pod waits while the only worker is drained.',
  source: DISK_SOURCE,
  warning: true,
};

/** Checks that a pod with a disk has another node in its zone when its node is drained. */
function checkWorkers({ workers }: KubeadmNodes): Problem[] {
  const zones = workers.flatMap(({ zone }) => zone ?? []);
  return [...new Set(zones)].sort().filter((zone) => zones.filter((one) => one === zone).length === 1).map((zone) => ({
    rule: ZONE_WORKERS_RULE,
    property: 'workers',
    message: `${zone} has one worker, and a pod with a disk there cannot start in another zone`,
    accepted: 'two workers or more, or none, in each zone',
    fix: 'add a worker there, if its pods may not wait while it is drained',
  }));
}
