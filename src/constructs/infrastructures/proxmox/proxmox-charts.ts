import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import CHARTS from '../../../manifests/systems/proxmox/charts.json';
import { Problem, Rule } from '../../../manifests/values/problem';
import { VolumeBindingMode, VolumeReclaimPolicy } from '../../../manifests/values/storage-class';
import { TolerationOperator } from '../../../manifests/values/taints';
import { CLASSES_PROPERTY } from '../../addons/csi/driver-checks';
import { addStorageClass, checkDefaultClass, checkTaken, classSources } from '../../addons/csi/storage-classes';
import { ProviderChart, ProviderChartAddon } from '../../addons/provider-chart';
import { TenantSecret } from '../../addons/tenant-secret';
import { FieldSources } from '../../app/synth/field-sources';
import { Addon, AddonCapability } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';

/**
 * The API of Proxmox VE for programs in the tenant: its cloud controller manager and its CSI driver.
 *
 * Source: sergelogvinov/proxmox-cloud-controller-manager docs/install.md, sergelogvinov/proxmox-csi-plugin docs/install.md.
 */
export interface ProxmoxApi {
  /** Address of the API, e.g. `https://pve.example.com:8006/api2/json` (`TC-PROXMOX-API`). */
  readonly url: string;

  /** Value of the label `topology.kubernetes.io/region` of nodes: a name of your choice for the Proxmox VE cluster, which stays the same. */
  readonly region: string;

  /**
   * True if certificates of the API are not verified.
   *
   * @default false
   */
  readonly insecure?: boolean;

  /**
   * Secret with an API token, under the keys `token_id` (`kubernetes@pve!acme`) and `token_secret`. The token has the rights VM.Audit,
   * VM.GuestAgent.Audit and Sys.Audit, and for volumes VM.Config.Disk and those of the storage.
   *
   * @default TenantSecret.carried() - the Secret `proxmox-api-token` of the tenant, from `<cluster>-tenant-proxmox-api-token` of the management cluster
   */
  readonly token?: TenantSecret;
}

/** A storage class of the tenant, whose volumes are disks on a storage of Proxmox VE, for one node at a time. */
export interface ProxmoxStorageClass {
  /** Name of the StorageClass, which other classes do not have (`TC-PROXMOX-STORAGE-CLASS`). */
  readonly name: string;

  /** Name of the storage in Proxmox VE, e.g. `local-lvm`. */
  readonly storage: string;

  /**
   * True if claims that name no class are of this one. Exactly one class is the default (`TC-PROXMOX-STORAGE-CLASS`).
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * File system of volumes: `ext4` or `xfs`.
   *
   * @default ext4
   */
  readonly fsType?: string;

  /**
   * Further parameters of the driver, e.g. `{ cache: 'none', ssd: 'true' }`.
   *
   * Source: sergelogvinov/proxmox-csi-plugin docs/options.md.
   *
   * @default - none
   */
  readonly parameters?: { [name: string]: string };

  /**
   * Treatment of a volume when its claim is deleted.
   *
   * @default VolumeReclaimPolicy.DELETE
   */
  readonly reclaimPolicy?: VolumeReclaimPolicy;
}

/** The options of programs in the tenant. */
interface TenantPrograms {
  readonly api?: ProxmoxApi;
  readonly storageClasses?: ProxmoxStorageClass[];
  readonly cloudControllerManager?: ProviderChart;
  readonly csiDriver?: ProviderChart;
}

const CLOUD_CONTROLLER_MANAGER = 'proxmox-cloud-controller-manager';
const CSI_DRIVER = 'proxmox-csi-plugin';
const DRIVER_NAME = 'csi.proxmox.sinextra.dev';
const TOKEN = 'proxmox-api-token';
const EVERYWHERE = [{ operator: TolerationOperator.EXISTS }];

/** The programs of the tenant. */
export function proxmoxAddons(owner: Construct, programs: TenantPrograms, context: ClusterContext): Addon[] {
  const { api, storageClasses = [], cloudControllerManager = ProviderChart.of(), csiDriver = ProviderChart.of() } = programs;
  if (!api) return [];
  if (cloudControllerManager.enabled || csiDriver.enabled) (api.token ?? TenantSecret.carried())._addSet(owner, context, TOKEN);
  return [
    ...(cloudControllerManager.enabled ? [managerAddon(api, cloudControllerManager)] : []),
    ...(csiDriver.enabled && storageClasses.length > 0 ? [driverAddon(owner, api, storageClasses, csiDriver)] : []),
  ];
}

