import { ApiObject, Duration, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { Metal3Object, Metal3Value } from './metal3-metadata';
import { Metal3NetworkData, poolsOf, renderNetworkData } from './metal3-network-data';
import { Metal3Remediation } from './metal3-remediation';
import { METAL3_API_VERSION, METAL3_CLUSTER_KIND } from '../../../manifests/systems/metal3/metal3-kinds';
import { MACHINE } from '../../../manifests/systems/metal3/page-parts';
import {
  checkInstead, MachineAddressPool, MachineConfig, NodeSetup, objectFields, PoolContext, poolsOnce, Problems, ProviderMachine, ProviderObjects, Rule,
  StatedCapacity, unlessEmpty,
} from '../contract';
import { Metal3AddressPool } from '../metal3-ipam/metal3-address-pool';

/** Keys of the metadata by which cloud-init names a machine (canonical/cloud-init cloudinit/sources/helpers/openstack.py). */
const NAME_KEYS: readonly string[] = ['local-hostname', 'local_hostname', 'name'];

/** Key of the metadata with the address of the node. */
const ADDRESS_KEY = 'node_address';

/** An image that is written to the disk of a host. */
export interface Metal3Image {
  /** URL of the image, which Ironic must reach: `http`, `https` or `file` (`TC-ADMIT-METAL3-IMAGE`). */
  readonly url: string;

  /**
   * Checksum of the image, or URL of a file with it (`TC-ADMIT-METAL3-IMAGE`).
   *
   * @default - none, which only a live ISO may have
   */
  readonly checksum?: string;

  /**
   * Algorithm of the checksum: `md5`, `sha256` or `sha512`.
   *
   * @default - Ironic finds out
   */
  readonly checksumType?: string;

  /**
   * Format of the image: `raw`, `qcow2`, `vdi`, `vmdk`, or `live-iso` for an ISO that the host runs from without writing to a disk.
   *
   * @default - Ironic finds out
   */
  readonly diskFormat?: string;
}

/** A requirement on the labels of hosts. */
export interface Metal3HostRequirement {
  /** Key of the label. */
  readonly key: string;

  /** Operator: `in`, `notin`, `exists`, `!` for a label that a host must not have, `gt` or `lt` (`TC-TRAP-METAL3-HOST-SELECTOR`). */
  readonly operator: string;

  /**
   * Values (`TC-TRAP-METAL3-HOST-SELECTOR`).
   *
   * @default - none
   */
  readonly values?: string[];
}

/** A bare metal host that becomes a node. A change of image, hosts, metadata or network deploys the machines again, one after the other. */
export interface Metal3MachineProps extends StatedCapacity {
  /**
   * The image, with container runtime, kubelet and kubeadm of the pool's Kubernetes version. Needed unless `customDeployMethod` is set.
   *
   * Rule: `TC-ADMIT-METAL3-IMAGE`.
   *
   * @default - none
   */
  readonly image?: Metal3Image;

  /**
   * Name of a deploy step of your own ramdisk, which deploys the host without an image.
   *
   * @default - none
   */
  readonly customDeployMethod?: string;

  /**
   * Labels that a `BareMetalHost` must have.
   *
   * @default - any available host of the namespace
   */
  readonly hostSelector?: { [key: string]: string };

  /**
   * Further requirements on the labels of a `BareMetalHost` (`TC-TRAP-METAL3-HOST-SELECTOR`).
   *
   * @default - none
   */
  readonly hostRequirements?: Metal3HostRequirement[];

  /**
   * Object that host name and node are named after. Names of hosts stay when a host is deployed again, those of machines do not.
   *
   * @default Metal3Object.MACHINE
   */
  readonly nodesNamedAfter?: Metal3Object;

  /**
   * Further metadata, by key. Letters, digits and underscores can be used in templates: `{{ ds.meta_data.<key> }}`.
   *
   * @default - none beside the name
   */
  readonly metadata?: { [key: string]: Metal3Value };

  /**
   * Network configuration.
   *
   * @default - that of the image, such as DHCP
   */
  readonly network?: Metal3NetworkData;

  /**
   * Pool of `network` whose address the node registers with, for machines with several networks.
   *
   * @default - the address of the interface with the default route
   */
  readonly nodeAddressPool?: Metal3AddressPool;

  /**
   * Name of a `Metal3DataTemplate` that exists, in the cluster's namespace, for machines whose data is not of this page. Its content cannot be changed:
   * another one has another name. Not with `nodesNamedAfter`, `metadata`, `network` and `nodeAddressPool`.
   *
   * Rule: `TC-METAL3-DATA-SOURCE`.
   *
   * @default - a template of these properties
   */
  readonly dataTemplate?: string;

  /**
   * True if partition tables of all disks are wiped before a host is deployed, and after its machine is deleted. With false, the next user of the
   * host may read what is on the disks. A change reaches hosts in use, and replaces no machine.
   *
   * @default true
   */
  readonly automatedCleaning?: boolean;

  /**
   * True if a rollout deploys the same hosts again. Their data disks survive with `automatedCleaning: false`. It counts for machines that are deleted
   * after the change: set it, and deliver it, before the rollout. It needs a rollout without surge, which is the default.
   *
   * Rule: `TC-TRAP-METAL3-NODE-REUSE`.
   *
   * @default false
   */
  readonly nodeReuse?: boolean;

  /**
   * Remediation of hosts whose nodes are unhealthy.
   *
   * @default Metal3Remediation.reboot()
   */
  readonly remediation?: Metal3Remediation;
}

const DATA_TEMPLATE_RULE: Rule = {
  id: 'TC-METAL3-DATA-SOURCE',
  title: 'Machines with an existing Metal3DataTemplate must not state names of nodes, metadata, networks or a pool of node addresses: that template has them.',
  source: 'metal3-io/cluster-api-provider-metal3 api/v1beta2/metal3machine_types.go (DataTemplate)',
};

/**
 * Nodes that are bare metal hosts, deployed by Metal3 (`Metal3MachineTemplate` and `Metal3DataTemplate`, v1beta2).
 *
 * There are no spare hosts by default: rollouts remove a machine before they deploy the next one. Kubelets label their nodes with `metal3.io/uuid`, by
 * which the provider finds them.
 *
 * Source: metal3-io/cluster-api-provider-metal3 api/v1beta2/metal3machine_types.go, metal3machinetemplate_types.go.
 *
 * @example
 * new metal3.Metal3Machine({
 *   image: {
 *     url: 'https://images.example.com/ubuntu-24.04-k8s-1.35.4.raw',
 *     checksum: 'https://images.example.com/ubuntu-24.04-k8s-1.35.4.raw.sha256',
 *     checksumType: 'sha256',
 *     diskFormat: 'raw',
 *   },
 *   hostSelector: { 'example.com/type': 'r640' },
 *   capacity: { cpu: 32, memory: Size.gibibytes(256) },
 * });
 */
export class Metal3Machine extends ProviderMachine {
  /** False: there are no spare hosts. */
  public override readonly surges: boolean = false;

  /** 90 minutes: Ironic gives a host 80 for the deployment (metal3-io/ironic-image ironic-config/ironic.conf.j2, `deploy_callback_timeout`). */
  public override readonly startupTime?: Duration = Duration.minutes(90);

  public constructor(private readonly props: Metal3MachineProps) {
    super(METAL3_CLUSTER_KIND, props.capacity);
  }

  /**
   * The address that nodes register with, of `nodeAddressPool`.
   *
   * @param _context the group of machines
   */
  public override nodeSetup(_context: PoolContext): NodeSetup | undefined {
    return this.props.nodeAddressPool ? { address: `{{ ds.meta_data.${ADDRESS_KEY} }}` } : undefined;
  }

  /**
   * The pools that machines take an address from: those of networks and metadata.
   *
   * @param _context the group of machines
   */
  public override addressPools(_context: PoolContext): MachineAddressPool[] {
    const { network, nodeAddressPool, metadata = {} } = this.props;
    return poolsOnce([
      ...(network ? poolsOf(network) : []).map((pool) => ({ pool, property: 'network' })),
      ...(nodeAddressPool ? [{ pool: nodeAddressPool, property: 'nodeAddressPool' }] : []),
      ...Object.entries(metadata).flatMap(([key, { _pool }]) => (_pool ? [{ pool: _pool, property: `metadata.${key}` }] : [])),
    ]);
  }

  /**
   * Makes the `Metal3MachineTemplate` of one group of machines, its `Metal3DataTemplate`, and the template of its remediation.
   *
   * @param scope the parent construct
   * @param context the group they belong to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const { image, hostSelector, automatedCleaning = true, nodeReuse = false, remediation = Metal3Remediation.reboot() } = this.props;
    const dataName = this.dataTemplateName(scope, context);
    // The definition requires a checksum also where the webhook accepts an empty one.
    const written = image && { ...image, checksum: image.checksum ?? (image.diskFormat === 'live-iso' ? '' : undefined) };
    const template = ProviderObjects.machineTemplate(scope, context, {
      ...objectFields(MACHINE, { ...this.props, image: written }, {
        'automatedCleaningMode': automatedCleaning ? 'metadata' : 'disabled',
        'dataTemplate.name': dataName && Lazy.any({ produce: dataName }),
        'hostSelector.matchLabels': unlessEmpty(hostSelector ?? {}),
      }),
      besideTemplate: { nodeReuse },
    });
    return { template, remediationTemplate: remediation._bind(scope, context) };
  }

  /** Returns the name of the data template, which follows its content; undefined if the machines have none. */
  private dataTemplateName(scope: Construct, context: PoolContext): (() => string) | undefined {
    const { dataTemplate } = this.props;
    Problems.of(scope).addAll(checkInstead(DATA_TEMPLATE_RULE, this.props, {
      property: 'dataTemplate', instead: ['nodesNamedAfter', 'metadata', 'network', 'nodeAddressPool'], is: `the machines have the Metal3DataTemplate "${dataTemplate}"`,
    }));
    const data = dataTemplate === undefined ? this.bindData(scope, context) : undefined;
    return dataTemplate !== undefined ? () => dataTemplate : data && (() => data.name);
  }

  /** Makes the data template; undefined if the machines need none: a host names itself. */
  private bindData(scope: Construct, context: PoolContext): ApiObject | undefined {
    const { nodesNamedAfter = Metal3Object.MACHINE, metadata = {}, network, nodeAddressPool } = this.props;
    const values = {
      ...(nodesNamedAfter !== Metal3Object.HOST && Object.fromEntries(NAME_KEYS.map((key) => [key, Metal3Value.objectName(nodesNamedAfter)]))),
      ...(nodeAddressPool && { [ADDRESS_KEY]: Metal3Value.poolAddress(nodeAddressPool) }),
      ...metadata,
    };
    const metaData = unlessEmpty(Metal3Value._render(values));
    return !metaData && !network ? undefined : ProviderObjects.besideMachines(scope, context, 'Data', {
      apiVersion: METAL3_API_VERSION,
      kind: 'Metal3DataTemplate',
      fields: {
        clusterName: context.cluster.name,
        metaData,
        networkData: network && renderNetworkData(network),
      },
      props: this.props,
      properties: {
        'metaData': 'metadata',
        'networkData': 'network',
        'networkData.links': 'network.links',
        'networkData.networks': 'network.networks',
        'networkData.services.dns[*]': 'network.dnsServers[*]',
      },
      immutable: true,
    });
  }
}
