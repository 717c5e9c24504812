import { Construct } from 'constructs';
import { isOpen } from './api-server-load-balancer';
import { MACHINE_NAME_RULE, VULTR_CLUSTER_KIND, VultrInfrastructure } from './vultr-infrastructure';
import { VultrMachineTemplate } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { CONTROL_PLANE_MARK, PLAN_SIZE } from '../../../manifests/systems/vultr/vultr-objects';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { Machine, MachineConfig } from '../../contracts/machine';
import { MachineCapacity } from '../../contracts/machine-capacity';
import { PoolContext } from '../../contracts/node-pool/pool-context';

const PROPERTY = 'machine';

/** A machine at Vultr that becomes a node. A change of anything here but `capacity` replaces the machines, one after the other. */
export interface VultrMachineProps {
  /** The infrastructure of the cluster; the machine is in its region and VPC (`TC-VULTR-INFRASTRUCTURE`). */
  readonly infrastructure: VultrInfrastructure;

  /** Code of the plan of an instance, e.g. `vc2-2c-4gb` (`TC-TRAP-VULTR-MACHINE`). */
  readonly plan: string;

  /**
   * UUID of the snapshot that the machine starts from. It holds the operating system with container runtime, kubelet and kubeadm of the
   * pool's Kubernetes version, as kubernetes-sigs/image-builder makes it.
   *
   * Rule: `TC-TRAP-VULTR-MACHINE`.
   */
  readonly snapshotId: string;

  /**
   * UUIDs of the SSH keys that may log in (`TC-TRAP-VULTR-MACHINE`).
   *
   * @default - none
   */
  readonly sshKeyIds?: string[];

  /**
   * UUID of the firewall group, which filters what comes from the Internet. The provider switches the firewall of the operating system
   * off.
   *
   * Rule: `TC-TRAP-VULTR-MACHINE`.
   *
   * @default - none: everything that listens on a public address can be reached
   */
  readonly firewallGroupId?: string;

  /**
   * True if the machine has no public address, only that of the VPC. It reaches the API server, registries and package servers through a
   * NAT gateway of the VPC, which the user sets up. Needs version 0.4 of the Vultr provider.
   *
   * Rules: `TC-TRAP-VULTR-PLACE`, `TC-VULTR-PROVIDER`.
   *
   * @default false
   */
  readonly vpcOnly?: boolean;

  /**
   * Capacity of the plan, not more. Autoscaled pools need it, and kubelet reservations are computed from it.
   *
   * Rule: `TC-VULTR-PLAN-CAPACITY`.
   *
   * @default - not known
   */
  readonly capacity?: MachineCapacity;
}

const INFRASTRUCTURE_RULE: Rule = {
  id: 'TC-VULTR-INFRASTRUCTURE',
  title: 'Machines must belong to the infrastructure of their cluster, so that region and VPC are the same.',
  source: 'vultr/cluster-api-provider-vultr cloud/services/loadbalancer.go',
};

const FIREWALL_MACHINES_RULE: Rule = {
  id: 'TC-VULTR-FIREWALL-MACHINES',
  title: 'Where the API server is open to some ranges only, machines must not have public addresses, which are not known beforehand.',
  source: 'vultr/cluster-api-provider-vultr cloud/services/loadbalancer.go, '
    + 'vultr/cluster-api-provider-vultr internal/controller/vultrcluster_controller.go',
};

/**
 * Nodes that are instances at Vultr, made by Vultr's Cluster API provider (`VultrMachineTemplate`, v1beta1).
 *
 * @example
 * new vultr.VultrMachine({
 *   infrastructure: new vultr.VultrInfrastructure({ region: 'nrt' }),
 *   snapshotId: '00000000-0000-4000-8000-000000000001',
 *   sshKeyIds: ['00000000-0000-4000-8000-000000000002'],
 *   plan: 'vc2-4c-8gb',
 *   capacity: { cpu: 4, memory: Size.gibibytes(8) },
 * });
 */
export class VultrMachine extends Machine {
  /** Kind of infrastructure object that such machines belong to. */
  public readonly infrastructureKind: string = VULTR_CLUSTER_KIND;

  /** Capacity of one machine; undefined unless it is set. */
  public readonly capacity?: MachineCapacity;

  public constructor(private readonly props: VultrMachineProps) {
    super();
    this.capacity = props.capacity;
  }

