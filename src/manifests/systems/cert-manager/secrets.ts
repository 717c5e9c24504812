import { CERTIFICATE } from './durations';
import { CLUSTER_ISSUER, ISSUER } from './issuers';
import { nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { Lookup } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, isFields, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

const AUTHORITY_TEXT = `apiVersion: cert-manager.io/v1
kind: Issuer
metadata: {name: company, namespace: shop}
spec: {ca: {secretName: company-ca}}
`;
const CERTIFICATE_TEXT = `apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: web, namespace: shop}
spec:
  secretName: web-tls
  dnsNames: [web.example.com]
  issuerRef: {name: company, kind: Issuer}
`;

const authority: ManifestRule = {
  id: 'TC-TRAP-CERT-MANAGER-AUTHORITY-SECRET',
  title: 'A certificate must not be written into the Secret with the authority that signs it: it would replace the authority.',
  source: 'cert-manager/cert-manager pkg/controller/certificaterequests/sync.go (Sync), v1.21.1',
  kinds: [CERTIFICATE],
  trap: true,
  example: replaced(documents(CERTIFICATE_TEXT, AUTHORITY_TEXT), 'secretName: web-tls', 'secretName: company-ca'),
  check: (object, index) => {
    const [secret, name] = [stringAt(object, 'spec', 'secretName'), stringAt(object, 'spec', 'issuerRef', 'name')];
    // The Secret of a ClusterIssuer is in the namespace of cert-manager.
    const issuer = (stringAt(object, 'spec', 'issuerRef', 'kind') ?? 'Issuer') === 'Issuer' ? index.find(ISSUER, namespaceOf(object), name) : undefined;
    return secret === undefined || stringAt(issuer, 'spec', 'ca', 'secretName') !== secret ? [] : [{
      path: ['spec', 'secretName'], message: `the Issuer "${name}" takes its authority from the Secret "${secret}"`, fix: 'choose another name for the Secret of the certificate',
    }];
  },
};

const BY_SECRET = new Lookup([CERTIFICATE], (certificate) => [namespaceOf(certificate), stringAt(certificate, 'spec', 'secretName')]);

const shared: ManifestRule = {
  id: 'TC-TRAP-CERT-MANAGER-SHARED-SECRET',
  title: 'Two certificates must not be written into one Secret: each is issued anew whenever the other one has been, without end.',
  source: 'cert-manager/cert-manager internal/controller/certificates/policies/checks.go (SecretCertificateNameAnnotationsMismatch), v1.21.1',
  kinds: [CERTIFICATE],
  trap: true,
  example: replaced(documents(CERTIFICATE_TEXT, CERTIFICATE_TEXT.replace('name: web,', 'name: shop,').replace('web-tls', 'shop-tls')), 'shop-tls', 'web-tls'),
  check: (object, index) => {
    const secret = stringAt(object, 'spec', 'secretName');
    // Certificates without a namespace may get different ones.
    const [first] = secret === undefined || namespaceOf(object) === undefined ? [] : BY_SECRET.find(index, namespaceOf(object), secret);
    // Overlays of kustomize hold parts of an object.
    return first === undefined || nameOf(first) === nameOf(object) ? [] : [{
      path: ['spec', 'secretName'], message: `the certificate "${nameOf(first)}" is written into the Secret "${secret}", too`, fix: 'choose another name for one of the Secrets',
    }];
  },
};

/** Namespaces that cert-manager may be in where its installation is not among the manifests. */
const USUAL_NAMESPACES: readonly string[] = ['cert-manager', 'kube-system'];

const ISSUER_TEXT = `apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: letsencrypt}
spec:
  acme:
    server: https://acme-v02.api.letsencrypt.org/directory
    privateKeySecretRef: {name: letsencrypt}
    solvers:
      - dns01: {cloudflare: {apiTokenSecretRef: {name: cloudflare, key: token}}}
`;
const SECRET_TEXT = `apiVersion: v1
kind: Secret
metadata: {name: cloudflare, namespace: cert-manager}
stringData: {token: placeholder}
`;

const SECRETS = new Lookup(['/Secret'], (secret) => [nameOf(secret)]);
const CERTIFICATES = new Lookup([CERTIFICATE], (certificate) => [namespaceOf(certificate), stringAt(certificate, 'spec', 'issuerRef', 'name')]);

const clusterSecret: ManifestRule = {
  id: 'TC-TRAP-CERT-MANAGER-CLUSTER-SECRET',
  title: 'Secrets of a ClusterIssuer must be in the namespace of cert-manager, not in that of its certificates: no certificate is issued otherwise.',
  source: 'cert-manager/cert-manager cmd/controller/app/options/options.go (cluster-resource-namespace), deploy/charts/cert-manager/templates/deployment.yaml, v1.21.1',
  kinds: [CLUSTER_ISSUER],
  trap: true,
  example: {
    failing: documents(ISSUER_TEXT, SECRET_TEXT.replace('namespace: cert-manager', 'namespace: shop'), certificateOfCluster()),
    corrected: documents(ISSUER_TEXT, SECRET_TEXT, certificateOfCluster()),
  },
  check: (object, index) => secretsIn(fieldAt(object, 'spec'), ['spec']).flatMap(({ name, path }): Finding[] => {
    const places = SECRETS.find(index, name).map((secret) => namespaceOf(secret));
    const [place] = places;
    // With other values of its chart, cert-manager looks elsewhere: the namespace of a certificate says that the Secret was put beside it.
    const isBeside = place !== undefined && !places.some((one) => one === undefined || USUAL_NAMESPACES.includes(one))
      && places.every((one) => CERTIFICATES.find(index, one, nameOf(object)).length > 0);
    return isBeside ? [{ path, message: `the Secret "${name}" is in the namespace "${place}", and cert-manager looks for it in its own`, fix: 'put the Secret into the namespace of cert-manager, or make this an Issuer' }] : [];
  }),
};

function certificateOfCluster(): string {
  return CERTIFICATE_TEXT.replace('name: company, kind: Issuer', 'name: letsencrypt, kind: ClusterIssuer');
}

/** Fields that name a Secret which a user writes: keys of ACME accounts are made. */
function secretsIn(value: unknown, path: readonly (string | number)[]): { readonly name: string; readonly path: readonly (string | number)[] }[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => secretsIn(entry, [...path, index]));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    const name = field.endsWith('SecretRef') && field !== 'privateKeySecretRef' ? stringAt(inner, 'name') : undefined;
    return name === undefined ? secretsIn(inner, [...path, field]) : [{ name, path: [...path, field, 'name'] }];
  });
}

