import { HELM_RELEASE_TEXT } from '../../../../../src/manifests/systems/flux/rules/examples';
import { VALUES_SOURCES } from '../../../../../src/manifests/systems/flux/rules/values-sources';
import { findings } from '../../../rules/rules-under-test';

/** Source: fluxcd/pkg chartutil/values.go (ChartValuesFromReferences). */
test.each<[string, string, boolean]>([
  ['a key that is not there', 'valuesKey: extra.yaml', true],
  ['an optional key that is not there', 'valuesKey: extra.yaml, optional: true', false],
  ['a key that is there', 'valuesKey: values.yaml', false],
])('%s', (_, reference, isFound) => {
  const values = '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: tenant-acme}\ndata: {values.yaml: "a: b"}\n';
  const found = findings(VALUES_SOURCES, `${HELM_RELEASE_TEXT}  valuesFrom:\n    - {kind: ConfigMap, name: own, ${reference}}\n${values}`);
  expect(found.some((line) => line.startsWith('TC-TRAP-FLUX-VALUES-SOURCE'))).toBe(isFound);
});
