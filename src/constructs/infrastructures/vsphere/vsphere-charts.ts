import { Chart, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import CHARTS from '../../../manifests/systems/vsphere/charts.json';
import { Problem, Rule } from '../../../manifests/values/problem';
import { VolumeBindingMode, VolumeReclaimPolicy } from '../../../manifests/values/storage-class';
import { TolerationOperator } from '../../../manifests/values/taints';
import { CLASSES_PROPERTY } from '../../addons/csi/driver-checks';
import { addStorageClass, checkDefaultClass, checkTaken, classSources } from '../../addons/csi/storage-classes';
import { ProviderChart, ProviderChartAddon } from '../../addons/provider-chart';
import { TenantSecret } from '../../addons/tenant-secret';
import { Problems } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { Addon, AddonCapability } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';

/** A storage class of the tenant, whose volumes are disks of vSphere, for one node at a time. */
export interface VSphereStorageClass {
  /** Name of the StorageClass, which other classes do not have (`TC-VSPHERE-STORAGE-CLASS`). */
  readonly name: string;

  /**
   * Name of the storage policy.
   *
   * @default - the driver chooses a datastore that all nodes reach
   */
  readonly storagePolicy?: string;

  /**
   * URL of the datastore: `ds:///vmfs/volumes/…/`.
   *
   * @default - one that the storage policy allows
   */
  readonly datastoreUrl?: string;

  /**
   * True if claims that name no class are of this one. Exactly one class is the default (`TC-VSPHERE-STORAGE-CLASS`).
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * Treatment of a volume when its claim is deleted.
   *
   * @default VolumeReclaimPolicy.DELETE
   */
  readonly reclaimPolicy?: VolumeReclaimPolicy;
}

/** The options of programs in the tenant. */
interface VSpherePrograms {
  readonly server: string;
  readonly datacenter: string;
  readonly thumbprint?: string;
  readonly topologyCategories?: string[];
  readonly credentials?: TenantSecret;
  readonly cloudControllerManager?: ProviderChart;
  readonly storageClasses?: VSphereStorageClass[];
  readonly csiConfig?: TenantSecret;
  readonly csiDriver?: ProviderChart;
}

const CLOUD_CONTROLLER_MANAGER = 'vsphere-cpi';
const CSI_DRIVER = 'rancher-vsphere-csi';
const DRIVER_NAME = 'csi.vsphere.vmware.com';
const NAMESPACE = 'kube-system';
const CREDENTIALS = 'cloud-provider-vsphere-credentials';
const CSI_CONFIG = 'vsphere-config-secret';
const EVERYWHERE = [{ operator: TolerationOperator.EXISTS }];
const CONTROL_PLANE_NODES = { 'node-role.kubernetes.io/control-plane': '' };
const LINUX_TERMS = [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }] }];
const LINUX_NODES = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: LINUX_TERMS } } };

const CLASS_RULE: Rule = {
  id: 'TC-VSPHERE-STORAGE-CLASS',
  title: 'Names of storage classes must be unique, and exactly one class must be the default.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
};

/** The programs of the tenant. */
export function vsphereAddons(owner: Construct, props: VSpherePrograms, context: ClusterContext): Addon[] {
  const { storageClasses = [], cloudControllerManager = ProviderChart.of(), csiDriver = ProviderChart.of() } = props;
  const { credentials = TenantSecret.carried(), csiConfig = TenantSecret.carried() } = props;
  const problems = Problems.of(owner);
  checkClasses(storageClasses).forEach((problem) => problems.add(problem));
  const hasDriver = csiDriver.enabled && storageClasses.length > 0;
  if (cloudControllerManager.enabled) credentials._addSet(owner, context, CREDENTIALS);
  if (hasDriver) csiConfig._addSet(owner, context, CSI_CONFIG);
  return [
    ...(cloudControllerManager.enabled ? [managerAddon(props, cloudControllerManager, credentials._nameOr(CREDENTIALS))] : []),
    ...(hasDriver ? [driverAddon(owner, storageClasses, csiDriver, csiConfig._nameOr(CSI_CONFIG), props.topologyCategories)] : []),
  ];
}

