import { Chart, Duration } from 'cdk8s';
import { CERTIFICATE, foo, FOO_SCHEMA, versionWith } from './definitions';
import { FOOS, LEAST, operatorProblems } from './operators';
import { Operator } from '../../../src/constructs/operators/controller/operator';
import { MetricsCertificate, WebhookCertificate } from '../../../src/constructs/operators/controller/operator-certificate';
import { ConfigMapVariable, OperatorVolume } from '../../../src/constructs/operators/controller/operator-container';
import { OperatorServiceMonitor } from '../../../src/constructs/operators/controller/operator-metrics';
import { OperatorProps } from '../../../src/constructs/operators/controller/operator-props';
import {
  OperatorWebhook, OperatorWebhooks, WebhookFailurePolicy, WebhookLabelOperator, WebhookOperation,
} from '../../../src/constructs/operators/controller/operator-webhook-props';
import { Permission, PermissionOptions } from '../../../src/constructs/operators/controller/permission';
import { CrdConversion } from '../../../src/constructs/operators/custom-resource/crd-conversion';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { CustomResourceScope, CustomResourceTypeProps } from '../../../src/constructs/operators/custom-resource/custom-resource-type-props';
import { ResourceType } from '../../../src/constructs/operators/resource-type';
import { TolerationOperator } from '../../../src/manifests/values/taints';
import { problemsIn, ReportedProblem } from '../../support/problems';
import { rulesOfTopic } from '../../support/topic-rules';

const may = (options: Partial<PermissionOptions>) => ({ permissions: [Permission.of({ group: '', resources: ['pods'], verbs: ['get'], ...options })] });
const asked = (webhook: Partial<OperatorWebhook>, more: OperatorWebhook[] = []) => ({
  webhooks: { certificate: WebhookCertificate.certManager(), validating: [...more, { type: FOOS, ...webhook }] },
});
const certified = MetricsCertificate.certManager();
const scraped = (serviceMonitor: OperatorServiceMonitor) => ({ metrics: { certificate: certified, serviceMonitor } });
const WITHOUT_STATUS = ResourceType.of({ group: 'example.com', resource: 'bars', kind: 'Bar', versions: ['v1'], statusSubresource: false });

const from = (variable: ConfigMapVariable) => ({ configMapEnv: [variable] });

