import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import CHARTS from '../../../manifests/systems/openstack/charts.json';
import { VolumeBindingMode, VolumeReclaimPolicy } from '../../../manifests/values/storage-class';
import { addStorageClass, classSources } from '../../addons/csi/storage-classes';
import { ProviderChartAddon, ProviderChartOptions } from '../../addons/provider-chart';
import { FieldSources } from '../../app/synth/field-sources';
import { Addon, AddonCapability } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';

/** A storage class of the tenant, of volumes of Cinder, which are made when the first pod uses them. */
export interface OpenStackStorageClass {
  /** Name of the StorageClass. */
  readonly name: string;

  /**
   * Volume type of Cinder, by name or id.
   *
   * @default - Cinder decides
   */
  readonly type?: string;

  /**
   * Availability zone of the volumes.
   *
   * @default - that of the node, by the topology of the driver
   */
  readonly availabilityZone?: string;

  /**
   * True if claims that name no class are of this one.
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

const CLOUD_CONTROLLER_MANAGER = 'openstack-cloud-controller-manager';
const CSI_DRIVER = 'openstack-cinder-csi';
const PRIORITY = 'system-cluster-critical';

/**
 * The cloud controller manager, on the control plane's machines where there are some and on all nodes otherwise; one of its pods leads. Its pods use the
 * network of their host. Of the volumes of the chart only that of `cloud.conf` stays: no argument names the others
 * (charts/openstack-cloud-controller-manager/templates/daemonset.yaml).
 *
 * @param options options of the chart
 * @param secret name of the Secret that configures it
 */
export function cloudControllerManager(options: ProviderChartOptions, secret: string): Addon {
  return new ProviderChartAddon({
    chart: CLOUD_CONTROLLER_MANAGER,
    known: CHARTS[CLOUD_CONTROLLER_MANAGER],
    options,
    provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER, AddonCapability.DEFAULT_LOAD_BALANCER],
    values: (context) => ({
      // The names of load balancers in the project begin with it.
      cluster: { name: clusterId(context) },
      secret: { enabled: true, create: false, name: secret },
      // A hosted control plane has no nodes, but the chart selects control plane nodes only.
      ...(context.controlPlane.machineCount === undefined && { nodeSelector: { 'node-role.kubernetes.io/control-plane': null } }),
      tolerations: [{ operator: 'Exists' }],
      priorityClassName: PRIORITY,
      extraVolumes: [],
      extraVolumeMounts: [],
    }),
  });
}

/**
 * The driver whose volumes are those of Cinder, and the storage classes.
 *
 * @param options options of the chart
 * @param secret name of the Secret that configures it
 * @param classes the storage classes
 * @param owner the construct that was given the classes
 */
export function cinderCsiDriver(options: ProviderChartOptions, secret: string, classes: readonly OpenStackStorageClass[], owner: Construct): Addon {
  return new ProviderChartAddon({
    chart: CSI_DRIVER,
    known: CHARTS[CSI_DRIVER],
    options,
    provides: classes.some(({ isDefault }) => isDefault) ? [AddonCapability.PERSISTENT_VOLUMES] : [],
    define: (tenant) => classes.forEach((storageClass, index) => addClass(tenant, storageClass, `infrastructure.storageClasses[${index}]`, owner)),
    values: (context) => ({
      clusterID: clusterId(context),
      secret: { enabled: true, hostMount: false, create: false, name: secret, filename: 'cloud.conf' },
      storageClass: { enabled: false },
      priorityClassName: PRIORITY,
    }),
  });
}

function addClass(tenant: Chart, storageClass: OpenStackStorageClass, property: string, owner: Construct): void {
  const { type, availabilityZone } = storageClass;
  const parameters = { ...(type !== undefined && { type }), ...(availabilityZone !== undefined && { availability: availabilityZone }) };
  const given = { ...storageClass, volumeBindingMode: VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER };
  FieldSources.record(addStorageClass(tenant, property, given, 'cinder.csi.openstack.org', parameters), owner, classSources(property));
}

/** Unique among the clusters of a management cluster, which may share a project: a namespace has no dot. */
function clusterId({ namespace, name }: ClusterContext): string {
  return `${namespace}.${name}`;
}
