import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { PlannedCluster } from './fleet-plan';
import { FleetRing } from './fleet-ring';
import { checkGate, checkGateNames } from './ring-gate';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, Rule } from '../../../manifests/values/problem';
import { placeOf } from '../../app/synth/output-place';
import { TenantCluster } from '../../tenant/tenant-cluster';
import { GatedRing, gatedStepNames, holdsSteps } from '../rollout-steps';

/** A cluster of a fleet that has been made. */
export interface MadeCluster {
  readonly planned: PlannedCluster;
  readonly tenant: TenantCluster;
}

/** True if a fleet has gates. */
export function hasGates(rings: readonly FleetRing[] = []): boolean {
  return rings.some(({ gate }) => gate !== undefined);
}

/** The clusters of each ring in the order in which they get changes. */
export function gatedRings(rings: readonly FleetRing[], clusters: readonly MadeCluster[]): GatedRing[] {
  return rings.map((ring) => {
    const members = membersOf(ring, clusters).filter((member) => !isPassedBy(ring, member))
      .sort((one, other) => (fullName(one) < fullName(other) ? -1 : 1));
    const { soak, canaries = [], batchSize = Math.max(1, members.length) } = ring.gate ?? {};
    const first = members.filter((member) => isNamed(canaries, member));
    const others = members.filter((member) => !first.includes(member));
    const size = Number.isInteger(batchSize) && batchSize > 0 ? batchSize : 1;
    const batches = Array.from({ length: Math.ceil(others.length / size) }, (_, index) => others.slice(index * size, (index + 1) * size));
    const filled = [first, ...batches].filter((batch) => batch.length > 0);
    return { name: ring.name, soak, batches: filled.map((batch) => batch.map(({ tenant }) => tenant)) };
  });
}

/**
 * True if a rollout passes by a cluster. One that is decommissioned or hibernated has no machines to wait for, and its own change must not wait;
 * one that is frozen, or moves to another management cluster, does not change.
 */
function isPassedBy({ exceptFor = {} }: FleetRing, { planned, tenant }: MadeCluster): boolean {
  const { decommission, hibernation, freeze, moving } = planned.props ?? {};
  const isStill = decommission === true || moving === true || hibernation !== undefined || freeze !== undefined;
  return isStill || isNamed(Object.keys(exceptFor), { planned, tenant });
}

const GATE_RULE: Rule = {
  id: 'TC-FLEET-RING-GATE',
  title: 'Gates of rings must be held by the GitOps tool: by FluxEntryPoints or ArgoCdApplicationSet of a GitOpsApp, in each management cluster.',
  source: 'fluxcd/kustomize-controller internal/controller/kustomization_controller.go (checkDependencies), v1.9.4, '
    + 'argoproj/argo-cd applicationset/progressivesync/progressive_sync.go, v3.5.7',
};

const MEMBER_RULE: Rule = {
  id: 'TC-FLEET-RING-MEMBER',
  title: 'Canaries and exceptions of a ring must be clusters of it, and each exception must have a reason.',
};

/** Checks gates and exceptions of rings, when all clusters are made. */
export function checkGatedRings(fleet: IConstruct, rings: readonly FleetRing[], clusters: readonly MadeCluster[]): Problem[] {
  const problems = rings.flatMap((ring, index) => {
    const members = membersOf(ring, clusters);
    const property = `rings[${index}]`;
    return [
      ...(ring.gate ? checkGate(ring.gate, ring.name, property) : []),
      ...checkMembers(`${property}.gate.canaries`, ring.gate?.canaries ?? [], members),
      ...checkMembers(`${property}.exceptFor`, Object.keys(ring.exceptFor ?? {}), members),
      ...Object.entries(ring.exceptFor ?? {}).filter(([, reason]) => reason.trim() === '').map(([name]) => ({
        rule: MEMBER_RULE, property: `${property}.exceptFor`, message: `the exception for "${name}" has no reason`, fix: 'write why it is excepted',
      })),
    ];
  });
  if (!hasGates(rings)) return problems;
  const ofClusters = [...checkTrees(rings, clusters), ...checkWindows(rings, clusters)];
  return [...problems, ...checkHolder(fleet, rings), ...ofClusters, ...checkGateNames(gatedStepNames(fleet))];
}