  /**
   * Makes the `VultrMachineTemplate` of one group of machines.
   *
   * @param scope the parent construct
   * @param context the group they belong to (`TC-VULTR-MACHINE-NAME`)
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const problems = Problems.of(scope);
    this.check(context).forEach((problem) => problems.add(problem));
    const { infrastructure, plan, snapshotId, sshKeyIds = [], firewallGroupId, vpcOnly = false } = this.props;
    const { region, vpcId } = infrastructure._props;
    const template = new VultrMachineTemplate(scope, 'Resource', {
      metadata: { name: context.name },
      spec: {
        template: {
          spec: {
            region,
            planId: plan,
            snapshotId,
            vpcId,
            firewallGroupId,
            sshKey: sshKeyIds.length > 0 ? sshKeyIds : undefined,
            // Version 0.3 of the provider does not know the field.
            vpcOnly: vpcOnly ? true : undefined,
          },
        },
      },
    });
    FieldSources.record(template, scope, {
      'spec.template.spec.planID': `${PROPERTY}.plan`,
      'spec.template.spec.snapshot_id': `${PROPERTY}.snapshotId`,
      'spec.template.spec.firewall_group_id': `${PROPERTY}.firewallGroupId`,
      'spec.template.spec.sshKey[*]': `${PROPERTY}.sshKeyIds[*]`,
      'spec.template.spec.vpc_only': `${PROPERTY}.vpcOnly`,
    });
    return { template };
  }

  private check({ name, cluster, controlPlane = false }: PoolContext): Problem[] {
    const { infrastructure, plan, vpcOnly = false } = this.props;
    const { apiServerLoadBalancer = {} } = infrastructure._props;
    return [
      ...checkCapacity(`${PROPERTY}.capacity`, plan, this.capacity),
      ...(vpcOnly || isOpen(apiServerLoadBalancer) ? [] : [{
        rule: FIREWALL_MACHINES_RULE,
        property: `${PROPERTY}.vpcOnly`,
        message: 'the machines have public addresses that are not known beforehand, and the API server is open to allowedCidrs only, so that they would not reach it',
        fix: 'set vpcOnly: true, and allow the address of the VPC\'s NAT gateway; or leave out allowedCidrs',
      }]),
      // A cluster of another provider is refused for its kind already.
      ...(cluster.infrastructure.clusterKind !== VULTR_CLUSTER_KIND || cluster.infrastructure === infrastructure.capabilities ? [] : [{
        rule: INFRASTRUCTURE_RULE,
        property: `${PROPERTY}.infrastructure`,
        message: 'it is not the infrastructure of the cluster',
        fix: 'give the cluster and its machines the same VultrInfrastructure',
      }]),
      // The cluster's own name is refused once, for the cluster.
      ...(controlPlane === name.includes(CONTROL_PLANE_MARK) || cluster.name.includes(CONTROL_PLANE_MARK) ? [] : [misnamed(name, controlPlane)]),
    ];
  }
}

const PLAN_CAPACITY_RULE: Rule = {
  id: 'TC-VULTR-PLAN-CAPACITY',
  title: 'The declared CPUs and memory of a machine must not exceed those in the code of its plan.',
  source: 'www.vultr.com/api, operation list-plans (id, vcpu_count, ram)',
};

/** Checks that the capacity is not more than the plan: the kubelet would reserve too much, and the autoscaler plan with it. */
function checkCapacity(property: string, plan: string, capacity: MachineCapacity | undefined): Problem[] {
  const [, cpus, gibibytes] = PLAN_SIZE.exec(plan) ?? [];
  if (!capacity || cpus === undefined) return [];
  const at = { rule: PLAN_CAPACITY_RULE, fix: 'state what the plan gives, or choose a larger plan' };
  const { cpu, memory } = capacity;
  return [
    ...(cpu > Number(cpus) ? [{ ...at, property: `${property}.cpu`, message: `${cpu} CPUs are more than the plan "${plan}" has`, accepted: `at most ${cpus}` }] : []),
    ...(memory.toMebibytes() > Number(gibibytes) * 1024 ? [{
      ...at, property: `${property}.memory`, message: `${memory.toMebibytes()} MiB are more than the plan "${plan}" has`, accepted: `at most ${Number(gibibytes) * 1024} MiB`,
    }] : []),
  ];
}

function misnamed(name: string, controlPlane: boolean): Problem {
  return {
    rule: MACHINE_NAME_RULE,
    property: PROPERTY,
    message: `the machines are named after "${name}", and the Vultr provider would ${controlPlane ? 'not send' : 'send'} API requests to them`,
    accepted: `"${CONTROL_PLANE_MARK}" in the names of control plane machines, and of no others`,
    fix: controlPlane ? 'let the control plane name its machines so' : 'name the pool otherwise',
  };
}
