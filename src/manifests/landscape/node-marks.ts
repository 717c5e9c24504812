import { fieldAt, Fields, isFields, objectsAt, stringAt } from '../values/fields';
import { nodeLabelRoute } from '../values/labels';
import { formatTaint, Taint } from '../values/taints';

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';
const NODE_LABELS = 'node-labels';
const REGISTRATION = ['spec', 'template', 'spec', 'joinConfiguration', 'nodeRegistration'];

/** Where labels and taints of nodes may stand. */
export interface MarkSources {
  /** Labels of the machines, of which Cluster API copies some to the nodes. */
  readonly machineLabels: readonly unknown[];

  /** Lists of taints. */
  readonly taints: readonly unknown[];

  /** Template of what makes a node of a machine. */
  readonly bootstrap: unknown;

  /** Annotations of the pool, which describe its future nodes to the autoscaler. */
  readonly annotations: unknown;
}

/** The labels that the nodes of a pool get from its manifests, sorted. */
export function labelsOf({ machineLabels, bootstrap, annotations }: MarkSources): ReadonlyMap<string, string> {
  const labels = [
    ...pairs(stringAt(annotations, `${CAPACITY}/labels`)),
    ...pairs(kubeletArgument(bootstrap)),
    ...machineLabels.flatMap((map) => textEntries(map).filter(([key]) => nodeLabelRoute(key) === 'synced')),
  ];
  return new Map([...new Map(labels)].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The taints that the nodes of a pool get from its manifests. */
export function taintsOf({ taints, bootstrap, annotations }: MarkSources): readonly string[] {
  const own = [...taints, fieldAt(bootstrap, ...REGISTRATION, 'taints')].flatMap((list) => objectsAt({ list }, 'list'))
    .flatMap(([taint]) => taintText(taint));
  const told = stringAt(annotations, `${CAPACITY}/taints`)?.split(',').filter((text) => text !== '') ?? [];
  return [...new Set([...own, ...told])].sort();
}

function taintText(taint: Fields): string[] {
  const [key, effect, value] = [stringAt(taint, 'key'), stringAt(taint, 'effect'), stringAt(taint, 'value')];
  return key === undefined || effect === undefined ? [] : [formatTaint({ key, effect, value } as Taint)];
}

/** v1beta1 has a map of arguments, v1beta2 a list. */
function kubeletArgument(bootstrap: unknown): string | undefined {
  const given = fieldAt(bootstrap, ...REGISTRATION, 'kubeletExtraArgs');
  if (!Array.isArray(given)) return stringAt(given, NODE_LABELS);
  return stringAt(objectsAt({ given }, 'given').find(([argument]) => argument.name === NODE_LABELS)?.[0], 'value');
}

function pairs(text = ''): [string, string][] {
  return text.split(',').filter((pair) => pair !== '').map((pair) => {
    const sign = pair.indexOf('=');
    return sign < 0 ? [pair, ''] : [pair.slice(0, sign), pair.slice(sign + 1)];
  });
}

function textEntries(map: unknown): [string, string][] {
  return Object.entries(isFields(map) ? map : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}
