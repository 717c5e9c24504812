import { Workplace } from './run';

const MARKER = 'S3cretM4rker';

/** Manifests whose secrets hold the marker. A letter makes two states of them. */
function manifests(state: string): string {
  const secret = `${MARKER}${state}`;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const objects = [
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      spec: {
        controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'acme' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtCluster', name: 'acme' },
        topology: { classRef: { name: 'a' }, version: 'v1.35.4', variables: [{ name: 'adminPassword', value: secret }, { name: 'auth', value: { password: { nested: secret } } }] },
      },
    },
    {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmControlPlane',
      spec: {
        version: 'v1.35.4',
        machineTemplate: { spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtMachineTemplate', name: 'acme' } } },
        kubeadmConfigSpec: {
          users: [{ name: 'root', passwd: secret.repeat(40) }],
          files: [{ path: '/etc/kubernetes/manifests/a.txt', content: secret, permissions: 7 }, { path: '/etc/docker/config.json', content: JSON.stringify({ auths: { a: { auth: secret } } }) }],
          preKubeadmCommands: [`login -p ${secret}`],
          initConfiguration: { bootstrapTokens: [{ token: secret }], certificateKey: secret },
          joinConfiguration: { discovery: { bootstrapToken: { token: secret, apiServerEndpoint: 'a:6443' }, tlsBootstrapToken: secret } },
          clusterConfiguration: { apiServer: { extraArgs: [{ name: 'oidc-client-secret', value: secret }, { name: 'etcd-servers', value: `https://root:${secret}@etcd:2379` }] } },
        },
      },
    },
    { apiVersion: 'v1', kind: 'Secret', data: { 'password': base64(secret), 'odd key': secret }, stringData: { token: secret, config: `a: ${secret}\nb: 1\n` } },
    { apiVersion: 'v1', kind: 'ConfigMap', data: { 'plain': secret, 'kubeconfig': `users:\n- user: {token: ${secret}}\n`, 'odd key': secret }, binaryData: { a: base64(secret) } },
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'packed', data: { a: JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'inner', namespace: 'a' }, stringData: { a: secret, b: `${secret}!` }, data: { c: secret } }) } },
    { apiVersion: 'addons.cluster.x-k8s.io/v1beta2', kind: 'ClusterResourceSet', spec: { clusterSelector: { matchLabels: { a: 'b' } }, resources: [{ kind: 'ConfigMap', name: 'packed' }] } },
    {
      apiVersion: 'kamaji.clastix.io/v1alpha1',
      kind: 'DataStore',
      spec: {
        driver: 'etcd',
        endpoints: [`https://a:${secret}@etcd:2379`],
        basicAuth: { username: { content: 'cm9vdA==' }, password: { content: base64(secret) } },
        tlsConfig: { certificateAuthority: { certificate: { content: 'YQ==' }, privateKey: { content: base64(secret) } } },
      },
    },
    {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      spec: {
        interval: '5m',
        chart: { spec: { chart: 'a', version: '1.0.0', sourceRef: { kind: 'HelmRepository', name: 'a' } } },
        values: {
          adminPassword: secret,
          replicas: state.length,
          nested: [{ apiKey: secret }],
          secrets: { grafana: secret, list: [secret] },
          url: `postgres://a:${secret}@db/a`,
          config: `x:\n  y: ${secret}\n`,
          env: { DB_PASS: secret },
          extraArgs: { 'client-secret': secret },
          hook: `https://hooks.slack.com/services/${secret}`,
          passwords: [secret],
          pem: `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`,
          coded: base64(`password: ${secret}`),
          json: JSON.stringify({ password: secret }),
          data: `data:text/plain;base64,${base64(secret)}`,
        },
      },
    },
    { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', name: 'a', spec: { interval: '5m', url: `https://user:${secret}@charts.example.com` } },
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      spec: {
        destination: { name: 'acme', namespace: 'a' },
        project: 'default',
        source: { chart: 'a', repoURL: `https://user:${secret}@charts.example.com`, targetRevision: '1.0.0', helm: { parameters: [{ name: 'auth.adminPassword', value: secret }], values: `password: ${secret}`, valuesObject: { token: secret } } },
      },
    },
    { apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', spec: { clusterSelector: {}, chartName: 'a', repoURL: 'https://charts.example.com', version: '1.0.0', valuesTemplate: `password: ${secret}` } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ a: secret }), 'example.com/auth-token': secret },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [{
              name: 'a',
              image: `registry.example.com/a:${state.length}`,
              args: [`--password=${secret}`, '--token', secret, '-p', secret, `sh -c "login --api-key ${secret}"`, `curl -H 'Authorization: Bearer ${secret}'`],
              command: ['sh', '-c', `export DB_PASSWORD=${secret}`],
              env: [{ name: 'PASSWORD', value: secret }, { name: 'DATABASE_URL', value: `mysql://a:${secret}@db/a` }, { name: 'DB_PASSWORD', value: 7 }],
              livenessProbe: { httpGet: { port: 1, httpHeaders: [{ name: 'Authorization', value: `Basic ${secret}` }] } },
            }],
          },
        },
      },
    },
    {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      spec: {
        runStrategy: 'Always',
        template: {
          spec: {
            domain: { devices: {} },
            volumes: [
              { name: 'a', cloudInitNoCloud: { userData: secret, networkDataBase64: base64(secret) } }, { name: 'b', cloudInitConfigDrive: { userData: `#cloud-config\npassword: ${secret}\n` } },
            ],
          },
        },
      },
    },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'ClusterClass',
      spec: {
        variables: [{ name: 'adminPassword', required: false, schema: { openAPIV3Schema: { type: 'string', default: secret, example: secret, pattern: '^a$' } } }],
        patches: [{ name: 'a', definitions: [{ selector: {}, jsonPatches: [{ op: 'add', path: '/spec/template/spec/kubeadmConfigSpec/users/0/passwd', value: secret }] }] }],
      },
    },
    {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      spec: { interval: '5m', prune: true, sourceRef: { kind: 'GitRepository', name: 'a' }, patches: [{ patch: `[{op: replace, path: /spec/password, value: ${secret}}]` }] },
    },
    { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'a', parameters: { password: secret, url: `https://a:${secret}@b` } },
    { apiVersion: 'v1', kind: 'Unknown', annotations: { a: `login -u admin:${secret} -p${secret} --header=X-Api-Key: ${secret}`, b: `https://a/b?sig=${secret}`, c: `a:${secret}@tcp(a)` } },
    { apiVersion: 'example.com/v1', kind: 'Unknown', name: 'plugin', spec: { parameters: [{ name: 'password', string: secret }], schema: { properties: { token: { default: secret } } } } },
    { apiVersion: 'example.com/v1', kind: 'Unknown', spec: { password: secret, connectionString: `Server=a;Password=${secret}`, replicas: state.length, credentials: { user: secret }, items: [{ key: 'client_secret', value: secret }] } },
  ];
  return objects.map(({ name = 'acme', annotations, ...object }: { name?: string; annotations?: object } & object) => (
    JSON.stringify({ ...object, metadata: { name, namespace: 'tenant-acme', ...(annotations && { annotations }) } }))).join('\n---\n');
}