const group: ManifestRule = {
  id: 'TC-TRAP-CERT-MANAGER-ISSUER-GROUP',
  title: 'The group of the issuer of a certificate must be an API group without a version: no controller signs the certificate otherwise.',
  source: 'cert-manager/cert-manager pkg/controller/certificaterequests/sync.go (IssuerRef.Group), issue 3283, v1.21.1',
  kinds: [CERTIFICATE, 'cert-manager.io/CertificateRequest'],
  trap: true,
  example: replaced(CERTIFICATE_TEXT, 'kind: Issuer}', 'kind: Issuer, group: cert-manager.io/v1}'),
  check: (object) => {
    const path = ['spec', 'issuerRef', 'group'];
    const [name, version] = stringAt(object, ...path)?.split('/') ?? [];
    return version === undefined ? [] : [{ path, message: `"${name}/${version}" is an apiVersion, and no group`, fix: `write ${name}` }];
  },
};

const kind: ManifestRule = {
  id: 'TC-ADMIT-CERT-MANAGER-ISSUER-KIND',
  title: 'An issuer of cert-manager\'s own group must be an Issuer or a ClusterIssuer.',
  source: 'cert-manager/cert-manager internal/apis/certmanager/validation/certificate.go (validateIssuerRef), v1.21.1',
  kinds: [CERTIFICATE],
  example: replaced(CERTIFICATE_TEXT, 'kind: Issuer}', 'kind: StepIssuer}'),
  check: (object) => {
    const [given, of] = ['kind', 'group'].map((field) => stringAt(object, 'spec', 'issuerRef', field) ?? '');
    return !['', 'cert-manager.io'].includes(of) || ['', 'Issuer', 'ClusterIssuer'].includes(given) ? [] : [{
      path: ['spec', 'issuerRef', 'kind'], message: `there is no ${given} in the group cert-manager.io`, accepted: 'Issuer, ClusterIssuer', fix: 'write one of them, or the group of the issuer',
    }];
  },
};

/** Addresses at the domains for examples (RFC 2606). */
const EXAMPLE_DOMAIN = /@example\.(?:com|net|org)$/i;

/** Servers of Let's Encrypt, production and staging. */
const LETS_ENCRYPT = /^https:\/\/acme(?:-staging)?-v\d+\.api\.letsencrypt\.org\//;

const contact: ManifestRule = {
  id: 'TC-TRAP-CERT-MANAGER-CONTACT',
  title: 'The email address of an account of Let\'s Encrypt must not be at example.com, example.net or example.org: no account is made otherwise.',
  source: 'letsencrypt/boulder policy/pa.go (ValidEmail), wfe2/wfe.go (contactsToEmails), cert-manager/cert-manager issue 650',
  kinds: [ISSUER, CLUSTER_ISSUER],
  trap: true,
  // Examples have such addresses, which users replace.
  warning: true,
  example: replaced(ISSUER_TEXT.replace('    privateKeySecretRef', '    email: certificates@company.io\n    privateKeySecretRef'), 'company.io', 'example.com'),
  check: (object) => {
    const email = stringAt(object, 'spec', 'acme', 'email') ?? '';
    return EXAMPLE_DOMAIN.test(email) && LETS_ENCRYPT.test(stringAt(object, 'spec', 'acme', 'server') ?? '')
      ? [{ path: ['spec', 'acme', 'email'], message: `Let's Encrypt makes no account for ${JSON.stringify(email)}`, fix: 'write an address of yours, or leave it out' }] : [];
  },
};

/** Rules over the Secrets of issuers and certificates, and over their references. */
export const CERTIFICATE_SECRETS: readonly ManifestRule[] = [authority, shared, clusterSecret, group, kind, contact];
