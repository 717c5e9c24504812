import { StructureFindings } from './structure-rules';
import { groupKind, groupOf, ManifestObject } from '../../objects/manifest-object';
import { nameWords, shownValue } from '../../schema/value-words';
import { checkDnsLabel, checkDnsSubdomain, DNS_LABEL_MAX_LENGTH, DNS_SUBDOMAIN_MAX_LENGTH } from '../../values/dns';
import { Fields, isFields } from '../../values/fields';
import { parseIp } from '../../values/ip-address';
import { ANNOTATIONS_MAX_BYTES, checkAnnotationKey, checkLabelKey, checkLabelValue, checkQualifiedName, LABEL_MAX_LENGTH } from '../../values/labels';
import { nearestName } from '../../values/nearest-name';
import { RuleFinding } from '../manifest-rule';

/** Grammar of the names of objects. */
export interface NameGrammar {
  /** Describes the fault of a name. */
  readonly check: (name: string) => string | undefined;

  /** Longest name, in characters. */
  readonly longest: number;

  /** The likeliest right name in place of a wrong one; undefined where there is none. */
  readonly proposal: (name: string) => string | undefined;
}

/** Names, by what they have to be. */
const NAMES = {
  subdomain: { check: (name) => checkDnsSubdomain(name), longest: DNS_SUBDOMAIN_MAX_LENGTH, proposal: cleanedSubdomain },
  label: { check: (name) => checkDnsLabel(name), longest: DNS_LABEL_MAX_LENGTH, proposal: cleanedLabel(DNS_LABEL_MAX_LENGTH) },
  // A controller appends the time to it, and the result becomes a label.
  cronJob: { check: (name) => checkDnsSubdomain(name), longest: 52, proposal: cleanedLabel(52) },
  pathSegment: { check: checkPathSegment, longest: Infinity, proposal: (name) => name.replace(/[/%]/g, '-') },
  // Plural and group make it, which a rule of the kind checks.
  definition: { check: () => undefined, longest: DNS_SUBDOMAIN_MAX_LENGTH, proposal: () => undefined },
  ipAddress: {
    check: (name) => (parseIp(name) ? undefined : `${JSON.stringify(name)} is not an IP address`), longest: DNS_SUBDOMAIN_MAX_LENGTH, proposal: () => undefined,
  },
} as const satisfies Readonly<Record<string, NameGrammar>>;

const RBAC = 'rbac.authorization.k8s.io';

/**
 * Kinds whose names are something else than a DNS name.
 *
 * Source: kubernetes/kubernetes pkg/apis/{core,apps,batch,networking,policy,rbac,certificates}/validation/validation.go,
 * staging/src/k8s.io/kube-aggregator/pkg/apis/apiregistration/validation/validation.go.
 */
const OF_KIND: Readonly<Record<string, NameGrammar>> = {
  '/Namespace': NAMES.label,
  '/Service': NAMES.label,
  'apps/StatefulSet': NAMES.label,
  'batch/CronJob': NAMES.cronJob,
  'networking.k8s.io/IPAddress': NAMES.ipAddress,
  'apiextensions.k8s.io/CustomResourceDefinition': NAMES.definition,
  'apiregistration.k8s.io/APIService': NAMES.pathSegment,
  'certificates.k8s.io/CertificateSigningRequest': NAMES.pathSegment,
  'certificates.k8s.io/ClusterTrustBundle': NAMES.pathSegment,
  'policy/PodDisruptionBudget': NAMES.pathSegment,
  [`${RBAC}/Role`]: NAMES.pathSegment,
  [`${RBAC}/RoleBinding`]: NAMES.pathSegment,
  [`${RBAC}/ClusterRole`]: NAMES.pathSegment,
  [`${RBAC}/ClusterRoleBinding`]: NAMES.pathSegment,
};

/** Groups that are not served by Kubernetes itself: who serves them decides on names. */
const AGGREGATED_GROUPS: ReadonlySet<string> = new Set(['projectcalico.org']);

/** Groups whose objects are questions to a server, which keeps nothing. */
const QUESTIONS: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

/** Grammar of the names of an object's kind. */
export function namesOf(object: ManifestObject): NameGrammar {
  const kind = groupKind(object);
  if (Object.hasOwn(OF_KIND, kind)) return OF_KIND[kind];
  return AGGREGATED_GROUPS.has(groupOf(object)) ? NAMES.pathSegment : NAMES.subdomain;
}

/** True if an object of its kind cannot be written without a name. */
export function needsName(object: ManifestObject): boolean {
  return !QUESTIONS.has(groupOf(object));
}

/** Source: kubernetes/apimachinery pkg/api/validation/path/name.go. */
function checkPathSegment(name: string): string | undefined {
  if (name === '.' || name === '..') return `${JSON.stringify(name)} cannot be a name: it means a folder in a path`;
  return /[/%]/.test(name) ? `${JSON.stringify(name)} cannot be a name: "/" and "%" have a meaning in a path` : undefined;
}

