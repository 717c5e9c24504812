import { Chart, Duration, JsonPatch, Testing } from 'cdk8s';
import { operatorErrors } from './built-in';
import { CERTIFICATE } from './definitions';
import { FOOS, LEAST, only, operatorObjects, operatorProblems } from './operators';
import { Operator } from '../../../src/constructs/operators/controller/operator';
import { MetricsCertificate, WebhookCertificate } from '../../../src/constructs/operators/controller/operator-certificate';
import { OperatorVolume } from '../../../src/constructs/operators/controller/operator-container';
import { OperatorProps } from '../../../src/constructs/operators/controller/operator-props';
import {
  WebhookFailurePolicy, WebhookLabelOperator, WebhookMatchPolicy, WebhookOperation, WebhookSideEffects,
} from '../../../src/constructs/operators/controller/operator-webhook-props';
import { Permission } from '../../../src/constructs/operators/controller/permission';
import { ResourceType } from '../../../src/constructs/operators/resource-type';
import { TolerationOperator } from '../../../src/manifests/values/taints';
import { SchemaValidator } from '../../manifests/schema/validate';
import { Manifest } from '../../support/clusters';

const SELECTOR = { 'app.kubernetes.io/name': 'foo-operator', 'control-plane': 'controller-manager' };

const FULL: Partial<OperatorProps> = {
  createNamespace: true,
  replicas: 2,
  leaderElection: { leaseName: 'foo.example.com' },
  health: {},
  metrics: {},
  webhooks: { certificate: WebhookCertificate.certManager(), validating: [{ type: FOOS }], mutating: [{ type: FOOS }] },
  command: ['/manager'],
  args: ['--zap-log-level=info'],
  env: { WATCH_NAMESPACE: 'foo-system' },
  fieldEnv: { POD_NAMESPACE: 'metadata.namespace' },
  secretEnv: [{ name: 'TOKEN', secretName: 'cloud', secretKey: 'token' }],
  configMapEnv: [{ name: 'REGION', configMapName: 'cloud', configMapKey: 'region' }],
  volumes: [OperatorVolume.emptyDir('scratch', '/tmp', { sizeLimit: '64Mi', inMemory: true }), OperatorVolume.configMap('foo.config', '/etc/foo'), OperatorVolume.secret('ca', '/etc/ca')],
  permissions: [Permission.reconciles(FOOS), Permission.watches(ResourceType.NODES)],
  tolerations: [{ key: 'a', operator: TolerationOperator.EXISTS }],
  nodeSelector: { zone: 'a' },
  priorityClassName: 'high',
  imagePullSecrets: ['registry'],
  podLabels: { team: 'a' },
  podAnnotations: { note: 'b' },
  runAsUser: 1000,
};

const GUARDED: Partial<OperatorProps> = {
  ...FULL,
  metrics: { certificate: MetricsCertificate.certManager(), serviceMonitor: { labels: { release: 'prometheus' }, interval: Duration.seconds(30) } },
  networkPolicy: { webhookNamespaceLabels: { webhook: 'enabled' } },
};

const validator = SchemaValidator.load();

function podOf(props: Partial<OperatorProps> = {}): Manifest {
  return only(operatorObjects(props), 'Deployment').spec.template.spec;
}

test('the least operator is four objects, and its pod asks for nothing that it was not given', () => {
  const objects = operatorObjects();

  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
    'ServiceAccount foo-system/foo-operator', 'Role foo-system/foo-operator', 'RoleBinding foo-system/foo-operator', 'Deployment foo-system/foo-operator',
  ]);
  expect(only(objects, 'Deployment').spec).toEqual({
    replicas: 1,
    selector: { matchLabels: SELECTOR },
    strategy: { type: 'Recreate' },
    template: {
      metadata: { labels: SELECTOR, annotations: { 'kubectl.kubernetes.io/default-container': 'manager' } },
      spec: {
        automountServiceAccountToken: true,
        enableServiceLinks: false,
        serviceAccountName: 'foo-operator',
        securityContext: { fsGroup: 65532, runAsGroup: 65532, runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
        terminationGracePeriodSeconds: 10,
        containers: [{
          name: 'manager',
          image: 'registry.example.com/foo-operator:v1.2.3',
          imagePullPolicy: 'IfNotPresent',
          resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { cpu: '500m', memory: '128Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
        }],
      },
    },
  });
  expect(only(objects, 'RoleBinding')).toMatchObject({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'foo-operator' },
    subjects: [{ kind: 'ServiceAccount', name: 'foo-operator', namespace: 'foo-system' }],
  });
});

