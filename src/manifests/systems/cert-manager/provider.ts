import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { oneOf } from '../../rules/one-of';
import { Provider } from '../../rules/provider';
import { isSet } from '../../values/fields';

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
  kinds: ['cert-manager.io/ClusterIssuer', 'cert-manager.io/Issuer'],
  example: replaced(ISSUER_TEXT, '    tpp:\n', '    cloud: {apiTokenSecretRef: {name: cloud, key: token}}\n    tpp:\n'),
  check: (object) => (isSet(object, 'spec', 'venafi') ? oneOf(object, ['spec', 'venafi'], ['tpp', 'cloud', 'ngts']) : []),
};

/** cert-manager. */
export const CERT_MANAGER: Provider = {
  name: 'cert-manager',
  title: 'cert-manager',
  kinds: ['Certificate', 'CertificateRequest', 'Issuer'].map((kind) => ({ kind: `cert-manager.io/${kind}` })),
  groups: { 'cert-manager.io': [] },
  namespaces: { 'cert-manager': 'cert-manager runs there, with its certificate authorities' },
  rules: [venafi],
};
