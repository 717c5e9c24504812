import { checkDnsLabel } from '../../manifests/values/dns';
import { Problem, Rule } from '../../manifests/values/problem';
import { Addon, AddonCapability } from '../contracts/addon';

/** An addon with its dependencies. */
export interface PlannedAddon {
  readonly addon: Addon;
  /** Names of the addons that it comes after, sorted. */
  readonly dependencies: readonly string[];
}

/** The addons of a cluster in the order in which they are installed. */
interface AddonPlan {
  readonly order: readonly PlannedAddon[];
  readonly problems: readonly Problem[];
}

/** Names of addons, each with the reason to wait for it. */
type Reasons = ReadonlyMap<string, string>;

/**
 * Sorts the addons of a cluster by their dependencies.
 *
 * The order of the list does not matter: among the possible next addons, the alphabetically first comes next.
 *
 * @param addons all addons of the cluster, the pod network included
 * @param present capabilities without an addon
 */
export function planAddons(addons: readonly Addon[], present: PresentCapabilities = {}): AddonPlan {
  const without = [...present.controlPlane ?? [], ...present.infrastructure ?? [], ...present.user ?? []];
  const sorted = [...addons].sort((one, other) => compare(one.name, other.name));
  const byName = new Map(sorted.map((addon) => [addon.name, addon]));
  const reasons = new Map([...byName.values()].map((addon) => [addon.name, reasonsOf(addon, byName)]));
  const { names, cycles } = sortTopologically(reasons);
  return {
    order: names.map((name) => ({ addon: byName.get(name)!, dependencies: [...reasons.get(name)!.keys()].sort(compare) })),
    problems: [
      ...checkNames(sorted),
      ...[...byName.values()].flatMap((addon) => [...missingRequirement(addon, byName, without), ...missingAfter(addon, byName)]),
      ...checkConflicts([...byName.values()]),
      ...checkExclusive([...byName.values()], present),
      ...cycles.map((cycle) => cycleProblem(cycle, reasons)),
    ],
  };
}

function reasonsOf(addon: Addon, byName: ReadonlyMap<string, Addon>): Reasons {
  const reasons = new Map<string, string>();
  for (const { name } of addon.after) {
    if (byName.has(name)) reasons.set(name, 'after');
  }
  for (const capability of addon.requires) {
    // An addon that provides a capability may also require it.
    if (addon.provides.includes(capability)) continue;
    for (const other of byName.values()) {
      if (other.provides.includes(capability)) reasons.set(other.name, `requires ${capability}`);
    }
  }
  return reasons;
}

/** Sorts names by their dependencies. Members of a cycle, and their dependents, follow once the cycle is recorded. */
function sortTopologically(reasons: ReadonlyMap<string, Reasons>): { names: string[]; cycles: string[][] } {
  const names: string[] = [];
  const cycles: string[][] = [];
  const waiting = [...reasons.keys()];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((name) => ![...reasons.get(name)!.keys()].some((dependency) => waiting.includes(dependency)));
    const cycle = ready < 0 ? findCycle(waiting, reasons) : [];
    if (ready < 0) cycles.push(cycle);
    for (const name of ready < 0 ? cycle : [waiting[ready]]) {
      names.push(name);
      waiting.splice(waiting.indexOf(name), 1);
    }
  }
  return { names, cycles };
}

/** A cycle among names that all depend on one another, starting with its first name of the alphabet. */
function findCycle(waiting: readonly string[], reasons: ReadonlyMap<string, Reasons>): string[] {
  const path: string[] = [];
  for (let name = waiting[0]; !path.includes(name);) {
    path.push(name);
    name = waiting.find((candidate) => reasons.get(path[path.length - 1])!.has(candidate))!;
    if (path.includes(name)) path.splice(0, path.indexOf(name));
  }
  const first = path.indexOf([...path].sort(compare)[0]);
  return [...path.slice(first), ...path.slice(0, first)];
}

const CYCLE_RULE: Rule = {
  id: 'TC-ADDON-CYCLE',
  title: 'Addon dependencies must not form a cycle.',
};