test.each<[string, Partial<OperatorProps>]>([
  ['the least', {}],
  ['the most', FULL],
  ['one for all namespaces', { watchAllNamespaces: true, metrics: { authenticated: false, serviceMonitor: {} } }],
  ['one that is guarded', GUARDED],
  ['one that nobody may reach', { networkPolicy: {} }],
])(
  'a server takes every object of %s, and adds nothing to custom resources', (_what, props) => {
    for (const object of operatorObjects(props)) {
      const custom = object.apiVersion.startsWith('cert-manager.io');
      expect(custom ? validator.validate(object) : operatorErrors(object)).toEqual([]);
      if (custom) expect(validator.missingDefaults(object)).toEqual([]);
    }
  });

test('the features of kubebuilder bring their arguments, ports and probes', () => {
  const [container] = podOf(FULL).containers;

  expect(container.args).toEqual([
    '--leader-elect', '--health-probe-bind-address=:8081', '--metrics-bind-address=:8443', '--webhook-cert-path=/tmp/k8s-webhook-server/serving-certs', '--zap-log-level=info',
  ]);
  expect(container.command).toEqual(['/manager']);
  expect(container.ports).toEqual([
    { name: 'health', containerPort: 8081, protocol: 'TCP' }, { name: 'metrics', containerPort: 8443, protocol: 'TCP' }, { name: 'webhook', containerPort: 9443, protocol: 'TCP' },
  ]);
  expect(container.livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 15, periodSeconds: 20 });
  expect(container.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: 'health' }, initialDelaySeconds: 5, periodSeconds: 10 });
  expect(container.env).toEqual([
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'WATCH_NAMESPACE', value: 'foo-system' },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'cloud', key: 'token' } } },
    { name: 'REGION', valueFrom: { configMapKeyRef: { name: 'cloud', key: 'region' } } },
  ]);
});

test('each feature can be told otherwise', () => {
  const { containers: [container] } = podOf({
    leaderElection: { args: ['--ha'] },
    health: { port: 9000, livenessPath: '/live', readinessPath: '/ready', args: [] },
    metrics: { port: 9100, authenticated: false },
    webhooks: { certificate: WebhookCertificate.certManager(), validating: [{ type: FOOS }], port: 9500, certificateDirectory: '/certs' },
  });

  expect(container.args).toEqual(['--ha', '--metrics-bind-address=:9100', '--metrics-secure=false', '--webhook-cert-path=/certs', '--webhook-port=9500']);
  expect(container.livenessProbe.httpGet.path).toBe('/live');
  expect(container.readinessProbe.httpGet.path).toBe('/ready');
  expect(container.ports.map(({ containerPort }: Manifest) => containerPort)).toEqual([9000, 9100, 9500]);
  expect(container.volumeMounts).toEqual([{ name: 'webhook-cert', mountPath: '/certs', readOnly: true }]);
});

