import { Construct } from 'constructs';
import { VSphereStorageClass, vsphereAddons } from './vsphere-charts';
import { VSphereIdentity } from './vsphere-identity';
import { CLUSTER } from '../../../manifests/systems/vsphere/page-parts';
import { VSPHERE_CLUSTER_KIND } from '../../../manifests/systems/vsphere/vsphere-objects';
import {
  ClusterContext, IgnitionSetup, Infrastructure, InfrastructureCapabilities, InfrastructureConfig, NodeName, objectFields, Problem, Problems,
  ProviderObjects, ProviderPrograms, Rule, TenantSecret,
} from '../contract';

const PROPERTY = 'infrastructure';

/**
 * Commands of all nodes: the name of the machine is that of the node, by which the cloud controller manager finds it.
 *
 * Source: kubernetes-sigs/cluster-api-provider-vsphere templates/cluster-template.yaml.
 */
const HOST_NAME: readonly string[] = [
  'hostnamectl set-hostname "{{ ds.meta_data.hostname }}"',
  'echo "::1         ipv6-localhost ipv6-loopback localhost6 localhost6.localdomain6" >/etc/hosts',
  'echo "127.0.0.1   {{ ds.meta_data.hostname }} {{ v1.local_hostname }} localhost localhost.localdomain localhost4 localhost4.localdomain4" >>/etc/hosts',
];

/** Command that reads the metadata which the provider gives the machine. */
const METADATA = '"$(find /usr/bin /usr/share/oem /oem -name vmtoolsd -type f -executable 2>/dev/null | head -n 1)" --cmd "info-get guestinfo.metadata" | base64 -d';

/**
 * Setup of nodes with Ignition: the name of the machine comes from VMware's tools.
 *
 * Source: kubernetes-sigs/cluster-api-provider-vsphere templates/cluster-template-ignition.yaml, pkg/util/constants.go.
 */
const IGNITION: IgnitionSetup = {
  nodeName: '${COREOS_CUSTOM_HOSTNAME}',
  preKubeadmCommands: [
    `export COREOS_CUSTOM_HOSTNAME="$(${METADATA} | sed -n 's/^local-hostname: *"\\(.*\\)"$/\\1/p')"`,
    'hostnamectl set-hostname "${COREOS_CUSTOM_HOSTNAME:?}"',
    'echo "::1         ipv6-localhost ipv6-loopback" >/etc/hosts',
    'echo "127.0.0.1   ${COREOS_CUSTOM_HOSTNAME} localhost" >>/etc/hosts',
  ],
};

/** Options of the infrastructure of a cluster on vSphere. */
export interface VSphereInfrastructureProps extends ProviderPrograms {
  /** Host name or address of the vCenter, without a scheme. */
  readonly server: string;

  /** Name or inventory path of the data center that machines are in. */
  readonly datacenter: string;

  /**
   * Thumbprint of the vCenter's certificate: its SHA-1 checksum with colons. Without one, the provider and the cloud controller manager verify
   * no certificate.
   *
   * @default - none
   */
  readonly thumbprint?: string;

  /**
   * Credentials of the provider.
   *
   * @default - those that the provider was installed with
   */
  readonly identity?: VSphereIdentity;

  /**
   * Labels of the zones (`VSphereZone`) that the cluster uses: machines of the control plane are spread over them.
   *
   * @default - none: the cluster has no failure domains, and pools may name zones all the same
   */
  readonly zoneLabels?: { [key: string]: string };

  /**
   * Names of the zones that pools may name as their failure domain. Other names are refused.
   *
   * @default - any name
   */
  readonly zones?: string[];

  /**
   * True if machines of a pool or control plane are kept on different hosts as far as that is possible, by modules of the compute cluster.
   *
   * @default true
   */
  readonly clusterModules?: boolean;

  /**
   * Secret for the cloud controller manager, under the keys `<server>.username` and `<server>.password`.
   *
   * @default TenantSecret.carried() - the Secret `cloud-provider-vsphere-credentials` of the tenant
   */
  readonly credentials?: TenantSecret;

  /**
   * Storage classes of the tenant. Exactly one is the default (`TC-PROVIDER-STORAGE-CLASS`).
   *
   * @default - none, and no CSI driver
   */
  readonly storageClasses?: VSphereStorageClass[];

