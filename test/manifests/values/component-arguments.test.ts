import { CheckArgumentsOptions, checkArguments, formatArgument, parseArgument } from '../../../src/manifests/values/component-arguments';
import { Component, flagFact, flagNames, knownReleases } from '../../../src/manifests/values/component-facts';
import { Finding } from '../../../src/manifests/values/finding';

type Given = readonly (readonly [name: string, value: string])[];

const find = (component: Component, minor: string | undefined, given: Given, options?: CheckArgumentsOptions): Finding[] =>
  checkArguments(component, minor, given.map(([name, value]) => ({ name, value })), options);
const one = (component: Component, minor: string, name: string, value: string): string[] =>
  find(component, minor, [[name, value]])
    .map(({ message, accepted, fix }) => [message, accepted, fix].filter((part) => part).join(' | '));

describe('names of flags', () => {
  test('every flag of every release is known to that release', () => {
    for (const component of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'konnectivity-server', 'konnectivity-agent'] as const) {
      for (const release of knownReleases(component)) {
        const unknown = checkArguments(component, release, flagNames(component, release).map((name) => ({ name, value: '' }))).filter((finding) => finding.message.includes('has no flag'));
        expect(unknown).toEqual([]);
      }
    }
  });

  test.each<[Component, string, string, string]>([
    ['kube-apiserver', '1.35', 'tls-curve-preferences', 'kube-apiserver 1.35 has no flag --tls-curve-preferences (exists from 1.36) and exits on it | remove tls-curve-preferences'],
    ['kubelet', '1.35', 'pod-infra-container-image', 'kubelet 1.35 has no flag --pod-infra-container-image (removed in 1.35) and exits on it | remove pod-infra-container-image'],
    ['kube-controller-manager', '1.37', 'concurrent-service-syncs',
      'kube-controller-manager 1.37 has no flag --concurrent-service-syncs (removed in 1.37) and exits on it | remove concurrent-service-syncs'],
    ['kubelet', '1.34', 'register-schedulable', 'kubelet 1.34 has no flag --register-schedulable (removed in 1.34) and exits on it | remove register-schedulable'],
    ['kube-apiserver', '1.35', 'audit-log-max-age', 'kube-apiserver 1.35 has no flag --audit-log-max-age and exits on it | did you mean audit-log-maxage?'],
    ['kube-apiserver', '1.35', 'cloud-provider', 'kube-apiserver 1.35 has no flag --cloud-provider (removed in 1.33) and exits on it | remove cloud-provider'],
    ['kubelet', '1.36', 'container-runtime', 'kubelet 1.36 has no flag --container-runtime (removed in 1.27) and exits on it | remove container-runtime'],
    ['kubelet', '1.36', 'node-label', 'kubelet 1.36 has no flag --node-label and exits on it | did you mean node-labels?'],
    ['kube-scheduler', '1.36', '--v', '"--v" is not the name of a flag | names without leading hyphens, spaces and "=" | write "v"'],
    ['kube-scheduler', '1.36', 'v=2', '"v=2" is not the name of a flag | names without leading hyphens, spaces and "=" | write the name "v" and put the rest into the value'],
    ['kube-scheduler', '1.36', '', '"" is not the name of a flag | names without leading hyphens, spaces and "=" | give the name of a flag'],
    ['kube-scheduler', '1.36', ' v', '" v" is not the name of a flag | names without leading hyphens, spaces and "=" | write "v"'],
    ['konnectivity-agent', '0.36', 'proxy-server-hosts', 'konnectivity-agent 0.36 has no flag --proxy-server-hosts and exits on it | did you mean proxy-server-host?'],
    ['konnectivity-server', '0.34', 'tls-min-version', 'konnectivity-server 0.34 has no flag --tls-min-version (exists from 0.36) and exits on it | remove tls-min-version'],
  ])('%s %s: %p', (component, minor, name, expected) => {
    expect(one(component, minor, name, '1')).toEqual([expected]);
  });

  test('a suggestion exists in the same release', () => {
    expect(one('kube-apiserver', '1.33', 'tls-curve-preference', '1')[0]).not.toContain('tls-curve-preferences');
  });

  test('underscores count as hyphens', () => {
    expect(find('kubelet', '1.35', [['node_ip', '10.0.0.1']])).toEqual([]);
    expect(find('kubelet', '1.35', [['node_ip', '10.0.0.1'], ['node-ip', '10.0.0.2']])).toHaveLength(1);
  });

  test('a release that the tables do not know', () => {
    expect(find('kube-apiserver', '1.99', [['invented-later', '1']])).toEqual([]);
    expect(find('kube-apiserver', '1.99', [['v', 'x']])).toHaveLength(1);
    expect(find('kube-apiserver', '1.20', [['invented-later', '1']])).toHaveLength(1);
    expect(find('konnectivity-server', undefined, [['tls-min-version', 'VersionTLS12'], ['nonsense', '1']]).map(({ path }) => path)).toEqual([[1]]);
    expect(find('konnectivity-server', '0.35', [['tls-min-version', 'VersionTLS12']])).toEqual([]);
  });
});

