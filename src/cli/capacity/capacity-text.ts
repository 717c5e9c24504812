import { CapacityChange, NeededHosts } from '../../manifests/capacity/capacity-change';
import { CapacityParts } from '../../manifests/capacity/capacity-json';
import { Capacity, HostUsage, Scenario } from '../../manifests/capacity/capacity-model';
import {
  clustersWords, countedText, groupName, headline, hitClusters, hostHeadline, hostsWords, leftWords, scenarioTitle, scenarioWords, shortageWords,
} from '../../manifests/capacity/capacity-words';
import { PODS } from '../../manifests/capacity/host';
import { HostRoom } from '../../manifests/capacity/host-room';
import { MachineHostChange, MachineHostCosts } from '../../manifests/capacity/machine-host-costs';
import { Cost, Costs, moneyText, Prices } from '../../manifests/capacity/prices';
import { countWords, namesWords } from '../../manifests/plan/plan-words';
import { printable, wrapped } from '../../manifests/values/printable';
import { table } from '../table';

const INDENT = '   ';

/** Pods without a place that are named. */
const MOST_LEFT = 5;

/** Things that the text shows beside the answer. */
export interface CapacityTextOptions extends CapacityParts {
  readonly columns?: number;

  /** True if each host is listed. */
  readonly hosts: boolean;
}

/** Room on hosts, for a terminal. */
export function capacityText(capacity: Capacity, options: CapacityTextOptions): string {
  const { columns = Infinity, hosts, costs, change, room, machineCosts, machineChange } = options;
  const prose = (lines: readonly string[]) => lines.flatMap((line) => wrapped(printable(line), columns, `${/^ */.exec(line)![0]}${INDENT}`)).map((line) => `${line}\n`).join('');
  const notes = noteLines(capacity);
  const onHosts = room ? [
    prose([hostHeadline(room), '', ...answerLines(room)]), '\n', machineTable(room, columns), prose(roomLines(room)),
    machineCosts ? `\n${prose(machineCostLines(machineCosts))}${costTable(machineCosts, columns)}` : '',
    machineChange ? `\n${prose(machineChangeLines(machineChange, machineCosts?.prices))}` : '',
  ].join('') : '';
  if (capacity.hosts.length === 0) return `${onHosts}${notes.length === 0 ? '' : `\n${prose(notes)}`}`;
  return [
    onHosts === '' ? '' : `${onHosts}\n`,
    prose([headline(capacity), '', ...answerLines(capacity)]),
    '\n', kindTable(capacity, columns),
    hosts ? `\n${hostTable(capacity, columns)}` : '',
    '\n', prose([podsLine(capacity)]),
    costs ? `\n${prose(costLines(costs))}${costTable(costs, columns)}` : '',
    change ? `\n${prose(changeLines(change, costs?.prices))}` : '',
    notes.length === 0 ? '' : `\n${prose(notes)}`,
  ].join('');
}

function answerLines({ scenarios, options, more = [], fitsEvenly }: Pick<Capacity, 'scenarios' | 'options'> & Partial<Pick<Capacity, 'more' | 'fitsEvenly'>>): string[] {
  const width = Math.max(...scenarios.map((scenario) => scenarioTitle(scenario, options).length));
  return [
    ...scenarios.flatMap((scenario, index) => {
      const former = scenarios[index - 1]?.shortage;
      const isSame = scenario.shortage !== undefined && former?.kind === scenario.shortage.kind && former.what === scenario.shortage.what;
      const title = `${scenarioTitle(scenario, options).padEnd(width)}  ${scenarioWords(scenario)}${isSame ? ', for the same reason' : ''}`;
      return [title, ...isSame ? [] : whyLines(scenario)];
    }),
    ...fitsEvenly === false ? [
      'Not everything at its largest finds a place when each pod goes to the emptiest host, as the scheduler prefers by default: large pods come too late.',
    ] : [],
    ...more.length === 0 ? [] : [`Everything fits with ${more.map(({ kind, count }) => `${hostsWords(count)} more of ${kind}`).join(', or ')}.`],
  ];
}

function whyLines({ shortage, left, lost = [] }: Scenario): string[] {
  const words = leftWords(left);
  const hit = hitClusters(left);
  const others = words.length > MOST_LEFT ? `, and ${words.length - MOST_LEFT} more` : '';
  return [
    ...shortage ? [`${INDENT}${shortageWords(shortage)}`] : [],
    ...words.length === 0 ? [] : [`${INDENT}${shortage?.kind === 'selected' ? 'without a host' : 'without a place in the best placement that was found'}: ${words.slice(0, MOST_LEFT).join(', ')}${others}`],
    ...hit.length === 0 ? [] : [`${INDENT}${clustersWords(hit.length)} hit: ${namesWords(hit)}`],
    ...lost.length === 0 ? [] : [`${INDENT}go with the zone that they name, and are not placed elsewhere: ${namesWords(leftWords(lost))}`],
  ];
}

