import { Capacity, CapacityOptions, LeftPods, Scenario, Verdict } from './capacity-model';
import { HostRoom } from './host-room';
import { NamedGroup } from './pod-group';
import { NOT_LOST, Shortage } from './shortage';
import { namesWords } from '../plan/plan-words';
import { amountText, NANO } from '../values/quantity';

/** An amount as the scheduler counts it, in readable units. */
export function countedText(resource: string, amount: number): string {
  if (resource === 'memory' || resource.startsWith('hugepages-')) {
    const gibibytes = amount / 1024 ** 3;
    return gibibytes >= 10 ? `${Math.round(gibibytes)}Gi` : amountText(resource, BigInt(Math.round(amount)) * NANO);
  }
  if (resource === 'cpu') return amount >= 10_000 ? `${Math.round(amount / 1000)}` : amountText(resource, BigInt(amount) * (NANO / 1000n));
  return `${amount}`;
}

/** A number of clusters. */
export function clustersWords(count: number): string {
  return `${count} ${count === 1 ? 'cluster' : 'clusters'}`;
}

/** A number of hosts. */
export function hostsWords(count: number): string {
  return `${count} ${count === 1 ? 'host' : 'hosts'}`;
}

const VERDICTS: Readonly<Record<Verdict, string>> = { fits: 'fits', short: 'does not fit', open: 'not decided', unknown: 'not decided' };

/** The verdict, as it stands before everything else. */
export function headline({ verdict, clusters, hosts, options, scenarios, unplaced }: Capacity): string {
  const elsewhere = unplaced.filter(({ isUnknown }) => !isUnknown).reduce((sum, { machines = 0 }) => sum + machines, 0);
  const without = elsewhere === 0 ? '' : `, without ${elsewhere} ${elsewhere === 1 ? 'machine' : 'machines'} that run elsewhere`;
  const size = `${clustersWords(clusters)} at ${clusters === 1 ? 'its' : 'their'} largest${without}`;
  const what = `${size}${rolloutWords(options)}${lossWords(options)}, on ${hostsWords(hosts.length)}`;
  const failing = scenarios.find((scenario) => scenario.verdict === verdict);
  const where = failing && failing.name !== 'maximum' && verdict !== 'fits' ? `; ${scenarioWords(failing)}` : '';
  return `${VERDICTS[verdict].toUpperCase()}: ${what}${verdict === 'unknown' ? ', since the size of some machines is not known' : where}`;
}

/** The verdict about machines that are hosts. */
export function hostHeadline({ verdict, groups, hosts, options, scenarios }: HostRoom): string {
  const machines = groups.reduce((sum, { maximum }) => sum + maximum, 0);
  const clusters = new Set(groups.map(({ cluster }) => cluster)).size;
  const what = `${machines} ${machines === 1 ? 'machine' : 'machines'} of ${clustersWords(clusters)} at ${clusters === 1 ? 'its' : 'their'} largest`;
  const failing = scenarios.find((scenario) => scenario.verdict === verdict);
  const where = failing && verdict !== 'fits' && failing.name !== 'maximum' ? `; ${scenarioWords(failing)}` : '';
  return `${VERDICTS[verdict].toUpperCase()}: ${what}${rolloutWords(options)}${lossWords(options)}, on ${hostsWords(hosts.length)} that each take one machine${where}`;
}

function rolloutWords({ rollout, ringLabel }: CapacityOptions): string {
  switch (rollout) {
    case 'none': return '';
    case 'cluster': return ', with a rollout of any one cluster';
    case 'ring': return `, with a rollout of any ring (${ringLabel})`;
    default: return ', with a rollout of all clusters at once';
  }
}

function lossWords({ loss }: CapacityOptions): string {
  return loss === 'none' ? '' : `, after the loss of any ${loss}`;
}

/** A question. */
export function scenarioTitle({ name }: Scenario, { rollout, loss }: CapacityOptions): string {
  switch (name) {
    case 'maximum': return 'everything at its largest';
    case 'rollout': return rollout === 'all' ? 'and a rollout of all clusters at once' : `and a rollout of one ${rollout}`;
    default: return `and one ${loss} less`;
  }
}

/** The answer to a question. */
export function scenarioWords({ verdict, cases, failing, shortage }: Scenario): string {
  const lost = failing?.lost === undefined ? [] : [`without ${failing.lost}`];
  const rolled = failing?.rollout === undefined ? [] : [`in the rollout of ${failing.rollout}`];
  const where = [...lost, ...rolled].join(' ');
  if (verdict === 'fits') return cases > 1 ? `fits in each of ${cases} cases` : 'fits';
  return `${VERDICTS[verdict]}${where === '' ? '' : ` ${where}`}${verdict === 'open' ? `: ${openWords(shortage)}` : ''}`;
}

function openWords(shortage: Shortage | undefined): string {
  return shortage?.kind === 'selected' ? 'it does not fit, unless hosts that have a machine of an unknown cluster are of these clusters'
    : 'no placement was found, and none of the proofs excludes one';
}

/** Reason that pods do not fit, in words. */
export function shortageWords({ kind, what, wanted, available, hosts, groups }: Shortage): string {
  const on = hostsWords(hosts.length);
  const whose = namesWords([...new Set(groups.map(groupName))]);
  switch (kind) {
    case 'host': return what === NOT_LOST ? `all hosts that ${whose} may run on are lost` : `no host meets ${what}, which ${whose} must have`;
    case 'size': return `no host has ${countedText(what, wanted)} of ${what} free for one pod of ${whose}; the most is ${countedText(what, available)}`;
    case 'sum': return `${what} is short: ${countedText(what, wanted)} are requested of ${on} that have ${countedText(what, available)} free`;
    case 'pieces': return `${on} ${hosts.length === 1 ? 'has' : 'have'} room for ${available} pods as large as those of ${whose}, by ${what}, and there are ${wanted}`;
    case 'selected': return available === 0 ? `no host that takes a machine is selected by ${whose}`
      : `${wanted} hosts are needed by ${whose}, which select ${available}`;
    default: return `no two pods of ${whose} may be in one ${what}: ${wanted} pods, and ${available} of these`;
  }
}

/** A group of pods with its cluster. */
export function groupName({ cluster, what }: NamedGroup): string {
  return cluster === undefined ? what : `${what} of ${cluster}`;
}

/** Pods without a place, the most first. */
export function leftWords(left: readonly LeftPods[]): string[] {
  return left.map(({ group, count }) => `${count} ${group.use === 'machine' ? 'machine' : 'pod'}${count === 1 ? '' : 's'} of ${groupName(group)}`);
}

/** Clusters with pods without a place. */
export function hitClusters(left: readonly LeftPods[]): string[] {
  return [...new Set(left.flatMap(({ group }) => group.cluster ?? []))];
}
