import { secretsOf, withoutMarks, withoutSecrets } from '../../src/manifests/secret-values';
import { isSecretName } from '../../src/values/secret-names';
import { HIDDEN, hideSecretParts } from '../../src/values/secret-text';

function shown(object: unknown): unknown {
  return withoutMarks(withoutSecrets(object));
}

test.each([
  'password', 'adminPassword', 'ADMIN_PASSWORD', 'PASSWORD1', 'db-pass', 'passwd', 'rootPasswd', 'passphrase', 'token', 'bearerToken', 'authtoken', 'AWS_SECRET_ACCESS_KEY',
  'apiKey', 'API_KEY', 'APIKey', 'apikey', 'client-secret', '--oidc-client-secret', 'clientSecret', 'secretKey', 'signing-key', 'tls.key', 'auth', 'connectionString',
  'credentials', 'dsn', 'webhookUrl', 'example.com/auth-token',
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  'key', 'name', 'image', 'version', 'secretName', 'secretRef', 'secretKeyRef', 'tokenFile', 'TOKEN_URL', 'passwordRef', 'existingSecret', 'imagePullSecrets', 'topologyKey',
  'bypass', 'compass', 'author', 'tls.crt', 'passwordPolicy', 'keyAlgorithm', 'tokenReview', 'monkey', 'secrets-store.csi.k8s.io/managed',
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
  ['curl -H "Authorization: Bearer hunter2x"', 'curl -H "Authorization: (hidden) (hidden)"'],
  ['{"password":"hunter2","user":"admin"}', '{"password":"(hidden)","user":"admin"}'],
  ['password: "hunter 2", user: admin', 'password: "(hidden)", user: admin'],
  ['https://example.com/hook?token=hunter2&a=b', 'https://example.com/hook?token=(hidden)&a=b'],
  ['abcdef.0123456789abcdef', '(hidden)'],
  [`ghp_${'a1'.repeat(18)}`, '(hidden)'],
  ['$6$salt$hash.of.it', '(hidden)'],
  ['registry.example.com/team/secret:1.2.3', 'registry.example.com/team/secret:1.2.3'],
  [`registry.example.com/token@sha256:${'ab'.repeat(32)}`, `registry.example.com/token@sha256:${'ab'.repeat(32)}`],
  ['--authentication-token-webhook-config-file=/etc/token.yaml', '--authentication-token-webhook-config-file=/etc/token.yaml'],
  ['v1.35.4', 'v1.35.4'],
  ['512Mi', '512Mi'],
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

test('values of ConfigMaps are shown only where no secret looks like them', () => {
  const data = { replicas: '3', version: 'v1.2.3', debug: 'true', timeout: '30s', size: '10Gi', level: 'info', note: 'hunter2', pin_token: '1234', config: 'a: b\n', json: '{}' };
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
  ['dots', `eyJ${'.eyJaaaaaaaaaaaaaa'.repeat(500)}`],
])('a string of many %s is searched in linear time', (_, text) => {
  expect(shown({ text })).toBeDefined();
});