function cleanedSubdomain(name: string): string | undefined {
  const labels = name.slice(0, DNS_SUBDOMAIN_MAX_LENGTH).split('.').map((label) => cleaned(label)).filter((label) => label !== '');
  return proposed(labels.join('.'));
}

function cleanedLabel(longest: number): (name: string) => string | undefined {
  return (name) => proposed(cleaned(name.slice(0, longest)));
}

function proposed(name: string): string | undefined {
  return name !== '' && checkDnsSubdomain(name) === undefined ? name : undefined;
}

function cleaned(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9-]+/g, '-').replace(/^-+|(?<!-)-+$/g, '');
}

/** Longest key of a label or an annotation: a DNS name, a slash and a name. */
const KEY_MAX_LENGTH = DNS_SUBDOMAIN_MAX_LENGTH + 1 + LABEL_MAX_LENGTH;

type Check = (value: unknown, findings: StructureFindings) => void;

const text: Check = (value, findings) => {
  if (typeof value !== 'string') wrongType(value, 'a string', findings);
};

const wholeNumber: Check = (value, findings) => {
  if (!Number.isInteger(value)) wrongType(value, 'a whole number', findings);
};

const trueOrFalse: Check = (value, findings) => {
  if (typeof value !== 'boolean') wrongType(value, 'true or false', findings);
};

const neededText: Check = (value, findings) => {
  if (typeof value !== 'string') wrongType(value, 'a string', findings);
  else if (value === '') findings.add('metadata', { message: 'it is empty', accepted: 'a string', fix: 'write what it names' });
};

/** Checks of fields, by name. */
type FieldChecks = ReadonlyMap<string, Check>;

const OWNER: FieldChecks = new Map(Object.entries({
  apiVersion: neededText, kind: neededText, name: neededText, uid: neededText, controller: trueOrFalse, blockOwnerDeletion: trueOrFalse,
}));

const OWNER_REQUIRED: readonly string[] = ['apiVersion', 'kind', 'name', 'uid'];

/** Fields of `metadata`; what a server writes itself may stand there, for it is in what `kubectl get` shows. */
const METADATA: Readonly<Record<string, Check>> = {
  name: unlessEmptyString(dnsName),
  // The server appends characters, so that a dash at the end is fine.
  generateName: unlessEmptyString((value, findings) => dnsName(typeof value === 'string' ? value.replace(/-$/, '') : value, findings)),
  namespace: unlessEmptyString((value, findings) => named(NAMES.label, value, findings)),
  labels: entries((key, value, findings) => {
    report(key, KEY_MAX_LENGTH, checkLabelKey, findings);
    report(value, LABEL_MAX_LENGTH, checkLabelValue, findings);
  }),
  annotations: both(entries((key, _, findings) => report(key, KEY_MAX_LENGTH, checkAnnotationKey, findings)), annotationSize),
  finalizers: list(grammar(checkQualifiedName, KEY_MAX_LENGTH)),
  ownerReferences: both(list((owner, findings) => fields(OWNER, OWNER_REQUIRED, owner, findings)), oneController),
  creationTimestamp: text,
  deletionGracePeriodSeconds: wholeNumber,
  deletionTimestamp: text,
  generation: wholeNumber,
  managedFields: list(() => undefined),
  resourceVersion: text,
  selfLink: text,
  uid: text,
};

/** Fields of the metadata of kinds, by what names of their objects look like. */
const METADATA_OF: ReadonlyMap<NameGrammar, FieldChecks> = new Map(Object.values(NAMES).map((names: NameGrammar) => [names, new Map(Object.entries({
  ...METADATA,
  name: unlessEmptyString((value, findings) => named(names, value, findings)),
  ...(names === NAMES.pathSegment || names === NAMES.ipAddress ? { generateName: text } : {}),
}))]));

/**
 * Checks the metadata of an object of any kind, if it has some: what is written as objects are need not be one, such as the configuration of a
 * program.
 */
export function checkAnyMetadata(object: ManifestObject): readonly RuleFinding[] {
  const { metadata } = object;
  const findings = new StructureFindings();
  if (isFields(metadata)) findings.at('metadata', () => checkMetadata(metadata, false, findings, namesOf(object)));
  return findings.found;
}

/** A controller ignores the name in a template: it generates the names of the objects. */
const TEMPLATE_METADATA: FieldChecks = new Map(Object.entries({
  ...METADATA, name: text, generateName: text, namespace: text, finalizers: list(text),
}));

/**
 * Checks the metadata in a template of objects, as Kubernetes does for its own kinds.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidatePodTemplateSpec).
 */
export function checkTemplateMetadata(metadata: Fields, findings: StructureFindings): void {
  fields(TEMPLATE_METADATA, [], metadata, findings);
}

/**
 * Checks the metadata of an object as an API server does on create. Null is what is not written, everywhere in it.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
 *
 * @param metadata the metadata as written
 * @param mustHaveName whether the object needs a name: one inside another object does not
 * @param names what names of its kind look like
 */
