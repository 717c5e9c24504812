import { Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import CHARTS from '../../../manifests/systems/vsphere/charts.json';
import {
  Addon, AddonCapability, ClusterContext, ProviderAddons, ProviderPrograms, ProviderStorageClassOptions, releasedChart, setFields, TenantSecret,
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

const NAMESPACE = 'kube-system';
const CREDENTIALS = 'cloud-provider-vsphere-credentials';
const CSI_CONFIG = 'vsphere-config-secret';
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
  const nodeSelector = ProviderAddons.controlPlaneNodes(context);
  const tolerations = ProviderAddons.everywhere();
  return ProviderAddons.of(owner, context, [
    {
      ...releasedChart(CHARTS, 'vsphere-cpi'),
      given: cloudControllerManager,
      secret: credentials,
      secretName: CREDENTIALS,
      provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
      manifests: [{
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'cloud-config', namespace: NAMESPACE },
        data: { 'vsphere.conf': Yaml.stringify(configuration(props, ProviderAddons.secretName(CREDENTIALS, credentials))) },
      }],
      values: { daemonset: { tolerations, ...(!nodeSelector && { affinity: null }) } },
    },
    {
      ...releasedChart(CHARTS, 'rancher-vsphere-csi'),
      given: csiDriver,
      secret: csiConfig,
      secretName: CSI_CONFIG,
      storageDriver: 'csi.vsphere.vmware.com',
      storageClasses: classes,
      values: {
        vCenter: { configSecret: { name: ProviderAddons.secretName(CSI_CONFIG, csiConfig), generate: false } },
        csiController: {
          csiResizer: { enabled: true },
          tolerations,
          // The chart looks for a label with another value than that of kubeadm.
          ...(nodeSelector ? { nodeSelector } : { affinity: LINUX_NODES }),
        },
        csiNode: { tolerations },
        onlineVolumeExtend: { enabled: true },
        ...(topologyCategories && { improvedVolumeTopology: { enabled: true }, topology: { enabled: true } }),
        storageClass: { enabled: false },
      },
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
