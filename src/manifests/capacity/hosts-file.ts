import { counted, countedAmounts, Host, HOSTNAME, PODS, RunningPod, ZONE } from './host';
import { containersOf } from '../objects/container-load';
import { listedObjects } from '../objects/manifest-list';
import { groupKind, isManifestObject, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ContainerLimits, podSide } from '../rules/pod-loads';
import { fieldAt, Fields, isFields, listAt, objectsAt, stringAt } from '../values/fields';
import { nearestName } from '../values/nearest-name';
import { Amounts, amountsOf, checkQuantity, largerOf, parseQuantity, sumOf } from '../values/quantity';
import { Taint, TaintEffect } from '../values/taints';

/** The hosts in a file, and the pods that run on them. */
export interface HostList {
  readonly hosts: readonly Host[];
  readonly pods: readonly RunningPod[];
}

/** A fault of a file that a user has written. Its message names the place. */
export class FileFault extends Error {
  public constructor(message: string, public readonly fix?: string) {
    super(message);
  }
}

const EXPORT = 'get it with "kubectl get nodes,pods --all-namespaces --output json", or write a list: see the guide plan-capacity';

/**
 * Reads hosts: a list of entries below `hosts`, or Nodes and Pods as kubectl prints them.
 *
 * @param values the documents of a file
 */
export function hostsIn(values: readonly unknown[]): HostList {
  const hosts: Host[] = [];
  const pods: RunningPod[] = [];
  for (const value of values) {
    if (isFields(value) && value.kind === undefined && value.hosts !== undefined) {listedHosts(value).forEach((host) => hosts.push(host));} else {
      for (const object of objectsOf(value)) {
        if (groupKind(object) === '/Node') hosts.push(nodeHost(object));
        else if (groupKind(object) === '/Pod') pods.push(...runningPod(object));
        else throw new FileFault(`${String(object.kind)} ${nameOf(object) ?? ''} is neither a Node nor a Pod`, EXPORT);
      }
    }
  }
  return { hosts, pods };
}

function objectsOf(value: unknown): readonly ManifestObject[] {
  return listedObjects(value).map(({ object }) => {
    if (isManifestObject(object)) return object;
    throw new FileFault('neither a list of hosts, nor Nodes and Pods', EXPORT);
  });
}

const ENTRY_FIELDS = ['name', 'count', 'zone', 'zones', 'cpu', 'memory', 'pods', 'resources', 'labels', 'taints'] as const;

// kubernetes/kubernetes pkg/kubelet/apis/config/v1beta1/defaults.go (maxPods)
const USUAL_PODS = 110;

function listedHosts(file: Fields): Host[] {
  checkFields(file, ['hosts'], 'the list of hosts');
  const entries = listAt(file, 'hosts');
  if (entries.length === 0) throw new FileFault('hosts is no list with entries', 'write one entry for each kind of host');
  const names = new Set<string>();
  return entries.flatMap((entry, index) => {
    const place = `hosts[${index}]`;
    if (!isFields(entry)) throw new FileFault(`${place} is no object`, `accepted fields: ${ENTRY_FIELDS.join(', ')}`);
    const name = requiredText(entry, 'name', place);
    if (names.has(name)) throw new FileFault(`${place}.name: ${JSON.stringify(name)} is there twice`, 'give each entry a name of its own');
    names.add(name);
    return entryHosts(entry, name, `hosts[${index}] (${name})`);
  });
}

