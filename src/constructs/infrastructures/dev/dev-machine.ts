import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { DEV_API_VERSION, DEV_CLUSTER_KIND } from './dev-infrastructure';
import { BACKEND_SOURCES, DevMachineBackend } from './dev-machine-backend';
import { Problems } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { MachineConfig, ProviderMachine } from '../../contracts/machine';
import { MachineCapacity } from '../../contracts/machine-capacity';
import { PoolContext } from '../../contracts/node-pool/pool-context';

/** A machine for trials and tests that becomes a node. A change of its backend replaces the machines, one after the other. */
export interface DevMachineProps {
  /**
   * The part of the provider that runs the machine: that of the cluster.
   *
   * Rule: `TC-TRAP-DEV-BACKEND`.
   *
   * @default DevMachineBackend.docker()
   */
  readonly backend?: DevMachineBackend;

  /**
   * Capacity of a node, for the autoscaler. A container is not limited: its kubelet offers all CPUs and the memory of the host, and so do all
   * others on it.
   *
   * @default - not known
   */
  readonly capacity?: MachineCapacity;
}

/**
 * Nodes for trials and tests, made by Cluster API's development provider (`DevMachineTemplate`, v1beta2).
 *
 * @example
 * new dev.DevMachine({ backend: dev.DevMachineBackend.docker({ image: 'registry.example.com/kind/node:v1.36.4' }) });
 */
export class DevMachine extends ProviderMachine {
  private readonly backend: DevMachineBackend;

  public constructor(props: DevMachineProps = {}) {
    super(DEV_CLUSTER_KIND, props.capacity);
    this.backend = props.backend ?? DevMachineBackend.docker();
  }

  /**
   * Makes the `DevMachineTemplate` of one group of machines.
   *
   * @param scope the parent construct
   * @param context the group they belong to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const problems = Problems.of(scope);
    this.backend._problems.forEach((problem) => problems.add(problem));
    const template = new ApiObject(scope, 'Resource', {
      apiVersion: DEV_API_VERSION,
      kind: 'DevMachineTemplate',
      metadata: { name: context.name },
      spec: { template: { spec: { backend: this.backend._fields } } },
    });
    FieldSources.record(template, scope, BACKEND_SOURCES);
    return { template };
  }
}
