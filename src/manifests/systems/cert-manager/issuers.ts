import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, FieldPath, isFields, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

export const ISSUER = 'cert-manager.io/Issuer';
export const CLUSTER_ISSUER = 'cert-manager.io/ClusterIssuer';
const CERTIFICATES: readonly string[] = ['cert-manager.io/Certificate', 'cert-manager.io/CertificateRequest'];
const ANNOTATED: readonly string[] = ['networking.k8s.io/Ingress', 'gateway.networking.k8s.io/Gateway'];

/** Annotations, and the kind of the issuer that each names. */
const ANNOTATIONS: Readonly<Record<string, string>> = { 'cert-manager.io/issuer': ISSUER, 'cert-manager.io/cluster-issuer': CLUSTER_ISSUER };

/** The prefix of annotations until cert-manager 0.10. */
const OLD_PREFIX = 'certmanager.k8s.io/';

/** Annotations of cert-manager 0.10 whose names changed beside the prefix; undefined if they have no successor. */
const RENAMED: ReadonlyMap<string, string | undefined> = new Map([
  ['acme-challenge-type', undefined],
  ['acme-dns01-provider', undefined],
  ['acme-http01-edit-in-place', 'acme.cert-manager.io/http01-edit-in-place'],
  ['acme-http01-ingress-class', 'acme.cert-manager.io/http01-ingress-class'],
]);

const ISSUER_TEXT = `apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: letsencrypt
spec:
  selfSigned: {}
`;
const CERTIFICATE_TEXT = `apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: web
  namespace: shop
spec:
  secretName: web-tls
  dnsNames: [web.example.com]
  issuerRef: {name: letsencrypt, kind: ClusterIssuer}
`;

/** An issuer that an object names. */
interface NamedIssuer {
  readonly kind: string;
  readonly name: string;
  readonly path: FieldPath;

  /** Fix by which the issuer of the other kind is taken. */
  readonly remedy: string;
}

const kindOfIssuer: ManifestRule = {
  id: 'TC-TRAP-CERT-MANAGER-ISSUER-KIND',
  title: 'The issuer of a certificate must be of the kind that is named, which is Issuer by default: no certificate is issued otherwise.',
  source: 'cert-manager/cert-manager pkg/apis/meta/v1/types.go (IssuerReference), pkg/issuer/helper.go (GetGenericIssuer), '
    + 'pkg/controller/certificate-shim/sync.go (issuerForIngressLike), v1.21.1',
  kinds: [...CERTIFICATES, ...ANNOTATED],
  trap: true,
  example: replaced(documents(ISSUER_TEXT, CERTIFICATE_TEXT), ', kind: ClusterIssuer', ''),
  check: (object, index) => namedIssuers(object).flatMap((issuer) => issuerFindings(issuer, object, index)),
};

const NAMED = new Lookup([ISSUER, CLUSTER_ISSUER], (issuer) => [groupKind(issuer), nameOf(issuer)]);

function issuerFindings({ kind, name, path, remedy }: NamedIssuer, object: ManifestObject, index: ManifestIndex): Finding[] {
  const namespace = namespaceOf(object);
  const all = NAMED.find(index, kind, name);
  if (kind === CLUSTER_ISSUER ? all.length > 0 : index.find(kind, namespace, name)) return [];
  const [own, other] = [kind, kind === ISSUER ? CLUSTER_ISSUER : ISSUER].map((one) => one.slice(one.indexOf('/') + 1));
  const others = NAMED.find(index, kind === ISSUER ? CLUSTER_ISSUER : ISSUER, name);
  const isOfOtherKind = others.some((one) => kind === ISSUER || [namespace, undefined].includes(namespaceOf(one)));
  if (isOfOtherKind) return [{ path, message: `"${name}" is of the kind ${other} among the manifests that were read, and cert-manager looks for one of the kind ${own}`, fix: remedy }];
  const places = all.map((one) => namespaceOf(one));
  return places.length === 0 || namespace === undefined || places.includes(undefined) ? [] : [{
    path, message: `the Issuer "${name}" is in the namespace "${places[0]}", and serves no other`, fix: 'make it a ClusterIssuer, or add an Issuer to this namespace',
  }];
}

/** The issuers that an object names. */
export function namedIssuers(object: ManifestObject): NamedIssuer[] {
  if (ANNOTATED.includes(groupKind(object))) {
    // With these, another kind or group is meant.
    const annotations = fieldAt(object, 'metadata', 'annotations');
    if (!isFields(annotations) || ['cert-manager.io/issuer-kind', 'cert-manager.io/issuer-group'].some((name) => annotations[name] !== undefined)) return [];
    return Object.entries(ANNOTATIONS).flatMap(([annotation, kind]) => {
      const name = annotations[annotation];
      const other = Object.keys(ANNOTATIONS).find((one) => one !== annotation)!;
      return typeof name === 'string' ? [{ kind, name, path: ['metadata', 'annotations', annotation], remedy: `write the annotation ${other}` }] : [];
    });
  }
  const reference = fieldAt(object, 'spec', 'issuerRef');
  const [name, kind = 'Issuer', group = 'cert-manager.io'] = ['name', 'kind', 'group'].map((field) => stringAt(reference, field) || undefined);
  const full = `cert-manager.io/${kind}`;
  if (name === undefined || group !== 'cert-manager.io' || ![ISSUER, CLUSTER_ISSUER].includes(full)) return [];
  return [{ kind: full, name, path: ['spec', 'issuerRef', 'name'], remedy: `write kind: ${full === ISSUER ? 'ClusterIssuer' : 'Issuer'}` }];
}

const INGRESS_TEXT = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations:
    cert-manager.io/cluster-issuer: letsencrypt
spec:
  tls: [{hosts: [web.example.com], secretName: web-tls}]
  rules:
    - host: web.example.com
      http:
        paths:
          - {path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}
`;

const oldAnnotation: ManifestRule = {
  id: 'TC-TRAP-CERT-MANAGER-ANNOTATION',
  title: 'Annotations for cert-manager must have a prefix of cert-manager.io, not certmanager.k8s.io: those of releases before 0.11 are ignored.',
  source: 'cert-manager/cert-manager pkg/apis/certmanager/v1/types.go (IngressIssuerNameAnnotationKey), v1.21.1; cert-manager/website content/docs/releases/upgrading/upgrading-0.10-0.11.md',
  kinds: ANNOTATED,
  trap: true,
  example: replaced(INGRESS_TEXT, 'cert-manager.io/cluster-issuer', 'certmanager.k8s.io/cluster-issuer'),
  check: (object) => {
    const annotations = fieldAt(object, 'metadata', 'annotations');
    return Object.keys(isFields(annotations) ? annotations : {}).filter((name) => name.startsWith(OLD_PREFIX)).map((name) => {
      const old = name.slice(OLD_PREFIX.length);
      const successor = RENAMED.has(old) ? RENAMED.get(old) : `cert-manager.io/${old}`;
      return {
        path: ['metadata', 'annotations', name],
        message: 'cert-manager ignores this annotation since 0.11',
        fix: successor === undefined ? 'remove it, and write a solver into the issuer (spec.acme.solvers)' : `write ${successor}`,
      };
    });
  },
};

/** Rules over issuers that other objects name. */
export const ISSUERS: readonly ManifestRule[] = [kindOfIssuer, oldAnnotation];
