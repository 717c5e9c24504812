import { STRUCTURE_CHECK } from '../../../../../src/manifests/validation/manifest-rules';
import { objectsIn } from '../../../rules/rules-under-test';

function fixes(version: string, args: string): string[] {
  const [object] = objectsIn(`apiVersion: bootstrap.cluster.x-k8s.io/${version}
kind: KubeadmConfigTemplate
metadata: {name: a, namespace: t}
spec: {template: {spec: {joinConfiguration: {nodeRegistration: {kubeletExtraArgs: ${args}}}}}}
`);
  return STRUCTURE_CHECK.check(object).map(({ path, fix }) => `${path.at(-1)}: ${fix}`);
}

test('arguments as v1beta1 has them are shown as v1beta2 has them', () => {
  expect(fixes('v1beta2', '{cloud-provider: external, v: 2}')).toEqual([
    'kubeletExtraArgs: write a list of names and values: [{name: "cloud-provider", value: "external"}, {name: "v", value: "2"}]',
  ]);
  expect(fixes('v1beta2', '{a: "1", b: "2", c: "3", d: "4"}')[0]).toMatch(/, …\]$/);
  expect(fixes('v1beta1', '{cloud-provider: external}')).toEqual([]);
  expect(fixes('v1beta2', '[{name: cloud-provider, value: external}]')).toEqual([]);
});
