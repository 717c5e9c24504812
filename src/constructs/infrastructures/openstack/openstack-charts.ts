import { Construct } from 'constructs';
import CHARTS from '../../../manifests/systems/openstack/charts.json';
import {
  Addon, AddonCapability, ClusterContext, ProviderAddons, ProviderPrograms, ProviderStorageClass, releasedChart, TenantSecret,
} from '../contract';

const PRIORITY = 'system-cluster-critical';

/** The options of programs in the tenant. */
interface OpenStackPrograms extends ProviderPrograms {
  readonly cloudConfig?: TenantSecret;
  readonly storageClasses?: ProviderStorageClass[];
}

/**
 * The programs of the tenant. The cloud controller manager is on the control plane's machines where there are some and on all nodes otherwise; one of its
 * pods leads. Its pods use the network of their host. Of the volumes of its chart only that of `cloud.conf` stays: no argument names the others
 * (charts/openstack-cloud-controller-manager/templates/daemonset.yaml).
 */
export function openStackAddons(owner: Construct, props: OpenStackPrograms, context: ClusterContext): Addon[] {
  const { cloudConfig, storageClasses: classes = [], cloudControllerManager, csiDriver } = props;
  const secret = { secret: cloudConfig, secretName: 'cloud-config' };
  const name = ProviderAddons.secretName(secret.secretName, cloudConfig);
  // The names of load balancers begin with it. Unique among the clusters of a management cluster, which may share a project: a namespace has no dot.
  const clusterId = `${context.namespace}.${context.name}`;
  return ProviderAddons.of(owner, context, [
    {
      ...releasedChart(CHARTS, 'openstack-cloud-controller-manager'),
      ...secret,
      given: cloudControllerManager,
      provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER, AddonCapability.DEFAULT_LOAD_BALANCER],
      values: {
        cluster: { name: clusterId },
        secret: { enabled: true, create: false, name },
        // A hosted control plane has no nodes, but the chart selects control plane nodes only.
        ...(!ProviderAddons.controlPlaneNodes(context) && { nodeSelector: { 'node-role.kubernetes.io/control-plane': null } }),
        tolerations: ProviderAddons.everywhere(),
        priorityClassName: PRIORITY,
        extraVolumes: [],
        extraVolumeMounts: [],
      },
    },
    {
      ...releasedChart(CHARTS, 'openstack-cinder-csi'),
      ...secret,
      given: csiDriver,
      storageDriver: 'cinder.csi.openstack.org',
      storageClasses: classes,
      values: {
        clusterID: clusterId,
        secret: { enabled: true, hostMount: false, create: false, name, filename: 'cloud.conf' },
        storageClass: { enabled: false },
        priorityClassName: PRIORITY,
      },
    },
  ]);
}