describe('who sets a flag', () => {
  const managed = { 'cloud-provider': 'the infrastructure sets it' };

  test('a managed flag is refused with the reason, however it is written', () => {
    for (const name of ['cloud-provider', 'cloud_provider']) {
      expect(find('kubelet', '1.35', [['v', '2'], [name, 'external']], { managed })).toEqual([{
        path: [1], message: 'kubelet cannot be given --cloud-provider, because the infrastructure sets it', fix: `remove ${name}`,
      }]);
    }
  });
});

describe('repetition', () => {
  test('the last one wins where the type takes one value', () => {
    expect(find('kube-apiserver', '1.35', [['v', '2'], ['audit-log-maxage', '3'], ['v', '4']])).toEqual([{
      path: [2], message: '--v is there twice, first at position 0; the component takes the last one', fix: 'keep one of them',
    }]);
  });

  test.each<[Component, string, string]>([
    ['kube-apiserver', 'service-account-issuer', 'https://a'],
    ['kube-apiserver', 'enable-admission-plugins', 'NodeRestriction'],
    ['kube-apiserver', 'oidc-required-claim', 'a=b'],
    ['kubelet', 'node-labels', 'a=b'],
  ])('%s --%s may be repeated, unless names have to be unique', (component, name, value) => {
    expect(find(component, '1.35', [[name, value], [name, value]])).toEqual([]);
    expect(find(component, '1.35', [[name, value], [name, value]], { unique: true })).toHaveLength(1);
  });
});

describe('values', () => {
  test.each<[Component, string, string, boolean]>([
    ['kube-apiserver', 'anonymous-auth', 'false', true],
    ['kube-apiserver', 'anonymous-auth', 'F', true],
    ['kube-apiserver', 'anonymous-auth', 'no', false],
    ['kube-apiserver', 'anonymous-auth', '', false],
    ['kube-apiserver', 'audit-log-maxage', '30', true],
    ['kube-apiserver', 'audit-log-maxage', '0x1e', true],
    ['kube-apiserver', 'audit-log-maxage', '1_000', true],
    ['kube-apiserver', 'audit-log-maxage', '3.5', false],
    ['kube-apiserver', 'audit-log-maxage', '30d', false],
    ['kube-apiserver', 'audit-log-maxage', '9223372036854775808', false],
    ['kube-controller-manager', 'concurrent-gc-syncs', '2147483647', true],
    ['kube-controller-manager', 'concurrent-gc-syncs', '2147483648', false],
    ['kube-controller-manager', 'concurrent-gc-syncs', '-1', true],
    ['kube-apiserver', 'kubelet-port', '-1', false],
    ['kube-apiserver', 'request-timeout', '1m0s', true],
    ['kube-apiserver', 'request-timeout', '60', false],
    ['kube-apiserver', 'request-timeout', '1 m', false],
    ['kube-apiserver', 'advertise-address', '2001:db8::1', true],
    ['kube-apiserver', 'advertise-address', 'api.example.com', false],
    ['kube-apiserver', 'service-node-port-range', '30000-32767', true],
    ['kube-apiserver', 'service-node-port-range', '30000+100', true],
    ['kube-apiserver', 'service-node-port-range', '32767-30000', false],
    ['kube-apiserver', 'service-node-port-range', '30000-70000', false],
    ['kube-apiserver', 'goaway-chance', '.001', true],
    ['kube-apiserver', 'goaway-chance', '0,001', false],
    ['kube-apiserver', 'log-json-info-buffer-size', '512Ki', true],
    ['kube-apiserver', 'log-json-info-buffer-size', '512KB', false],
    ['kube-apiserver', 'allow-metric-labels', 'a,b=c', false],
    ['kube-apiserver', 'runtime-config', 'api/all', true],
    ['kubelet', 'eviction-hard', 'memory.available<100Mi', true],
    ['kubelet', 'cloud-provider', 'external', true],
    ['kubelet', 'cloud-provider', 'aws', false],
    ['kubelet', 'version', 'true', false],
    ['kubelet', 'node-labels', 'example.com/a=b,plain=,node.kubernetes.io/x=y', true],
    ['kubelet', 'node-labels', 'example.com/a=b,kubernetes.io/x=y', false],
    ['kubelet', 'node-labels', 'node-role.kubernetes.io/worker=', false],
  ])('%s --%s=%s: %p', (component, name, value, fits) => {
    const found = one(component, '1.36', name, value);
    expect(found.length === 0).toBe(fits);
  });

  test('the message names the type and what is accepted', () => {
    expect(one('kube-apiserver', '1.35', 'request-timeout', '60')).toEqual([
      '--request-timeout is of type duration, and "60" is not | durations such as 30s, 5m, 1h30m | correct the value',
    ]);
  });
});