/**
 * The cloud controller manager. Its configuration is not that of the chart, which always names categories of tags: nodes of a vCenter without
 * them are never initialized (kubernetes/cloud-provider-vsphere pkg/cloudprovider/vsphere/zones.go).
 */
function managerAddon(props: VSpherePrograms, { options }: ProviderChart, secret: string): Addon {
  return new ProviderChartAddon({
    chart: CLOUD_CONTROLLER_MANAGER,
    known: CHARTS[CLOUD_CONTROLLER_MANAGER],
    options,
    provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
    define: (tenant) => new TypedApiObject(tenant, 'Configuration', { apiVersion: 'v1', kind: 'ConfigMap' }, {
      metadata: { name: 'cloud-config', namespace: NAMESPACE }, data: { 'vsphere.conf': Yaml.stringify(configuration(props, secret)) },
    }),
    values: (context) => ({
      daemonset: { tolerations: EVERYWHERE, ...(!runsOnMachines(context) && { affinity: null }) },
    }),
  });
}

/** The configuration of the cloud controller manager, as in the template of Cluster API's provider. */
function configuration({ server, datacenter, thumbprint, topologyCategories }: VSpherePrograms, secret: string): object {
  const [region, zone] = topologyCategories ?? [];
  return {
    global: { port: 443, secretName: secret, secretNamespace: NAMESPACE, ...(thumbprint === undefined ? { insecureFlag: true } : { thumbprint }) },
    vcenter: { [server]: { server, datacenters: [datacenter] } },
    ...(zone !== undefined && { labels: { region, zone } }),
  };
}

/** The CSI driver, and the storage classes. Rancher packages the manifests of its project, which releases no chart. */
function driverAddon(
  owner: Construct, classes: readonly VSphereStorageClass[], { options }: ProviderChart, secret: string, categories: string[] | undefined,
): Addon {
  return new ProviderChartAddon({
    chart: CSI_DRIVER,
    known: CHARTS[CSI_DRIVER],
    options,
    provides: [AddonCapability.PERSISTENT_VOLUMES],
    define: (tenant) => classes.forEach((storageClass, index) => addClass(tenant, storageClass, `${CLASSES_PROPERTY}[${index}]`, owner)),
    values: (context) => ({
      vCenter: { configSecret: { name: secret, generate: false } },
      csiController: {
        csiResizer: { enabled: true },
        tolerations: EVERYWHERE,
        // The chart looks for a label with another value than that of kubeadm.
        ...(runsOnMachines(context) ? { nodeSelector: CONTROL_PLANE_NODES } : { affinity: LINUX_NODES }),
      },
      csiNode: { tolerations: EVERYWHERE },
      onlineVolumeExtend: { enabled: true },
      ...(categories && { improvedVolumeTopology: { enabled: true }, topology: { enabled: true } }),
      storageClass: { enabled: false },
    }),
  });
}

function addClass(tenant: Chart, { storagePolicy, datastoreUrl, ...given }: VSphereStorageClass, property: string, owner: Construct): void {
  const parameters = {
    ...(storagePolicy !== undefined && { storagepolicyname: storagePolicy }),
    ...(datastoreUrl !== undefined && { datastoreurl: datastoreUrl }),
  };
  const options = { ...given, volumeBindingMode: VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER };
  const object = addStorageClass(tenant, property, options, DRIVER_NAME, parameters);
  FieldSources.record(object, owner, classSources(property));
}

function checkClasses(classes: readonly VSphereStorageClass[]): Problem[] {
  const placed = classes.map((given, index) => ({ property: `${CLASSES_PROPERTY}[${index}]`, given }));
  return [...checkTaken(CLASS_RULE, 'storage class', placed), ...(placed.length > 0 ? checkDefaultClass(CLASS_RULE, CLASSES_PROPERTY, placed) : [])];
}

/** True if the control plane has nodes in the tenant. */
function runsOnMachines({ controlPlane }: ClusterContext): boolean {
  return (controlPlane.machineCount ?? 0) > 0;
}
