import { ApiObject, Duration, Size } from 'cdk8s';
import type { Construct } from 'constructs';
import { sizeOf } from './server-types';
import { extension, Machine, type MachineCapacity, type MachineConfig, type NodeSetup, type PoolContext } from 'cdk8s-cluster-api';

const API_VERSION = 'infrastructure.cluster.x-k8s.io/v1beta1';

/** Attempts to restart an unhealthy server before it is replaced. */
export interface HetznerReboots {
  /**
   * Number of attempts.
   *
   * @default 1
   */
  readonly retryLimit?: number;

  /**
   * Time that a server has to become healthy after one.
   *
   * @default Duration.minutes(3)
   */
  readonly timeout?: Duration;
}

/** Properties of servers of Hetzner Cloud. */
export interface HetznerMachineProps {
  /** Server type, e.g. `cpx32`. */
  readonly serverType: string;

  /** Name of an image, or value of the label `caph-image-name` of a snapshot, e.g. `ubuntu-24.04-kube-v1.35.4`. */
  readonly image: string;

  /**
   * Size of a server of the type. Reservations of the kubelet and autoscaling from zero follow from it.
   *
   * @default - known for some types: cax21, cax31, cx23, cx33, cx43, cpx32
   */
  readonly capacity?: MachineCapacity;

  /**
   * Placement group of the infrastructure that the servers are in.
   *
   * @default - none
   */
  readonly placementGroup?: string;

  /**
   * Restarts of an unhealthy server.
   *
   * @default - one
   */
  readonly reboots?: HetznerReboots;

  /**
   * True if the limit of servers of the project leaves room for one more during a rollout.
   *
   * @default true
   */
  readonly spareServer?: boolean;
}

/** A server of Hetzner Cloud. */
export class HetznerMachine extends Machine {
  public readonly infrastructureKind = 'HetznerCluster';
  public readonly capacity?: MachineCapacity;
  public override readonly surges: boolean;

  public constructor(private readonly props: HetznerMachineProps) {
    super();
    this.capacity = props.capacity ?? capacityOf(props.serverType);
    this.surges = props.spareServer ?? true;
  }

  /** The autoscaler believes that machines of an empty pool are amd64 unless a label says otherwise. */
  public override nodeSetup(): NodeSetup | undefined {
    const arch = sizeOf(this.props.serverType)?.arch;
    return arch === undefined ? undefined : { nodeLabels: { 'kubernetes.io/arch': arch } };
  }

  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const { serverType, image, placementGroup, reboots: { retryLimit = 1, timeout = Duration.minutes(3) } = {} } = this.props;
    const template = new ApiObject(scope, 'Resource', {
      apiVersion: API_VERSION,
      kind: 'HCloudMachineTemplate',
      metadata: { name: context.name },
      spec: {
        template: { spec: { type: serverType, imageName: image, ...(placementGroup !== undefined && { placementGroupName: placementGroup }) } },
      },
    });
    const remediationTemplate = new ApiObject(scope, 'Remediation', {
      apiVersion: API_VERSION,
      kind: 'HCloudRemediationTemplate',
      metadata: { name: context.name },
      spec: { template: { spec: { strategy: { type: 'Reboot', retryLimit, timeout: `${timeout.toSeconds()}s`, cooldown: '30m' } } } },
    });
    extension.FieldSources.record(template, scope, {
      'spec.template.spec.type': 'machine.serverType',
      'spec.template.spec.imageName': 'machine.image',
      'spec.template.spec.placementGroupName': 'machine.placementGroup',
    });
    extension.FieldSources.record(remediationTemplate, scope, { 'spec.template.spec.strategy.*': 'machine.reboots.*' });
    return { template, remediationTemplate };
  }
}

function capacityOf(serverType: string): MachineCapacity | undefined {
  const size = sizeOf(serverType);
  return size && { cpu: size.cpu, memory: Size.gibibytes(size.memory), ephemeralStorage: Size.gibibytes(size.disk) };
}
