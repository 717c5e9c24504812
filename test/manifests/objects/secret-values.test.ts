import { secretsOf, withoutMarks, withoutSecrets } from '../../../src/manifests/objects/secret-values';
import { HIDDEN, hideSecretParts, isSecretName } from '../../../src/manifests/values/secret-text';

function shown(object: unknown): unknown {
  return withoutMarks(withoutSecrets(object));
}

test.each([
  'password', 'adminPassword', 'ADMIN_PASSWORD', 'PASSWORD1', 'db-pass', 'passwd', 'rootPasswd', 'passphrase', 'token', 'bearerToken', 'authtoken', 'AWS_SECRET_ACCESS_KEY',
  'apiKey', 'API_KEY', 'APIKey', 'apikey', 'client-secret', '--oidc-client-secret', 'clientSecret', 'secretKey', 'signing-key', 'tls.key', 'auth', 'connectionString',
  'credentials', 'dsn', 'webhookUrl', 'example.com/auth-token', 'DJANGO_SECRET_KEY', 'passwordHash', 'privateKeyPem', 'API_TOKEN_B64', 'client-key-data', 'apiKeys', 'sig',
  'caKey', 'ssl_key', 'unsealKeys', 'Ocp-Apim-Subscription-Key', 'LDAP_BIND_PW', 'secretString', 'passcode', 'encryptionkey', 'sasl.jaas.config',
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  'key', 'name', 'image', 'version', 'secretName', 'secretRef', 'secretKeyRef', 'tokenFile', 'TOKEN_URL', 'passwordRef', 'existingSecret', 'imagePullSecrets', 'topologyKey',
  'bypass', 'compass', 'author', 'tls.crt', 'passwordPolicy', 'keyAlgorithm', 'tokenReview', 'monkey', 'secrets-store.csi.k8s.io/managed', 'auth.existingSecret', 'adminExistingSecret',
  'existing-secret', 'tlsSecret', 'passwordSecret', 'githubConfigSecret', 'cert-manager.io/inject-ca-from-secret',
  'kamaji.clastix.io/kubeconfig-secret-key', 'sshPublicKey', 'accessKeyId', 'saltLength', 'design', 'volumeKey', 'data', 'value',
])('%s is not the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.each([
  ['postgres://app:hunter2@db.example.com/app', 'postgres://(hidden)@db.example.com/app'],
  ['ssh://git@github.com/acme/app', 'ssh://git@github.com/acme/app'],
  ['--password=hunter2', '--password=(hidden)'],
  ['--password hunter2 --verbosity 3', '--password (hidden) --verbosity 3'],
  ['login -u admin -p hunter2', 'login -u admin -p (hidden)'],
  ['sh -c "login --api-key hunter2"', 'sh -c "login --api-key (hidden)"'],
  ['run="login --api-key hunter2"', 'run="login --api-key (hidden)"'],
  ['mkdir -p /var/lib/app', 'mkdir -p /var/lib/app'],
  ['curl -H "Authorization: Bearer hunter2x"', 'curl -H "Authorization: Bearer (hidden)"'],
  ['curl -H "Authorization: Token hunter2 x"', 'curl -H "Authorization: (hidden)"'],
  ['--header=X-Api-Key: hunter2', '--header=X-Api-Key: (hidden)'],
  ['curl -H X-Api-Key:hunter2 https://a', 'curl -H X-Api-Key:(hidden) https://a'],
  ['--header "Cookie: a=hunter2; b=c"', '--header "Cookie: (hidden)"'],
  ['curl -u admin:hunter2 https://a', 'curl -u (hidden) https://a'],
  ['curl --user=admin:hunter2 https://a', 'curl --user=(hidden) https://a'],
  ['docker run -u 1000:1000 a', 'docker run -u 1000:1000 a'],
  ['mysql -u root -phunter a', 'mysql -u root -p(hidden) a'],
  ['login -phunter2', 'login -p(hidden)'],
  ['run -profile -p8080 -p8080:80 -p53/udp', 'run -profile -p8080 -p8080:80 -p53/udp'],
  ['redis-cli -a hunter ping', 'redis-cli -a (hidden) ping'],
  ['openssl rsa -passin pass:hunter', 'openssl rsa -passin pass:(hidden)'],
  ['https://a.blob.core.windows.net/b?sv=2024&sig=hunter2%3D&se=1', 'https://a.blob.core.windows.net/b?sv=2024&sig=(hidden)&se=1'],
  ['app:hunter2@tcp(db:3306)/app', '(hidden)@tcp(db:3306)/app'],
  ['postgres://app:hun/ter2@db/app', 'postgres://(hidden)@db/app'],
  ['http://db:5432/a@b', 'http://db:5432/a@b'],
  ['{"password":"hunter2","user":"admin"}', '{"password":"(hidden)","user":"admin"}'],
  ['password: "hunter 2", user: admin', 'password: "(hidden)", user: admin'],
  ['https://example.com/hook?token=hunter2&a=b', 'https://example.com/hook?token=(hidden)&a=b'],
  ['abcdef.0123456789abcdef', '(hidden)'],
  [`ghp_${'a1'.repeat(18)}`, '(hidden)'],
  ...['glpat', 'gldt', 'glrt', 'glcbt', 'glptt', 'glft', 'glimt', 'glagent', 'gloas', 'glsoat', 'glffct'].map((prefix) => [`${prefix}-aB3${'x'.repeat(17)}`, '(hidden)']),
  ['globex-production-frankfurt-control-plane', 'globex-production-frankfurt-control-plane'],
  ['glft-production-frankfurt-control-plane-1', 'glft-production-frankfurt-control-plane-1'],
  ['sk-production-frankfurt-control-plane-1', 'sk-production-frankfurt-control-plane-1'],
  ['$6$salt$hash.of.it', '(hidden)'],
  ['registry.example.com/team/secret:1.2.3', 'registry.example.com/team/secret:1.2.3'],
  [`registry.example.com/token@sha256:${'ab'.repeat(32)}`, `registry.example.com/token@sha256:${'ab'.repeat(32)}`],
  ['--authentication-token-webhook-config-file=/etc/token.yaml', '--authentication-token-webhook-config-file=/etc/token.yaml'],
  ['v1.35.4', 'v1.35.4'],
  ['512Mi', '512Mi'],
  ...[
    '--enable-bootstrap-token-auth=true', '--client-cert-auth', '--token-cleanup-auth=10m30s', '--tls-private-key=/etc/kubernetes/pki/tls.key', '--password=$(PASSWORD)',
    '--token ${TOKEN}', 'https://$(USER):$(PASSWORD)@db', 'https://app:${PASSWORD}@db', 'Authorization: Bearer $(TOKEN)', '--auth=10.0.0.0/8,fd00::/8', '--max-tokens=100',
    'token={{ .Values.token }}', 'mkdir -p var/lib/app', 'mkdir -p $ROOT/tmp',
    'curl --header "Authorization: Bearer $(cat /var/run/secrets/token)" https://a',
  ].map((text) => [text, text]),
  ['charts.kubernetesstable', 'charts.kubernetesstable'],
])('%s is shown as %s', (text, expected) => {
  expect(hideSecretParts(text)).toBe(expected);
});

