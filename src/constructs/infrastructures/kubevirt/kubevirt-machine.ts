import { Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { gpuResources } from './devices';
import { checkGuestSize } from './guest-size';
import { checkMachineOffer, offeredCapacity } from './infra-cluster/machine-offer';
import { KUBEVIRT_CLUSTER_KIND } from './kubevirt-infrastructure';
import { KubevirtMachineProps } from './kubevirt-machine-props';
import { checkMachine } from './machine-check';
import { machineSources, renderMachine, restartTimeOf } from './machine-spec';
import { KubevirtMachineTemplate } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { Problems } from '../../app/problems/problems';
import { PropertyReport } from '../../app/problems/property-report';
import { FieldSources } from '../../app/synth/field-sources';
import { ClusterContext } from '../../contracts/cluster-context';
import { Machine, MachineConfig } from '../../contracts/machine';
import { MachineCapacity } from '../../contracts/machine-capacity';
import { PoolContext } from '../../contracts/node-pool/pool-context';
import { noteCapacity } from '../../contracts/template-capacity';

/**
 * Nodes that are KubeVirt virtual machines, made by the Cluster API provider for KubeVirt.
 *
 * Fields that have no property here can be set by a patch on the pool's machine template.
 *
 * @example
 * new KubevirtMachine({
 *   cpu: 8,
 *   memory: Size.gibibytes(32),
 *   rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4' }),
 *   gpus: [{ deviceName: 'nvidia.com/AD102GL_L40S' }],
 * });
 */
export class KubevirtMachine extends Machine {
  /** Kind of infrastructure object that such machines belong to. */
  public readonly infrastructureKind: string = KUBEVIRT_CLUSTER_KIND;

  /** What one machine offers, by its properties alone; undefined with an instance type whose `capacity` is not given. */
  public readonly capacity?: MachineCapacity;

  /**
   * `InfrastructureReady`, which Cluster API takes over from the `KubevirtMachine`: `False` while no ready VirtualMachineInstance exists
   * (kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachine_controller.go).
   */
  public override readonly watchedConditions: string[] = ['InfrastructureReady'];

  /** Ten minutes if the machine restarts from a root disk that keeps its data: its host may have to start first. */
  public override readonly restartTime?: Duration;

  public constructor(private readonly props: KubevirtMachineProps) {
    super();
    this.capacity = capacityOf(props);
    this.restartTime = restartTimeOf(props);
  }

  /**
   * What one machine offers in a cluster: where the properties do not say it, what the cluster that runs the machines is said to give the
   * instance type.
   *
   * @param cluster the cluster
   */
  public override capacityIn(cluster: ClusterContext): MachineCapacity | undefined {
    return this.capacity ?? capacityOf({ ...this.props, capacity: offeredCapacity(this.props, cluster.infraCluster) });
  }

  /**
   * Makes the `KubevirtMachineTemplate` of one pool.
   *
   * @param scope where to put it
   * @param context the pool it belongs to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const report = new PropertyReport(Problems.of(scope), 'machine');
    checkMachine(report, this.props, context);
    checkMachineOffer(report, this.props, context.cluster);
    const template = new KubevirtMachineTemplate(scope, 'Resource', {
      metadata: { name: context.name },
      spec: { template: { spec: renderMachine(this.props, context) } },
    });
    FieldSources._record(template, scope, () => machineSources(this.props, report.property));
    noteCapacity(template, this.capacity);
    return { template };
  }
}

/** Stands in for a refused size, so that other checks do not report what follows from it. */
const PLACEHOLDER = { cpu: 4, memory: Size.gibibytes(16) };

function capacityOf({ cpu, memory, capacity, gpus = [], rootDisk }: KubevirtMachineProps): MachineCapacity | undefined {
  const given = capacity ?? (cpu !== undefined && memory !== undefined ? { cpu, memory } : undefined);
  if (!given) return undefined;
  const refused = new Set(checkGuestSize(given).map(([property]) => property));
  const size = { cpu: refused.has('cpu') ? PLACEHOLDER.cpu : given.cpu, memory: refused.has('memory') ? PLACEHOLDER.memory : given.memory };
  const resources = gpuResources(gpus, capacity?.gpus);
  return { cpu: size.cpu, memory: size.memory, ephemeralStorage: rootDisk._source.size, gpus: resources.length > 0 ? resources : undefined };
}
