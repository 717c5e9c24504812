import { parse } from 'yaml';
import { bound, manifestOf, refused } from './bound';
import { AuditLevel, AuditStage, ControlPlaneAudit } from '../../../../src/constructs/control-planes/kamaji/audit';
import { ClaimMapping, ClaimValidationRule, ControlPlaneAuthentication, JwtAuthenticator } from '../../../../src/constructs/control-planes/kamaji/authentication';
import { EncryptionProvider, ExternalEncryptionKeys } from '../../../../src/constructs/control-planes/kamaji/encryption';
import { KubernetesVersion } from '../../../../src/manifests/values/kubernetes-version';

const KEEP = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'helm.sh/resource-policy': 'keep',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  'kustomize.toolkit.fluxcd.io/substitute': 'disabled',
};

// A self-signed certificate that was made for this test; nothing uses its key.
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBdTCCARugAwIBAgIUY2fu1n7Kd4ty1X8kU0c2ljds97UwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjEwOTQ1MjdaGA8yMTI2MTAyODA5NDUy
N1owDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFvH
/yYky+2toEU3h7cSQoW2RtItXHjhn/PnxIL/gBGGg5qMKktOHHBQlZ7yL6G97nAL
3TkrI4lesT9+1IbdPgmjUzBRMB0GA1UdDgQWBBSQDFi8O0i2sjKXkiRgIRxI5Dn8
kjAfBgNVHSMEGDAWgBSQDFi8O0i2sjKXkiRgIRxI5Dn8kjAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0gAMEUCIQCC1PG6wnRnCcwow3nk/0Wt8L1joyjh2OTX
4vAJD4vpEQIgRQ6U9IhtZmAhBbJDU+TlZPQYAz8ebV4HGU8COizeiU4=
-----END CERTIFICATE-----
`;

describe('authentication', () => {
  const jane: JwtAuthenticator = { issuerUrl: 'https://id.example.com', audiences: ['acme'], username: ClaimMapping.claim('email', 'oidc:') };
  const jwt = (changes: Partial<JwtAuthenticator> = {}) => ({ authentication: ControlPlaneAuthentication.jwt([{ ...jane, ...changes }]) });

  test('by tokens is a ConfigMap beside the API server, which is told where to find it', () => {
    const { spec, manifests, problems } = bound(jwt());

    expect(problems).toEqual([]);
    const { metadata, data } = manifestOf(manifests, 'ConfigMap');
    expect(metadata).toEqual({ name: 'acme-authentication-config', namespace: 'tenant-acme', annotations: KEEP });
    expect(parse(data['config.yaml'])).toEqual({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [{
        issuer: { url: 'https://id.example.com', audiences: ['acme'] },
        claimMappings: { username: { claim: 'email', prefix: 'oidc:' } },
        userValidationRules: [
          { expression: "!user.username.startsWith('system:')", message: 'usernames that start with system: are reserved' },
          { expression: "user.groups.all(group, !group.startsWith('system:'))", message: 'groups that start with system: are reserved' },
        ],
      }],
    });
    expect(spec.apiServer.extraArgs).toEqual(['--authentication-config=/etc/kubernetes/authentication-config/config.yaml']);
    expect(spec.apiServer.extraVolumeMounts).toEqual([{ name: 'authentication-config', mountPath: '/etc/kubernetes/authentication-config', readOnly: true }]);
    expect(spec.deployment.extraVolumes).toEqual([
      { name: 'authentication-config', configMap: { name: 'acme-authentication-config', items: [{ key: 'config.yaml', path: 'config.yaml' }] } },
    ]);
  });

  test.each([['1.33.2', 'apiserver.config.k8s.io/v1beta1'], ['1.34.0', 'apiserver.config.k8s.io/v1']])('of Kubernetes %s is %s', (version, apiVersion) => {
    const { manifests } = bound(jwt(), { kubernetesVersion: KubernetesVersion.of(version) });
    expect(parse(manifestOf(manifests, 'ConfigMap').data['config.yaml']).apiVersion).toBe(apiVersion);
  });

  test('writes everything that an identity provider can be given', () => {
    const { manifests, problems } = bound(jwt({
      discoveryUrl: 'https://internal.example.com/.well-known/openid-configuration',
      certificateAuthority: CERTIFICATE,
      audiences: ['acme', 'acme-cli'],
      username: ClaimMapping.expression('claims.sub'),
      groups: ClaimMapping.claim('groups', ''),
      claimValidationRules: [ClaimValidationRule.requiredValue('hd', 'example.com'), ClaimValidationRule.expression('claims.ok', 'not ok')],
      userValidationRules: [{ expression: 'user.uid != ""' }],
      allowSystemIdentities: true,
    }));

    expect(problems).toEqual([]);
    expect(parse(manifestOf(manifests, 'ConfigMap').data['config.yaml']).jwt).toEqual([{
      issuer: {
        url: 'https://id.example.com',
        discoveryURL: 'https://internal.example.com/.well-known/openid-configuration',
        certificateAuthority: CERTIFICATE,
        audiences: ['acme', 'acme-cli'],
        audienceMatchPolicy: 'MatchAny',
      },
      claimValidationRules: [{ claim: 'hd', requiredValue: 'example.com' }, { expression: 'claims.ok', message: 'not ok' }],
      claimMappings: { username: { expression: 'claims.sub' }, groups: { claim: 'groups', prefix: '' } },
      userValidationRules: [{ expression: 'user.uid != ""' }],
    }]);
  });

  test('can come from what somebody else keeps', () => {
    const secret = bound({ authentication: ControlPlaneAuthentication.secret('idp', 'auth.yaml') });
    const configMap = bound({ authentication: ControlPlaneAuthentication.configMap('idp', 'auth.yaml') });

    expect(manifestOf(secret.manifests, 'ConfigMap')).toBeUndefined();
    expect(secret.spec.deployment.extraVolumes).toEqual([{ name: 'authentication-config', secret: { secretName: 'idp', items: [{ key: 'auth.yaml', path: 'auth.yaml' }] } }]);
    expect(configMap.spec.deployment.extraVolumes).toEqual([{ name: 'authentication-config', configMap: { name: 'idp', items: [{ key: 'auth.yaml', path: 'auth.yaml' }] } }]);
    expect(secret.spec.apiServer.extraArgs).toEqual(['--authentication-config=/etc/kubernetes/authentication-config/auth.yaml']);
  });

  test('leaves empty lists behind when it is switched off', () => {
    const { spec } = bound();
    expect([spec.apiServer.extraArgs, spec.apiServer.extraVolumeMounts, spec.deployment.extraVolumes]).toEqual([[], [], []]);
  });

  test.each<[string, Partial<JwtAuthenticator>, string]>([
    ['an issuer without TLS', { issuerUrl: 'http://id.example.com' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].issuerUrl: "http://id.example.com" is not an https URL'],
    ['an issuer with a space before it', { issuerUrl: ' https://id.example.com' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].issuerUrl: " https://id.example.com" has white space'],
    ['an issuer with a line break', { issuerUrl: 'https://id.example.com\n' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].issuerUrl: '],
    ['an issuer that is no URL', { issuerUrl: 'id.example.com' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].issuerUrl: "id.example.com" is not a URL'],
    ['an issuer with a query', { issuerUrl: 'https://id.example.com?a=b' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].issuerUrl: "https://id.example.com?a=b" has a user, a query or a fragment'],
    ['the cluster\'s own issuer', { issuerUrl: 'https://kubernetes.default.svc.cluster.local' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].issuerUrl: "https://kubernetes.default.svc.cluster.local" is the issuer of the cluster\'s own'],
    ['a discovery document at the issuer itself', { discoveryUrl: 'https://id.example.com/' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].discoveryUrl: "https://id.example.com/" is the URL of the issuer itself'],
    ['a discovery document without TLS', { discoveryUrl: 'http://x.example.com' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].discoveryUrl: "http://x.example.com" is not an https URL'],
    ['a path in place of a certificate', { certificateAuthority: '/etc/ca.crt' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].certificateAuthority: the string holds no valid certificate'],
    ['a broken certificate', { certificateAuthority: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].certificateAuthority: the string holds no valid certificate'],
    ['a private key', { certificateAuthority: '-----BEGIN PRIVATE KEY-----' }, 'TC-KAMAJI-JWT-ISSUER controlPlane.authentication[0].certificateAuthority: the string holds a private key'],
    ['no audience', { audiences: [] }, 'TC-KAMAJI-JWT-AUDIENCE controlPlane.authentication[0].audiences: there is no audience'],
    ['an empty audience', { audiences: ['a', ''] }, 'TC-KAMAJI-JWT-AUDIENCE controlPlane.authentication[0].audiences[1]: the audience is empty'],
    ['an audience twice', { audiences: ['a', 'a'] }, 'TC-KAMAJI-JWT-AUDIENCE controlPlane.authentication[0].audiences[1]: "a" is there twice'],
    ['an empty claim', { username: ClaimMapping.claim('', 'x') }, 'TC-KAMAJI-JWT-CLAIMS controlPlane.authentication[0].username: the claim is empty'],
    ['an empty expression', { groups: ClaimMapping.expression(' ') }, 'TC-KAMAJI-JWT-CLAIMS controlPlane.authentication[0].groups: the expression is empty'],
    ['a claim with two rules', { claimValidationRules: [ClaimValidationRule.requiredValue('hd', 'a'), ClaimValidationRule.requiredValue('hd', 'b')] }, 'TC-KAMAJI-JWT-CLAIMS controlPlane.authentication[0].claimValidationRules[1]: "hd" has a rule already'],
    ['an empty rule', { userValidationRules: [{ expression: '' }] }, 'TC-KAMAJI-JWT-CLAIMS controlPlane.authentication[0].userValidationRules[0]: the rule names neither'],
    ['a bracket that nothing closes', { groups: ClaimMapping.expression('dyn(claims.groups') }, 'TC-KAMAJI-JWT-CLAIMS controlPlane.authentication[0].groups: "dyn(claims.groups" has a ( that nothing closes'],
    ['a rule over the user in place of claims', { claimValidationRules: [ClaimValidationRule.expression("user.name == 'x'", 'no')] }, 'TC-KAMAJI-JWT-CLAIMS controlPlane.authentication[0].claimValidationRules[0].expression: "user.name == \'x\'" is about user, and only claims is there'],
    ['a rule over claims in place of the user', { userValidationRules: [{ expression: "claims.sub != ''" }] }, 'controlPlane.authentication[0].userValidationRules[0].expression: "claims.sub != \'\'" is about claims, and only user is there'],
    ['an email that nobody verified', { username: ClaimMapping.expression("'oidc:' + claims.email") }, 'TC-KAMAJI-JWT-CLAIMS controlPlane.authentication[0].username: "\'oidc:\' + claims.email" uses claims.email'],
  ])('%s is refused', (_, changes, problem) => {
    expect(refused(jwt(changes))).toEqual([expect.stringContaining(problem)]);
  });

  test('of one issuer twice, of none and of too many is refused', () => {
    const many = Array.from({ length: 65 }, (_, index) => ({ ...jane, issuerUrl: `https://id${index}.example.com` }));

    expect(refused({ authentication: ControlPlaneAuthentication.jwt([jane, jane]) })).toEqual([expect.stringContaining('TC-KAMAJI-JWT-ISSUER controlPlane.authentication[1].issuerUrl: "https://id.example.com" is there twice')]);
    expect(refused({ authentication: ControlPlaneAuthentication.jwt([]) })).toEqual([expect.stringContaining('TC-KAMAJI-JWT-ISSUER controlPlane.authentication: there are 0 identity providers')]);
    expect(refused({ authentication: ControlPlaneAuthentication.jwt(many) })).toEqual([expect.stringContaining('TC-KAMAJI-JWT-ISSUER controlPlane.authentication: there are 65 identity providers')]);
  });

  test('from an impossible object is refused', () => {
    expect(refused({ authentication: ControlPlaneAuthentication.secret('IDP', 'a b') })).toEqual([
      expect.stringContaining('TC-KAMAJI-FILE-SOURCE controlPlane.authentication.name: "IDP" is not a DNS name'),
      expect.stringContaining('TC-KAMAJI-FILE-SOURCE controlPlane.authentication.key: "a b" is not a key'),
    ]);
  });
});