const CASES: [id: string, props: Partial<OperatorProps>, texts: string[]][] = [
  ['TC-OPERATOR-NAME', { name: 'Foo' }, ['name: "Foo"']],
  ['TC-OPERATOR-NAME', { name: 'a'.repeat(56) }, ['at most 55']],
  ['TC-OPERATOR-NAME', { namespace: 'a.b' }, ['namespace: "a.b"']],
  ['TC-OPERATOR-NAME', { namespace: '' }, ['neither the operator nor its chart names a namespace']],
  ['TC-OPERATOR-REPLICAS', { replicas: 2 }, ['replicas: 2 pods would all work at once']],
  ['TC-ADMIT-KUBERNETES-REPLICAS', { replicas: -1 }, ['replicas: -1 is too small']],
  ['TC-OPERATOR-REPLICAS', { leaderElection: { leaseName: 'A' } }, ['leaderElection.leaseName: "A"']],
  ['TC-OPERATOR-SCOPE', may({ resources: ['nodes/metrics'] }), ['permissions[0]: nodes belong to no namespace', 'set clusterScoped: true']],
  ['TC-OPERATOR-SCOPE', { permissions: [Permission.reconciles(ResourceType.of({ group: 'batch', resource: 'jobs', kind: 'Job', versions: ['v1'], clusterScoped: true }))] },
    ['permissions[0]: jobs belong to namespaces']],
  ['TC-OPERATOR-SCOPE', may({ clusterScoped: true }), ['permissions[0]: pods belong to namespaces', 'leave out clusterScoped']],
  ['TC-OPERATOR-SCOPE', { watchAllNamespaces: true, watchNamespaces: ['a'] }, ['beside watchAllNamespaces']],
  ['TC-OPERATOR-SCOPE', { watchNamespaces: [] }, ['names no namespace']],
  ['TC-OPERATOR-SCOPE', { watchNamespaces: ['a', 'a'] }, ['watchNamespaces[1]: "a" is there already']],
  ['TC-OPERATOR-PERMISSION', may({ verbs: [] }), ['permissions[0]: nothing may be done with pods']],
  ['TC-OPERATOR-PERMISSION', may({ verbs: ['Get'] }), ['"Get" is no verb']],
  ['TC-OPERATOR-PERMISSION', may({ resources: [] }), ['no resource is named']],
  ['TC-OPERATOR-PERMISSION', may({ resources: ['Pods'] }), ['"Pods" is no resource']],
  ['TC-OPERATOR-PERMISSION', may({ group: 'apps/v1' }), ['"apps/v1" is no API group']],
  ['TC-OPERATOR-PERMISSION', may({ verbs: ['create'], resourceNames: ['a'] }), ['create cannot be limited to names']],
  ['TC-OPERATOR-WILDCARD', may({ verbs: ['*'] }), ['permissions[0].verbs: "*" stands for everything']],
  ['TC-OPERATOR-WILDCARD', may({ resources: ['*'] }), ['permissions[0].resources']],
  ['TC-OPERATOR-WILDCARD', may({ group: '*' }), ['permissions[0].group']],
  ['TC-OPERATOR-STATUS', { permissions: [Permission.updatesStatus(WITHOUT_STATUS)] }, ['permissions[0]: Bar has no status subresource']],
  ['TC-OPERATOR-STATUS', { permissions: [Permission.reconciles(WITHOUT_STATUS)] }, ['Bar has no status subresource']],
  ['TC-OPERATOR-STATUS', { permissions: [Permission.patchesStatus(ResourceType.CONFIG_MAPS)] }, ['ConfigMap has no status subresource']],
  ['TC-OPERATOR-ARGUMENT', { args: ['--a', ' '] }, ['args[1]: the argument is empty']],
  ['TC-OPERATOR-ARGUMENT', { leaderElection: {}, args: ['-leader-elect=true'] }, ['args[0]: --leader-elect is set by leaderElection', 'leaderElection.args']],
  ['TC-OPERATOR-ARGUMENT', { leaderElection: {}, health: { args: ['--leader-elect'] } }, ['health.args: --leader-elect is set by leaderElection too']],
  ['TC-OPERATOR-PORT', { health: { port: 0 } }, ['health.port: 0']],
  ['TC-OPERATOR-PORT', { health: { port: 8443 }, metrics: {} }, ['metrics.port: 8443 is the port of health']],
  ['TC-OPERATOR-PORT', { health: { livenessPath: 'healthz' } }, ['health.livenessPath: "healthz"']],
  ['TC-ADMIT-KUBERNETES-ENV', { env: { 'A=B': 'c' } }, ['env["A=B"]']],
  ['TC-ADMIT-FIELD-DUPLICATE', { env: { A: 'c' }, secretEnv: [{ name: 'A', secretName: 'a', secretKey: 'b' }] }, ['secretEnv[0]: name "A" is in entry 0 already']],
  ['TC-ADMIT-KUBERNETES-ENV', { secretEnv: [{ name: 'A', secretName: 'A', secretKey: 'b' }] }, ['secretEnv[0].secretName']],
  ['TC-ADMIT-FIELD-VALUE', { secretEnv: [{ name: 'A', secretName: 'a', secretKey: '' }] }, ['secretEnv[0].secretKey: it is empty']],
  ['TC-ADMIT-KUBERNETES-ENV', { fieldEnv: { A: 'spec.hostname' } }, ['fieldEnv["A"]: "spec.hostname" is not a field of the pod', 'Accepted: metadata.name, ']],
  ['TC-ADMIT-KUBERNETES-ENV', from({ name: 'A', configMapName: 'A', configMapKey: 'b' }), ['configMapEnv[0].configMapName']],
  ['TC-ADMIT-KUBERNETES-ENV', from({ name: 'A', configMapName: 'a', configMapKey: 'b c' }), ['configMapEnv[0].configMapKey: "b c" cannot be a key']],
  ['TC-ADMIT-FIELD-DUPLICATE', { env: { A: 'b' }, ...from({ name: 'A', configMapName: 'a', configMapKey: 'b' }) }, ['configMapEnv[0]: name "A" is in entry 0 already']],
  ['TC-OPERATOR-VOLUME', { volumes: [OperatorVolume.emptyDir('a', 'tmp')] }, ['volumes[0].mountPath: "tmp"']],
  ['TC-ADMIT-KUBERNETES-VOLUME', { volumes: [OperatorVolume.emptyDir('A', '/tmp')] }, ['volumes[0]: "A"']],
  ['TC-OPERATOR-VOLUME', { volumes: [OperatorVolume.secret('A', '/tmp')] }, ['volumes[0]: "A" is not a DNS name']],
  ['TC-ADMIT-KUBERNETES-VOLUME', { volumes: [OperatorVolume.emptyDir('a', '/tmp', { sizeLimit: '-1Gi' })] }, ['volumes[0].sizeLimit: "-1Gi" is below 0']],
  ['TC-OPERATOR-VOLUME', { volumes: [OperatorVolume.emptyDir('a', '/tmp', { sizeLimit: '64m' })] }, ['volumes[0].sizeLimit: "64m"']],
  ['TC-ADMIT-FIELD-VALUE', { volumes: [OperatorVolume.emptyDir('a', '/tmp', { sizeLimit: '1 Gi' })] }, ['volumes[0].sizeLimit: "1 Gi" is not a quantity']],
  ['TC-OPERATOR-VOLUME', { volumes: [OperatorVolume.emptyDir('a', '/a'), OperatorVolume.configMap('a', '/b')] }, ['volumes[1]: a volume "a" is there already']],
  ['TC-OPERATOR-VOLUME', { volumes: [OperatorVolume.emptyDir('a', '/a'), OperatorVolume.secret('b', '/a')] }, ['volumes[1].mountPath: "/a" is taken']],
  ['TC-OPERATOR-VOLUME', { ...asked({}), volumes: [OperatorVolume.secret('webhook-cert', '/a')] }, ['"webhook-cert" is there already']],
  ['TC-OPERATOR-VOLUME', { webhooks: { ...asked({}).webhooks, certificateDirectory: 'certs' } }, ['webhooks.certificateDirectory: "certs" is no absolute path']],
  ['TC-OPERATOR-VOLUME', { metrics: { certificate: certified, certificateDirectory: 'certs' } }, ['metrics.certificateDirectory: "certs" is no absolute path']],
  ['TC-OPERATOR-VOLUME', { webhooks: { ...asked({}).webhooks, certificateDirectory: '/certs' }, metrics: { certificate: certified, certificateDirectory: '/certs/' } },
    ['metrics.certificateDirectory: "/certs/" is taken']],
  ['TC-OPERATOR-VOLUME', { metrics: { certificate: certified, certificateDirectory: '/certs' }, volumes: [OperatorVolume.emptyDir('a', '/certs')] }, ['volumes[0].mountPath: "/certs" is taken']],
  ['TC-OPERATOR-USER', { runAsUser: 0 }, ['runAsUser: 0']],
  ['TC-OPERATOR-WEBHOOK', { webhooks: { certificate: WebhookCertificate.certManager() } }, ['webhooks: there is no webhook']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ name: 'foo.io' }), ['webhooks.validating[0].name: "foo.io" has fewer than three parts']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ namespaceExpressions: [{ key: 'a', operator: WebhookLabelOperator.IN }] }), ['webhooks.validating[0].namespaceExpressions[0]: In needs values']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ objectExpressions: [{ key: 'a', operator: WebhookLabelOperator.EXISTS, values: ['b'] }] }), ['webhooks.validating[0].objectExpressions[0].values: Exists takes no values']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ matchConditions: [{ name: 'a b', expression: 'true' }] }), ['matchConditions[0].name: "a b" is not a qualified name']],
  ['TC-ADMIT-FIELD-VALUE', asked({ matchConditions: [{ name: 'a', expression: '' }] }), ['webhooks.validating[0].matchConditions[0].expression: it is empty']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ subresources: [] }), ['webhooks.validating[0].subresources: it is empty']],
  ['TC-OPERATOR-WEBHOOK', asked({ subresources: ['a/b'] }), ['subresources: "a/b" is no subresource']],
  ['TC-ADMIT-FIELD-DUPLICATE', asked({ path: '/b' }, [{ type: FOOS }]), ['webhooks.validating[1]: name "vfoo-v1.kb.io" is in entry 0 already']],
  ['TC-OPERATOR-WEBHOOK', asked({ path: '' }), ['webhooks.validating[0].path: the path is empty']],
  ['TC-ADMIT-FIELD-METADATA', { webhooks: { ...asked({}).webhooks, certificate: WebhookCertificate.caFromElsewhere('a', { 'a b': 'c' }) } },
    ['webhooks.certificate.annotations["a b"]']],
  ['TC-OPERATOR-WEBHOOK', asked({ versions: ['v2'] }), ['webhooks.validating[0].versions: Foo is not served in v2', 'name some of v1']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ versions: [], name: 'a.b.c', path: '/a' }), ['webhooks.validating[0].versions: it is empty']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ operations: [] }), ['webhooks.validating[0].operations: it is empty']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ admissionReviewVersions: ['v2'] }), ['webhooks.validating[0].admissionReviewVersions: v2: API servers use none of these']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ path: '/a//B' }), ['webhooks.validating[0].path: "/a//B" has a part']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ timeout: Duration.seconds(31) }), ['webhooks.validating[0].timeout: 31 is too large']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ namespaceSelector: { 'a b': 'c' } }), ['webhooks.validating[0].namespaceSelector["a b"]']],
  ['TC-ADMIT-KUBERNETES-WEBHOOK', asked({ objectSelector: { a: 'b c' } }), ['webhooks.validating[0].objectSelector.a: "b c"']],
  ['TC-OPERATOR-CERTIFICATE', { webhooks: { certificate: WebhookCertificate.secret('a', 'b'), validating: [{ type: FOOS }] } }, ['webhooks.certificate.caBundle: there is no certificate']],
  ['TC-OPERATOR-CERTIFICATE', { webhooks: { certificate: WebhookCertificate.certManager({ name: 'A' }), validating: [{ type: FOOS }] } }, ['webhooks.certificate.issuer: "A"']],
  ['TC-OPERATOR-CERTIFICATE', { webhooks: { certificate: WebhookCertificate.secret('A', CERTIFICATE), validating: [{ type: FOOS }] } }, ['webhooks.certificate.secretName: "A"']],
  ['TC-OPERATOR-CERTIFICATE', { metrics: { certificate: MetricsCertificate.secret('A') } }, ['metrics.certificate.secretName: "A"']],
  ['TC-OPERATOR-CERTIFICATE', { metrics: { certificate: MetricsCertificate.certManager({ name: 'A' }) } }, ['metrics.certificate.issuer: "A"']],
  ['TC-OPERATOR-CERTIFICATE', { metrics: { authenticated: false, certificate: certified } }, ['metrics.certificate: metrics without authentication are served without TLS']],
  ['TC-OPERATOR-CERTIFICATE', { metrics: { certificateDirectory: '/certs' } }, ['metrics.certificateDirectory: there is no certificate for it']],
  ['TC-OPERATOR-SERVICE-MONITOR', { metrics: { serviceMonitor: {} } }, ['metrics.serviceMonitor.insecureSkipVerify: Prometheus cannot check', 'give metrics.certificate, or set insecureSkipVerify: true']],
  ['TC-OPERATOR-SERVICE-MONITOR', scraped({ insecureSkipVerify: true }), ['insecureSkipVerify: there is a certificate that can be checked']],
  ['TC-OPERATOR-SERVICE-MONITOR', { metrics: { authenticated: false, serviceMonitor: { insecureSkipVerify: true } } }, ['insecureSkipVerify: there is no TLS']],
  ['TC-ADMIT-FIELD-METADATA', scraped({ labels: { 'a b': 'c' } }), ['metrics.serviceMonitor.labels["a b"]']],
  ['TC-OPERATOR-SERVICE-MONITOR', scraped({ labels: { 'control-plane': 'c' } }), ['labels.control-plane: "control-plane" is set by the library']],
  ['TC-OPERATOR-SERVICE-MONITOR', scraped({ interval: Duration.millis(1500) }), ['metrics.serviceMonitor.interval: 1.5 seconds are not possible']],
  ['TC-OPERATOR-SERVICE-MONITOR', scraped({ interval: Duration.seconds(0) }), ['0 seconds are not possible']],
  ['TC-OPERATOR-NETWORK-POLICY', { networkPolicy: { metricsNamespaceLabels: {} } }, ['networkPolicy.metricsNamespaceLabels: there are no metrics']],
  ['TC-OPERATOR-NETWORK-POLICY', { networkPolicy: { webhookNamespaceLabels: {} } }, ['networkPolicy.webhookNamespaceLabels: there are no webhooks']],
  ['TC-ADMIT-KUBERNETES-NETWORK-PEER', { metrics: {}, networkPolicy: { metricsNamespaceLabels: { 'a b': 'c' } } }, ['networkPolicy.metricsNamespaceLabels["a b"]']],
  ['TC-ADMIT-KUBERNETES-NETWORK-PEER', { ...asked({}), networkPolicy: { webhookNamespaceLabels: { a: 'b c' } } }, ['networkPolicy.webhookNamespaceLabels.a: "b c"']],
  ['TC-CONTROLLER-IMAGE', { image: 'a b' }, ['image: "a b"']],
  ['TC-CONTROLLER-IMAGE-UNPINNED', { image: 'registry.example.com/a' }, ['image: ']],
  ['TC-CONTROLLER-RESOURCES', { resources: { limits: { memory: '1 GB' } } }, ['resources.limits.memory']],
  ['TC-CONTROLLER-LABEL', { podLabels: { 'control-plane': 'x' } }, ['podLabels.control-plane', 'set by the library']],
  ['TC-ADMIT-FIELD-METADATA', { podLabels: { 'a b': 'x' } }, ['podLabels["a b"]']],
  ['TC-ADMIT-FIELD-METADATA', { podAnnotations: { 'a b': 'x' } }, [' podAnnotations["a b"]']],
  ['TC-ADMIT-KUBERNETES-TOLERATION', { tolerations: [{ operator: TolerationOperator.EXISTS, value: 'a' }] }, [' tolerations[0]']],
  ['TC-ADMIT-KUBERNETES-POD', { priorityClassName: 'A' }, [' priorityClassName']],
  ['TC-ADMIT-KUBERNETES-POD', { nodeSelector: { zone: 'a b' } }, [' nodeSelector.zone']],
  ['TC-CONTROLLER-OBJECT-NAME', { imagePullSecrets: ['a', 'b_c'] }, [' imagePullSecrets[1]']],
];

