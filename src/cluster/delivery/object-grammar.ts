import { DELIVERY_RULES } from './rules';
import { groupKind, groupOf, ManifestObject } from '../../manifests/manifest-object';
import { Problem } from '../../problems/problem';
import { DATA_KEYS, isDataKey } from '../../values/data-key';
import { checkDnsLabel, checkDnsSubdomain } from '../../values/dns';
import { Fields, isFields } from '../../values/fields';
import { checkAnnotations, checkLabels } from '../../values/labels';

/** Kinds whose names are DNS labels. Those of Services may start with a digit from Kubernetes 1.36 on (RelaxedServiceNameValidation). */
const LABEL_NAMES: readonly string[] = ['/Namespace', '/Service'];

/** Kinds whose names need only be a part of a URL's path (kubernetes/kubernetes pkg/apis/rbac and pkg/apis/certificates, validation). */
const PATH_NAMES: readonly string[] = [
  ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((kind) => `rbac.authorization.k8s.io/${kind}`),
  'certificates.k8s.io/CertificateSigningRequest',
];

/** Groups that are not served by Kubernetes itself: who serves them decides on names. */
const AGGREGATED_GROUPS: readonly string[] = ['projectcalico.org'];

const KEYED: readonly string[] = ['/ConfigMap', '/Secret'];

/**
 * Checks an object's name and namespace, the keys and values of its labels, the keys of its annotations, and those of a ConfigMap's or
 * Secret's data, as the tenant's API server will: a single bad one fails the whole delivery there.
 *
 * @param manifest the object as it is written
 * @param who how people call the object
 * @param property the delivery that it is in
 */
export function checkGrammar(manifest: ManifestObject, who: string, property: string): Problem[] {
  const { name, namespace, labels, annotations } = isFields(manifest.metadata) ? manifest.metadata : {};
  return [
    ...checkText(name, (text) => nameFault(manifest, text), who, property, 'rename the object'),
    ...checkText(namespace, checkDnsLabel, who, property, 'correct metadata.namespace'),
    ...[...checkLabels(texts(labels)), ...checkAnnotations(texts(annotations))].map(({ path: [key], message }) => ({
      rule: DELIVERY_RULES.manifestLabel, property, message: `${who}: ${message}`, fix: `correct or remove "${key}"`, _text: String(key),
    })),
    ...(KEYED.includes(groupKind(manifest)) ? dataKeys(manifest).filter((key) => !isDataKey(key)).map((key) => ({
      rule: DELIVERY_RULES.manifestKey, property, message: `${who} has the key ${JSON.stringify(key)} in its data`, accepted: DATA_KEYS, fix: 'rename the key',
    })) : []),
  ];
}

/** Names of custom resources are DNS names, whatever their kind (apiextensions-apiserver pkg/registry/customresource/validator.go). */
function nameFault(manifest: ManifestObject, name: string): string | undefined {
  const kind = groupKind(manifest);
  if (AGGREGATED_GROUPS.includes(groupOf(manifest))) return undefined;
  if (PATH_NAMES.includes(kind)) return /^\.{0,2}$|[/%]/.test(name) ? `"${name}" is empty, "." or "..", or has a "/" or "%"` : undefined;
  return LABEL_NAMES.includes(kind) ? checkDnsLabel(name) : checkDnsSubdomain(name);
}

function checkText(text: unknown, faultOf: (text: string) => string | undefined, who: string, property: string, fix: string): Problem[] {
  const fault = typeof text === 'string' ? faultOf(text) : undefined;
  return fault === undefined ? [] : [{ rule: DELIVERY_RULES.manifestName, property, message: `${who}: ${fault}`, fix, _text: text as string }];
}

function texts(map: unknown): Readonly<Record<string, string>> {
  return isFields(map) ? map as Readonly<Record<string, string>> : {};
}

function dataKeys(manifest: ManifestObject): string[] {
  const parts: Fields[] = [manifest.data, manifest.binaryData, manifest.stringData].filter(isFields);
  return [...new Set(parts.flatMap((part) => Object.keys(part)))];
}