describe('audit', () => {
  const audit = (changes: Partial<ControlPlaneAudit>) => ({ audit: { rules: [{ level: AuditLevel.METADATA }], ...changes } });

  test('goes to the log by default, by a policy that is named by its content', () => {
    const { spec, manifests, problems } = bound(audit({}));

    expect(problems).toEqual([]);
    const { metadata, data, immutable } = manifestOf(manifests, 'ConfigMap');
    expect(metadata).toEqual({ name: expect.stringMatching(/^acme-audit-policy-[0-9a-f]{8}$/), namespace: 'tenant-acme', annotations: KEEP });
    expect(immutable).toBe(true);
    expect(parse(data['policy.yaml'])).toEqual({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] });
    expect(spec.apiServer.extraArgs).toEqual(['--audit-policy-file=/etc/kubernetes/audit-policy/policy.yaml', '--audit-log-path=-']);
    expect(spec.deployment.extraVolumes).toEqual([{ name: 'audit-policy', configMap: { name: metadata.name, items: [{ key: 'policy.yaml', path: 'policy.yaml' }] } }]);
  });

  test('by another policy is another ConfigMap, so that the API server reads it', () => {
    const names = [{}, { omitManagedFields: true }].map((changes) => manifestOf(bound(audit(changes)).manifests, 'ConfigMap').metadata.name);
    expect(new Set(names).size).toBe(2);
  });

  test('goes to a webhook, and to the log beside it only on request', () => {
    const webhook = { secretName: 'siem', key: 'kubeconfig' };
    const flag = '--audit-webhook-config-file=/etc/kubernetes/audit-webhook/kubeconfig';
    const policy = '--audit-policy-file=/etc/kubernetes/audit-policy/policy.yaml';

    const { spec } = bound(audit({ webhook }));
    expect(spec.apiServer.extraArgs).toEqual([policy, flag]);
    expect(spec.deployment.extraVolumes[1]).toEqual({ name: 'audit-webhook', secret: { secretName: 'siem', items: [{ key: 'kubeconfig', path: 'kubeconfig' }] } });
    expect(bound(audit({ webhook, log: true })).spec.apiServer.extraArgs).toEqual([policy, '--audit-log-path=-', flag]);
  });

  test('writes whole rules in the API\'s spelling', () => {
    const { manifests } = bound({
      audit: {
        omitStages: [AuditStage.REQUEST_RECEIVED],
        rules: [
          { level: AuditLevel.NONE, nonResourceUrls: ['/healthz*'] },
          { level: AuditLevel.REQUEST, verbs: ['create'], resources: [{ resources: ['secrets'] }, { group: 'apps' }] },
        ],
      },
    });

    expect(parse(manifestOf(manifests, 'ConfigMap').data['policy.yaml'])).toEqual({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [
        { level: 'None', nonResourceURLs: ['/healthz*'] },
        { level: 'Request', verbs: ['create'], resources: [{ group: '', resources: ['secrets'] }, { group: 'apps' }] },
      ],
    });
  });

  test.each<[Partial<ControlPlaneAudit>, string]>([
    [{ rules: [] }, 'TC-KAMAJI-AUDIT-RULE controlPlane.audit.rules: the policy has no rules'],
    [{ log: false }, 'TC-KAMAJI-AUDIT-SINK controlPlane.audit.log: audit events go nowhere'],
    [{ webhook: { secretName: 'a_b', key: 'k' } }, 'TC-KAMAJI-FILE-SOURCE controlPlane.audit.webhook.secretName: "a_b" is not a DNS name'],
    [{ rules: [{ level: AuditLevel.NONE, nonResourceUrls: ['healthz'] }] }, 'TC-KAMAJI-AUDIT-RULE controlPlane.audit.rules[0].nonResourceUrls[0]: "healthz" is not a path'],
    [{ rules: [{ level: AuditLevel.NONE, nonResourceUrls: ['/a*b'] }] }, 'TC-KAMAJI-AUDIT-RULE controlPlane.audit.rules[0].nonResourceUrls[0]: "/a*b" is not a path'],
    [{ rules: [{ level: AuditLevel.NONE, nonResourceUrls: ['/a'], namespaces: ['b'] }] }, 'TC-KAMAJI-AUDIT-RULE controlPlane.audit.rules[0]: the rule is about objects and about other paths'],
    [{ rules: [{ level: AuditLevel.NONE, resources: [{ group: 'apps/V1' }] }] }, 'TC-KAMAJI-AUDIT-RULE controlPlane.audit.rules[0].resources[0].group: "apps/V1" is not a DNS name'],
    [{ rules: [{ level: AuditLevel.NONE, resources: [{ resourceNames: ['a'] }] }] }, 'TC-KAMAJI-AUDIT-RULE controlPlane.audit.rules[0].resources[0].resourceNames: names of objects are given without their kinds'],
  ])('is refused with %j', (changes, problem) => {
    expect(refused(audit(changes))).toEqual([expect.stringContaining(problem)]);
  });
});