/** Problems of a type and an operator that may do something with it. */
function withType(
  type: Partial<CustomResourceTypeProps>, permissions: (type: CustomResourceType) => Permission[], props: Partial<OperatorProps> = {},
): ReportedProblem[] {
  return problemsIn((app) => {
    const chart = new Chart(app, 'chart', { namespace: 'a' });
    new Operator(chart, 'manager', { ...LEAST, ...props, permissions: permissions(new CustomResourceType(chart, 'foo', foo(type))) });
  });
}

test.each(CASES)('%s: %j', (id, props, texts) => {
  const found = operatorProblems(props);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['operators/foo-operator', id]]);
  for (const text of texts) expect(` ${found[0].text}`).toContain(text);
});

describe('TC-TRAP-KUBERNETES-OWN-WEBHOOK: a webhook for pods', () => {
  const found = (webhook: Partial<OperatorWebhook>) => operatorProblems(asked({ type: ResourceType.PODS, ...webhook }));

  test('that may keep the operator from starting is refused', () => {
    expect(found({})).toMatchObject([{
      path: 'operators/foo-operator', id: 'TC-TRAP-KUBERNETES-OWN-WEBHOOK', text: expect.stringContaining('webhooks.validating[0]: it judges the pods of Deployment foo-operator'),
    }]);
  });

  test.each<[string, Partial<OperatorWebhook>]>([
    ['that is asked about some namespaces', { namespaceSelector: { 'example.com/checked': 'true' } }],
    ['that is asked about some pods', { objectSelector: { 'example.com/checked': 'true' } }],
    ['that need not answer', { failurePolicy: WebhookFailurePolicy.IGNORE }],
    ['that is asked about pods that are there', { operations: [WebhookOperation.UPDATE, WebhookOperation.DELETE] }],
    ['that is none, but for Foos', { type: FOOS }],
  ])('%s is not', (_what, webhook) => {
    expect(found(webhook)).toEqual([]);
  });
});

