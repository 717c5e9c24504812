import { Construct } from 'constructs';
import CHARTS from '../../../manifests/systems/proxmox/charts.json';
import { CLASSES_PROPERTY } from '../../addons/csi/driver-checks';
import {
  Addon, AddonCapability, ClusterContext, Problem, ProviderAddons, ProviderPrograms, ProviderStorageClassOptions, releasedChart, Rule, setFields,
  TenantSecret,
} from '../contract';

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

/**
 * A storage class of the tenant, whose volumes are disks on a storage of Proxmox VE, for one node at a time. They are made where the first pod runs,
 * since a storage may be that of one node. Exactly one class is the default.
 */
export interface ProxmoxStorageClass extends ProviderStorageClassOptions {
  /** Name of the storage in Proxmox VE, e.g. `local-lvm`. */
  readonly storage: string;

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
}

/** The options of programs in the tenant. */
interface TenantPrograms extends ProviderPrograms {
  readonly api?: ProxmoxApi;
  readonly storageClasses?: ProxmoxStorageClass[];
}

/** The programs of the tenant. The CSI driver finds disks by the labels that the cloud controller manager gives nodes. */
export function proxmoxAddons(owner: Construct, { api, storageClasses = [], ...given }: TenantPrograms, context: ClusterContext): Addon[] {
  if (!api) return [];
  const secret = { secret: api.token, secretName: 'proxmox-api-token' };
  const name = ProviderAddons.secretName(secret.secretName, api.token);
  const classes = storageClasses.map(({ storage, fsType = 'ext4', parameters, ...same }) => (
    { ...same, parameters: { ...parameters, 'csi.storage.k8s.io/fstype': fsType, storage } }));
  const tolerations = ProviderAddons.everywhere();
  const placement = setFields({ nodeSelector: ProviderAddons.controlPlaneNodes(context), tolerations });
  return ProviderAddons.of(owner, context, [
    {
      ...releasedChart(CHARTS, 'proxmox-cloud-controller-manager'),
      ...secret,
      given: given.cloudControllerManager,
      provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
      // It runs in the network of its machine, before the pod network and the DNS server of the cluster exist.
      values: {
        // Addresses come from the guest agent: the kubelet is given none. The order of addresses stays that of the machine, because
        // ip_sort_order ignores what it lists (pkg/proxmox/utils.go of v0.13.1, ParseCIDRRuleset).
        ...apiValues(api, name, { network: { mode: 'auto' } }), ...placement, useDaemonSet: true, dnsPolicy: 'Default',
      },
    },
    {
      ...releasedChart(CHARTS, 'proxmox-csi-plugin'),
      ...secret,
      given: given.csiDriver,
      storageDriver: 'csi.proxmox.sinextra.dev',
      storageClasses: classes,
      values: { ...apiValues(api, name), ...placement, node: { tolerations } },
    },
  ]);
}

const TOKEN_FOLDER = '/run/secrets/proxmox';
const TOKEN_VOLUME = 'api-token';

/** The values of both charts by which they reach the API, with a token from a Secret. */
function apiValues({ url, region, insecure = false }: ProxmoxApi, secretName: string, features: object = {}): object {
  const files = { token_id_file: `${TOKEN_FOLDER}/token_id`, token_secret_file: `${TOKEN_FOLDER}/token_secret` };
  return {
    // The word for machines of Cluster API's provider, whose IDs are UUIDs (pkg/config/config.go of both programs).
    config: { features: { provider: 'capmox', ...features }, clusters: [{ url, insecure, region, ...files }] },
    extraVolumes: [{ name: TOKEN_VOLUME, secret: { secretName } }],
    extraVolumeMounts: [{ name: TOKEN_VOLUME, mountPath: TOKEN_FOLDER, readOnly: true }],
  };
}

const API_RULE: Rule = {
  id: 'TC-PROXMOX-API',
  title: 'The API for programs in the tenant must have an address with http or https, and storage classes require it.',
  source: 'sergelogvinov/proxmox-cloud-controller-manager pkg/config/config.go, sergelogvinov/proxmox-csi-plugin docs/install.md',
};

/** Checks the options of programs in the tenant. */
export function checkTenantPrograms({ api, storageClasses = [] }: TenantPrograms): Problem[] {
  return [
    ...(api || storageClasses.length === 0 ? [] : [{
      rule: API_RULE, property: CLASSES_PROPERTY, message: 'there is no api, so that no program in the tenant makes volumes', fix: 'set api, or remove the classes',
    }]),
    ...(api && !/^https?:\/\/[^/]/.test(api.url) ? [{
      rule: API_RULE, property: 'infrastructure.api.url', message: `"${api.url}" is no address of an API`, accepted: 'such as "https://pve.example.com:8006/api2/json"', fix: 'correct it',
    }] : []),
  ];
}
