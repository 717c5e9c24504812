import { ISSUERS } from '../../../../src/manifests/systems/cert-manager/issuers';
import { detailsIn, testRules } from '../../rules/rules-under-test';

testRules(ISSUERS);

test.each([
  ['cluster-issuer', 'write cert-manager.io/cluster-issuer'],
  ['acme-http01-edit-in-place', 'write acme.cert-manager.io/http01-edit-in-place'],
  ['acme-http01-ingress-class', 'write acme.cert-manager.io/http01-ingress-class'],
  ['acme-challenge-type', 'remove it, and write a solver into the issuer (spec.acme.solvers)'],
])('the annotation %s of cert-manager 0.10', (name, fix) => {
  const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop, annotations: {certmanager.k8s.io/${name}: value}}
`;

  expect(detailsIn(ISSUERS, ingress).map((finding) => finding.fix)).toEqual([fix]);
});
