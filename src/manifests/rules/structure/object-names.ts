import { groupKind, groupOf, ManifestObject } from '../../objects/manifest-object';
import { checkDnsLabel, checkDnsSubdomain, DNS_LABEL_MAX_LENGTH, DNS_SUBDOMAIN_MAX_LENGTH } from '../../values/dns';
import { parseIp } from '../../values/ip-address';

/** What names of objects look like. */
export interface NameGrammar {
  /** What is wrong with a name. */
  readonly check: (name: string) => string | undefined;

  /** Longest name, in characters. */
  readonly longest: number;

  /** The likeliest right name in place of a wrong one; undefined where there is none. */
  readonly proposal: (name: string) => string | undefined;
}

/** Names, by what they have to be. */
export const NAMES = {
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

/** What the names of an object's kind look like. */
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