test('volumes are mounted, and only an empty directory can be written to', () => {
  const { containers: [container], volumes } = podOf(FULL);

  expect(volumes).toEqual([
    { name: 'webhook-cert', secret: { secretName: 'foo-operator-webhook-cert', defaultMode: 0o440 } },
    { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
    { name: 'foo-config', configMap: { name: 'foo.config', defaultMode: 0o440 } },
    { name: 'ca', secret: { secretName: 'ca', defaultMode: 0o440 } },
  ]);
  expect(container.volumeMounts).toEqual([
    { name: 'webhook-cert', mountPath: '/tmp/k8s-webhook-server/serving-certs', readOnly: true },
    { name: 'scratch', mountPath: '/tmp' },
    { name: 'foo-config', mountPath: '/etc/foo', readOnly: true },
    { name: 'ca', mountPath: '/etc/ca', readOnly: true },
  ]);
});

test('with leader election the new pod starts before the old one ends', () => {
  const { spec } = only(operatorObjects(FULL), 'Deployment');

  expect(spec).toMatchObject({ replicas: 2, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
  expect(spec.template).toMatchObject({ metadata: { labels: { ...SELECTOR, team: 'a' }, annotations: { note: 'b' } }, spec: { securityContext: { runAsUser: 1000 } } });
});

test('what no property sets is patched, and the labels of its pods are offered', () => {
  const chart = Testing.chart();
  const operator = new Operator(chart, 'foo-operator', { ...LEAST, namespace: 'foo-system' });
  const spread = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: operator.podSelector } };
  operator.deployment.addJsonPatch(JsonPatch.add('/spec/template/spec/topologySpreadConstraints', [spread]));

  expect(operator.podSelector).toEqual(SELECTOR);
  expect(operator.deployment.toJson().spec.template.spec.topologySpreadConstraints).toEqual([spread]);
});

test('an operator that does nothing gets no token', () => {
  expect(podOf({ permissions: [] }).automountServiceAccountToken).toBe(false);
  expect(operatorObjects({ permissions: [] }).map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Deployment']);
  expect(podOf({ permissions: [], leaderElection: {} }).automountServiceAccountToken).toBe(true);
});

test('the namespace enforces what the pod keeps', () => {
  expect(only(operatorObjects({ createNamespace: true }), 'Namespace').metadata).toMatchObject({ name: 'foo-system', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } });
});

test('what is not asked for is not there', () => {
  const known = operatorObjects(FULL).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const more = operatorObjects(GUARDED).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

  expect(more.filter((one) => !known.includes(one)).sort()).toEqual([
    'Certificate foo-operator-metrics', 'NetworkPolicy foo-operator', 'ServiceMonitor foo-operator-metrics',
  ]);
  expect(known.filter((one) => !more.includes(one))).toEqual([]);
});

describe('metrics', () => {
  test('that are authenticated need the right to ask, and offer the right to read', () => {
    const objects = operatorObjects({ metrics: {} });
    const roles = Object.fromEntries(objects.filter(({ kind }) => kind === 'ClusterRole').map(({ metadata, rules }) => [metadata.name, rules]));

    expect(only(objects, 'Service')).toMatchObject({
      metadata: { name: 'foo-operator-metrics', namespace: 'foo-system' }, spec: { ports: [{ name: 'https', port: 8443, targetPort: 'metrics' }], selector: SELECTOR },
    });
    expect(roles).toEqual({
      'foo-system.foo-operator.metrics-auth': [
        { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
        { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
      ],
      'foo-system.foo-operator.metrics-reader': [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
    });
    expect(only(objects, 'ClusterRoleBinding').roleRef.name).toBe('foo-system.foo-operator.metrics-auth');
  });

  test('that everybody may read need nothing', () => {
    const objects = operatorObjects({ metrics: { authenticated: false } });

    expect(only(objects, 'Service').spec.ports[0].name).toBe('http');
    expect(objects.filter(({ kind }) => kind.startsWith('ClusterRole'))).toEqual([]);
  });
});

describe('webhooks', () => {
  test('are asked about some objects only, and about subresources', () => {
    const validating = [{
      type: FOOS,
      subresources: ['scale'],
      namespaceExpressions: [{ key: 'example.com/validation', operator: WebhookLabelOperator.NOT_IN, values: ['off'] }],
      objectSelector: { a: 'b' },
      objectExpressions: [{ key: 'c', operator: WebhookLabelOperator.DOES_NOT_EXIST }],
      matchConditions: [{ name: 'no-nodes', expression: "!('system:nodes' in request.userInfo.groups)" }],
    }];
    const certificate = WebhookCertificate.caFromElsewhere('own-ca', { 'cert-manager.io/inject-ca-from-secret': 'foo-system/own-ca' });
    const objects = operatorObjects({ webhooks: { certificate, validating } });
    const { metadata, webhooks: [webhook] } = only(objects, 'ValidatingWebhookConfiguration');

    expect(metadata.annotations).toEqual({ 'cert-manager.io/inject-ca-from-secret': 'foo-system/own-ca' });
    expect(webhook.clientConfig.caBundle).toBeUndefined();
    expect(webhook).toMatchObject({
      namespaceSelector: { matchExpressions: [{ key: 'example.com/validation', operator: 'NotIn', values: ['off'] }] },
      objectSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'DoesNotExist' }] },
      matchConditions: [{ name: 'no-nodes', expression: "!('system:nodes' in request.userInfo.groups)" }],
      rules: [{ resources: ['foos/scale'] }],
    });
    expect(objects.filter(({ kind }) => ['Certificate', 'Issuer'].includes(kind))).toEqual([]);
    expect(only(objects, 'Deployment').spec.template.spec.volumes).toContainEqual({ name: 'webhook-cert', secret: { secretName: 'own-ca', defaultMode: 0o440 } });
    expect(operatorProblems({ webhooks: { certificate, validating } })).toEqual([]);
  });

  test('can be reached and patched, with roles and Services', () => {
    const operator = new Operator(new Chart(Testing.app(), 'operators', { namespace: 'foo-system' }), 'foo-operator', { ...LEAST, ...FULL });

    expect(operator.webhookConfigurations.map(({ kind }) => kind).sort()).toEqual(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);
    expect(operator.services.map(({ name }) => name).sort()).toEqual(['foo-operator-metrics', 'foo-operator-webhook']);
    expect(operator.roles.length).toBeGreaterThan(1);
    expect(operator.roles.every(({ kind }) => ['Role', 'ClusterRole'].includes(kind))).toBe(true);
  });

  test('have kubebuilder\'s names and paths, and cert-manager\'s certificate', () => {
    const objects = operatorObjects(FULL);
    const { metadata, webhooks: [webhook] } = only(objects, 'ValidatingWebhookConfiguration');

    expect(metadata).toMatchObject({ name: 'foo-system.foo-operator', annotations: { 'cert-manager.io/inject-ca-from': 'foo-system/foo-operator-webhook' } });
    expect(webhook).toEqual({
      name: 'vfoo-v1.kb.io',
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { name: 'foo-operator-webhook', namespace: 'foo-system', path: '/validate-example-com-v1-foo', port: 443 } },
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['foos'], scope: 'Namespaced' }],
      sideEffects: 'None',
      timeoutSeconds: 10,
    });
    expect(only(objects, 'MutatingWebhookConfiguration').webhooks[0]).toMatchObject({
      name: 'mfoo-v1.kb.io', clientConfig: { service: { path: '/mutate-example-com-v1-foo' } }, reinvocationPolicy: 'Never',
    });
    expect(only(objects, 'Certificate').spec).toEqual({
      dnsNames: ['foo-operator-webhook.foo-system.svc', 'foo-operator-webhook.foo-system.svc.cluster.local'],
      issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: 'foo-operator-selfsigned' },
      secretName: 'foo-operator-webhook-cert',
    });
    expect(only(objects, 'Issuer')).toMatchObject({ metadata: { name: 'foo-operator-selfsigned' }, spec: { selfSigned: {} } });
    const service = objects.find(({ kind, metadata: { name } }) => kind === 'Service' && name === 'foo-operator-webhook');
    expect(service).toMatchObject({ spec: { ports: [{ port: 443, targetPort: 'webhook' }], selector: SELECTOR } });
  });

  test('can be told otherwise, with a Secret of one\'s own', () => {
    const objects = operatorObjects({
      webhooks: {
        certificate: WebhookCertificate.secret('own-cert', CERTIFICATE),
        validating: [{
          type: ResourceType.NODES,
          name: 'nodes.example.com',
          path: '/nodes',
          operations: [WebhookOperation.DELETE],
          failurePolicy: WebhookFailurePolicy.IGNORE,
          sideEffects: WebhookSideEffects.NONE_ON_DRY_RUN,
          matchPolicy: WebhookMatchPolicy.EXACT,
          admissionReviewVersions: ['v1', 'v1beta1'],
          timeout: Duration.seconds(3),
          namespaceSelector: { a: 'b' },
          objectSelector: { c: 'd' },
        }],
      },
    });
    const { metadata, webhooks: [webhook] } = only(objects, 'ValidatingWebhookConfiguration');

    expect(metadata).not.toHaveProperty('annotations');
    expect(webhook).toEqual({
      name: 'nodes.example.com',
      admissionReviewVersions: ['v1', 'v1beta1'],
      clientConfig: { service: { name: 'foo-operator-webhook', namespace: 'foo-system', path: '/nodes', port: 443 }, caBundle: Buffer.from(CERTIFICATE).toString('base64') },
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      namespaceSelector: { matchLabels: { a: 'b' } },
      objectSelector: { matchLabels: { c: 'd' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['nodes'], scope: 'Cluster' }],
      sideEffects: 'NoneOnDryRun',
      timeoutSeconds: 3,
    });
    expect(objects.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(['Certificate']));
    expect(only(objects, 'Deployment').spec.template.spec.volumes[0].secret.secretName).toBe('own-cert');
  });

  test('that only convert need neither of the two configurations', () => {
    const objects = operatorObjects({ webhooks: { certificate: WebhookCertificate.certManager(), conversion: true } });

    expect(objects.map(({ kind }) => kind).filter((kind) => /Webhook|Service$|Certificate/.test(kind)).sort()).toEqual(['Certificate', 'Service']);
    expect(only(objects, 'Service').metadata.name).toBe('foo-operator-webhook');
    expect(only(objects, 'Certificate').metadata.name).toBe('foo-operator-webhook');
    expect(operatorProblems({ webhooks: { certificate: WebhookCertificate.certManager(), conversion: true } })).toEqual([]);
  });

  test('take the certificate of an issuer that is there', () => {
    const objects = operatorObjects({ webhooks: { certificate: WebhookCertificate.certManager({ name: 'company', clusterIssuer: true }), validating: [{ type: FOOS }] } });

    expect(only(objects, 'Certificate').spec.issuerRef).toEqual({ group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'company' });
    expect(objects.filter(({ kind }) => kind === 'Issuer')).toEqual([]);
  });

  test('of the core group have no group in their paths', () => {
    const { webhooks } = only(operatorObjects({ webhooks: { certificate: WebhookCertificate.certManager(), mutating: [{ type: ResourceType.PODS, objectSelector: { a: 'b' } }] } }), 'MutatingWebhookConfiguration');

    expect(webhooks[0]).toMatchObject({ name: 'mpod-v1.kb.io', clientConfig: { service: { path: '/mutate--v1-pod' } } });
  });
});

test('the name and the namespace can be given, and patches show', () => {
  const chart = new Chart(Testing.app(), 'operators');
  const operator = new Operator(chart, 'x', { ...LEAST, name: 'manager', namespace: 'system' });
  operator.deployment.addJsonPatch(JsonPatch.add('/spec/revisionHistoryLimit', 2));

  expect([operator.name, operator.namespace]).toEqual(['manager', 'system']);
  expect(Testing.synth(chart).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(Array(4).fill('system/manager'));
  expect(operator.deployment.toJson().spec.revisionHistoryLimit).toBe(2);
});