function cycleProblem(cycle: readonly string[], reasons: ReadonlyMap<string, Reasons>): Problem {
  const steps = cycle.map((name, index) => `${name} (${reasons.get(name)!.get(cycle[(index + 1) % cycle.length])})`);
  return {
    rule: CYCLE_RULE,
    property: cycle[0],
    message: `each of these comes after the next: ${[...steps, cycle[0]].join(' -> ')}`,
    fix: 'remove one of these dependencies',
  };
}

const ADDON_NAME_RULE: Rule = {
  id: 'TC-ADDON-NAME',
  title: 'The name of an addon must be a DNS label: objects of the management cluster are named after it.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

export const ADDON_NAME_TAKEN_RULE: Rule = {
  id: 'TC-ADDON-NAME-TAKEN',
  title: 'The names of a cluster\'s addons, and of their deliveries, must be unique.',
};

function checkNames(sorted: readonly Addon[]): Problem[] {
  return sorted.flatMap((addon, index): Problem[] => {
    const fault = checkDnsLabel(addon.name);
    if (fault) return [{ rule: ADDON_NAME_RULE, property: 'name', message: fault, fix: 'rename the addon' }];
    const other = sorted[index + 1];
    if (addon.name !== other?.name) return [];
    const [message, fix] = addon === other ? [`the addon "${addon.name}" is added twice`, 'add it once']
      : [`two addons are called "${addon.name}"`, `${addon.constructor === other.constructor ? 'remove one of them, or ' : ''}give one of them another name`];
    return [{ rule: ADDON_NAME_TAKEN_RULE, property: addon.name, message, fix }];
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The fix for a missing capability: the addon of this library that provides it. */
const PROVIDER_FIXES: Readonly<Record<string, string>> = {
  [AddonCapability.POD_NETWORK]: 'give the cluster a cni: new Cilium(), new Calico() or new Flannel(), or Cni.none() if you install one yourself',
  [AddonCapability.NETWORK_POLICY]: 'give the cluster a cni that enforces them: new Cilium() or new Calico()',
  [AddonCapability.CERTIFICATES]: 'add new CertManager()',
  [AddonCapability.GATEWAY_API]: 'add new GatewayApi()',
  [AddonCapability.INGRESS]: 'add new Traefik()',
  [AddonCapability.DEFAULT_INGRESS_CLASS]: 'add new Traefik()',
  [AddonCapability.DEFAULT_LOAD_BALANCER]: 'let the infrastructure publish them, or add new MetalLb()',
  [AddonCapability.RESOURCE_METRICS]: 'add new MetricsServer()',
  [AddonCapability.VOLUME_SNAPSHOTS]: 'add new SnapshotController()',
  [AddonCapability.PERSISTENT_VOLUMES]: 'give the infrastructure storageClasses',
  [AddonCapability.CLOUD_CONTROLLER_MANAGER]: 'add that of your cloud, such as new NifcloudCloudControllerManager({ … })',
  [AddonCapability.NODE_FEATURES]: 'add new NodeFeatureDiscovery()',
  [AddonCapability.CLUSTER_DNS]: 'let the control plane bring CoreDNS, or add new CoreDns()',
  [AddonCapability.PROMETHEUS_OPERATOR_CRDS]: 'add new KubePrometheusStack()',
};

const REQUIREMENT_RULE: Rule = {
  id: 'TC-ADDON-REQUIREMENT',
  title: 'Another addon of the cluster must provide each capability that an addon requires, unless the cluster has it without an addon.',
};

/** Reports required capabilities that no addon provides. */
function missingRequirement(addon: Addon, byName: ReadonlyMap<string, Addon>, present: readonly string[]): Problem[] {
  const provided = new Set([...present, ...[...byName.values()].flatMap(({ provides }) => provides)]);
  return addon.requires.filter((capability) => !provided.has(capability)).map((capability) => ({
    rule: REQUIREMENT_RULE,
    property: addon.name,
    message: `"${addon.name}" requires ${capability}, which no addon of the cluster provides`,
    fix: PROVIDER_FIXES[capability] ?? `add an addon that provides "${capability}"`,
  }));
}

const AFTER_RULE: Rule = {
  id: 'TC-ADDON-AFTER',
  title: 'The addons in after must be in the same cluster.',
};

/** Reports addons that an addon comes after and that are not in the cluster. */
function missingAfter(addon: Addon, byName: ReadonlyMap<string, Addon>): Problem[] {
  return addon.after.filter(({ name }) => !byName.has(name)).map(({ name }) => ({
    rule: AFTER_RULE,
    property: `${addon.name}.after`,
    message: `"${addon.name}" comes after "${name}", which is not in the cluster`,
    fix: `add "${name}" to the cluster, or leave it out of after`,
  }));
}

/** Capabilities that the cluster has without an addon, by their provider. */
export interface PresentCapabilities {
  readonly controlPlane?: readonly string[];
  readonly infrastructure?: readonly string[];
  /** Capabilities that the user installs without the library. */
  readonly user?: readonly string[];
}

/** Exclusive capabilities, with the reason. */
const EXCLUSIVE: Readonly<Record<string, string>> = {
  [AddonCapability.POD_NETWORK]: 'nodes would get two network configurations, and pods one or the other',
  [AddonCapability.CERTIFICATES]: 'their webhooks and controllers would work on the same objects',
  [AddonCapability.GATEWAY_API]: 'their definitions have the same names',
  [AddonCapability.DEFAULT_INGRESS_CLASS]: 'an Ingress without a class would have no definite controller',
  [AddonCapability.DEFAULT_LOAD_BALANCER]: 'each of them would publish Services of type LoadBalancer that name no class',
  [AddonCapability.RESOURCE_METRICS]: 'the API has one server',
  [AddonCapability.VOLUME_SNAPSHOTS]: 'their definitions have the same names',
  [AddonCapability.NODE_FEATURES]: 'both would set the same labels',
  [AddonCapability.CLUSTER_DNS]: 'kubelets use one address',
  [AddonCapability.PROMETHEUS_OPERATOR_CRDS]: 'their definitions have the same names',
};

const EXCLUSIVE_RULE: Rule = {
  id: 'TC-ADDON-EXCLUSIVE',
  title: 'Only one addon may provide an exclusive capability, such as the pod network.',
};

/**
 * Reports exclusive capabilities that several addons provide.
 *
 * @param addons the addons
 * @param present capabilities without an addon
 */
function checkExclusive(addons: readonly Addon[], { controlPlane = [], infrastructure = [] }: PresentCapabilities): Problem[] {
  return Object.entries(EXCLUSIVE).flatMap(([capability, reason]): Problem[] => {
    const names = addons.filter(({ provides }) => provides.includes(capability)).map(({ name }) => `"${name}"`);
    const providers = [
      ...(controlPlane.includes(capability) ? ['the control plane'] : []), ...(infrastructure.includes(capability) ? ['the infrastructure'] : []), ...names,
    ];
    return names.length === 0 || providers.length < 2 ? [] : [{
      rule: EXCLUSIVE_RULE,
      message: `${providers.join(' and ')} bring ${capability}, and ${reason}`,
      accepted: 'one of them',
      fix: 'remove the others, or switch off what brings it there',
    }];
  });
}

const CONFLICT_RULE: Rule = {
  id: 'TC-ADDON-CONFLICT',
  title: 'Conflicting addons must not be in the same cluster.',
};

/** Reports conflicting pairs of addons, by name or by capability. */
function checkConflicts(addons: readonly Addon[]): Problem[] {
  return addons.flatMap((addon, index) => addons.slice(index + 1).flatMap((other): Problem[] => {
    const reason = refusal(addon, other) ?? refusal(other, addon);
    return reason === undefined ? [] : [{
      rule: CONFLICT_RULE,
      message: `"${addon.name}" and "${other.name}" cannot be in one cluster: ${reason}`,
      accepted: 'one of them',
      fix: 'remove one of them',
    }];
  }));
}

function refusal(addon: Addon, other: Addon): string | undefined {
  const found = addon.conflictsWith.find((refused) => refused === other.name || other.provides.includes(refused));
  if (found === undefined) return undefined;
  return found === other.name ? `"${addon.name}" does not go with it` : `"${addon.name}" does not go with ${found}, which "${other.name}" brings`;
}
