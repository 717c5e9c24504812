import { Duration } from 'cdk8s';
import { autoscalerObjects, autoscalerProblems, ofVersion } from './bound';
import { AutoscalerExpander, ClusterAutoscaler, ClusterAutoscalerOptions } from '../../../../src/constructs/addons/cluster-autoscaler/cluster-autoscaler';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { TolerationOperator } from '../../../../src/manifests/values/taints';
import { clusterContext } from '../../../support/contexts';

const CASES: [id: string, options: ClusterAutoscalerOptions, texts: string[]][] = [
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'v', value: '4' }, { name: 'max-empty-bulk-delete', value: '3' }] }, ['extraArgs[1]: cluster-autoscaler 1.35 has no flag --max-empty-bulk-delete']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'salvo-scale-up', value: 'true' }] }, ['exists from 1.36']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'salvo-scale-up', value: 'true' }], image: 'registry.example.com/a:v1.34.5' }, ['cluster-autoscaler 1.34 has no flag']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'scan-interval', value: '10s' }] }, ['clusterAutoscaler.scanInterval sets it']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'kubeconfig', value: '/a' }] }, ['it works on the tenant']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'max-node-provision-time', value: '1h' }] }, ['size.options.maxNodeProvisionTime']],
  ['TC-CONTROLLER-ARGUMENT', { extraArgs: [{ name: 'force-ds', value: 'maybe' }] }, ['"maybe"', 'true, false']],
  ['TC-CONTROLLER-IMAGE', { image: 'Registry/a b' }, ['clusterAutoscaler.image: "Registry/a b"']],
  ['TC-CONTROLLER-IMAGE', { waitImage: 'https://a/b:1' }, ['clusterAutoscaler.waitImage']],
  ['TC-CONTROLLER-IMAGE-UNPINNED', { image: 'registry.example.com/a' }, ['neither tag nor digest']],
  ['TC-CONTROLLER-IMAGE-UNPINNED', { waitImage: 'busybox:latest' }, ['the tag "latest"', '"busybox@sha256:…"']],
  ['TC-CONTROLLER-RESOURCES', { resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } }, ['resources.requests.memory', '"2Gi" is more than the limit, "1Gi"']],
  ['TC-ADMIT-FIELD-METADATA', { podLabels: { 'a b': 'c' } }, ['podLabels["a b"]']],
  ['TC-CONTROLLER-LABEL', { podLabels: { 'app.kubernetes.io/name': 'c' } }, ['podLabels["app.kubernetes.io/name"]', 'set by the library']],
  ['TC-ADMIT-FIELD-METADATA', { podAnnotations: { 'a b': 'c' } }, ['podAnnotations["a b"]']],
  ['TC-ADMIT-KUBERNETES-POD', { nodeSelector: { zone: 'a b' } }, ['clusterAutoscaler.nodeSelector.zone']],
  ['TC-ADMIT-KUBERNETES-TOLERATION', { tolerations: [{ key: 'a' }, { operator: TolerationOperator.EXISTS, value: 'a' }] }, ['clusterAutoscaler.tolerations[1].value', 'Exists']],
  ['TC-ADMIT-KUBERNETES-POD', { priorityClassName: 'High' }, ['clusterAutoscaler.priorityClassName', '"High"']],
  ['TC-CONTROLLER-OBJECT-NAME', { imagePullSecrets: ['a', 'b_c'] }, ['imagePullSecrets[1]', '"b_c"']],
  ['TC-AUTOSCALER-DURATION', { scanInterval: Duration.seconds(0) }, ['clusterAutoscaler.scanInterval', 'without a break']],
  ['TC-AUTOSCALER-DURATION', { scaleDownUnneededTime: Duration.days(400_000) }, ['clusterAutoscaler.scaleDownUnneededTime', '292 years']],
  ['TC-AUTOSCALER-DURATION', { maxGracefulTermination: Duration.millis(1500) }, ['clusterAutoscaler.maxGracefulTermination: 1.5 seconds']],
  ['TC-AUTOSCALER-SHARE', { scaleDownUtilizationThreshold: 50 }, ['clusterAutoscaler.scaleDownUtilizationThreshold: 50 is not a share']],
  ['TC-AUTOSCALER-COUNT', { maxNodesTotal: -1 }, ['clusterAutoscaler.maxNodesTotal: -1', 'from 0']],
  ['TC-AUTOSCALER-COUNT', { kubeClientQps: 0 }, ['clusterAutoscaler.kubeClientQps: 0', 'from 1']],
  ['TC-AUTOSCALER-COUNT', { kubeClientBurst: 1.5 }, ['clusterAutoscaler.kubeClientBurst: 1.5']],
  ['TC-AUTOSCALER-COUNT', { maxScaleDownParallelism: 0 }, ['clusterAutoscaler.maxScaleDownParallelism: 0', 'from 1']],
  ['TC-AUTOSCALER-EXPANDER', { expanders: [AutoscalerExpander.RANDOM, AutoscalerExpander.RANDOM] }, ['clusterAutoscaler.expanders[1]', 'random', 'position 0']],
  ['TC-AUTOSCALER-EXPANDER', { expanders: [AutoscalerExpander.PRIORITY, AutoscalerExpander.RANDOM, AutoscalerExpander.MOST_PODS] }, ['clusterAutoscaler.expanders[2]', 'random leaves one pool', 'most-pods']],
  ['TC-AUTOSCALER-IGNORED-LABEL', { balancingIgnoredLabels: ['a'] }, ['balanceSimilarNodeGroups: true']],
  ['TC-AUTOSCALER-IGNORED-LABEL', { balanceSimilarNodeGroups: true, balancingIgnoredLabels: ['a', 'b c'] }, ['balancingIgnoredLabels[1]', '"b c"']],
];