test('ordinary fields are shown, and an object without secrets is the same', () => {
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { app: 'web' }, annotations: { 'example.com/owner': 'team-a' } },
    spec: {
      replicas: 3,
      template: {
        spec: {
          automountServiceAccountToken: false,
          imagePullSecrets: [{ name: 'registry' }],
          containers: [{
            name: 'web',
            image: 'registry.example.com/web:1.2.3',
            args: ['--v=2', '-p', '8080', '--secret-name', 'web', '--token-ttl=1h'],
            env: [{ name: 'LOG_LEVEL', value: 'debug' }, { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'web', key: 'password' } } }],
            resources: { requests: { cpu: '500m', memory: '512Mi' } },
          }],
          volumes: [
            { name: 'a', secret: { secretName: 'web', items: [{ key: 'password', path: 'a' }], defaultMode: 420 } },
            { name: 'b', projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 3600 } }, { secret: { name: 'web' } }] } },
          ],
          tolerations: [{ key: 'dedicated', operator: 'Exists' }],
        },
      },
    },
  };
  expect(withoutSecrets(object)).toBe(object);
  expect(secretsOf(object)).toEqual([]);
});

const patch = (path: string, value: unknown) => [{ op: 'replace', path, value }];
const variable = (name: string, openAPIV3Schema: object) => ({ name, schema: { openAPIV3Schema } });

