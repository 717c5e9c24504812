import { checkDnsSubdomain } from './dns';
import { Finding, findingsOf } from './finding';
import { readOnce } from './read-once';

/** Longest label value, and longest name part of a key, in characters. */
export const LABEL_MAX_LENGTH = 63;

/** Largest total of all annotation keys and values of one object, in bytes (256 KiB). */
export const ANNOTATIONS_MAX_BYTES = 256 * 1024;

/** The way out of a wrong label or annotation. */
const FIX = 'correct or remove the entry';

/** The grammar of label values, and of the name part of a key. */
export const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/**
 * Checks a qualified name, the grammar of label keys, taint keys and extended resources: an optional DNS subdomain and a slash,
 * then 1 to 63 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit.
 *
 * Source: `k8s.io/apimachinery` `pkg/util/validation` `IsQualifiedName`.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkQualifiedName(text: string): string | undefined {
  if (typeof text !== 'string') {
    return notText(text);
  }
  const [name, prefix, ...more] = text.split('/').reverse();
  if (more.length > 0) {
    return `"${text}" has more than one "/"; accepted is "name" or "domain/name"`;
  }
  if (prefix !== undefined) {
    const problem = checkDnsSubdomain(prefix);
    if (problem !== undefined) {
      return `the part of "${text}" before the "/" must be a DNS name: ${problem}`;
    }
  }
  if (name.length > LABEL_MAX_LENGTH) {
    return `the name part of "${text}" is ${name.length} characters long; accepted are at most ${LABEL_MAX_LENGTH}`;
  }
  return LABEL_NAME.test(name) ? undefined
    : `"${text}" is not a qualified name; accepted are letters, digits, "-", "_" and ".",`
      + ' starting and ending with a letter or digit, with a DNS name and "/" before it if wanted';
}

/**
 * Checks the key of a label.
 *
 * @returns what is wrong with it, or undefined
 */
export const checkLabelKey = readOnce((key: string): string | undefined => checkQualifiedName(key));

/**
 * Checks the value of a label: empty, or up to 63 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit.
 *
 * Source: `k8s.io/apimachinery` `pkg/util/validation` `IsValidLabelValue`.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkLabelValue(value: string): string | undefined {
  if (typeof value !== 'string') {
    return notText(value);
  }
  if (value.length > LABEL_MAX_LENGTH) {
    return `"${value}" is ${value.length} characters long; accepted are at most ${LABEL_MAX_LENGTH}`;
  }
  return value === '' || LABEL_NAME.test(value) ? undefined
    : `"${value}" is not a label value; accepted are letters, digits, "-", "_" and ".", starting and ending with a letter or digit`;
}

/**
 * Checks the key of an annotation. It has the grammar of a label's key, in which upper-case letters are allowed in the domain too.
 *
 * Source: `k8s.io/apimachinery` `pkg/api/validation` `ValidateAnnotations`.
 *
 * @returns what is wrong with it, or undefined
 */
export const checkAnnotationKey = readOnce((key: string): string | undefined => checkQualifiedName(key.toLowerCase()));

/**
 * Checks labels, keys and values.
 *
 * @returns one finding for every problem, in the order of the map
 */
export function checkLabels(labels: Readonly<Record<string, string>>): Finding[] {
  return Object.entries(labels).flatMap(([key, value]) => findingsOf([key], [checkLabelKey(key), checkLabelValue(value)], FIX));
}

/**
 * Checks annotations: their keys, and that all of them together stay within 256 KiB.
 *
 * @returns one finding for every problem, in the order of the map; the size is reported at the largest entry
 */
