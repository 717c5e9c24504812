import { isKnownMinor, wordAt } from './component-facts';
import { FieldPath, isFields } from './fields';
import { Finding, findingsAt } from './finding';
import { checkFeatureGates } from './flag-values';
import { parseGoDuration } from './go-duration';
import { SUPPORTED_MINORS } from './kubernetes-releases';
import { nearestName } from './nearest-name';
import { checkQuantity } from './quantity';
import { kubeletConfiguration } from '../../../data/kubernetes-facts.json';

interface Node {
  readonly fields: Map<string, Node>;
  type?: string;
}

const ELEMENT = '[]';
const ANY_KEY = '*';
const HEAD: readonly string[] = ['apiVersion', 'kind'];

const trees = new Map<string, Node>();

/**
 * Checks the fields of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1): their names, their types, and its feature gates.
 *
 * The kubelet skips fields that it does not know and only logs it (`pkg/kubelet/kubeletconfig/util/codec` falls back to lenient
 * decoding), so that a misspelt setting silently has no effect; a value of the wrong type or an unknown gate ends it.
 *
 * @param minor the kubelet's minor, e.g. `1.35`; in one that the tables do not know, unknown fields are accepted. Where it is left out, those
 *   that some known minor has
 * @param configuration the configuration, whole or a part of it to be merged; `apiVersion` and `kind` are left alone
 * @returns findings in the order of the fields
 */
export function checkKubeletConfiguration(minor: string | undefined, configuration: Readonly<Record<string, unknown>>): Finding[] {
  const own = Object.fromEntries(Object.entries(configuration).filter(([field]) => !HEAD.includes(field)));
  const gates = own.featureGates;
  const settings = isFields(gates) ? Object.entries(gates).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean') : [];
  return [
    ...checkNode(minor, own, treeOf(minor !== undefined && isKnownMinor(minor) ? minor : SUPPORTED_MINORS.at(-1)!), []),
    ...findingsAt(['featureGates'], checkFeatureGates(minor, Object.fromEntries(settings))),
  ];
}

function checkNode(minor: string | undefined, value: unknown, node: Node, path: FieldPath): Finding[] {
  if (value === undefined || value === null) {
    return [];
  }
  const element = node.fields.get(ELEMENT);
  if (element) {
    return Array.isArray(value) ? value.flatMap((item, index) => checkNode(minor, item, element, [...path, index]))
      : [wrongType(path, value, 'a list')];
  }
  if (node.type !== undefined) {
    const accepted = acceptedScalar(node.type, value);
    return accepted === undefined ? [] : [wrongType(path, value, accepted)];
  }
  if (!isFields(value)) {
    return [wrongType(path, value, 'an object')];
  }
  return Object.entries(value).flatMap(([field, item]) => {
    const inner = node.fields.get(field) ?? node.fields.get(ANY_KEY);
    const place = [...path, field];
    if (inner) return checkNode(minor, item, inner, place);
    return minor === undefined || isKnownMinor(minor) ? unknownField(minor, place, field, node) : [];
  });
}

function unknownField(minor: string | undefined, path: FieldPath, field: string, parent: Node): Finding[] {
  const others = SUPPORTED_MINORS.filter((other) => hasField(treeOf(other), path));
  if (minor === undefined && others.length > 0) return [];
  const near = others.length > 0 ? undefined : nearestName(field, [...parent.fields.keys()]);
  const when = minor === undefined || others.length === 0 ? '' : ` (${presence(others, minor)})`;
  return [{
    path,
    message: `the kubelet${minor === undefined ? '' : ` ${minor}`} has no field ${field} here${when} and skips it`,
    fix: near ? `did you mean ${near}?` : `remove ${field}`,
  }];
}

function presence(others: readonly string[], minor: string): string {
  const [first] = others;
  return SUPPORTED_MINORS.indexOf(first) > SUPPORTED_MINORS.indexOf(minor) ? `exists from ${first}` : `exists up to ${others.at(-1)}`;
}

function hasField(tree: Node, path: FieldPath): boolean {
  return path.reduce<Node | undefined>((node, step) => (
    typeof step === 'number' ? node?.fields.get(ELEMENT) : node?.fields.get(step) ?? node?.fields.get(ANY_KEY)), tree) !== undefined;
}

function wrongType(path: FieldPath, value: unknown, accepted: string): Finding {
  return { path, message: `${JSON.stringify(value)} is of the wrong type`, fix: `give ${accepted}` };
}

function acceptedScalar(type: string, value: unknown): string | undefined {
  switch (type) {
    case 'bool': return typeof value === 'boolean' ? undefined : 'true or false';
    case 'int': return Number.isInteger(value) ? undefined : 'a whole number';
    case 'number': return typeof value === 'number' ? undefined : 'a number';
    case 'durationOrInt': return Number.isInteger(value) ? undefined : acceptedScalar('duration', value);
    case 'duration': return typeof value === 'string' && parseGoDuration(value) !== undefined ? undefined : 'a duration such as "30s" or "5m0s"';
    case 'quantity': return typeof value === 'number' || (typeof value === 'string' && checkQuantity(value) === undefined) ? undefined : 'a quantity such as "100Mi"';
    case 'string': case 'time': return typeof value === 'string' ? undefined : 'text in quotes';
    default: return undefined;
  }
}

/** The fields that a minor's kubelet has. */
function treeOf(minor: string): Node {
  let root = trees.get(minor);
  if (!root) {
    root = { fields: new Map() };
    for (const line of kubeletConfiguration) {
      const [path, ...history] = line.split(' ');
      const type = wordAt(history, minor);
      if (type !== undefined) leafAt(root, path).type = type;
    }
    trees.set(minor, root);
  }
  return root;
}

function leafAt(root: Node, path: string): Node {
  return path.replaceAll(ELEMENT, `.${ELEMENT}`).split('.').reduce((node, step) => {
    const inner = node.fields.get(step) ?? { fields: new Map() };
    node.fields.set(step, inner);
    return inner;
  }, root);
}
