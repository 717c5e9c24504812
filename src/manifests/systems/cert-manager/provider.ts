import { CERTIFICATE, DURATIONS } from './durations';
import { CLUSTER_ISSUER, ISSUER, ISSUERS } from './issuers';
import { CERTIFICATE_SECRETS } from './secrets';
import { SOLVERS } from './solvers';
import { ManifestObject } from '../../objects/manifest-object';
import { Effect } from '../../rules/changes/effects';
import { ComponentFacts, stepFault } from '../../rules/components';
import { changedText, replaced } from '../../rules/example-text';
import { MadeSecret } from '../../rules/made-secrets';
import { ManifestRule } from '../../rules/manifest-rule';
import { oneOf } from '../../rules/one-of';
import { Provider } from '../../rules/provider';
import { FieldPath, isSet, objectsAt, stringAt } from '../../values/fields';

const ISSUER_TEXT = `apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: company
spec:
  venafi:
    zone: default
    tpp:
      url: https://tpp.example.com/vedsdk
      credentialsRef: {name: tpp}
`;

const venafi: ManifestRule = {
  id: 'TC-ADMIT-CERT-MANAGER-VENAFI',
  title: 'An issuer of the type venafi must have exactly one of tpp, cloud and ngts.',
  source: 'cert-manager/cert-manager deploy/crds (x-kubernetes-validations)',
  kinds: [CLUSTER_ISSUER, ISSUER],
  example: replaced(ISSUER_TEXT, '    tpp:\n', '    cloud: {apiTokenSecretRef: {name: cloud, key: token}}\n    tpp:\n'),
  check: (object) => (isSet(object, 'spec', 'venafi') ? oneOf(object, ['spec', 'venafi'], ['tpp', 'cloud', 'ngts']) : []),
};

const TITLE = 'cert-manager';

const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: cert-manager
  namespace: flux-system
spec:
  interval: 10m
  chart:
    spec:
      chart: cert-manager
      version: v1.18.2
      sourceRef: {kind: HelmRepository, name: jetstack}
  releaseName: cert-manager
  targetNamespace: cert-manager
  storageNamespace: cert-manager
  install:
    strategy: {name: RetryOnFailure, retryInterval: 30s}
`;

const COMPONENT: ComponentFacts = {
  title: TITLE,
  charts: { 'cert-manager': undefined },
  images: ['jetstack/cert-manager-controller'],
  releases: ['https://github.com/cert-manager/cert-manager/releases/download/'],
  upgrades: {
    id: 'TC-CHANGE-CERT-MANAGER-RELEASE',
    title: 'The minor release of cert-manager should rise by one at a time.',
    source: 'cert-manager.io/docs/installation/upgrade',
    warning: true,
    example: changedText(RELEASE_TEXT, { 'v1.18.2': 'v1.20.0' }, { 'v1.18.2': 'v1.19.1' }),
    faultOf: (upgrade) => stepFault(TITLE, upgrade, { most: 1 }),
  },
  effects: () => ({ effect: Effect.IN_PLACE, notes: ['its controllers and webhook restart; certificates stay as they are'] }),
};

const SECRET_NAME: FieldPath = ['spec', 'secretName'];

function certificateSecrets(object: ManifestObject): readonly MadeSecret[] {
  const name = stringAt(object, ...SECRET_NAME);
  return name === undefined ? [] : [{ name, field: SECRET_NAME }];
}

/** Annotations that have a Certificate made for each TLS Secret of an Ingress or a Gateway: cert-manager/cert-manager pkg/apis/certmanager/v1/types.go. */
const ISSUED: readonly string[] = ['cert-manager.io/cluster-issuer', 'cert-manager.io/issuer', 'kubernetes.io/tls-acme'];

function isIssued(object: ManifestObject): boolean {
  return ISSUED.some((name) => isSet(object, 'metadata', 'annotations', name));
}

/** The Certificates of an Ingress have it as their owner: cert-manager/cert-manager pkg/controller/certificate-shim/sync.go (buildCertificates). */
function ingressSecrets(object: ManifestObject): readonly MadeSecret[] {
  if (!isIssued(object)) return [];
  return objectsAt(object, 'spec', 'tls').flatMap(([tls, index]) => {
    const name = stringAt(tls, 'secretName');
    return name === undefined ? [] : [{ name, field: ['spec', 'tls', index, 'secretName'] }];
  });
}

function gatewaySecrets(object: ManifestObject): readonly MadeSecret[] {
  if (!isIssued(object)) return [];
  return objectsAt(object, 'spec', 'listeners').flatMap(([listener, index]) => (
    objectsAt(listener, 'tls', 'certificateRefs').flatMap(([reference, position]) => {
      const name = stringAt(reference, 'name');
      return name === undefined ? [] : [{ name, field: ['spec', 'listeners', index, 'tls', 'certificateRefs', position] }];
    })));
}

/** cert-manager. */
export const CERT_MANAGER: Provider = {
  name: 'cert-manager',
  title: 'cert-manager',
  kinds: ['Certificate', 'CertificateRequest', 'Issuer'].map((kind) => ({ kind: `cert-manager.io/${kind}` })),
  managers: [{ name: 'cert-manager*', role: 'controller', title: 'cert-manager', source: 'cert-manager/cert-manager pkg/util/useragent.go (RestConfigWithUserAgent)' }],
  groups: { 'cert-manager.io': [] },
  namespaces: { 'cert-manager': 'cert-manager runs there, with its certificate authorities' },
  rules: [venafi, ...ISSUERS, ...DURATIONS, ...CERTIFICATE_SECRETS, ...SOLVERS],
  makesSecrets: { [CERTIFICATE]: certificateSecrets, 'networking.k8s.io/Ingress': ingressSecrets, 'gateway.networking.k8s.io/Gateway': gatewaySecrets },
  components: [COMPONENT],
};