const LEAK = new RegExp(['', ' ', '  '].flatMap((before) => [MARKER, Buffer.from(`${before}${MARKER}`).toString('base64').slice(before.length === 0 ? 0 : 4, -4)]).join('|'));

const workplace = new Workplace();
workplace.write({ 'old/a.yaml': manifests('a'), 'new/a.yaml': manifests('bb') });

const EVERY_COMMAND = [
  ...['text', 'markdown', 'json', 'github', 'sarif'].map((format) => ['plan', '--format', format, 'old', 'new']),
  ['plan', '--objects', 'old', 'new'],
  ...['text', 'json'].map((format) => ['drift', '--format', format, '--all', '--live', 'old/a.yaml', 'new']),
  ...['html', 'mermaid', 'svg'].flatMap((format) => [['graph', '--format', format, '--plan', 'old', 'new'], ['graph', '--format', format, '--cluster', 'tenant-acme/acme', 'new']]),
  ...['table', 'json', 'csv'].map((format) => ['inventory', '--format', format, 'new']),
  ...['text', 'json', 'github', 'sarif'].map((format) => ['validate', '--format', format, 'new']),
  ['validate', '--strict', 'new'],
  ['validate', '--against', 'old', 'new'],
  ['images', 'new'],
  ['images', '--format', 'json', 'new'],
];

