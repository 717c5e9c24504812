import { Duration, Size } from 'cdk8s';
import type { Construct } from 'constructs';
import { sizeOf } from './server-types';
import {
  extension, type MachineCapacity, type MachineConfig, type NodeSetup, type PoolContext, ProviderMachine, type StatedCapacity,
} from 'cdk8s-cluster-api';

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
export interface HetznerMachineProps extends StatedCapacity {
  /** Server type, e.g. `cpx32`. */
  readonly serverType: string;

  /** Name of an image, or value of the label `caph-image-name` of a snapshot, e.g. `ubuntu-24.04-kube-v1.35.4`. */
  readonly image: string;

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

/** A server of Hetzner Cloud. The sizes of some types are known: cax21, cax31, cx23, cx33, cx43, cpx32. */
export class HetznerMachine extends ProviderMachine {
  public override readonly surges: boolean;

  public constructor(private readonly props: HetznerMachineProps) {
    super('HetznerCluster', props.capacity ?? capacityOf(props.serverType));
    this.surges = props.spareServer ?? true;
  }

  /** The autoscaler believes that machines of an empty pool are amd64 unless a label says otherwise. */
  public override nodeSetup(): NodeSetup | undefined {
    const arch = sizeOf(this.props.serverType)?.arch;
    return arch === undefined ? undefined : { nodeLabels: { 'kubernetes.io/arch': arch } };
  }

  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const { serverType, image, placementGroup, reboots: { retryLimit = 1, timeout = Duration.minutes(3) } = {} } = this.props;
    return {
      template: extension.ProviderObjects.machineTemplate(scope, context, {
        apiVersion: API_VERSION,
        kind: 'HCloudMachineTemplate',
        fields: { type: serverType, imageName: image, placementGroupName: placementGroup },
        props: this.props,
        properties: { type: 'serverType', imageName: 'image', placementGroupName: 'placementGroup' },
      }),
      remediationTemplate: extension.ProviderObjects.besideMachines(scope, context, 'Remediation', {
        apiVersion: API_VERSION,
        kind: 'HCloudRemediationTemplate',
        fields: { template: { spec: { strategy: { type: 'Reboot', retryLimit, timeout: `${timeout.toSeconds()}s`, cooldown: '30m' } } } },
        props: this.props,
        properties: { 'template.spec.strategy.*': 'reboots.*' },
      }),
    };
  }
}

function capacityOf(serverType: string): MachineCapacity | undefined {
  const size = sizeOf(serverType);
  return size && { cpu: size.cpu, memory: Size.gibibytes(size.memory), ephemeralStorage: Size.gibibytes(size.disk) };
}