/** Resources in the order of the tables. */
function resourcesOf({ kinds }: Capacity): string[] {
  const known = ['cpu', 'memory', PODS];
  return [...known, ...new Set(kinds.flatMap(({ usage }) => [...usage.keys()]))].filter((resource, index, all) => all.indexOf(resource) === index);
}

function usageText(usage: HostUsage['usage'], resource: string): string {
  const found = usage.get(resource);
  return found ? `${countedText(resource, found[0])} of ${countedText(resource, found[1])}` : '';
}

function kindTable(capacity: Capacity, columns: number): string {
  const resources = resourcesOf(capacity);
  return table(
    ['KIND', 'HOSTS', 'ZONES', ...resources.map((resource) => resource.toUpperCase())],
    capacity.kinds.map(({ kind, count, zones, usage }) => [kind, `${count}`, zones.join(' '), ...resources.map((resource) => usageText(usage, resource))]),
    columns,
  );
}

function hostTable(capacity: Capacity, columns: number): string {
  const resources = resourcesOf(capacity);
  return table(
    [{ head: 'HOST', isName: true }, 'KIND', 'ZONE', ...resources.map((resource) => resource.toUpperCase()), { head: 'CLUSTERS NOW', leftOut: 1 }],
    capacity.hosts.map(({ host, usage, clusters }) => (
      [host.name, host.kind, host.zone ?? '', ...resources.map((resource) => usageText(usage, resource)), clusters.length === 0 ? '' : namesWords(clusters)])),
    columns,
  );
}

function machineTable({ groups }: HostRoom, columns: number): string {
  return table(
    [{ head: 'CLUSTER', isName: true }, 'MACHINES', 'MINIMUM', 'MAXIMUM', 'SURGE', 'HOSTS'],
    groups.map(({ cluster = '', what, minimum, maximum, surge, hosts }) => [cluster, what, `${minimum}`, `${maximum}`, `${surge}`, `${hosts.length}`]),
    columns,
  );
}

function some(texts: readonly string[], separator: string): string {
  return `${texts.slice(0, MOST_LEFT).join(separator)}${texts.length > MOST_LEFT ? `${separator}and ${texts.length - MOST_LEFT} more` : ''}`;
}

