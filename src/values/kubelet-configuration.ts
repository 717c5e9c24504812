import { compareReleases, isKnownMinor } from './component-facts';
import { KUBELET_CONFIGURATION } from './component-facts.generated';
import { checkFeatureGates } from './feature-gates';
import { FieldPath, isFields } from './fields';
import { Finding, findingsAt } from './finding';
import { parseGoDuration } from './go-duration';
import { nearestName } from './nearest-name';
import { checkQuantity } from './quantity';

interface Node {
  readonly fields: Map<string, Node>;
  type?: string;
  since?: string;
}

const ELEMENT = '[]';
const ANY_KEY = '*';
const HEAD: readonly string[] = ['apiVersion', 'kind'];

let root: Node | undefined;

/**
 * Checks the fields of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1): their names, their types, and its feature gates.
 *
 * The kubelet skips fields that it does not know and only logs it (`pkg/kubelet/kubeletconfig/util/codec` falls back to lenient
 * decoding), so that a misspelt setting silently has no effect; a value of the wrong type or an unknown gate ends it.
 *
 * @param minor the kubelet's minor, e.g. `1.35`; in one that the tables do not know, unknown fields are accepted
 * @param configuration the configuration, whole or a part of it to be merged; `apiVersion` and `kind` are left alone
 * @returns findings in the order of the fields
 */
export function checkKubeletConfiguration(minor: string, configuration: Readonly<Record<string, unknown>>): Finding[] {
  const own = Object.fromEntries(Object.entries(configuration).filter(([field]) => !HEAD.includes(field)));
  const gates = own.featureGates;
  const settings = isFields(gates) ? Object.entries(gates).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean') : [];
  return [
    ...checkNode(minor, own, tree(), []),
    ...findingsAt(['featureGates'], checkFeatureGates(minor, Object.fromEntries(settings))),
  ];
}

function checkNode(minor: string, value: unknown, node: Node, path: FieldPath): Finding[] {
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
    if (inner && !(inner.since !== undefined && isKnownMinor(minor) && compareReleases(minor, inner.since) < 0)) {
      return checkNode(minor, item, inner, place);
    }
    return isKnownMinor(minor) ? [unknownField(minor, place, field, node, inner?.since)] : [];
  });
}

function unknownField(minor: string, path: FieldPath, field: string, parent: Node, since: string | undefined): Finding {
  const near = nearestName(field, [...parent.fields.keys()].filter((name) => name !== field));
  return {
    path,
    message: `the kubelet ${minor} has no field ${field} here${since === undefined ? '' : ` (exists from ${since})`} and skips it`,
    fix: since === undefined && near ? `did you mean ${near}?` : `remove ${field}`,
  };
}

function wrongType(path: FieldPath, value: unknown, accepted: string): Finding {
  return { path, message: `${JSON.stringify(value)} is of the wrong type`, fix: `give ${accepted}` };
}

function acceptedScalar(type: string, value: unknown): string | undefined {
  switch (type) {
    case 'bool': return typeof value === 'boolean' ? undefined : 'true or false';
    case 'int': return Number.isInteger(value) ? undefined : 'a whole number';
    case 'number': return typeof value === 'number' ? undefined : 'a number';
    case 'duration': return typeof value === 'string' && parseGoDuration(value) !== undefined ? undefined : 'a duration such as "30s" or "5m0s"';
    case 'quantity': return typeof value === 'number' || (typeof value === 'string' && checkQuantity(value) === undefined) ? undefined : 'a quantity such as "100Mi"';
    case 'string': case 'time': return typeof value === 'string' ? undefined : 'text in quotes';
    default: return undefined;
  }
}

function tree(): Node {
  if (!root) {
    root = { fields: new Map() };
    for (const line of KUBELET_CONFIGURATION.trim().split('\n')) {
      const [path, typeAndSince] = line.split(' ');
      const [type, since] = typeAndSince.split('+');
      let node = root;
      for (const step of path.replaceAll(ELEMENT, `.${ELEMENT}`).split('.')) {
        const inner: Node = node.fields.get(step) ?? { fields: new Map(), since };
        // An object is as old as its oldest field.
        inner.since = since === undefined ? undefined : inner.since;
        node.fields.set(step, inner);
        node = inner;
      }
      node.type = type;
    }
  }
  return root;
}