test.each<[what: string, object: unknown, expected: unknown]>([
  ['a JSON patch', patch('/spec/auth/password', 'hunter2'), patch('/spec/auth/password', HIDDEN)],
  ['a JSON patch of an entry', patch('/spec/tokens/0', 'hunter2'), patch('/spec/tokens/0', HIDDEN)],
  ['a JSON patch of data', patch('/stringData/a~1b', 'hunter2'), patch('/stringData/a~1b', HIDDEN)],
  ['a JSON patch of a file', patch('/spec/files/0/content', 'hunter2'), patch('/spec/files/0/content', HIDDEN)],
  ['a JSON patch of a command', patch('/spec/preKubeadmCommands/-', 'hunter2'), patch('/spec/preKubeadmCommands/-', HIDDEN)],
  ['a JSON patch of a group', patch('/spec/credentials', { user: 'hunter2', name: 'a' }), patch('/spec/credentials', { user: HIDDEN, name: 'a' })],
  ['a patch in one line', { patch: '[{op: replace, path: /spec/password, value: hunter2}]' }, { patch: HIDDEN }],
  ['a patch in one line of a list', { patch: '- {op: replace, path: /spec/password, value: hunter2}' }, { patch: HIDDEN }],
  ['fields in one line', { patch: '{spec: {env: [{name: DB_PASSWORD, value: hunter2}]}}' }, { patch: HIDDEN }],
  ['the default of a variable', variable('adminPassword', { type: 'string', default: 'hunter2', example: 'hunter3' }), variable('adminPassword', { type: 'string', default: HIDDEN, example: HIDDEN })],
  ['defaults of tokens', variable('tokens', { type: 'array', items: { default: 'hunter2' } }), variable('tokens', { type: 'array', items: { default: HIDDEN } })],
  ['the default of a field', { properties: { token: { type: 'string', default: 'hunter2', examples: ['hunter3'] } } }, { properties: { token: { type: 'string', default: HIDDEN, examples: [HIDDEN] } } }],
  ['a parameter of a plugin', [{ name: 'db-password', string: 'hunter2' }, { name: 'tokens', array: ['hunter2'] }, { name: 'auth', map: { a: 'hunter2' } }],
    [{ name: 'db-password', string: HIDDEN }, { name: 'tokens', array: [HIDDEN] }, { name: 'auth', map: { a: HIDDEN } }]],
  ['arguments of a client', ['mysqladmin', '-uroot', '-phunter', 'ping'], ['mysqladmin', '-uroot', `-p${HIDDEN}`, 'ping']],
  ['arguments with a user', ['-u', 'admin:hunter2'], ['-u', HIDDEN]],
  ['a header', ['--header=X-Api-Key: hunter2'], [`--header=X-Api-Key: ${HIDDEN}`]],
])('the secrets in %s are hidden', (_, object, expected) => {
  expect(shown(object)).toEqual(expected);
});

