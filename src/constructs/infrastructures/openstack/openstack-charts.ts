import { Construct } from 'constructs';
import CHARTS from '../../../manifests/systems/openstack/charts.json';
import { ProviderChartAddon, ProviderChartOptions, ProviderStorageClass } from '../../addons/provider-chart';
import { Addon, AddonCapability } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';

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
export function cinderCsiDriver(options: ProviderChartOptions, secret: string, classes: readonly ProviderStorageClass[], owner: Construct): Addon {
  return new ProviderChartAddon({
    chart: CSI_DRIVER,
    known: CHARTS[CSI_DRIVER],
    options,
    provides: [],
    storage: { driver: 'cinder.csi.openstack.org', classes, owner, property: 'infrastructure.storageClasses' },
    values: (context) => ({
      clusterID: clusterId(context),
      secret: { enabled: true, hostMount: false, create: false, name: secret, filename: 'cloud.conf' },
      storageClass: { enabled: false },
      priorityClassName: PRIORITY,
    }),
  });
}

/** Unique among the clusters of a management cluster, which may share a project: a namespace has no dot. */
function clusterId({ namespace, name }: ClusterContext): string {
  return `${namespace}.${name}`;
}
