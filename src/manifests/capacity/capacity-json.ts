import { CapacityChange } from './capacity-change';
import { Capacity, LeftPods, Scenario } from './capacity-model';
import { hitClusters, shortageWords } from './capacity-words';
import { Counted } from './host';
import { HostRoom } from './host-room';
import { Costs } from './prices';
import { Shortage } from './shortage';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The shape of the JSON. */
export const CAPACITY_SHAPE = `{ "version": 1, "verdict": VERDICT, "clusters", "scenarios": [SCENARIO], "more": [{ "kind", "count" }],
    "fitsEvenly"?: BOOLEAN, "kinds": [{ "kind", "count", "zones", "usage": USAGE }], "hosts": [{ "name", "kind", "zone"?, "usage": USAGE,
    "clusters": [TEXT] }], "pods": [{ "cluster"?, "use": "machine" | "controlPlane" | "controller", "what", "minimum", "maximum", "surge",
    "requests": AMOUNTS }], "unplaced": [{ "cluster"?, "what", "kind", "machines"?, "isUnknown": BOOLEAN }], "notes": [TEXT],
    "costs"?: { "currency", "per", "hosts"?, "unpriced": [TEXT], "sharedBy"?, "clusters": [{ "cluster"?, "minimum", "maximum" }] },
    "change"?: { "hosts": [{ "kind", "given", "before"?, "after"? }], "requested": { RESOURCE: { "before", "after" } },
    "costs"?: { "before": RANGE, "after": RANGE } }, "machineHosts"?: { "verdict", "scenarios": [SCENARIO], "hosts": [{ "name", "zone"? }],
    "unusable": [{ "name", "reason" }], "spare": [TEXT], "machines": [{ "cluster"?, "what", "minimum", "maximum", "surge",
    "hosts": [TEXT] }] } }
  VERDICT is "fits", "short": it cannot fit; "open": not decided; or "unknown": the size of some machines is not known
  SCENARIO is { "name": "maximum" | "rollout" | "loss", "verdict", "cases", "lost"?, "rollout"?, "shortage"?: { "kind", "what", "wanted",
    "available", "hosts": NUMBER, "message" }, "left": [LEFT], "hit": [CLUSTER], "bound"?: [LEFT] }
  LEFT is { "cluster"?, "what", "count" }: pods without a place; "bound" are those that name the zone that they are for, and go with it
  USAGE is { RESOURCE: { "taken", "total" } } at the largest size; AMOUNTS are thousandths of a CPU, bytes, and numbers of others;
  RANGE is { "minimum", "maximum" }`;

/** Room on hosts, for programs. */
export function capacityJson(capacity: Capacity, costs?: Costs, change?: CapacityChange, room?: HostRoom) {
  const { verdict, clusters, scenarios, more, fitsEvenly, kinds, hosts, groups, unplaced, notes } = capacity;
  return {
    version: VERSION,
    verdict: room?.verdict === 'short' ? room.verdict : verdict,
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
    ...(room && { machineHosts: roomJson(room) }),
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