test('TC-OPERATOR-CONVERSION: a type that is converted by an operator which is not said to', () => {
  const conversion = (name: string) => CrdConversion.service({ name, namespace: 'a', injectCaFrom: `a/${name}` });
  const problems = (service: string, webhooks: Partial<OperatorWebhooks> | undefined) => problemsIn((app) => {
    const certificate = WebhookCertificate.certManager();
    new Operator(new Chart(app, 'operators', { namespace: 'a' }), 'manager', { ...LEAST, webhooks: webhooks && { certificate, ...webhooks } });
    new CustomResourceType(new Chart(app, 'types'), 'foo', foo({ conversion: conversion(service) }));
  });
  const refused = [{
    path: 'operators/manager',
    id: 'TC-OPERATOR-CONVERSION',
    text: expect.stringContaining('webhooks.conversion: "foos.example.com" is converted by the Service "manager-webhook" of the operator, which is not said'),
  }];

  expect(problems('manager-webhook', { validating: [{ type: FOOS }] })).toMatchObject(refused);
  expect(problems('manager-webhook', undefined)).toMatchObject(refused);
  expect(problems('manager-webhook', { conversion: true })).toEqual([]);
  expect(problems('other-webhook', { validating: [{ type: FOOS }] })).toEqual([]);
  expect(problems('typo-webhook', { conversion: true })).toMatchObject([{
    id: 'TC-OPERATOR-CONVERSION', text: expect.stringContaining('by the Service "typo-webhook" of the same namespace, and none by "manager-webhook"'),
  }]);
});

