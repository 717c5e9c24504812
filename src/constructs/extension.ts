// The namespace of authors of strategies. The contracts and what they mention, such as ClusterContext, are not in it: a namespace is a package of
// Go, packages must not import each other in a circle, and this one mentions types that have no namespace. jsii wants its own types in one file.

import { ApiObject, Lazy } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { Problems, strategyScope } from './app/problems/problems';
import { claimName } from './app/synth/claims';
import { checkWritten } from './app/synth/synthesis';
import { ClusterContext } from './contracts/cluster-context';
import { ControlPlaneMachines } from './contracts/control-plane';
import { Machine } from './contracts/machine';
import { annotateCapacity } from './contracts/machine-capacity';
import { takeAddresses } from './contracts/network/address-pool-use';
import { addControlPlaneHealthCheck, checkHealthCheck, HealthCheck } from './contracts/node-pool/health-check';
import { placeControlPlane } from './contracts/node-pool/host-placement';
import { keepOnPrune, noSubstitution } from '../manifests/objects/prune-annotations';
import { checkInfrastructure, checkNameTaken } from './contracts/node-pool/node-pool-props';
import { withNodeSetup } from './contracts/node-pool/pool-node-setup';
import { PoolSize } from './contracts/node-pool/pool-size';
import { adoptTemplate } from './contracts/node-pool/template';
import { isCount } from '../manifests/values/counts';
import { Problem, Rule } from '../manifests/values/problem';

export { ProviderAddons, ProviderChartRelease, ProviderProgram } from './addons/provider-addons';
export { Problems } from './app/problems/problems';
export { FieldSources } from './app/synth/field-sources';
export { BesideMachinesOptions, ProviderObjectOptions, ProviderObjects, ProviderTemplateOptions } from './contracts/provider-object';
export { Problem, Rule } from '../manifests/values/problem';

/** The machines that a control plane runs on. */
export interface ControlPlaneMachineGroupOptions {
  /** Kind of the machines (`TC-POOL-INFRASTRUCTURE`, `TC-POOL-NAME-TAKEN`). */
  readonly machine: Machine;

  /**
   * Number of machines: a whole number from 1. The same number belongs into `ControlPlaneCapabilities.machineCount`.
   *
   * Rule: `TC-POOL-SIZE-WHOLE`.
   */
  readonly replicas: number;

  /**
   * Replacement of unhealthy machines.
   *
   * @default HealthCheck.of()
   */
  readonly healthCheck?: HealthCheck;
}

/** Makes what control planes on machines have in common: the machine template and the `MachineHealthCheck`. */
export class ControlPlaneMachineGroup {
  /**
   * Makes the objects, to be returned from `ControlPlane.bind` as `machines`. The control plane object refers to `machineTemplate` by its
   * kind and `machineTemplate.name`.
   *
   * Problems of the options are reported for the cluster, under properties of `controlPlane`.
   *
   * @param scope the scope that `ControlPlane.bind` was given
   * @param context the cluster that `ControlPlane.bind` was given
   * @param options the machines
   */
  public static of(scope: Construct, context: ClusterContext, options: ControlPlaneMachineGroupOptions): ControlPlaneMachines {
    const machines = withNodeSetup({
      cluster: context,
      name: `${context.name}-control-plane`,
      controlPlane: true,
      ...placeControlPlane(options.machine, options.replicas, context),
      kubernetesVersion: context.kubernetesVersion,
      nodeLabels: {},
      taints: [],
      kubeletConfiguration: {},
    }, options.machine);
    // A pool of that name would make a health check, and may make a machine template, of the same name.
    const owner = claimName(scope, 'MachineDeployment', `${context.namespace}/${machines.name}`);
    [...checkNameTaken(machines, owner), ...checkOptions(context, options)].forEach((problem) => Problems.of(scope).add(problem));
    const machineScope = strategyScope(scope, 'Machine', 'controlPlane');
    const { template: machineTemplate, remediationTemplate } = options.machine.bind(machineScope, machines);
    annotateCapacity(machineTemplate, options.machine.capacityIn(context));
    const numbers = { machines: options.replicas, surge: options.machine.surges ? 1 : 0 };
    takeAddresses(machineScope, options.machine, machines, { template: machineTemplate, ...numbers });
    const machineHealthCheck = addControlPlaneHealthCheck(scope, machines, { ...options, remediationTemplate });
    return { machineTemplate, machineHealthCheck, remediationTemplate, nodeSetup: machines.nodeSetup };
  }