test.each(EVERY_COMMAND.map((args) => [args.join(' '), args] as const))('%s shows no secret', async (_, args) => {
  const { out, err, code } = await workplace.run(args);
  expect([0, 1]).toContain(code);
  expect(out).not.toBe('');
  expect((out + err).split('\n').filter((line) => LEAK.test(line)).map((line) => line.slice(0, 400))).toEqual([]);
});

test('what cannot be read is not quoted', async () => {
  const { out, err } = await workplace.run(['validate', '-'], `password: *${MARKER}\n`);
  const { err: scalar } = await workplace.run(['validate', '-'], `${MARKER}\n`);
  expect(out + err + scalar).toMatch(/is no YAML: .*alias[^]*holds no object but a string/);
  expect(out + err + scalar).not.toContain(MARKER);
});

test('a message hides what it quotes, and no word of its own', async () => {
  const container = (env: object) => ({ name: 'web', image: 'a:1', args: ['--auth=true', '--cookie=field'], env: Object.entries(env).map(([name, value]) => ({ name, value })) });
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'a' },
    spec: { replicas: 'number', template: { spec: { containers: [container({ A_TOKEN: 'whole', B_TOKEN: 'required', C_TOKEN: 'number', D_TOKEN: 'web', E_TOKEN: 1234 })] } } },
  };
  workplace.write({ 'words/a.yaml': JSON.stringify(object) });
  const { out } = await workplace.run(['validate', 'words']);
  expect(out).toContain('"(hidden)" is not a whole number.');
  expect(out).toContain('it is required, and it is not there.');
  expect(out).toContain('(hidden) is not a string.');
  expect(out.match(/hidden/g)).toHaveLength(2);
});

test('a change shows no former secret', async () => {
  const proxy = (repoURL: string) => JSON.stringify({
    apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', metadata: { name: 'a' }, spec: { clusterSelector: {}, chartName: 'a', version: '1.0.0', repoURL },
  });
  workplace.write({ 'former/a.yaml': proxy(`https://user:${MARKER}@charts.example.com`), 'now/a.yaml': proxy('https://charts.example.com') });
  const { out } = await workplace.run(['validate', '--against', 'former', 'now']);
  expect(out).toContain('it was "https://(hidden)@charts.example.com", and is "https://charts.example.com" now');
});

test('a plan shows ordinary fields of the same objects', async () => {
  const { out } = await workplace.run(['plan', 'old', 'new']);
  expect(out).toContain('container.a.image registry.example.com/a:1 -> registry.example.com/a:2');
  expect(out).toContain('values.replicas 1 -> 2');
  expect(out).toContain('spec.replicas 1 -> 2');
  expect(out).toContain('values.adminPassword changed');
});

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;
const textsInTexts = (depth: number, text: string): string => (text.length > 4500 ? text : textsInTexts(depth, `{"a":${'['.repeat(depth)}${JSON.stringify(text)}${']'.repeat(depth)}}`));

test.each([
  ['lists', nested(4900, '[', ']'), nested(4800, '[', ']')],
  ['fields', nested(1600, '{"":', '}'), nested(1500, '{"":', '}')],
  ['texts in texts', textsInTexts(400, '1'), textsInTexts(400, '2')],
  ['documents of YAML', `${'['.repeat(4900)}a${']'.repeat(4900)}`, `${'['.repeat(4900)}b${']'.repeat(4900)}`],
])('%s that are nested deeply in a text are hidden, and stop no command', async (_, one, other) => {
  const object = (text: string) => JSON.stringify({
    apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'b', annotations: { 'example.com/a': text } }, spec: { replicas: 'many' },
  });
  workplace.write({ 'deep/old/a.yaml': object(one), 'deep/new/a.yaml': object(other) });
  for (const args of [['validate', 'deep/new'], ['validate', '--against', 'deep/old', 'deep/new'], ['images', 'deep/new']]) {
    expect((await workplace.run(args)).err).toBe('');
  }
  expect((await workplace.run(['validate', 'deep/new'])).out).toContain('"many" is not a whole number');
  for (const args of [['plan'], ['graph', '--plan']]) {
    const { out, err } = await workplace.run([...args, 'deep/old', 'deep/new']);
    expect(err).toBe('');
    expect(out).toContain('changed');
  }
});
