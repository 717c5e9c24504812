import { CLUSTER, controlPlane, Fields, newPool } from './foreign-objects';
import { planMarkdown } from '../../../src/manifests/plan/plan-markdown';
import { plan } from '../../../src/manifests/plan/plan-objects';
import { planText } from '../../../src/manifests/plan/plan-text';
import { planVerdict, Verdict, verdictLines } from '../../../src/manifests/plan/verdict';

const renamed = (objects: readonly Fields[], name: string): Fields[] => JSON.parse(JSON.stringify(objects).replaceAll('acme', name)) as Fields[];
const STATE = [CLUSTER, controlPlane(), newPool()];
const config = (a: string): Fields => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'web' }, data: { a } });
const widget = (size: number): Fields => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'web' }, spec: { size } });

test.each<[what: string, before: readonly Fields[], after: readonly Fields[], verdict: Verdict, isCertain: boolean]>([
  ['nothing', STATE, STATE, Verdict.SAFE, true],
  ['a ConfigMap', [config('a')], [config('b')], Verdict.SAFE, true],
  ['more machines', STATE, [CLUSTER, controlPlane(), newPool({}, { replicas: 3 })], Verdict.SAFE, true],
  ['a new cluster', [], STATE, Verdict.SAFE, true],
  ['an effect that is not known', [widget(1)], [widget(2)], Verdict.DISRUPTS, false],
  ['other machines', STATE, [CLUSTER, controlPlane(), newPool({ failureDomain: 'b' })], Verdict.DISRUPTS, true],
  ['fewer machines', STATE, [CLUSTER, controlPlane(), newPool({}, { replicas: 1 })], Verdict.DISRUPTS, true],
  ['a pool that goes, which a revert makes again', STATE, STATE.slice(0, 2), Verdict.DISRUPTS, true],
  ['a cluster that goes', STATE, [], Verdict.DESTROYS, true],
  ['a version that the webhook refuses, and a cluster that goes', [...STATE, ...renamed(STATE, 'beta')], [CLUSTER, controlPlane({ version: 'v1.36.1' }), newPool()], Verdict.BLOCKED, true],
])('%s', (_, before, after, verdict, isCertain) => {
  expect(planVerdict(plan(before, after))).toMatchObject({ verdict, isCertain });
});

const NAMES = Array.from({ length: 200 }, (_, index) => `t${index}`);
const CHANGES = plan(NAMES.flatMap((name) => renamed(STATE, name)), NAMES.flatMap((name, index) => (index === 99 ? [] : renamed([
  CLUSTER, controlPlane(index === 7 ? { version: 'v1.36.1' } : {}), newPool({ failureDomain: `zone-${index}` }, index === 50 ? { replicas: 1 } : {}),
], name))));

test('the verdict is in the first ten lines, whatever there is', () => {
  const lines = verdictLines(CHANGES);
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(lines[0]).toMatch(/^BLOCKED: 200 of 200 clusters differ \(199 changed, 1 removed\);/);
  expect(lines).toContain('LOST: default/t99: the cluster with 5 machines');
  expect(lines.find((line) => line.startsWith('REFUSED'))).toMatch(/^REFUSED: KubeadmControlPlane default\/t7 spec\.version: it was "v1\.34\.1", and is "v1\.36\.1" now/);
  expect(lines.find((line) => line.startsWith('REPLACED'))).toMatch(/^REPLACED, \d+ machines in all: default\/t0, .* and \d+ more$/);
});

test('the most severe comes first, then the largest', () => {
  const headings = planText(CHANGES, { colors: false, objects: false }).split('\n').filter((line) => line.startsWith('default/'));
  expect(headings.slice(0, 3)).toEqual(['default/t7: changed', 'default/t99: removed', 'default/t50: changed']);
  const markdown = planMarkdown(CHANGES);
  expect([...markdown.matchAll(/^### (\S+):/gm)].slice(0, 3).map(([, name]) => name)).toEqual(['default/t7', 'default/t99', 'default/t50']);
});

test('all names of a group can be found', () => {
  const changes = plan(NAMES.flatMap((name) => renamed(STATE, name)), NAMES.flatMap((name) => renamed([CLUSTER, controlPlane(), newPool({ failureDomain: 'b' })], name)));
  expect(planMarkdown(changes)).toMatch(/<details><summary>all 200 clusters<\/summary>\n\n.*default\/t150, /);
  expect(planText(changes, { colors: false, objects: true })).toMatch(/all: .*default\/t150, /);
});

test('a plan that is safe says what a revert does not undo', () => {
  const eks = (version: string) => ({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'AWSManagedControlPlane', metadata: { name: 'acme', namespace: 'default' }, spec: { version },
  });
  const cluster = { ...CLUSTER, spec: { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'AWSManagedControlPlane', name: 'acme' } } };
  const text = 'control plane: a revert is refused: the minor version of a control plane of AWS must not go down';
  const changes = plan([cluster, eks('v1.33')], [cluster, eks('v1.34')]);

  expect(verdictLines(changes)).toEqual([expect.stringMatching(/^SAFE: /), `NO WAY BACK: default/acme: ${text}`]);
  expect(planVerdict(changes).irreversible).toMatchObject([{ cluster: 'default/acme', text }]);
});