describe('encryption', () => {
  test('is a reference to keys, and never their content', () => {
    const { spec, manifests } = bound({ encryption: { secretName: 'encryption', key: 'config.yaml' } });

    expect(manifests.map(({ kind }) => kind)).toEqual(['KamajiControlPlane', 'PodDisruptionBudget']);
    expect(spec.apiServer.extraArgs).toEqual([
      '--encryption-provider-config=/etc/kubernetes/encryption-config/config.yaml', '--encryption-provider-config-automatic-reload=true',
    ]);
    expect(spec.apiServer.extraVolumeMounts).toEqual([{ name: 'encryption-config', mountPath: '/etc/kubernetes/encryption-config', readOnly: true }]);
    expect(spec.deployment.extraVolumes).toEqual([{ name: 'encryption-config', secret: { secretName: 'encryption', items: [{ key: 'config.yaml', path: 'config.yaml' }] } }]);
  });

  test('by a name that is none is refused', () => {
    expect(refused({ encryption: { secretName: 'a_b', key: 'k' } })).toEqual([
      expect.stringContaining('TC-KAMAJI-FILE-SOURCE controlPlane.encryption.secretName: "a_b" is not a DNS name'),
    ]);
  });

  test.each(['', '..', 'a/b'])('by the key "%s" is refused', (key) => {
    expect(refused({ encryption: { secretName: 'encryption', key } })).toEqual([expect.stringContaining(`TC-KAMAJI-FILE-SOURCE controlPlane.encryption.key: "${key}" is not a key`)]);
  });

  const external = (changes: Partial<ExternalEncryptionKeys>) => ({
    encryption: {
      secretName: 'encryption',
      key: 'config.yaml',
      externalKeys: { secretStore: 'vault', keys: [{ name: '2026', remoteKey: 'tenants/acme', property: 'key-2026' }], ...changes },
    },
  });

  test('with keys of a store makes the Secret, in the order of the keys, and keeps it when the ExternalSecret goes', () => {
    const { manifests } = bound(external({
      keys: [{ name: '2026', remoteKey: 'tenants/acme', property: 'key-2026' }, { name: 'old', remoteKey: 'tenants/acme-old', provider: EncryptionProvider.AES_CBC }],
      resources: ['secrets', 'configmaps'],
      rewrittenWith: '2026',
    }));
    const [secret] = manifests.filter(({ kind }) => kind === 'ExternalSecret');

    expect(secret.metadata).toMatchObject({ name: 'encryption', annotations: { 'cdk8s-cluster-api/rewritten-with': '2026' } });
    expect(secret.spec).toMatchObject({
      secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
      refreshInterval: '1h0m0s',
      target: { name: 'encryption', creationPolicy: 'Orphan', deletionPolicy: 'Retain' },
    });
    expect(secret.spec.data.map(({ secretKey, remoteRef }: any) => [secretKey, remoteRef.key, remoteRef.property])).toEqual([
      ['2026', 'tenants/acme', 'key-2026'], ['old', 'tenants/acme-old', undefined],
    ]);
    expect(parse(secret.spec.target.template.data['config.yaml'])).toEqual({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: [{
        resources: ['secrets', 'configmaps'],
        providers: [
          { secretbox: { keys: [{ name: '2026', secret: '{{ index . "2026" | trim }}' }] } },
          { aescbc: { keys: [{ name: 'old', secret: '{{ index . "old" | trim }}' }] } },
          { identity: {} },
        ],
      }],
    });
  });

  test('with keys of one provider puts them into one entry', () => {
    const { manifests } = bound(external({ keys: [{ name: 'a', remoteKey: 'x' }, { name: 'b', remoteKey: 'x' }] }));
    const [{ spec }] = manifests.filter(({ kind }) => kind === 'ExternalSecret');

    expect((parse(spec.target.template.data['config.yaml']) as any).resources[0].providers).toEqual([
      { secretbox: { keys: [{ name: 'a', secret: '{{ index . "a" | trim }}' }, { name: 'b', secret: '{{ index . "b" | trim }}' }] } }, { identity: {} },
    ]);
  });

  test.each<[Partial<ExternalEncryptionKeys>, string]>([
    [{ secretStore: 'a_b' }, 'externalKeys.secretStore: "a_b" is not a DNS name'],
    [{ keys: [] }, 'externalKeys.keys: it has no keys'],
    [{ keys: [{ name: 'a b', remoteKey: 'x' }] }, 'externalKeys.keys[0].name: "a b" is not a key of a Secret'],
    [{ keys: [{ name: 'a', remoteKey: 'x' }, { name: 'a', remoteKey: 'y' }] }, 'externalKeys.keys[1].name: "a" is already the name of keys[0]'],
    [{ keys: [{ name: 'a', remoteKey: '' }] }, 'externalKeys.keys[0].remoteKey: it is empty'],
    [{ rewrittenWith: '2025' }, 'externalKeys.rewrittenWith: "2025" is not the first key, which is "2026"'],
  ])('with keys of a store is refused with %j', (changes, problem) => {
    expect(refused(external(changes))).toEqual([expect.stringContaining(`TC-KAMAJI-ENCRYPTION-KEY controlPlane.encryption.${problem}`)]);
  });
});

test('all files together keep their order, behind the user\'s own volumes and before the user\'s own flags', () => {
  const { spec } = bound({
    authentication: ControlPlaneAuthentication.secret('a', 'k'),
    audit: { rules: [{ level: AuditLevel.METADATA }] },
    encryption: { secretName: 'e', key: 'k' },
    apiServer: { extraArgs: [{ name: 'audit-log-maxage', value: '7' }] },
  });

  expect(spec.deployment.extraVolumes.map(({ name }: { name: string }) => name)).toEqual(['authentication-config', 'audit-policy', 'encryption-config']);
  expect(spec.apiServer.extraArgs.at(-1)).toBe('--audit-log-maxage=7');
});