function entryHosts(entry: Fields, name: string, place: string): Host[] {
  checkFields(entry, ENTRY_FIELDS, place);
  const count = entry.count ?? 1;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0 || count > 100_000) {
    throw new FileFault(`${place}.count: ${JSON.stringify(count)} is not an integer from 0 to 100000`);
  }
  const zones = zonesOf(entry, place);
  const allocatable = new Map([
    ['cpu', quantity(entry.cpu, 'cpu', `${place}.cpu`)],
    ['memory', quantity(entry.memory, 'memory', `${place}.memory`)],
    [PODS, entry.pods === undefined ? USUAL_PODS : quantity(entry.pods, PODS, `${place}.pods`)],
    ...Object.entries(mapOf(entry, 'resources', place)).map(([resource, amount]): [string, number] => (
      [resource, quantity(amount, resource, `${place}.resources[${resource}]`)])),
  ]);
  const labels = labelsOf(entry, place);
  const taints = listOf(entry, 'taints', place, '[example.com/gpu=l40s:NoSchedule]').map((taint, index) => taintOf(taint, `${place}.taints[${index}]`));
  return Array.from({ length: count }, (_, index) => {
    const zone = zones.length > 0 ? zones[index % zones.length] : labels[ZONE];
    const own = count === 1 ? name : `${name}-${index + 1}`;
    const all = { [HOSTNAME]: own, ...(zone !== undefined && { [ZONE]: zone }), ...labels };
    return { name: own, kind: name, zone, labels: all, isNode: false, taints, allocatable };
  });
}

function zonesOf(entry: Fields, place: string): readonly string[] {
  if (entry.zone !== undefined && entry.zones !== undefined) throw new FileFault(`${place} has zone and zones`, 'write one of them');
  if (entry.zone !== undefined) return [requiredText(entry, 'zone', place)];
  if (entry.zones === undefined) return [];
  const zones = listAt(entry, 'zones');
  if (zones.length > 0 && zones.every((zone) => typeof zone === 'string' && zone !== '')) return zones as string[];
  throw new FileFault(`${place}.zones is no list of names`, 'write the zones that the hosts are spread over, such as [a, b, c]');
}

/** A taint as kubectl writes it, or as a node has it. */
function taintOf(given: unknown, place: string): Taint {
  const [, key, value, effect] = typeof given === 'string' ? /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(given) ?? [] : [
    '', stringAt(given, 'key'), stringAt(given, 'value'), stringAt(given, 'effect'),
  ];
  if (key !== undefined && Object.values<string>(TaintEffect).includes(effect ?? '')) return { key, value, effect: effect as TaintEffect };
  throw new FileFault(`${place}: ${JSON.stringify(given)} is no taint`, 'write key=value:NoSchedule, or key:NoExecute');
}

/** An amount of a file that a user has written. */
function quantity(given: unknown, resource: string, place: string): number {
  if (given === undefined) throw new FileFault(`${place} is missing`, 'write what pods can request: the allocatable amount of the node');
  const text = typeof given === 'number' ? `${given}` : given;
  const fault = checkQuantity(text as string, { whole: resource !== 'cpu' });
  if (fault !== undefined) throw new FileFault(`${place}: ${fault}`);
  return counted(resource, parseQuantity(text as string)!);
}

/** Rejects fields that are not known. */
export function checkFields(given: Fields, known: readonly string[], place: string): void {
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  throw new FileFault(
    `${place}: there is no field ${JSON.stringify(unknown)}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`, `accepted fields: ${known.join(', ')}`,
  );
}

/** A string that must be there. */
export function requiredText(given: Fields, field: string, place: string): string {
  const value = given[field];
  if (typeof value === 'string' && value !== '') return value;
  const name = place === '' ? field : `${place}.${field}`;
  throw new FileFault(value === undefined ? `${name} is missing` : `${name}: ${JSON.stringify(value)} is not a string with a name`);
}

/** An object that may be missing. */
export function mapOf(given: Fields, field: string, place: string): Fields {
  const value = given[field] ?? {};
  if (isFields(value)) return value;
  throw new FileFault(`${place}.${field}: ${JSON.stringify(value)} is not an object`);
}

/** Labels, of which there may be none. */
export function labelsOf(entry: Fields, place: string): Record<string, string> {
  return Object.fromEntries(Object.entries(mapOf(entry, 'labels', place)).map(([key, value]) => {
    if (typeof value !== 'string') throw new FileFault(`${place}.labels[${key}]: ${JSON.stringify(value)} is not a string`, 'write it in quotes');
    return [key, value];
  }));
}

