import { Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import CHARTS from '../../../manifests/systems/vsphere/charts.json';
import {
  Addon, AddonCapability, ClusterContext, controlPlaneNodes, EVERYWHERE, providerAddons, ProviderPrograms, ProviderStorageClassOptions, setFields,
  TenantSecret, TypedApiObject,
} from '../contract';

/** A storage class of the tenant, whose volumes are disks of vSphere, for one node at a time. Exactly one class is the default. */
export interface VSphereStorageClass extends ProviderStorageClassOptions {
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
}

/** The options of programs in the tenant. */
interface VSpherePrograms extends ProviderPrograms {
  readonly server: string;
  readonly datacenter: string;
  readonly thumbprint?: string;
  readonly topologyCategories?: string[];
  readonly credentials?: TenantSecret;
  readonly storageClasses?: VSphereStorageClass[];
  readonly csiConfig?: TenantSecret;
}

const CLOUD_CONTROLLER_MANAGER = 'vsphere-cpi';
const CSI_DRIVER = 'rancher-vsphere-csi';
const NAMESPACE = 'kube-system';
const LINUX_TERMS = [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }] }];
const LINUX_NODES = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: LINUX_TERMS } } };

/**
 * The programs of the tenant. The configuration of the cloud controller manager is not that of the chart, which always names categories of tags:
 * nodes of a vCenter without them are never initialized (kubernetes/cloud-provider-vsphere pkg/cloudprovider/vsphere/zones.go). Rancher packages the
 * CSI driver, whose project releases no chart.
 */
export function vsphereAddons(owner: Construct, props: VSpherePrograms, context: ClusterContext): Addon[] {
  const { storageClasses = [], cloudControllerManager, csiDriver, credentials, csiConfig, topologyCategories } = props;
  const classes = storageClasses.map(({ storagePolicy, datastoreUrl, ...given }) => (
    { ...given, parameters: setFields({ storagepolicyname: storagePolicy, datastoreurl: datastoreUrl }) as { [key: string]: string } }));
  return providerAddons(owner, context, [
    {
      chart: CLOUD_CONTROLLER_MANAGER,
      known: CHARTS[CLOUD_CONTROLLER_MANAGER],
      given: cloudControllerManager,
      secret: { given: credentials, usual: 'cloud-provider-vsphere-credentials' },
      provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
      define: (tenant, name) => new TypedApiObject(tenant, 'Configuration', { apiVersion: 'v1', kind: 'ConfigMap' }, {
        metadata: { name: 'cloud-config', namespace: NAMESPACE }, data: { 'vsphere.conf': Yaml.stringify(configuration(props, name)) },
      }),
      values: (cluster) => ({ daemonset: { tolerations: EVERYWHERE, ...(!controlPlaneNodes(cluster) && { affinity: null }) } }),
    },
    {
      chart: CSI_DRIVER,
      known: CHARTS[CSI_DRIVER],
      given: csiDriver,
      needed: classes.length > 0,
      secret: { given: csiConfig, usual: 'vsphere-config-secret' },
      provides: [AddonCapability.PERSISTENT_VOLUMES],
      storage: { driver: 'csi.vsphere.vmware.com', classes, owner },
      values: (cluster, name) => ({
        vCenter: { configSecret: { name, generate: false } },
        csiController: {
          csiResizer: { enabled: true },
          tolerations: EVERYWHERE,
          // The chart looks for a label with another value than that of kubeadm.
          ...(controlPlaneNodes(cluster) ? { nodeSelector: controlPlaneNodes(cluster) } : { affinity: LINUX_NODES }),
        },
        csiNode: { tolerations: EVERYWHERE },
        onlineVolumeExtend: { enabled: true },
        ...(topologyCategories && { improvedVolumeTopology: { enabled: true }, topology: { enabled: true } }),
        storageClass: { enabled: false },
      }),
    },
  ]);
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
