import { KUBERNETES_RULES } from '../../../src/manifests/kubernetes/kubernetes-rules';
import { detailsIn, testRules } from '../rules/rules-under-test';

testRules(KUBERNETES_RULES);

const OF_INDEXED_JOBS = ['backoffLimitPerIndex: 1', 'maxFailedIndexes: 1', 'successPolicy: {rules: [{succeededCount: 1}]}'];

test.each(OF_INDEXED_JOBS)('a Job with %s needs the completion mode Indexed', (field) => {
  const faults = (more: string) => detailsIn(KUBERNETES_RULES, `apiVersion: batch/v1
kind: Job
metadata: {name: import, namespace: acme}
spec:
  completions: 3
  ${field}
  ${more}
  template:
    spec:
      restartPolicy: Never
      containers: [{name: import, image: "registry.example.com/import:v1"}]
`).map(({ id, path }) => [id, path.join('.')]);

  expect(faults('')).toEqual([['TC-ADMIT-KUBERNETES-JOB', `spec.${field.split(':')[0]}`]]);
  expect(faults('completionMode: Indexed')).toEqual([]);
});