function checkHolder(fleet: IConstruct, rings: readonly FleetRing[]): Problem[] {
  return holdsSteps(fleet) ? [] : [{
    rule: GATE_RULE,
    property: `rings[${rings.findIndex(({ gate }) => gate)}].gate`,
    message: 'nothing holds changes back: the app has no entry points that can',
    accepted: 'a GitOpsApp with FluxEntryPoints or ArgoCdApplicationSet',
    fix: 'set entryPoints, or remove the gates',
  }];
}

/** Clusters of a management cluster wait for none of another one, so each of them needs clusters of each ring that others wait for. */
function checkTrees(rings: readonly FleetRing[], clusters: readonly MadeCluster[]): Problem[] {
  const trees = rings.map((ring) => new Set(membersOf(ring, clusters).map(({ tenant }) => placeOf(tenant).folder.tree)));
  return rings.flatMap((ring, index): Problem[] => {
    const missing = new Set(trees.slice(index + 1).flatMap((later) => [...later]).filter((tree) => !trees[index].has(tree)));
    if (!ring.gate || trees[index].size === 0) return [];
    return [...missing].map((tree) => ({
      rule: GATE_RULE,
      property: `rings[${index}].gate`,
      message: `ring "${ring.name}" has no cluster in the management cluster "${tree}", where clusters of later rings would wait for it`,
      fix: `give the ring a cluster in "${tree}", or give each management cluster a fleet of its own`,
    }));
  });
}

/**
 * Clusters with windows are applied from a source of their own, which may have a commit before the Kustomizations know its content. In Argo CD
 * a sync that waits for its window names no commit: when the window opens it takes the newest one, which earlier rings may not have.
 *
 * Source: argoproj/argo-cd controller/sync.go (SyncAppState), applicationset/progressivesync/progressive_sync.go (syncApplication), v3.5.1.
 */
function checkWindows(rings: readonly FleetRing[], clusters: readonly MadeCluster[]): Problem[] {
  const windowed = new Set<Chart>(clusters.filter(({ planned }) => planned.props?.changeWindows !== undefined).map(({ tenant }) => tenant));
  let waitsFor: string | undefined;
  return gatedRings(rings, clusters).flatMap(({ name, soak, batches }, index) => batches.flatMap((batch): Problem[] => {
    const before = waitsFor;
    if (soak !== undefined) waitsFor = name;
    return batch.filter((chart) => before !== undefined && windowed.has(chart)).map((chart) => ({
      rule: GATE_RULE,
      property: `rings[${index}]`,
      message: `"${chart.node.id}" has change windows, and would wait for ring "${before}"`,
      fix: 'remove its windows, or name it in exceptFor: it then follows its windows alone',
    }));
  }));
}

function checkMembers(property: string, names: readonly string[], members: readonly MadeCluster[]): Problem[] {
  return names.filter((name) => !members.some((member) => isNamed([name], member))).map((name) => {
    const known = members.map(({ tenant }) => tenant.name);
    const nearest = nearestName(name, known);
    return {
      rule: MEMBER_RULE,
      property,
      message: `the ring has no cluster "${name}"`,
      fix: nearest === undefined ? 'remove it, or write the name of a cluster of the ring' : `did you mean "${nearest}"?`,
    };
  });
}

function membersOf({ name }: FleetRing, clusters: readonly MadeCluster[]): MadeCluster[] {
  return clusters.filter(({ planned }) => planned.cluster.ring === name);
}

function isNamed(names: readonly string[], member: MadeCluster): boolean {
  return names.includes(member.tenant.name) || names.includes(fullName(member));
}

function fullName({ tenant }: MadeCluster): string {
  return `${tenant.namespace}/${tenant.name}`;
}