test.each(CASES)('%s: %j', (id, options, texts) => {
  const found = autoscalerProblems(options);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['acme', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('TC-CONTROLLER-PRIORITY-CLASS: a class that the management cluster does not have', () => {
  const within = (priorityClasses?: string[]) => autoscalerProblems({ priorityClassName: 'tenant-critical' }, clusterContext({ management: { priorityClasses } }));

  expect(within(['tenants-critical']).map(({ id, text }) => `${id} ${text}`)).toEqual([
    expect.stringMatching(/^TC-CONTROLLER-PRIORITY-CLASS clusterAutoscaler\.priorityClassName: .* no PriorityClass "tenant-critical".*write "tenants-critical"/),
  ]);
  expect(within(['tenant-critical'])).toEqual([]);
  expect(within()).toEqual([]);
});

describe('several infrastructure providers in the management cluster', () => {
  const BOTH = { 'vultr-vultr': 'v0.3.0', 'kubevirt': 'v0.11.2' };

  function warnings(version: string, infrastructureProviders?: { [name: string]: string }, options: ClusterAutoscalerOptions = {}): string[] {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    emitted.mockClear();
    expect(autoscalerProblems(options, { ...ofVersion(version), management: { infrastructureProviders } })).toEqual([]);
    return emitted.mock.calls.map(([text]) => String(text));
  }

  afterEach(() => jest.restoreAllMocks());

  test('are warned of before 1.35, where the autoscaler would wait without a sign', () => {
    const [warning, ...more] = warnings('1.34.9', BOTH);

    expect(more).toEqual([]);
    for (const text of ['TC-AUTOSCALER-PROVIDERS clusterAutoscaler: ', 'providers kubevirt, vultr-vultr', 'autoscaler 1.34', 'pod is ready', '"Initializing"']) {
      expect(warning).toContain(text);
    }
    expect(warnings('1.36.1', BOTH, { image: 'registry.example.com/a:v1.34.5' })).toHaveLength(1);
    expect(warnings('1.34.1', BOTH, { image: 'registry.example.com/a:own' })).toHaveLength(1);
  });

  test('are no matter from 1.35 on, nor is one provider, nor what nobody knows', () => {
    expect(warnings('1.35.4', BOTH)).toEqual([]);
    expect(warnings('1.34.9', BOTH, { image: 'registry.example.com/a:v1.35.2' })).toEqual([]);
    expect(warnings('1.34.9', { kubevirt: 'v0.11.2' })).toEqual([]);
    expect(warnings('1.34.9')).toEqual([]);
  });
});

test('good options are accepted', () => {
  expect(autoscalerProblems({
    extraArgs: [{ name: 'v', value: '4' }, { name: 'startup-taint', value: 'a' }, { name: 'startup-taint', value: 'b' }],
    image: 'registry.example.com/a:v1.35.2@sha256:' + 'a'.repeat(64),
    resources: { requests: { cpu: '1' } },
    scaleDownUtilizationThreshold: 0,
    maxNodesTotal: 0,
    expanders: [],
  })).toEqual([]);
  // A tag that is no version tells nothing about the flags: what some release has is accepted.
  expect(autoscalerProblems({ image: 'registry.example.com/a:own', extraArgs: [{ name: 'salvo-scale-up', value: 'true' }] })).toEqual([]);
  expect(autoscalerProblems({ extraArgs: [{ name: 'salvo-scale-up', value: 'true' }] }, ofVersion('1.36.1'))).toEqual([]);
});

test('a Kubernetes version that is not known, which the cluster refuses, breaks nothing here', () => {
  expect(() => autoscalerObjects(ClusterAutoscaler.of(), ofVersion('1.99.0'))).not.toThrow();
});