/** The cloud controller manager. It runs in the network of its machine, before the pod network exists. */
function managerAddon(api: ProxmoxApi, { options }: ProviderChart): Addon {
  return new ProviderChartAddon({
    chart: CLOUD_CONTROLLER_MANAGER,
    known: CHARTS[CLOUD_CONTROLLER_MANAGER],
    options,
    provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
    values: (context) => ({
      // Addresses come from the guest agent: the kubelet is given none. The order of addresses stays that of the machine, because
      // ip_sort_order ignores what it lists (pkg/proxmox/utils.go of v0.13.1, ParseCIDRRuleset).
      ...apiValues(api, { network: { mode: 'auto' } }),
      useDaemonSet: true,
      // The DNS server of the cluster waits for initialized nodes itself.
      dnsPolicy: 'Default',
      ...nodeSelector(context),
      tolerations: EVERYWHERE,
    }),
  });
}

/** The CSI driver, and the storage classes. It finds disks by the labels that the cloud controller manager gives nodes. */
function driverAddon(owner: Construct, api: ProxmoxApi, classes: readonly ProxmoxStorageClass[], { options }: ProviderChart): Addon {
  return new ProviderChartAddon({
    chart: CSI_DRIVER,
    known: CHARTS[CSI_DRIVER],
    options,
    provides: [AddonCapability.PERSISTENT_VOLUMES],
    define: (tenant) => classes.forEach((storageClass, index) => addClass(tenant, storageClass, `${CLASSES_PROPERTY}[${index}]`, owner)),
    values: (context) => ({ ...apiValues(api, {}), ...nodeSelector(context), tolerations: EVERYWHERE, node: { tolerations: EVERYWHERE } }),
  });
}

/** A class whose volumes are made where the first pod runs, since storage may be that of one node. */
function addClass(tenant: Chart, { storage, fsType = 'ext4', parameters, ...given }: ProxmoxStorageClass, property: string, owner: Construct): void {
  const all = { ...parameters, 'csi.storage.k8s.io/fstype': fsType, storage };
  const object = addStorageClass(tenant, property, { ...given, volumeBindingMode: VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER }, DRIVER_NAME, all);
  FieldSources.record(object, owner, classSources(property));
}

/** The nodes of the control plane, if it has any in the tenant. */
function nodeSelector({ controlPlane }: ClusterContext): object {
  return (controlPlane.machineCount ?? 0) > 0 ? { nodeSelector: { 'node-role.kubernetes.io/control-plane': '' } } : {};
}

const TOKEN_FOLDER = '/run/secrets/proxmox';
const TOKEN_VOLUME = 'api-token';

/** The values of both charts by which they reach the API, with a token from a Secret. */
function apiValues({ url, region, insecure = false, token = TenantSecret.carried() }: ProxmoxApi, features: object): object {
  const files = { token_id_file: `${TOKEN_FOLDER}/token_id`, token_secret_file: `${TOKEN_FOLDER}/token_secret` };
  return {
    // The word for machines of Cluster API's provider, whose IDs are UUIDs (pkg/config/config.go of both programs).
    config: { features: { provider: 'capmox', ...features }, clusters: [{ url, insecure, region, ...files }] },
    extraVolumes: [{ name: TOKEN_VOLUME, secret: { secretName: token._nameOr(TOKEN) } }],
    extraVolumeMounts: [{ name: TOKEN_VOLUME, mountPath: TOKEN_FOLDER, readOnly: true }],
  };
}

const API_RULE: Rule = {
  id: 'TC-PROXMOX-API',
  title: 'The API for programs in the tenant must have an address with http or https, and storage classes require it.',
  source: 'sergelogvinov/proxmox-cloud-controller-manager pkg/config/config.go, sergelogvinov/proxmox-csi-plugin docs/install.md',
};

const CLASS_RULE: Rule = {
  id: 'TC-PROXMOX-STORAGE-CLASS',
  title: 'Names of storage classes must be unique, and exactly one class must be the default.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
};

/** Checks the options of programs in the tenant. */
export function checkTenantPrograms({ api, storageClasses = [] }: TenantPrograms): Problem[] {
  const classes = storageClasses.map((given, index) => ({ property: `${CLASSES_PROPERTY}[${index}]`, given }));
  return [
    ...(api || classes.length === 0 ? [] : [{
      rule: API_RULE, property: CLASSES_PROPERTY, message: 'there is no api, so that no program in the tenant makes volumes', fix: 'set api, or remove the classes',
    }]),
    ...(api && !/^https?:\/\/[^/]/.test(api.url) ? [{
      rule: API_RULE, property: 'infrastructure.api.url', message: `"${api.url}" is no address of an API`, accepted: 'such as "https://pve.example.com:8006/api2/json"', fix: 'correct it',
    }] : []),
    ...checkTaken(CLASS_RULE, 'storage class', classes),
    ...(classes.length > 0 ? checkDefaultClass(CLASS_RULE, CLASSES_PROPERTY, classes) : []),
  ];
}
