import { Construct } from 'constructs';
import { Machine, MachineConfig } from '../contracts/machine';
import { MachineCapacity } from '../contracts/machine-capacity';
import { makePart, ManifestPartProps } from '../contracts/manifest-part';
import { PoolContext } from '../contracts/node-pool/pool-context';

/** Properties of a machine of any kind. */
export interface ManifestMachineProps extends ManifestPartProps {
  /** Kind of infrastructure object that such machines belong to, e.g. `AWSCluster`. */
  readonly infrastructureKind: string;

  /**
   * Capacity of one machine.
   *
   * @default - not known: a pool of such machines cannot be autoscaled by the library
   */
  readonly capacity?: MachineCapacity;
}

/**
 * A machine of any provider, as the manifest of its template: for providers that the library has no class for.
 *
 * @example
 * const machine = new ManifestMachine({
 *   apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
 *   kind: 'AWSMachineTemplate',
 *   infrastructureKind: 'AWSCluster',
 *   spec: { template: { spec: { instanceType: 'm6i.large', iamInstanceProfile: 'nodes.cluster-api-provider-aws.sigs.k8s.io' } } },
 * });
 */
export class ManifestMachine extends Machine {
  /** Kind of infrastructure object that such machines belong to. */
  public readonly infrastructureKind: string;

  /** Capacity of one machine, if it was stated. */
  public readonly capacity?: MachineCapacity;

  public constructor(private readonly props: ManifestMachineProps) {
    super();
    this.infrastructureKind = props.infrastructureKind;
    this.capacity = props.capacity;
  }

  /**
   * Makes the template.
   *
   * @param scope where to put it
   * @param context the pool or control plane it belongs to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    return { template: makePart(scope, context.name, this.props) };
  }
}
