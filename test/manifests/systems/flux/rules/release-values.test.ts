import { HELM_RELEASE_TEXT } from '../../../../../src/manifests/systems/flux/rules/examples';
import { RELEASE_VALUES } from '../../../../../src/manifests/systems/flux/rules/release-values';
import { findings, testRules } from '../../../rules/rules-under-test';

testRules(RELEASE_VALUES);

/** Measured with ChartValuesFromReferences of fluxcd/pkg chartutil v1.27.1. */
test.each<[string, string, string[], boolean]>([
  ['of its own at the top', 'host: own', ['host'], true],
  ['of its own further down', 'ingress: {enabled: true, host: own}', ['ingress.host'], false],
  ['of its own further down, after another path', 'ingress: {enabled: true, host: own}', ['class', 'ingress.host'], true],
  ['of its own further down, after a path that may be missing', 'ingress: {enabled: true, host: own}', ['class, optional: true', 'ingress.host'], false],
  ['beside its own', 'ingress: {enabled: true}', ['class', 'ingress.host'], false],
])('a value for a path %s', (_, values, paths, isReplaced) => {
  const references = paths.map((path) => `    - {kind: Secret, name: acme-values, valuesKey: value, targetPath: ${path}}\n`).join('');
  const place = `TC-TRAP-FLUX-VALUES-TARGET spec.valuesFrom.${paths.length - 1}.targetPath`;

  expect(findings(RELEASE_VALUES, `${HELM_RELEASE_TEXT}  values: {${values}}\n  valuesFrom:\n${references}`).map((line) => line.split(':')[0])).toEqual(isReplaced ? [place] : []);
});