  private constructor() {}
}

/** A check of an object as it is written. */
export interface IManifestCheck {
  /**
   * Checks the manifest.
   *
   * @param manifest the object with all patches, in the API's field names; must not be changed. Fields may be of any type
   * @returns the problems, none if the manifest is right
   */
  checkManifest(manifest: any): Problem[];
}

/** Checks objects as they are written, with all patches, instead of the options that they were made from. */
export class ManifestChecks {
  /**
   * Registers a check that runs whenever the app is validated. An object that cannot be written is not checked: the reason is reported
   * by itself.
   *
   * @param scope the scope that the strategy was given; problems are reported for its construct
   * @param object the object
   * @param check the check
   */
  public static add(scope: IConstruct, object: ApiObject, check: IManifestCheck): void {
    Problems.of(scope)._addCheck(() => checkWritten(object, (manifest) => check.checkManifest(manifest)));
  }

  private constructor() {}
}

/**
 * Templates that Cluster API clones objects from, and that must not change under one name.
 *
 * Pools and clusters do this with the templates that machines and bootstraps return. A strategy needs it for further templates only.
 */
export class ImmutableTemplate {
  /**
   * Names a template after its content, `<prefix>-<hash of its spec>`, and marks it against pruning. The name follows patches.
   *
   * @param template the template
   * @param prefix what comes before the hash; a prefix that is too long is shortened
   */
  public static adopt(template: ApiObject, prefix: string): void {
    adoptTemplate(template, prefix);
  }

  /**
   * The name of a template as a token that is resolved when the manifest is written, for fields that refer to it. `template.name` would be
   * the name before later patches.
   *
   * @param template the template
   */
  public static nameOf(template: ApiObject): any {
    return Lazy.any({ produce: () => template.name });
  }

  private constructor() {}
}

/** Annotations that tell GitOps tools how to treat an object. */
export class DeliveryMarks {
  /**
   * Keeps an object alive when it leaves the source, in Flux, Argo CD and Helm: for further objects that a living cluster needs. Those that
   * control plane, infrastructure, machine and bootstrap return are marked by the cluster.
   */
  public static keepOnPrune(): { [key: string]: string } {
    return keepOnPrune();
  }

  /** Keeps Flux from replacing `${…}` in an object: for objects with shell text. */
  public static noSubstitution(): { [key: string]: string } {
    return noSubstitution();
  }

  private constructor() {}
}

const REPLICAS_RULE: Rule = {
  id: 'TC-POOL-SIZE-WHOLE',
  title: 'The number of machines of a control plane must be a whole number from 1.',
};

function checkOptions(
  { infrastructure }: ClusterContext, { machine, replicas, healthCheck = HealthCheck.of() }: ControlPlaneMachineGroupOptions,
): Problem[] {
  const problems = [...checkInfrastructure(machine, infrastructure.clusterKind), ...checkHealthCheck(healthCheck, PoolSize.fixed(replicas))];
  if (!isCount(replicas, 1)) {
    problems.push({
      rule: REPLICAS_RULE,
      property: 'replicas',
      message: `${replicas} is not a number of machines that a control plane can run on`,
      accepted: 'whole numbers from 1',
      fix: 'write a whole number',
    });
  }
  return problems.map((problem) => ({ ...problem, property: `controlPlane.${problem.property}` }));
}
