import { fieldPath, isObject, shown } from './structural-schema';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const ANNOTATIONS_LIMIT = 256 * 1024;

const OWNER_REFERENCE_FIELDS = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];
const SERVER_FIELDS = [
  'creationTimestamp', 'deletionGracePeriodSeconds', 'deletionTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid',
];

/** Rules for the metadata of a kind. */
export interface MetadataRules {
  /** Scope of its objects; undefined for an object inside another one, which need not have one. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Syntax of names: with dots (custom resources) or without. @default 'subdomain' */
  readonly name?: 'subdomain' | 'label';
}

/**
 * Checks `metadata` as an API server does on create, and refuses besides the fields
 * that only the server writes: no manifest should carry them.
 */
export function checkMetadata(metadata: unknown, rules: MetadataRules, path = 'metadata'): string[] {
  if (metadata === undefined && rules.scope === undefined) return [];
  if (!isObject(metadata)) return [`${path}: must be an object, got ${shown(metadata)}`];

  const errors: string[] = [];
  for (const [key, value] of Object.entries(metadata)) {
    const at = fieldPath(path, key);
    if (value === undefined) continue;
    if (value === null) errors.push(`${at}: must not be null`);
    else if (SERVER_FIELDS.includes(key)) errors.push(`${at}: is written by the server only, got ${shown(value)}`);
    else if (Object.hasOwn(CHECKS, key)) errors.push(...CHECKS[key](value, at, rules));
    else errors.push(`${at}: unknown field, got ${shown(value)}`);
  }
  if (rules.scope !== undefined && metadata.name === undefined && metadata.generateName === undefined) {
    errors.push(`${path}.name: required, got nothing`);
  }
  if (rules.scope === 'Namespaced' && metadata.namespace === undefined) {
    errors.push(`${path}.namespace: required for a namespaced kind, got nothing`);
  }
  return errors;
}

type Check = (value: unknown, path: string, rules: MetadataRules) => string[];

const CHECKS: Readonly<Record<string, Check>> = {
  name: (value, path, rules) => checkName(value, path, rules),
  // The server appends five characters, so a dash or dot at the end is fine.
  generateName: (value, path, rules) => checkName(typeof value === 'string' ? value.replace(/[-.]$/, '') : value, path, rules),
  namespace: (value, path, rules) => {
    if (rules.scope === 'Cluster') return [`${path}: must be absent for a cluster-scoped kind, got ${shown(value)}`];
    return checkName(value, path, { name: 'label' });
  },
  labels: (value, path) => stringMap(value, path, (key, text, at) => [
    ...qualifiedName(key, at),
    ...(text === '' || (text.length <= 63 && QUALIFIED.test(text))
      ? []
      : [`${at}: a label value has at most 63 letters, digits and -_. inside, got ${shown(text)}`]),
  ]),
  annotations: (value, path) => {
    const errors = stringMap(value, path, (key, _, at) => qualifiedName(key.toLowerCase(), at));
    const size = errors.length > 0 ? 0 : Object.entries(value as Record<string, string>)
      .reduce((sum, [key, text]) => sum + Buffer.byteLength(key) + Buffer.byteLength(text), 0);
    return size > ANNOTATIONS_LIMIT ? [`${path}: at most ${ANNOTATIONS_LIMIT} bytes together, got ${size}`] : errors;
  },
  finalizers: (value, path) => list(value, path, (item, at) => {
    if (typeof item !== 'string') return [`${at}: must be a string, got ${shown(item)}`];
    return qualifiedName(item, at);
  }),
  ownerReferences: (value, path) => list(value, path, (item, at) => {
    if (!isObject(item)) return [`${at}: must be an object, got ${shown(item)}`];
    return [
      ...Object.keys(item).filter(key => !OWNER_REFERENCE_FIELDS.includes(key)).map(key => `${at}.${key}: unknown field, got ${shown(item[key])}`),
      ...['apiVersion', 'kind', 'name', 'uid'].filter(key => !item[key]).map(key => `${at}.${key}: required, got ${shown(item[key])}`),
    ];
  }),
};

function checkName(value: unknown, path: string, rules: MetadataRules): string[] {
  const label = rules.name === 'label';
  const limit = label ? 63 : 253;
  if (typeof value === 'string' && value.length <= limit && (label ? LABEL : SUBDOMAIN).test(value)) return [];
  return [`${path}: must be a DNS ${label ? 'label' : 'subdomain'} of at most ${limit} characters (a-z, 0-9, -${label ? '' : ', .'}), got ${shown(value)}`];
}

function qualifiedName(key: string, path: string): string[] {
  const [name, prefix, ...rest] = key.split('/').reverse();
  const good = rest.length === 0 && name.length <= 63 && QUALIFIED.test(name)
    && (prefix === undefined || (prefix.length <= 253 && SUBDOMAIN.test(prefix)));
  return good ? [] : [`${path}: a key is a name of at most 63 characters with an optional DNS prefix and a slash before, got ${shown(key)}`];
}

function stringMap(value: unknown, path: string, check: (key: string, text: string, path: string) => string[]): string[] {
  if (!isObject(value)) return [`${path}: must be an object of strings, got ${shown(value)}`];
  return Object.entries(value).flatMap(([key, text]) => {
    const at = `${path}[${key}]`;
    return typeof text === 'string' ? check(key, text, at) : [`${at}: must be a string, got ${shown(text)}`];
  });
}

function list(value: unknown, path: string, check: (item: unknown, path: string) => string[]): string[] {
  if (!Array.isArray(value)) return [`${path}: must be a list, got ${shown(value)}`];
  return value.flatMap((item, index) => check(item, `${path}[${index}]`));
}
