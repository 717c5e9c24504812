import { CLUSTER_ISSUER, ISSUER, namedIssuers } from './issuers';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { selects } from '../../rules/label-selectors';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';

const CERTIFICATE = 'cert-manager.io/Certificate';
const INGRESS = 'networking.k8s.io/Ingress';

const ISSUER_TEXT = `apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: letsencrypt
spec:
  acme:
    server: https://acme-v02.api.letsencrypt.org/directory
    privateKeySecretRef: {name: letsencrypt}
    solvers:
      - http01: {ingress: {ingressClassName: nginx}}
      - dns01: {cloudflare: {apiTokenSecretRef: {name: cloudflare, key: token}}}
        selector: {dnsZones: [example.com]}
`;
const CERTIFICATE_TEXT = `apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: web
  namespace: shop
spec:
  secretName: web-tls
  dnsNames: ["*.example.com"]
  issuerRef: {name: letsencrypt, kind: ClusterIssuer}
`;

const ISSUERS_BY_NAME = new Lookup([CLUSTER_ISSUER, ISSUER], (issuer) => [groupKind(issuer), nameOf(issuer)]);

const solver: ManifestRule = {
  id: 'TC-TRAP-CERT-MANAGER-SOLVER',
  title: 'A solver of an ACME issuer must select each DNS name of a certificate, and be one of dns01 for names with a wildcard: no certificate is issued otherwise.',
  source: 'cert-manager/cert-manager pkg/util/solverpicker, pkg/controller/acmeorders/util.go (buildPartialRequiredChallenges), v1.21.1; letsencrypt.org/docs/challenge-types',
  kinds: [CERTIFICATE, INGRESS],
  trap: true,
  example: replaced(documents(ISSUER_TEXT, CERTIFICATE_TEXT), 'dnsZones: [example.com]', 'dnsZones: [example.org]'),
  check: (object, index) => namedIssuers(object).flatMap(({ kind, name }) => {
    const issuer = issuerOf(kind, name, object, index);
    const solvers = objectsAt(issuer, 'spec', 'acme', 'solvers').map(([one]) => one);
    // Authorities that know an account may have proved its names before, and ask for no proof.
    const isKnown = isSet(issuer, 'spec', 'acme', 'externalAccountBinding');
    return issuer === undefined || solvers.length === 0 || isKnown ? [] : nameFindings(object, solvers, String(nameOf(issuer)));
  }),
};

/** The issuer, if no other of its name is among the manifests: those of several clusters may differ. */
function issuerOf(kind: string, name: string, object: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const all = ISSUERS_BY_NAME.find(index, kind, name).filter((issuer) => kind === CLUSTER_ISSUER || namespaceOf(issuer) === namespaceOf(object));
  return all.length === 1 ? all[0] : undefined;
}

function nameFindings(object: ManifestObject, solvers: readonly Fields[], issuer: string): Finding[] {
  const labels = fieldAt(object, 'metadata', 'labels');
  return namesIn(object).filter(({ name }) => !/[{$]/.test(name)).flatMap(({ name, path }): Finding[] => {
    const selecting = solvers.filter(({ selector }) => selectsName(selector, name, isFields(labels) ? labels : {}));
    if (selecting.length === 0) return [{ path, message: `no solver of the issuer "${issuer}" selects "${name}"`, fix: 'add its zone to the selector of a solver, or leave the name out' }];
    return !name.startsWith('*.') || selecting.some((one) => isSet(one, 'dns01')) ? [] : [{
      path, message: `solvers of the issuer "${issuer}" that select "${name}" are none of dns01, by which alone names with a wildcard are proved`, fix: 'add a solver of dns01, or write the names without a wildcard',
    }];
  });
}

function namesIn(object: ManifestObject): { readonly name: string; readonly path: FieldPath }[] {
  if (groupKind(object) === CERTIFICATE) {
    const common = stringAt(object, 'spec', 'commonName');
    return [
      ...stringsAt(object, 'spec', 'dnsNames').map(([name, at]) => ({ name, path: ['spec', 'dnsNames', at] })),
      ...(common === undefined || common === '' ? [] : [{ name: common, path: ['spec', 'commonName'] }]),
    ];
  }
  return objectsAt(object, 'spec', 'tls').flatMap(([entry, at]) => stringsAt(entry, 'hosts').map(([name, number]) => ({ name, path: ['spec', 'tls', at, 'hosts', number] })));
}

function selectsName(selector: unknown, name: string, labels: Fields): boolean {
  const [names, zones] = ['dnsNames', 'dnsZones'].map((field) => stringsAt(selector, field).map(([value]) => value.toLowerCase().replace(/\.$/, '')));
  const wanted = name.toLowerCase();
  return selects(selector, labels) && (names.length === 0 || names.includes(wanted))
    && (zones.length === 0 || zones.some((zone) => wanted === zone || wanted.endsWith(`.${zone}`)));
}

/** Rules over solvers of ACME issuers. */
export const SOLVERS: readonly ManifestRule[] = [solver];
