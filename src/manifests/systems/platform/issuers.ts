import { oneOf } from './one-of';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
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

/** Issuers of certificates. */
export const ISSUERS: readonly ManifestRule[] = [venafi];