export function checkMetadata(metadata: unknown, mustHaveName: boolean, findings: StructureFindings, names: NameGrammar = NAMES.subdomain): void {
  const written = metadata ?? {};
  fields(METADATA_OF.get(names)!, [], written, findings);
  if (!mustHaveName || !isFields(written) || isNamed(written.name) || isNamed(written.generateName)) return;
  findings.at('name', () => findings.add('metadata', { message: 'the object has no name', accepted: 'a DNS name', fix: 'add "name"' }));
}

function fields(checks: FieldChecks, required: readonly string[], value: unknown, findings: StructureFindings): void {
  if (!isFields(value)) return wrongType(value, 'an object', findings);
  for (const name of Object.keys(value)) {
    const child = value[name];
    const check = checks.get(name);
    if (check) {
      if (!isWritten(child)) continue;
      findings.enter(name);
      check(child, findings);
      findings.leave();
    } else if (child !== undefined) {
      const names = [...checks.keys()];
      const near = name.length > LABEL_MAX_LENGTH ? undefined : nearestName(name, names);
      findings.at(name, () => findings.add('unknown', {
        message: `there is no field ${shownValue(name)} here`,
        accepted: nameWords(names),
        fix: near === undefined ? 'remove it, or move it to where it belongs' : `did you mean ${shownValue(near)}?`,
      }));
    }
  }
  for (const name of required) {
    if (isWritten(value[name])) continue;
    findings.at(name, () => findings.add('metadata', { message: 'it is required, and it is not there', accepted: 'a string', fix: `add ${shownValue(name)}` }));
  }
}

function list(check: Check): Check {
  return (value, findings) => {
    if (!Array.isArray(value)) return wrongType(value, 'a list', findings);
    value.forEach((entry, index) => findings.at(index, () => check(entry, findings)));
  };
}

function entries(check: (key: string, value: string, findings: StructureFindings) => void): Check {
  return (value, findings) => {
    if (!isFields(value)) return wrongType(value, 'an object', findings);
    for (const key of Object.keys(value)) {
      const entry = value[key];
      findings.enter(key);
      if (typeof entry === 'string' || !isWritten(entry)) check(key, entry ?? '', findings);
      else wrongType(entry, 'a string', findings);
      findings.leave();
    }
  };
}

function both(one: Check, other: Check): Check {
  return (value, findings) => {
    one(value, findings);
    other(value, findings);
  };
}

function grammar(check: (text: string) => string | undefined, longest: number): Check {
  return (value, findings) => {
    if (typeof value === 'string') report(value, longest, check, findings);
    else wrongType(value, 'a string', findings);
  };
}

function dnsName(value: unknown, findings: StructureFindings): void {
  named(NAMES.subdomain, value, findings);
}

function named({ check, longest, proposal }: NameGrammar, value: unknown, findings: StructureFindings): void {
  if (typeof value !== 'string') return wrongType(value, 'a string', findings);
  report(value, longest, check, findings, proposal);
}

/** An empty name is one that is not written. */
function unlessEmptyString(check: Check): Check {
  return (value, findings) => {
    if (value !== '') check(value, findings);
  };
}

/** The length comes first: a message shows the whole text. */
function report(
  value: string, longest: number, check: (text: string) => string | undefined, findings: StructureFindings,
  proposalFor?: (value: string) => string | undefined,
): void {
  const message = value.length > longest ? `${shownValue(value)} has ${value.length} characters` : check(value);
  if (message === undefined) return;
  const proposal = proposalFor?.(value);
  const isTooLong = value.length > longest;
  const accepted = isTooLong ? `at most ${longest} characters` : undefined;
  const fix = proposal === undefined ? (isTooLong ? 'shorten it' : 'correct it') : `write a name such as ${JSON.stringify(proposal)}`;
  findings.add('metadata', { message, ...(accepted && { accepted }), fix });
}

function annotationSize(value: unknown, findings: StructureFindings): void {
  const annotations = isFields(value) ? value : {};
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    const entry = annotations[key];
    bytes += Buffer.byteLength(key) + (typeof entry === 'string' ? Buffer.byteLength(entry) : 0);
  }
  if (bytes <= ANNOTATIONS_MAX_BYTES) return;
  findings.add('metadata', {
    message: `all annotations together are ${bytes} bytes large`,
    accepted: `at most ${ANNOTATIONS_MAX_BYTES} bytes`,
    fix: 'keep long texts elsewhere; an object that kubectl applied on the client holds itself once more, in an annotation',
  });
}

function oneController(value: unknown, findings: StructureFindings): void {
  const controllers = (Array.isArray(value) ? value : []).filter((owner) => isFields(owner) && (owner as Fields).controller === true);
  if (controllers.length <= 1) return;
  findings.add('metadata', { message: `${controllers.length} owners are the controller`, accepted: 'one controller at most', fix: 'leave "controller" to one of them' });
}

function wrongType(value: unknown, wanted: string, findings: StructureFindings): void {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  findings.add('metadata', {
    message: `${shownValue(value)} is not ${wanted}`, fix: isScalar && wanted === 'a string' ? 'put it in quotes' : `write ${wanted}`,
  });
}

function isNamed(name: unknown): boolean {
  return isWritten(name) && name !== '';
}

function isWritten<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}