test.each<[what: string, object: object]>([
  ['paths and variables', { token: '/var/run/secrets/token', env: [{ name: 'PASSWORD', value: '$(DB_PASSWORD)' }, { name: 'PRIVATE_KEY', value: '/etc/ssl/tls.key' }] }],
  ['switches, durations and counts', { 'auth': 'true', 'token': '1h30m', 'maxTokens': '100', 'client-cert-auth': 'true', 'extraArgs': [{ name: 'enable-bootstrap-token-auth', value: 'true' }] }],
  ['ranges and images', { auth: '10.0.0.0/8', secret: 'registry.example.com/team/secret:1.2.3', credentials: { image: 'auth:1', existingSecret: 'a', provider: 'aws' } }],
  ['paths of programs and files', { kubeconfig: '/etc/kubernetes/kubelet.conf', preKubeadmCommands: ['/etc/kube-vip-prepare.sh'] }],
  ['descriptions of fields', { properties: { credentials: { description: 'Names a Secret.', type: 'object', properties: { kind: { type: 'string', description: 'Its kind.', enum: ['a'] } } } } }],
  ['names of Secrets', { existingSecret: 'a', parameters: [{ name: 'auth.existingSecret', value: 'a' }], annotations: { 'kamaji.clastix.io/kubeconfig-secret-key': 'super-admin.svc' } }],
  ['keys of remote data', { data: [{ secretKey: 'password', remoteRef: { key: 'a' } }] }],
  ['selectors and tolerations', { a: [{ key: 'example.com/auth', operator: 'In', values: ['a'] }, { key: 'token', operator: 'Equal', value: 'a' }] }],
  ['values of a release', { name: 'external-secrets', values: { a: 'b' } }],
  ['patches of other fields', { patches: [...patch('/spec/replicas', 3), ...patch('/spec/auth/enabled', true), ...patch('/spec/version', 'v1.35.4')] }],
  ['templates in one line', { a: '{{ .Values.a }}: b', b: '{a: b}', c: '[a' }],
])('%s are shown', (_, object) => {
  expect(withoutSecrets(object)).toBe(object);
});

test('data of a Secret is hidden also where no secret looks like it', () => {
  expect(shown({ apiVersion: 'v1', kind: 'Secret', stringData: { a: 'true', b: '/etc/ssl/tls.key', c: '$(A)' } })).toMatchObject({ stringData: { a: HIDDEN, b: HIDDEN, c: HIDDEN } });
});

test('values of ConfigMaps are shown only where no secret looks like them', () => {
  const data = { replicas: '3', version: 'v1.2.3', debug: 'true', timeout: '30s', size: '10Gi', level: 'info', range: '10.0.0.0/8', every: '1h30m', file: '/etc/app/app.conf', image: 'registry.example.com/a:1', note: 'hunter2', pin_token: '1234', config: 'a: b\n', json: '{}' };
  expect(shown({ apiVersion: 'v1', kind: 'ConfigMap', data, binaryData: { a: 'aHVudGVyMg==' } })).toMatchObject({
    data: { ...data, note: HIDDEN, pin_token: HIDDEN, config: HIDDEN, json: HIDDEN }, binaryData: { a: HIDDEN },
  });
});

test('values that differ stay different until they are shown', () => {
  const secret = (password: string) => withoutSecrets({ apiVersion: 'v1', kind: 'Secret', data: { password } });
  expect(secret('a')).toEqual(secret('a'));
  expect(secret('a')).not.toEqual(secret('b'));
  expect(JSON.stringify(secret('a'))).not.toContain('"a"');
});

test('a field of the name __proto__ stays a field', () => {
  const object = JSON.parse('{"__proto__": {"password": "hunter2"}, "token": "hunter2"}') as object;
  expect(JSON.stringify(shown(object))).toBe('{"__proto__":{"password":"(hidden)"},"token":"(hidden)"}');
});

test.each([
  ['long', 'password='.repeat(3_000_000)],
  ['words', 'a '.repeat(4000)],
  ['schemes', `${'a'.repeat(9000)}://`],
  ['base64', 'A'.repeat(9000)],
  ['brackets', '['.repeat(9000)],
  ['dashes', '-'.repeat(9000)],
  ['quotes', `a="${'"'.repeat(9000)}`],
  ['colons', 'a:'.repeat(4900)],
  ['flags', '-p '.repeat(3300)],
  ['clients', 'mysql '.repeat(1600)],
  ['commands', `mysql ${'-p'.repeat(4800)}`],
  ['ranges', `a=${'1.1.1.1/8,'.repeat(900)}`],
  ['segments', `a=${'/a'.repeat(4900)}!`],
  ['braces', `{${'a: {'.repeat(2000)}`],
  ['dots', `eyJ${'.eyJaaaaaaaaaaaaaa'.repeat(500)}`],
])('a string of many %s is searched in linear time', (_, text) => {
  expect(shown({ text })).toBeDefined();
});