describe('feature gates in arguments', () => {
  test.each<[string, string, string[]]>([
    ['1.35', 'InPlacePodVerticalScaling=true', []],
    ['1.35', 'MemoryManager=true, AllAlpha=false', []],
    ['1.36', 'MemoryManager=true', ['Kubernetes 1.36 has no feature gate MemoryManager (removed in 1.36) and does not start with it | remove MemoryManager']],
    ['1.35', 'MemoryManager=false', ['the feature gate MemoryManager is locked to true in 1.35 | remove MemoryManager=false']],
    ['1.34', 'MutablePVNodeAffinity=true',
      ['Kubernetes 1.34 has no feature gate MutablePVNodeAffinity (exists from 1.35) and does not start with it | remove MutablePVNodeAffinity']],
    ['1.35', 'NodeSwapp=true', ['Kubernetes 1.35 has no feature gate "NodeSwapp" and does not start with it | did you mean NodeSwap?']],
    ['1.35', 'NodeSwap', ['"NodeSwap" is not the setting of a feature gate | write NodeSwap=true or NodeSwap=false']],
    ['1.35', 'NodeSwap=on', ['"NodeSwap=on" is not the setting of a feature gate | write NodeSwap=true or NodeSwap=false']],
    ['1.99', 'InventedLater=true', []],
  ])('%s: %s', (minor, value, expected) => {
    for (const component of ['kube-apiserver', 'kubelet'] as const) {
      expect(one(component, minor, 'feature-gates', value)).toEqual(expected);
    }
  });
});

test('the kubelet does not take the name of a component before a gate', () => {
  expect(one('kube-scheduler', '1.35', 'feature-gates', 'kube:MutablePVNodeAffinity=true')).toEqual([]);
  expect(one('kubelet', '1.35', 'feature-gates', 'kube:MutablePVNodeAffinity=true')).toHaveLength(1);
});

test('a deprecated flag works', () => {
  expect(flagFact('kubelet', 'max-pods', '1.35')?.deprecated).toBe(true);
  expect(find('kubelet', '1.35', [['max-pods', '200']])).toEqual([]);
});

test.each([
  ['--v=2', { name: 'v', value: '2' }],
  ['--oidc-required-claim=a=b', { name: 'oidc-required-claim', value: 'a=b' }],
  ['--profiling', { name: 'profiling', value: 'true' }],
  ['--empty=', { name: 'empty', value: '' }],
  ['-v=2', undefined],
  ['v=2', undefined],
  ['--', undefined],
  ['--v 2', undefined],
])('command line form %p', (text, expected) => {
  expect(parseArgument(text)).toEqual(expected);
  if (expected) {
    expect(parseArgument(formatArgument(expected))).toEqual(expected);
  }
});