  /**
   * Secret for the CSI driver, under the key `csi-vsphere.conf`: its configuration, with `cluster-id` and credentials.
   *
   * @default TenantSecret.carried() - the Secret `vsphere-config-secret` of the tenant
   */
  readonly csiConfig?: TenantSecret;

  /**
   * Categories of the tags of regions and zones in vCenter, for labels of nodes: `['k8s-region', 'k8s-zone']`.
   *
   * @default - none: nodes have no labels of regions and zones
   */
  readonly topologyCategories?: string[];
}

const ENDPOINT_RULE: Rule = {
  id: 'TC-VSPHERE-ENDPOINT',
  title: 'A control plane on machines of vSphere must have an endpoint: the provider makes none, and the cluster waits for it for ever.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere controllers/vspherecluster_reconciler.go, kubernetes-sigs/cluster-api internal/controllers/cluster',
};

const CATEGORIES_RULE: Rule = {
  id: 'TC-VSPHERE-TOPOLOGY',
  title: 'Categories of tags must be two: that of regions and that of zones.',
  source: 'kubernetes/cloud-provider-vsphere pkg/cloudprovider/vsphere/zones.go',
};

/**
 * Virtual machines of vSphere, made by Cluster API's provider for vSphere (`VSphereCluster`, v1beta2).
 *
 * A control plane on machines needs an endpoint, such as `ControlPlaneEndpoint.kubeVip`; a hosted one such as Kamaji's brings its own.
 *
 * Rule: `TC-VSPHERE-ENDPOINT`. Source: kubernetes-sigs/cluster-api-provider-vsphere api/govmomi/v1beta2, v1.16.1.
 *
 * @example
 * new vsphere.VSphereInfrastructure({
 *   server: 'vcenter.example.com',
 *   datacenter: 'dc1',
 *   identity: vsphere.VSphereIdentity.clusterIdentity('tenants'),
 *   storageClasses: [{ name: 'gold', storagePolicy: 'gold', isDefault: true }],
 * });
 */
export class VSphereInfrastructure extends Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public readonly capabilities: InfrastructureCapabilities;

  /** @internal */
  public readonly _props: VSphereInfrastructureProps;

  public constructor(props: VSphereInfrastructureProps) {
    super();
    this._props = props;
    this.capabilities = {
      clusterKind: VSPHERE_CLUSTER_KIND,
      provider: 'vsphere',
      externalCloudProvider: true,
      nodeSetup: { nodeName: NodeName.LOCAL_HOSTNAME, preKubeadmCommands: [...HOST_NAME], ignition: IGNITION },
      ...(props.zones && { failureDomains: props.zones }),
      viewableResources: ProviderObjects.resources('vsphereclusters', 'vspheremachines', 'vspherevms'),
    };
  }

  /**
   * Makes the `VSphereCluster` of one tenant cluster, and gives the tenant its cloud controller manager and CSI driver.
   *
   * @param scope the parent construct
   * @param context the cluster it belongs to
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const { identity, clusterModules } = this._props;
    Problems.of(scope).addAll(this.check(context));
    const resource = ProviderObjects.cluster(scope, context, objectFields(CLUSTER, this._props, {
      controlPlaneEndpoint: ProviderObjects.endpoint(context),
      identityRef: identity && { kind: identity.kind, name: identity.name },
      disableClusterModule: clusterModules === false ? true : undefined,
    }));
    return { resource, addons: vsphereAddons(scope, this._props, context) };
  }

  private check({ controlPlane: { endpointManager }, apiServer: { published } }: ClusterContext): Problem[] {
    const { topologyCategories } = this._props;
    return [
      ...(endpointManager !== undefined || published ? [] : [{
        rule: ENDPOINT_RULE,
        property: 'controlPlane.endpoint',
        message: 'the cluster has no endpoint, and the provider makes none',
        fix: 'give the control plane an endpoint: ControlPlaneEndpoint.kubeVip or ControlPlaneEndpoint.external',
      }]),
      ...(topologyCategories === undefined || topologyCategories.length === 2 ? [] : [{
        rule: CATEGORIES_RULE,
        property: `${PROPERTY}.topologyCategories`,
        message: `there ${topologyCategories.length === 1 ? 'is one category' : `are ${topologyCategories.length} categories`}`,
        accepted: 'two categories, such as ["k8s-region", "k8s-zone"]',
        fix: 'name the category of regions, then that of zones',
      }]),
    ];
  }
}