test('TC-OPERATOR-NAME-TAKEN: two operators of one name in one chart', () => {
  const twice = (...charts: string[]) => problemsIn((app) => charts.forEach((id, index) => {
    const chart = (app.node.tryFindChild(id) ?? new Chart(app, id, { namespace: 'a' })) as Chart;
    new Operator(chart, `${index}`, { ...LEAST, name: 'manager' });
  }));

  expect(twice('one', 'one')).toMatchObject([{ path: 'one/1', id: 'TC-OPERATOR-NAME-TAKEN', text: expect.stringContaining('one/0') }]);
  expect(twice('one', 'other')).toEqual([]);
});

test('a type of one\'s own without the status subresource is told apart from one with it', () => {
  const problems = (statusSubresource: boolean) => withType(
    { versions: [versionWith(FOO_SCHEMA, { statusSubresource })] }, (type) => [Permission.updatesStatus(type.resourceType)],
  );

  expect(problems(true)).toEqual([]);
  expect(problems(false)).toMatchObject([{ id: 'TC-OPERATOR-STATUS', text: expect.stringContaining('Foo has no status subresource') }]);
});

describe('a permission in words of its own is held to the types that the app defines', () => {
  const status = Permission.of({ group: 'example.com', resources: ['foos/status'], verbs: ['update'] });
  const foos = (clusterScoped: boolean) => Permission.of({ group: 'example.com', resources: ['foos'], verbs: ['get'], clusterScoped });
  const CLUSTER = { scope: CustomResourceScope.CLUSTER };
  const WITHOUT = { versions: [versionWith(FOO_SCHEMA, { statusSubresource: false })] };

  test.each<[string, Partial<CustomResourceTypeProps>, Permission, Partial<OperatorProps>, string | undefined]>([
    ['the status of one that has it', {}, status, {}, undefined],
    ['the status of one that does not', WITHOUT, status, {}, 'TC-OPERATOR-STATUS permissions[0]: Foo has no status subresource'],
    ['the status of one that is not known', { ...WITHOUT, plural: 'feet' }, status, {}, undefined],
    ['objects in namespaces', {}, foos(false), {}, undefined],
    ['objects in namespaces, everywhere', {}, foos(true), {}, 'TC-OPERATOR-SCOPE permissions[0]: foos belong to namespaces'],
    ['objects in namespaces, everywhere, where it watches all', {}, foos(true), { watchAllNamespaces: true }, undefined],
    ['objects in no namespace', CLUSTER, foos(true), {}, undefined],
    ['objects in no namespace, in one', CLUSTER, foos(false), {}, 'TC-OPERATOR-SCOPE permissions[0]: foos belong to no namespace'],
    ['objects in no namespace, where it watches all', CLUSTER, foos(false), { watchAllNamespaces: true }, undefined],
  ])('%s', (_what, type, permission, props, problem) => {
    expect(withType(type, () => [permission], props).map(({ id, text }) => `${id} ${text}`)).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
  });

  test('types that are defined after the operator, or for one of several clusters, count, too', () => {
    const problems = (...types: Partial<CustomResourceTypeProps>[]) => problemsIn((app) => {
      new Operator(new Chart(app, 'operators', { namespace: 'a' }), 'manager', { ...LEAST, permissions: [status] });
      types.forEach((type, index) => new CustomResourceType(new Chart(app, `types-${index}`), 'foo', foo(type)));
    });

    expect(problems(WITHOUT).map(({ path, id }) => [path, id])).toEqual([['operators/manager', 'TC-OPERATOR-STATUS']]);
    expect(problems(WITHOUT, {})).toEqual([]);
  });
});

test('wildcards that are said out loud are accepted', () => {
  expect(operatorProblems(may({ group: '*', resources: ['*'], verbs: ['*'], allowWildcards: true }))).toEqual([]);
});

test('every rule has a negative test', () => {
  const tested = new Set(CASES.map(([id]) => id)).add('TC-OPERATOR-NAME-TAKEN').add('TC-OPERATOR-CONVERSION');
  const shared = ['IMAGE', 'IMAGE-UNPINNED', 'RESOURCES', 'LABEL', 'OBJECT-NAME'].map((end) => `TC-CONTROLLER-${end}`);
  const rules = [...rulesOfTopic('Operators'), ...shared];

  expect(rules.filter((id) => !tested.has(id))).toEqual([]);
});
