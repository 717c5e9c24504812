import * as fc from 'fast-check';
import { configOf, manifestOf, MAXIMAL, MAXIMAL_POOL, problemsOf, SSH_KEY } from './bound';
import { FileEncoding } from '../../../../../src/constructs/contracts/bootstrap-file';
import { PoolContext } from '../../../../../src/constructs/contracts/node-pool/pool-context';
import { checkJinja } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/cloud-config-text';
import { KubeadmBootstrapProps } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
import { SchemaValidator } from '../../../../manifests/schema/validate';
import { clusterContext } from '../../../../support/contexts';
import { amount } from '../../../../support/sample';

const fileOf = (config: any, path: string) => config.files.find((file: any) => file.path === path);

describe('the template', () => {
  test('says nothing but the socket when nothing is asked for', () => {
    expect(manifestOf()).toEqual({
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmConfigTemplate',
      metadata: { name: 'acme-general', namespace: 'tenant-acme', annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' } },
      spec: { template: { spec: { joinConfiguration: { nodeRegistration: { criSocket: 'unix:///var/run/containerd/containerd.sock' } } } } },
    });
  });

  test('has no trace of lists and structs that are empty', () => {
    const empty: KubeadmBootstrapProps = {
      kubeletExtraArgs: [],
      ignorePreflightErrors: [],
      skipPhases: [],
      timeouts: {},
      files: [],
      bootCommands: [],
      preKubeadmCommands: [],
      postKubeadmCommands: [],
      users: [],
      diskSetup: { partitions: [], filesystems: [] },
      mounts: [],
      registryMirrors: [],
      trustedCas: [],
    };
    expect(configOf(empty)).toEqual(configOf());
  });

  test('satisfies the schema, with what the server would fill in', () => {
    const validator = SchemaValidator.load();
    for (const manifest of [manifestOf(), manifestOf(MAXIMAL, MAXIMAL_POOL)]) {
      expect(validator.validate(manifest)).toEqual([]);
      expect(validator.missingDefaults(manifest)).toEqual([]);
    }
    expect(problemsOf(MAXIMAL, MAXIMAL_POOL)).toEqual([]);
  });
});

describe('the kubelet', () => {
  test('gets the labels of the pool in one order, before the arguments of the user', () => {
    const { joinConfiguration } = configOf({ kubeletExtraArgs: [{ name: 'v', value: '2' }] }, { nodeLabels: { zone: 'b', class: 'gpu' } });
    expect(joinConfiguration.nodeRegistration.kubeletExtraArgs).toEqual([{ name: 'node-labels', value: 'class=gpu,zone=b' }, { name: 'v', value: '2' }]);
  });

  test('registers with the taints of the pool', () => {
    expect(configOf({}, MAXIMAL_POOL).joinConfiguration.nodeRegistration.taints).toEqual([
      { key: 'example.com/dedicated', value: 'gpu', effect: 'NoSchedule' }, { key: 'example.com/slow', effect: 'PreferNoSchedule' },
    ]);
  });

  test('is configured by a patch that does not depend on the order of fields', () => {
    const patch = (kubeletConfiguration: PoolContext['kubeletConfiguration']) => {
      const config = configOf({}, { kubeletConfiguration });
      expect(config.joinConfiguration.patches).toEqual({ directory: '/etc/kubernetes/patches' });
      return fileOf(config, '/etc/kubernetes/patches/kubeletconfiguration+strategic.json');
    };
    const file = patch({ maxPods: 60, evictionHard: { 'nodefs.available': '10%', 'memory.available': '7%' } });
    expect(file).toMatchObject({ owner: 'root:root', permissions: '0644' });
    expect(JSON.parse(file.content)).toEqual({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      evictionHard: { 'memory.available': '7%', 'nodefs.available': '10%' },
      maxPods: 60,
    });
    expect(patch({ evictionHard: { 'memory.available': '7%', 'nodefs.available': '10%' }, maxPods: 60 })).toEqual(file);
  });

  test('is patched by files of the user too', () => {
    const config = configOf({ files: [{ path: '/etc/kubernetes/patches/kubeletconfiguration1+merge.yaml', content: 'maxPods: 50' }] });
    expect(config.joinConfiguration.patches).toEqual({ directory: '/etc/kubernetes/patches' });
  });
});

describe('what a machine does', () => {
  test('happens in the documented order', () => {
    expect(configOf(MAXIMAL, MAXIMAL_POOL).preKubeadmCommands).toEqual([
      '/usr/local/sbin/cdk8s-cluster-api-trusted-cas || exit 1',
      '/usr/local/sbin/cdk8s-cluster-api-http-proxy || exit 1',
      '/usr/local/sbin/cdk8s-cluster-api-registry-mirrors || exit 1',
      'echo "{{ ds.meta_data.instance_id }}"',
    ]);
  });

  test('contains no Jinja tag of the library', () => {
    const { trustedCas, httpProxy, registryMirrors } = MAXIMAL;
    const { files, preKubeadmCommands } = configOf({ trustedCas, httpProxy, registryMirrors }, MAXIMAL_POOL);
    const texts: string[] = [...files.map(({ content = '' }) => content), ...preKubeadmCommands];
    expect(texts).toHaveLength(15);
    expect(texts.filter((text) => /\{[{%#]/.test(text) || checkJinja(text) !== undefined)).toEqual([]);
  });

  test('keeps files with content from Secrets from other users', () => {
    const { files } = configOf({ files: [{ path: '/a', secret: { name: 's', key: 'k' } }, { path: '/b', content: 'b' }] });
    expect(files).toEqual([
      { path: '/a', contentFrom: { secret: { name: 's', key: 'k' } }, permissions: '0600' },
      { path: '/b', content: 'b', permissions: '0644' },
    ]);
  });

  test('never overwrites a disk by default', () => {
    const { diskSetup } = configOf({ diskSetup: { partitions: [{ device: '/dev/vdb', layout: true }], filesystems: [{ device: '/dev/vdb', filesystem: 'xfs' }] } });
    expect(diskSetup).toEqual({
      partitions: [{ device: '/dev/vdb', layout: true, overwrite: false }],
      filesystems: [{ device: '/dev/vdb', filesystem: 'xfs', overwrite: false }],
    });
  });

  test('unlocks a password that is given', () => {
    const { users } = configOf({ users: [{ name: 'a', passwordFrom: { name: 's', key: 'k' } }, { name: 'b', sshAuthorizedKeys: [SSH_KEY] }] });
    expect(users).toEqual([
      { name: 'a', passwdFrom: { secret: { name: 's', key: 'k' } }, lockPassword: false }, { name: 'b', sshAuthorizedKeys: [SSH_KEY] },
    ]);
  });

  test('mounts with the fields that were given', () => {
    const mounts = [{ device: '/dev/vdb', path: '/a' }, { device: '/dev/vdc', path: '/b', options: ['ro', 'nofail'] }, { device: '/c', path: '/d', filesystem: 'none' }];
    expect(configOf({ mounts }).mounts).toEqual([['/dev/vdb', '/a'], ['/dev/vdc', '/b', 'auto', 'ro,nofail'], ['/c', '/d', 'none']]);
  });

  test('waits as long as it is told', () => {
    expect(configOf(MAXIMAL).joinConfiguration.timeouts).toEqual({
      discoverySeconds: 600, tlsBootstrapSeconds: 600, kubeletHealthCheckSeconds: 300, kubernetesAPICallSeconds: 120,
    });
  });
});

describe('registry mirrors', () => {
  const hosts = (registry: string) => fileOf(configOf(MAXIMAL), `/etc/containerd/certs.d/${registry}/hosts.toml`).content;

  test('fall back to Docker Hub\'s own registry', () => {
    expect(hosts('docker.io')).toBe([
      'server = "https://registry-1.docker.io"',
      '',
      '[host."https://mirror.example.com/v2/hub"]',
      'capabilities = ["pull"]',
      'ca = "/etc/containerd/certs.d/docker.io/ca.crt"',
      'skip_verify = false',
      'override_path = true',
      '',
      '[host."http://192.0.2.5:5000/v2/hub"]',
      'capabilities = ["pull"]',
      'ca = "/etc/containerd/certs.d/docker.io/ca.crt"',
      'skip_verify = false',
      'override_path = true',
      '',
    ].join('\n'));
    expect(fileOf(configOf(MAXIMAL), '/etc/containerd/certs.d/docker.io/ca.crt').contentFrom).toEqual({ secret: { name: 'mirror-ca', key: 'ca.crt' } });
  });

  test('fall back to the registry itself, which "_default" does not have', () => {
    const mirror = '[host."https://mirror.example.com"]\ncapabilities = ["pull", "resolve"]\n';
    expect(hosts('registry.example.com:5000')).toBe(`server = "https://registry.example.com:5000"\n\n${mirror}`);
    expect(hosts('_default')).toBe(mirror);
  });
});

describe('the proxy', () => {
  test('is not used inside the cluster', () => {
    const network = { ...clusterContext().network, podCidrs: ['10.243.0.0/16', 'fd00:1::/48'], serviceCidrs: ['10.95.0.0/16', 'fd00:2::/112'] };
    const config = configOf({ httpProxy: { httpsProxy: 'http://proxy.example.com:3128/a%20b', noProxy: ['.svc', '192.0.2.0/24'] } }, { cluster: clusterContext({ network }) });
    for (const service of ['containerd', 'kubelet']) {
      expect(fileOf(config, `/etc/systemd/system/${service}.service.d/http-proxy.conf`).content).toBe([
        '[Service]',
        'Environment="HTTPS_PROXY=http://proxy.example.com:3128/a%%20b"',
        'Environment="NO_PROXY=localhost,127.0.0.1,::1,10.243.0.0/16,fd00:1::/48,10.95.0.0/16,fd00:2::/112,.svc,.cluster.local,192.0.2.0/24"',
        '',
      ].join('\n'));
    }
  });
});

describe('whatever is asked for', () => {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
  // Words of YAML 1.1 are refused on purpose.
  const word = name.filter((text) => !['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'].includes(text)).map((text) => `x${text}`);
  const ref = fc.record({ name, key: name });
  const list = <T>(item: fc.Arbitrary<T>, by: (value: T) => unknown) => fc.uniqueArray(item, { maxLength: 4, selector: by });
  const props: fc.Arbitrary<KubeadmBootstrapProps> = fc.record({
    verbosity: fc.integer({ min: 0, max: 10 }),
    bootCommands: fc.array(word, { maxLength: 3 }),
    preKubeadmCommands: fc.array(word, { maxLength: 3 }),
    postKubeadmCommands: fc.array(word, { maxLength: 3 }),
    kubeletExtraArgs: fc.constantFrom([], [{ name: 'v', value: '4' }]),
    files: list(fc.oneof(
      fc.record({ path: name.map((text) => `/opt/${text}`), secret: ref, append: maybe(fc.boolean()) }),
      fc.record({ path: name.map((text) => `/opt/${text}`), content: word, permissions: maybe(fc.constantFrom('0400', '755')) }),
      fc.record({ path: name.map((text) => `/opt/${text}`), content: fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64')), encoding: fc.constant(FileEncoding.BASE64) }),
    ), ({ path }) => path),
    users: list(fc.record({
      name: word, sshAuthorizedKeys: maybe(fc.constant([SSH_KEY])), groups: maybe(fc.array(word, { maxLength: 2 })), passwordFrom: maybe(ref),
    }), (user) => user.name),
    mounts: list(fc.record({ device: word, path: name.map((text) => `/mnt/${text}`), options: maybe(fc.array(word, { maxLength: 2 })) }), ({ path }) => path),
    ntp: maybe(fc.record({ servers: fc.array(word, { minLength: 1, maxLength: 3 }), enabled: maybe(fc.boolean()) })),
    registryMirrors: list(fc.record({ registry: name.map((text) => `${text}.example.com`), endpoints: fc.constantFrom(['https://m.example.com'], ['http://192.0.2.1:5000', 'https://n.example.com/v2/x']), caSecret: maybe(ref) }), ({ registry }) => registry),
    httpProxy: maybe(fc.record({ httpProxy: fc.constant('http://192.0.2.1:3128'), noProxy: maybe(fc.array(word)) })),
  }, { requiredKeys: [] });
  const pool = fc.record({
    nodeLabels: fc.dictionary(name, name, { maxKeys: 4, noNullPrototype: true }),
    kubeletConfiguration: fc.constantFrom<{ [field: string]: any }>({}, { maxPods: 30 }, { systemReserved: { cpu: '100m' } }),
  });

  test('the schema takes it, and the same input gives the same bytes', () => {
    const validator = SchemaValidator.load();
    fc.assert(fc.property(props, pool, (asked, context) => {
      const manifest = manifestOf(asked, context);
      expect(problemsOf(asked, context)).toEqual([]);
      expect(validator.validate(manifest)).toEqual([]);
      expect(validator.missingDefaults(manifest)).toEqual([]);
      expect(JSON.stringify(manifestOf(asked, context))).toBe(JSON.stringify(manifest));
    }), { numRuns: amount(60, 10) });
  });
});
