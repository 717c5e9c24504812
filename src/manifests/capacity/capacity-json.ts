import { CapacityChange } from './capacity-change';
import { Capacity, LeftPods, Scenario } from './capacity-model';
import { hitClusters, shortageWords } from './capacity-words';
import { Counted } from './host';
import { HostRoom } from './host-room';
import { MachineHostChange, MachineHostCosts } from './machine-host-costs';
import { Costs } from './prices';
import { Shortage } from './shortage';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The shape of the JSON. */
export const CAPACITY_SHAPE = `{ "version": 1, "verdict": VERDICT, "clusters", "scenarios": [SCENARIO], "more": [{ "kind", "count" }],
    "fitsEvenly"?: BOOLEAN, "kinds": [{ "kind", "count", "zones", "usage": USAGE }], "hosts": [{ "name", "kind", "zone"?, "usage": USAGE,
    "clusters": [TEXT] }], "pods": [{ "cluster"?, "use": "machine" | "controlPlane" | "controller", "what", "minimum", "maximum", "surge",
    "requests": AMOUNTS }], "unplaced": [{ "cluster"?, "what", "kind", "machines"?, "isUnknown": BOOLEAN }], "notes": [TEXT],
    "costs"?: COSTS, "change"?: { "hosts": [{ "kind", "given", "before"?, "after"? }],
    "requested": { RESOURCE: { "before", "after" } }, "costs"?: { "before": RANGE, "after": RANGE } },
    "machineHosts"?: { "verdict", "scenarios": [SCENARIO], "hosts": [{ "name", "zone"? }], "unusable": [{ "name", "reason",
    "isUnknown"?: true }], "spare": [TEXT], "machines": [{ "cluster"?, "what", "minimum", "maximum", "surge", "hosts": [TEXT] }],
    "costs"?: COSTS, "change"?: { "before": MACHINES, "after": MACHINES, "costs"?: { "before": RANGE, "after": RANGE } } } }
  COSTS is { "currency", "per", "hosts"?, "unpriced": [TEXT], "sharedBy"?, "clusters": [{ "cluster"?, "minimum", "maximum" }] }
  MACHINES is { "minimum", "maximum", "rollout" }: at the largest size, with the further machines of the largest rollout
  VERDICT is "fits", "short": it cannot fit; "open": not decided; or "unknown": the size of some machines is not known
  SCENARIO is { "name": "maximum" | "rollout" | "loss", "verdict", "cases", "lost"?, "rollout"?, "shortage"?: { "kind", "what", "wanted",
    "available", "hosts": NUMBER, "message" }, "left": [LEFT], "hit": [CLUSTER], "bound"?: [LEFT] }
  LEFT is { "cluster"?, "what", "count" }: pods without a place; "bound" are those that name the zone that they are for, and go with it
  USAGE is { RESOURCE: { "taken", "total" } } at the largest size; AMOUNTS are thousandths of a CPU, bytes, and numbers of others;
  RANGE is { "minimum", "maximum" }`;

/** Answers beside those about pods. */
export interface CapacityParts {
  readonly costs?: Costs;
  readonly change?: CapacityChange;

  /** Answers about machines that are hosts. */
  readonly room?: HostRoom;
  readonly machineCosts?: MachineHostCosts;
  readonly machineChange?: MachineHostChange;
}

/** Room on hosts, for programs. */
export function capacityJson(capacity: Capacity, { costs, change, room, machineCosts, machineChange }: CapacityParts = {}) {
  const { verdict, clusters, scenarios, more, fitsEvenly, kinds, hosts, groups, unplaced, notes } = capacity;
  return {
    version: VERSION,
    verdict: room && room.verdict !== 'fits' && verdict !== 'short' ? room.verdict : verdict,
    clusters,
    scenarios: scenarios.map(scenarioJson),
    more,
    ...(fitsEvenly !== undefined && { fitsEvenly }),
    kinds: kinds.map(({ usage, ...kind }) => ({ ...kind, usage: usageJson(usage) })),
    hosts: hosts.map(({ host: { name, kind, zone }, usage, clusters: on }) => (
      { name, kind, ...(zone !== undefined && { zone }), usage: usageJson(usage), clusters: on })),
    pods: groups.map(({ cluster, use, what, minimum, maximum, surge, requests }) => (
      { ...(cluster !== undefined && { cluster }), use, what, minimum, maximum, surge, requests: amounts(requests) })),
    unplaced,
    notes,
    ...(costs && { costs: costsJson(costs) }),
    ...(change && { change: changeJson(change) }),
    ...(room && {
      machineHosts: {
        ...roomJson(room),
        ...(machineCosts && { costs: costsJson(machineCosts) }),
        ...(machineChange && { change: machineChange }),
      },
    }),
  };
}

function roomJson({ verdict, scenarios, hosts, unusable, groups, spare }: HostRoom) {
  return {
    verdict,
    scenarios: scenarios.map(scenarioJson),
    hosts: hosts.map(({ name, zone }) => ({ name, ...(zone !== undefined && { zone }) })),
    unusable,
    spare,
    machines: groups.map(({ cluster, what, minimum, maximum, surge, hosts: selected }) => (
      { ...(cluster !== undefined && { cluster }), what, minimum, maximum, surge, hosts: selected.map((host) => hosts[host].name) })),
  };
}

function leftJson({ group: { cluster, what }, count }: LeftPods) {
  return { ...(cluster !== undefined && { cluster }), what, count };
}

function scenarioJson({ name, verdict, cases, failing = {}, shortage, left, lost }: Scenario) {
  return {
    name,
    verdict,
    cases,
    ...failing,
    ...(shortage && { shortage: shortageJson(shortage) }),
    left: left.map(leftJson),
    hit: hitClusters(left),
    ...(lost && { bound: lost.map(leftJson) }),
  };
}

function shortageJson(shortage: Shortage) {
  const { kind, what, wanted, available, hosts } = shortage;
  return { kind, what, wanted, available, hosts: hosts.length, message: shortageWords(shortage) };
}

function usageJson(usage: Capacity['kinds'][number]['usage']) {
  return Object.fromEntries([...usage].map(([resource, [taken, total]]) => [resource, { taken, total }]));
}

function amounts(requests: Counted) {
  return Object.fromEntries(requests);
}

function costsJson({ prices: { currency, per }, hosts, unpriced, sharedBy, clusters }: Costs) {
  return {
    currency,
    per,
    ...(hosts !== undefined && { hosts }),
    unpriced,
    ...(sharedBy !== undefined && { sharedBy }),
    clusters: [...clusters].map(([cluster, cost]) => ({ ...(cluster !== '' && { cluster }), ...cost })),
  };
}

function changeJson({ hosts, requested, requests }: CapacityChange) {
  return {
    hosts,
    requested: Object.fromEntries([...requested].map(([resource, [before, after]]) => [resource, { before, after }])),
    ...(requests && { costs: requests }),
  };
}