/** Selectors without hosts, and hosts without machines. */
function roomLines({ empty, spare, unusable, hosts, options }: HostRoom): string[] {
  const without = options.loss === 'zone' ? hosts.filter(({ zone }) => zone === undefined).map(({ name }) => name) : [];
  const lines = [
    ...without.length === 0 ? [] : [`In no zone, and not lost with one: ${some(without, ', ')}.`],
    ...empty.map((group) => `Without a host that it selects: ${groupName(group)}.`),
    ...spare.length === 0 ? [] : [`Selected by no pool or control plane: ${some(spare, ', ')}.`],
    ...unusable.length === 0 ? [] : [`Not counted: ${some(unusable.map(({ name, reason }) => `${name} ${reason}`), '; ')}.`],
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

function podsLine({ groups }: Capacity): string {
  const sum = (use: string) => groups.filter((group) => group.use === use)
    .reduce((soFar, { minimum, maximum }) => ({ minimum: soFar.minimum + minimum, maximum: soFar.maximum + maximum }), { minimum: 0, maximum: 0 });
  const parts = [
    countWords(sum('machine'), 'machine', 'machines'),
    `${countWords(sum('controlPlane'), 'pod', 'pods')} of control planes`,
    `${countWords(sum('controller'), 'pod', 'pods')} of controllers`,
  ];
  return `Placed: ${parts.join(', ')}.`;
}

function costWords({ minimum, maximum }: Cost, prices: Prices): string {
  return minimum === maximum ? moneyText(maximum, prices) : `${minimum.toFixed(2)} to ${moneyText(maximum, prices)}`;
}

function costLines({ hosts, unpriced, prices, sharedBy, clusters }: Costs): string[] {
  return [
    ...hosts === undefined ? [] : [`All hosts: ${moneyText(hosts, prices)}.`],
    ...unpriced.length === 0 ? [] : [`Without a price: ${unpriced.join(', ')}; a sum of all hosts is not made.`],
    ...sharedBy === undefined || clusters.size === 0 ? [] : [`Shared by the ${sharedBy} that is requested at the largest size:`],
  ];
}

function machineCostLines({ hosts, unpriced, prices }: MachineHostCosts): string[] {
  return [
    ...hosts === undefined ? [] : [`All hosts that take a machine: ${moneyText(hosts, prices)}.`],
    ...unpriced.length === 0 ? [] : [`Without a price: ${some(unpriced, ', ')}; a sum of all hosts is not made.`],
  ];
}

function machineChangeLines({ before, after, costs }: MachineHostChange, prices: Prices | undefined): string[] {
  const number = (was: number, is: number) => `${was} before, ${is} after${was === is ? '' : `, ${signedWhole(is - was)}`}`;
  return [
    'Machines that need a host each:',
    `${INDENT}at the smallest size: ${number(before.minimum, after.minimum)}`,
    `${INDENT}at the largest size: ${number(before.maximum, after.maximum)}`,
    ...before.rollout === before.maximum && after.rollout === after.maximum ? [] : [`${INDENT}with a rollout: ${number(before.rollout, after.rollout)}`],
    ...costs && prices ? [`${INDENT}${costDifference(costs, prices)}`] : [],
  ];
}

function costDifference({ before, after }: { readonly before: Cost; readonly after: Cost }, prices: Prices): string {
  return `${signed(after.minimum - before.minimum)} at the smallest size, ${signed(after.maximum - before.maximum)} at the largest, in ${prices.currency} per ${prices.per}`;
}

function costTable({ clusters, prices }: Pick<Costs, 'clusters' | 'prices'>, columns: number): string {
  return table(
    [{ head: 'CLUSTER', isName: true }, 'COST'],
    [...clusters].map(([cluster, cost]) => [cluster === '' ? '(the management cluster itself)' : cluster, costWords(cost, prices)]),
    columns,
  );
}

function changeLines({ hosts, requested, requests }: CapacityChange, prices: Prices | undefined): string[] {
  const amounts = [...requested].filter(([, [before, after]]) => before !== after).map(([resource, [before, after]]) => (
    `${after > before ? '+' : '-'}${countedText(resource, Math.abs(after - before))} ${resource}`));
  const money = requests && prices ? [
    `${INDENT}requests: ${costDifference(requests, prices)}`,
  ] : [];
  return [
    `The change requests ${amounts.length === 0 ? 'as much as before' : amounts.join(', ')} at the largest size.`,
    ...hosts.map((one) => `${INDENT}${one.kind}: ${neededWords(one)}${priceWords(one, prices)}`),
    ...money,
  ];
}

function neededWords({ before, after, given }: NeededHosts): string {
  const words = (count: number | undefined) => (count === undefined ? 'no number was found that suffices' : `${count} needed`);
  const difference = before !== undefined && after !== undefined ? `, ${signedWhole(after - before)}` : '';
  return `${words(before)} before, ${words(after)} after${difference}; there are ${given}`;
}

function priceWords({ kind, before, after }: NeededHosts, prices: Prices | undefined): string {
  const price = prices?.hosts.get(kind);
  return price === undefined || before === undefined || after === undefined || before === after ? '' : ` (${after > before ? '+' : ''}${moneyText((after - before) * price, prices!)})`;
}

function signed(amount: number): string {
  return `${amount >= 0 ? '+' : ''}${amount.toFixed(2)}`;
}

function signedWhole(count: number): string {
  return `${count >= 0 ? '+' : ''}${count}`;
}

function noteLines({ unplaced, notes }: Capacity): string[] {
  const unknown = unplaced.filter(({ isUnknown }) => isUnknown);
  const elsewhere = new Map<string, number>();
  unplaced.filter(({ isUnknown }) => !isUnknown).forEach(({ kind, machines = 0 }) => elsewhere.set(kind, (elsewhere.get(kind) ?? 0) + machines));
  return [
    ...unknown.map(({ cluster, what, kind, machines }) => (
      `Not placed, since their size is not known: ${machines === undefined ? '' : `${machines} of `}${what}${cluster === undefined ? '' : ` of ${cluster}`} (${kind}). Put their instance types or templates among the manifests.`)),
    ...[...elsewhere].map(([kind, machines]) => `Not placed, since they are no pods of these hosts: ${machines} of ${kind}.`),
    ...notes.map((note) => `Note: ${note}.`),
  ];
}