/** A list that may be missing. */
export function listOf(given: Fields, field: string, place: string, example: string): readonly unknown[] {
  const value = given[field] ?? [];
  if (Array.isArray(value)) return value;
  throw new FileFault(`${place}.${field}: ${JSON.stringify(value)} is not a list`, `write it in brackets, such as ${example}`);
}

const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', effect: TaintEffect.NO_SCHEDULE };

function nodeHost(node: ManifestObject): Host {
  const name = nameOf(node);
  if (name === undefined) throw new FileFault('a Node has no name', EXPORT);
  const allocatable = countedAmounts(amountsOf(fieldAt(node, 'status', 'allocatable')));
  if (!allocatable.has('cpu') || !allocatable.has('memory')) {
    throw new FileFault(`Node ${name}: status.allocatable has no cpu or memory`, 'print nodes with --output json or yaml, with their status');
  }
  const labels = textsOf(fieldAt(node, 'metadata', 'labels'));
  const taints = objectsAt(node, 'spec', 'taints').map(([taint], index) => taintOf(taint, `Node ${name}: spec.taints[${index}]`));
  const isCordoned = fieldAt(node, 'spec', 'unschedulable') === true && !taints.some(({ key }) => key === UNSCHEDULABLE.key);
  return {
    name,
    kind: labels[INSTANCE_TYPE] ?? `${sizeText(allocatable)} hosts`,
    zone: labels[ZONE],
    labels: { [HOSTNAME]: name, ...labels },
    isNode: true,
    taints: isCordoned ? [...taints, UNSCHEDULABLE] : taints,
    allocatable,
  };
}

// Device plugins offer what pods share, such as access to a network, hundreds of times.
const MOST_DEVICES = 64;

function sizeText(allocatable: ReadonlyMap<string, number>): string {
  const gibibytes = Math.round(allocatable.get('memory')! / 1024 ** 3);
  const devices = [...allocatable].filter(([resource, count]) => resource.includes('/') && count <= MOST_DEVICES).map(([resource, count]) => `, ${count} ${resource}`);
  return `${Math.round(allocatable.get('cpu')! / 1000)}-CPU ${gibibytes}Gi${devices.join('')}`;
}

/** A pod that holds what it requests; none once it has ended, or as long as it has no host. */
function runningPod(pod: ManifestObject): RunningPod[] {
  const host = stringAt(pod, 'spec', 'nodeName');
  if (host === undefined || ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? '')) return [];
  const requests = countedAmounts(podRequests(fieldAt(pod, 'spec'), { default: {}, defaultRequest: {}, min: {}, max: {} }));
  return [{
    namespace: namespaceOf(pod) ?? 'default',
    name: nameOf(pod) ?? '-',
    host,
    labels: textsOf(fieldAt(pod, 'metadata', 'labels')),
    requests: new Map([...requests, [PODS, 1]]),
  }];
}

/**
 * The requests of a pod. Init containers that are restarted run beside the later ones, and beside the others. Requests of the pod itself
 * replace those of its containers, and the overhead of its RuntimeClass comes on top.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/component-helpers/resource/helpers.go (PodRequests).
 */
export function podRequests(pod: unknown, range: ContainerLimits): Amounts {
  const requestsOf = (container: unknown) => podSide({ containers: containersOf({ list: [container] }, 'list'), initContainers: [] }, range, 'requests');
  let [beside, initial]: [Amounts, Amounts] = [{}, {}];
  for (const container of listAt(pod, 'initContainers')) {
    const started = sumOf([beside, requestsOf(container)]);
    initial = largerOf(initial, started);
    if (stringAt(container, 'restartPolicy') === 'Always') beside = started;
  }
  const running = sumOf([beside, ...listAt(pod, 'containers').map(requestsOf)]);
  const own = containersOf({ list: [{ resources: fieldAt(pod, 'resources') }] }, 'list')[0].requests;
  return sumOf([{ ...largerOf(running, initial), ...own }, amountsOf(fieldAt(pod, 'overhead'))]);
}

/** The strings of an object. */
export function textsOf(map: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(isFields(map) ? map : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