export function checkAnnotations(annotations: Readonly<Record<string, string>>): Finding[] {
  const sizes = Object.entries(annotations).map(([key, value]) => ({ key, bytes: Buffer.byteLength(key) + Buffer.byteLength(String(value)) }));
  const total = sizes.reduce((sum, entry) => sum + entry.bytes, 0);
  const found = sizes.flatMap(({ key }) => (
    findingsOf([key], [checkAnnotationKey(key), typeof annotations[key] === 'string' ? undefined : notText(annotations[key])], FIX)
  ));
  if (total > ANNOTATIONS_MAX_BYTES) {
    const largest = sizes.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    found.push({
      path: [largest.key],
      message: `all annotations together are ${total} bytes large, this one ${largest.bytes}; accepted are at most ${ANNOTATIONS_MAX_BYTES}`,
      fix: 'shorten or remove annotations',
    });
  }
  return found;
}

/** JavaScript, and YAML that a program has read, may bring anything. */
function notText(value: unknown): string {
  return `${String(value)} is not a string; put it in quotes`;
}

/** A selector of labels; without any it selects everything, as an empty one does. */
export function labelSelector(labels: { readonly [key: string]: string } = {}): object {
  return Object.keys(labels).length === 0 ? {} : { matchLabels: { ...labels } };
}

/**
 * The way a label reaches a node:
 * `synced` by Cluster API from the Machine, in place; `kubelet` sets it when the node registers, so that a change needs new
 * machines; `refused` by the kubelet, which does not start with it.
 */
export type NodeLabelRoute = 'synced' | 'kubelet' | 'refused';

// k8s.io/kubelet pkg/apis/well_known_labels.go
const KUBELET_LABELS: readonly string[] = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
];
const KUBELET_NAMESPACES: readonly string[] = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/**
 * Route by which a label reaches its node.
 *
 * Sources: Cluster API `util/labels` `GetManagedLabels` (`node-role.kubernetes.io` exactly; `node-restriction.kubernetes.io` and
 * `node.cluster.x-k8s.io` with their subdomains; a manager's `--additional-sync-machine-labels` can add more), kubelet
 * `cmd/kubelet/app/options/options.go` `ValidateKubeletFlags` and `k8s.io/kubelet/pkg/apis/well_known_labels.go`.
 *
 * @param key the label's key
 */
export function nodeLabelRoute(key: string): NodeLabelRoute {
  // Cluster API looks at the text before the slash even where there is no slash; the kubelet does not.
  const domain = key.split('/')[0];
  if (domain === 'node-role.kubernetes.io' || isWithin(domain, 'node-restriction.kubernetes.io') || isWithin(domain, 'node.cluster.x-k8s.io')) {
    return 'synced';
  }
  const namespace = key.includes('/') ? domain : '';
  const reserved = isWithin(namespace, 'kubernetes.io') || isWithin(namespace, 'k8s.io');
  const allowed = KUBELET_LABELS.includes(key) || KUBELET_NAMESPACES.some((own) => isWithin(namespace, own));
  return reserved && !allowed ? 'refused' : 'kubelet';
}

/**
 * Checks that there is a way for a label to reach its node.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkNodeLabelKey(key: string): string | undefined {
  return nodeLabelRoute(key) === 'refused'
    ? `the kubelet does not start with the label "${key}", whose domain is reserved; accepted are a domain of your own,`
      + ` node-role.kubernetes.io, node-restriction.kubernetes.io, node.cluster.x-k8s.io, ${KUBELET_NAMESPACES.join(', ')}`
      + ` (the last four with subdomains), and ${KUBELET_LABELS.join(', ')}`
    : undefined;
}

/**
 * Checks a label that is given to the kubelet itself (`--node-labels`), which may set fewer than Cluster API.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkKubeletLabelKey(key: string): string | undefined {
  const route = nodeLabelRoute(key);
  return route === 'synced' && isReserved(key)
    ? `the kubelet may not set the label "${key}"; accepted is the same label on the pool, from where Cluster API copies it to the node`
    : checkNodeLabelKey(key);
}

function isReserved(key: string): boolean {
  const namespace = key.includes('/') ? key.split('/')[0] : '';
  return isWithin(namespace, 'kubernetes.io') || isWithin(namespace, 'k8s.io');
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
