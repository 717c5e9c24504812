import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CERTIFICATES, configOf } from './bound';
import { KubeadmBootstrapProps } from '../../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
import { clusterContext } from '../../../../support/contexts';

/** Programs that the scripts may expect in every image. */
const TOOLS = ['awk', 'cat', 'cp', 'grep', 'head', 'mkdir', 'sed', 'sh', 'tr'];

/** A machine in a folder: the files of a bootstrap configuration, and programs that only note that they were called. */
class Machine {
  private readonly root = mkdtempSync(join(tmpdir(), 'machine-'));

  constructor(private readonly config: any, programs: readonly string[]) {
    mkdirSync(this.at('/bin'));
    for (const tool of TOOLS) {
      const folder = process.env.PATH!.split(delimiter).find((candidate) => existsSync(join(candidate, tool)))!;
      symlinkSync(join(folder, tool), this.at(`/bin/${tool}`));
    }
    for (const program of programs) {
      this.write(`/bin/${program}`, `#!/bin/sh\necho "${program} $*" >> ${this.root}/calls\n`);
      chmodSync(this.at(`/bin/${program}`), 0o755);
    }
    for (const { path, content = '' } of config.files) {
      this.write(path, this.relocated(content));
    }
  }

  at(path: string): string {
    return join(this.root, path);
  }

  write(path: string, content: string): this {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
    return this;
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  calls(): string[] {
    const log = this.at('/calls');
    const calls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    rmSync(log, { force: true });
    return calls;
  }

  /** Runs the commands as cloud-init does: as one shell script. */
  run(): { status: number | null; stderr: string } {
    for (const { path, permissions } of this.config.files) {
      chmodSync(this.at(path), parseInt(permissions, 8));
    }
    const script = ['#!/bin/sh', ...this.config.preKubeadmCommands, 'kubeadm join', ''].join('\n');
    const { status, stderr } = spawnSync('sh', ['-c', this.relocated(script)], { encoding: 'utf8', env: { PATH: this.at('/bin') } });
    return { status, stderr };
  }

  discard(): void {
    rmSync(this.root, { recursive: true });
  }

  /** The same text with absolute paths inside the folder; `#!/bin/sh` and options stay. */
  private relocated(text: string): string {
    return text.replace(/(?<![\w.%])\/(etc|run|usr\/local)\//g, `${this.root}/$1/`);
  }
}

const machines: Machine[] = [];
afterEach(() => machines.splice(0).forEach((one) => one.discard()));

function machine(props: KubeadmBootstrapProps, programs: readonly string[], nodeAddress?: string): Machine {
  const cluster = clusterContext({ infrastructure: { clusterKind: 'OtherCluster', nodeSetup: { address: nodeAddress } } });
  machines.push(new Machine(configOf(props, { cluster }), ['kubeadm', ...programs]));
  return machines[machines.length - 1];
}

const MIRRORS: KubeadmBootstrapProps = { registryMirrors: [{ registry: 'docker.io', endpoints: ['https://mirror.example.com'] }] };
const PROXY: KubeadmBootstrapProps = { httpProxy: { httpProxy: 'http://proxy.example.com:3128', noProxy: ['.example.com'] } };
const CAS: KubeadmBootstrapProps = { trustedCas: [{ name: 'one', certificate: CERTIFICATES[0] }, { name: 'two', certificate: CERTIFICATES[1] }] };

test.each(['sh', 'bash'])('the scripts are scripts of %s', (shell) => {
  const cluster = clusterContext({ infrastructure: { clusterKind: 'OtherCluster', nodeSetup: { address: '{{ ds.meta_data.local_ipv4 }}' } } });
  const scripts = configOf({ ...MIRRORS, ...PROXY, ...CAS }, { cluster }).files.filter(({ permissions }: any) => permissions === '0755');
  expect(scripts).toHaveLength(4);
  for (const { content } of scripts) {
    expect(spawnSync(shell, ['-n'], { input: content, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(content.split('\n').slice(0, 3)).toEqual(['#!/bin/sh', expect.stringMatching(/^# /), expect.stringMatching(/^(# |set -eu)/)]);
  }
});

describe('registry mirrors', () => {
  const CONFIG = '/etc/containerd/config.toml';
  const V1 = 'plugins."io.containerd.grpc.v1.cri"';
  const V2 = 'plugins.\'io.containerd.cri.v1.images\'';
  const start = (config?: string) => {
    const started = machine(MIRRORS, ['systemctl']);
    return config === undefined ? started : started.write(CONFIG, config);
  };

  // As `containerd config default` prints it, shortened.
  const CONTAINERD_1_7 = [
    'disabled_plugins = []', 'imports = []', 'required_plugins = []', 'version = 2', '', '[grpc]', '  address = "/run/containerd/containerd.sock"', '',
    '[plugins]', '', `  [${V1}]`, '    sandbox_image = "registry.k8s.io/pause:3.8"', '', `    [${V1}.registry]`, '      config_path = ""', '',
    `      [${V1}.registry.auths]`, '', `      [${V1}.registry.configs]`, '', `      [${V1}.registry.headers]`, '', `      [${V1}.registry.mirrors]`, '',
    '  [plugins."io.containerd.internal.v1.opt"]', '    path = "/opt/containerd"', '',
  ].join('\n');
  const CONTAINERD_2 = [
    'version = 3', 'root = \'/var/lib/containerd\'', '', '[plugins]', `  [${V2}]`, '    snapshotter = \'overlayfs\'', '', `    [${V2}.pinned_images]`,
    '      sandbox = \'registry.k8s.io/pause:3.10\'', '', `    [${V2}.registry]`, '      config_path = \'\'', '', `    [${V2}.image_decryption]`,
    '      key_model = \'node\'', '',
  ].join('\n');

  test.each([['1.7', CONTAINERD_1_7, 'config_path = ""'], ['2.x', CONTAINERD_2, 'config_path = \'\'']])('are switched on in the defaults of containerd %s', (_, config, line) => {
    const node = start(config);
    expect(node.run()).toEqual({ status: 0, stderr: '' });
    expect(node.read(CONFIG)).toBe(config.replace(`      ${line}`, `  config_path = "${node.at('/etc/containerd/certs.d')}"`));
    expect(node.calls()).toEqual(['systemctl restart containerd', 'kubeadm join']);

    const once = node.read(CONFIG);
    expect(node.run()).toEqual({ status: 0, stderr: '' });
    expect(node.read(CONFIG)).toBe(once);
    expect(node.calls()).toEqual(['kubeadm join']);
  });

  test('are switched on where the section has no such setting', () => {
    const node = start(`version = 2\n[${V1}.registry]\n\n[${V1}.containerd]\n  config_path = "mine"\n`);
    node.run();
    expect(node.read(CONFIG)).toBe(`version = 2\n[${V1}.registry]\n\n  config_path = "${node.at('/etc/containerd/certs.d')}"\n[${V1}.containerd]\n  config_path = "mine"\n`);
  });

  test('are switched on where the section comes last', () => {
    const node = start(`version = 3\n[ ${V2} . registry ] # mine\n`);
    node.run();
    expect(node.read(CONFIG)).toBe(`version = 3\n[ ${V2} . registry ] # mine\n  config_path = "${node.at('/etc/containerd/certs.d')}"\n`);
  });

  test.each([
    [2, 'io.containerd.grpc.v1.cri'], [3, 'io.containerd.cri.v1.images'], [4, 'io.containerd.cri.v1.images'],
  ])('are switched on where the section is missing, in version %d', (version, plugin) => {
    const node = start(`# mine\nversion = ${version}\nimports = ["/etc/containerd/conf.d/*.toml"]\n`);
    expect(node.run()).toEqual({ status: 0, stderr: '' });
    expect(node.read(CONFIG).split('\n').slice(3)).toEqual(['', `[plugins."${plugin}".registry]`, `  config_path = "${node.at('/etc/containerd/certs.d')}"`, '']);
  });

  test.each([['missing', undefined], ['empty', ''], ['only a comment', '  # none\n']])('are switched on where the configuration is %s', (_, config) => {
    const node = start(config);
    expect(node.run()).toEqual({ status: 0, stderr: '' });
    expect(node.read(CONFIG)).toBe(`${config ?? ''}version = 2\n\n[${V1}.registry]\n  config_path = "${node.at('/etc/containerd/certs.d')}"\n`);
  });

  test('leave other folders in place', () => {
    const node = start(`version = 3\n[${V2}.registry]\n  config_path = '/opt/certs.d' # mine\n`);
    node.run();
    expect(node.read(CONFIG)).toBe(`version = 3\n[${V2}.registry]\n  config_path = "${node.at('/etc/containerd/certs.d')}:/opt/certs.d"\n`);
  });

  test('leave a configuration alone that has them', () => {
    const config = `version = 3\n[${V2}.registry]\n  config_path = '/opt/certs.d:${start().at('/etc/containerd/certs.d')}' # mine\n\n`;
    const node = machines[machines.length - 1].write(CONFIG, config);
    expect(node.run()).toEqual({ status: 0, stderr: '' });
    expect(node.read(CONFIG)).toBe(config);
    expect(node.calls()).toEqual(['kubeadm join']);
  });

  test.each([
    ['an old version', 'disabled_plugins = ["cri"]\n', 'expected 2 or later'],
    ['settings that containerd refuses beside them', `version = 2\n  [${V1}.registry.mirrors."docker.io"]\n    endpoint = []\n`, 'remove them from the image'],
  ])('keep a machine from joining that has %s', (_, config, telling) => {
    const node = start(config);
    const { status, stderr } = node.run();
    expect(status).toBe(1);
    expect(stderr).toContain(telling);
    expect(node.read(CONFIG)).toBe(config);
    expect(node.calls()).toEqual([]);
  });
});

describe('the proxy', () => {
  const INIT = '/run/kubeadm/kubeadm.yaml';
  const JOIN = '/run/kubeadm/kubeadm-join-config.yaml';
  const noProxy = (node: Machine, service: string) => /NO_PROXY=(.*)"/.exec(node.read(`/etc/systemd/system/${service}.service.d/http-proxy.conf`))![1];
  const initConfiguration = (endpoint: string) => 'apiServer: {}\napiVersion: kubeadm.k8s.io/v1beta4\nclusterName: acme\n'
    + `controlPlaneEndpoint: ${endpoint}\nkind: ClusterConfiguration\nnetworking: {}\n\n---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\nlocalAPIEndpoint: {}\n`;
  const joinConfiguration = (endpoint: string) => '---\napiVersion: kubeadm.k8s.io/v1beta4\n'
    + `discovery:\n  bootstrapToken:\n    apiServerEndpoint: ${endpoint}\n    token: a\n`;

  /** A machine with the addresses 192.0.2.7 and fd00::7. */
  function start(): Machine {
    const node = machine(PROXY, ['systemctl']);
    node.write('/bin/ip', '#!/bin/sh\necho "2: eth0    inet 192.0.2.7/23 brd 192.0.3.255 scope global eth0"\necho "2: eth0    inet6 fd00::7/64 scope global"\n');
    chmodSync(node.at('/bin/ip'), 0o755);
    return node;
  }

  describe.each([
    ['kubeadm init', INIT, initConfiguration],
    ['kubeadm join', JOIN, joinConfiguration],
  ])('of a machine that runs %s', (_, path, configuration) => {
    test.each([
      ['10.0.0.1:6443', '10.0.0.1'], ['api.acme.example.com:443', 'api.acme.example.com'], ['\'[fd00::1]:6443\'', 'fd00::1'], ['"10.0.0.1:6443"', '10.0.0.1'],
    ])('does not stand between the kubelet and %s, nor the machine\'s own addresses', (endpoint, host) => {
      const node = start().write(path, configuration(endpoint));
      const before = noProxy(node, 'containerd');
      expect(node.run()).toEqual({ status: 0, stderr: '' });
      expect(noProxy(node, 'kubelet')).toBe(`fd00::7,192.0.2.7,${host},${before}`);
      expect(noProxy(node, 'containerd')).toBe(before);
      expect(node.calls()).toEqual(['systemctl daemon-reload', 'systemctl restart containerd', 'kubeadm join']);

      node.run();
      expect(noProxy(node, 'kubelet')).toBe(`fd00::7,192.0.2.7,${host},${before}`);
    });
  });

  test.each([
    ['whose configuration of kubeadm init has no API server', INIT, 'clusterName: acme\n', /no API server address in \S+\/run\/kubeadm\/kubeadm\.yaml$/],
    ['whose configuration of kubeadm join has no API server', JOIN, 'discovery: {}\n', /no API server address in \S+\/run\/kubeadm\/kubeadm-join-config\.yaml$/],
    [
      'that has neither configuration', '/run/kubeadm/other.yaml', '',
      /^http proxy: there is no kubeadm configuration: neither \S+\/run\/kubeadm\/kubeadm\.yaml nor \S+\/run\/kubeadm\/kubeadm-join-config\.yaml$/,
    ],
  ])('keeps a machine from joining %s', (_, path, content, message) => {
    const node = start().write(path, content);
    expect(node.run()).toMatchObject({ status: 1, stderr: expect.stringMatching(new RegExp(message.source, 'm')) });
    expect(node.calls()).toEqual([]);
  });
});

describe('the address of a node', () => {
  const INIT = '/run/kubeadm/kubeadm.yaml';
  const JOIN = '/run/kubeadm/kubeadm-join-config.yaml';
  const CONFIG = 'localAPIEndpoint:\n  advertiseAddress: NODE_ADDRESS\nnodeRegistration:\n  kubeletExtraArgs:\n    - name: node-ip\n      value: NODE_ADDRESS\n';

  /** A machine with the addresses 192.0.2.7 and 10.1.112.30. `address` is what cloud-init makes of the template. */
  function start(address: string): Machine {
    const node = machine({}, ['sleep'], address);
    node.write('/bin/ip', '#!/bin/sh\necho "2: eth0 inet 192.0.2.7/23 scope global"\necho "3: eth1 inet 10.1.112.30/20 scope global"\n');
    chmodSync(node.at('/bin/ip'), 0o755);
    return node;
  }

  test.each([INIT, JOIN])('is written into %s, once', (path) => {
    const node = start('10.1.112.30').write(path, CONFIG);

    for (const _time of [1, 2]) {
      expect(node.run()).toEqual({ status: 0, stderr: '' });
      expect(node.read(path)).toBe(CONFIG.replaceAll('NODE_ADDRESS', '10.1.112.30'));
    }
    expect(node.calls()).toEqual(['kubeadm join', 'kubeadm join']);
  });

  test.each([
    ['none', '', 'is not the IPv4 address'],
    ['a name', 'node01', 'is not the IPv4 address'],
    ['two at once', '10.1.112.3010.1.112.31', 'no network interface has'],
    ['the beginning of one', '10.1.112.3', 'no network interface has the address 10.1.112.3'],
  ])('keeps a machine from joining that knows %s', (_what, address, telling) => {
    const node = start(address).write(JOIN, CONFIG);

    expect(node.run()).toMatchObject({ status: 1, stderr: expect.stringContaining(telling) });
    expect(node.calls()).not.toContain('kubeadm join');
    expect(node.read(JOIN)).toBe(CONFIG);
  });

  test('that the user gives the kubelet is left alone', () => {
    const cluster = clusterContext({ infrastructure: { clusterKind: 'OtherCluster', nodeSetup: { address: '{{ ds.meta_data.local_ipv4 }}' } } });
    const own = { name: 'node-ip', value: '{{ ds.meta_data.public_ipv4 }}' };

    expect(configOf({ kubeletExtraArgs: [own] }, { cluster }).joinConfiguration.nodeRegistration.kubeletExtraArgs).toEqual([own]);
  });
});

describe('certificate authorities', () => {
  const names = ['one.crt', 'two.crt'];

  test('are trusted by Debian and its kin', () => {
    const node = machine(CAS, ['systemctl', 'update-ca-certificates']);
    expect(node.run()).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(node.at('/usr/local/share/ca-certificates'))).toEqual(names);
    expect(node.read('/usr/local/share/ca-certificates/two.crt')).toBe(CERTIFICATES[1]);
    expect(node.calls()).toEqual(['update-ca-certificates ', 'systemctl restart containerd', 'kubeadm join']);
  });

  test.each([
    ['Red Hat', '/etc/pki/ca-trust/source/anchors', 'update-ca-trust', 'update-ca-trust extract'], ['SUSE', '/etc/pki/trust/anchors', 'update-ca-certificates', 'update-ca-certificates '],
  ])('are trusted by %s and its kin', (_, folder, program, call) => {
    const node = machine(CAS, ['systemctl', program]);
    mkdirSync(node.at(folder), { recursive: true });
    expect(node.run()).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(node.at(folder))).toEqual(names);
    expect(node.calls()).toEqual([call, 'systemctl restart containerd', 'kubeadm join']);
  });

  test('keep a machine from joining that cannot take them', () => {
    const node = machine(CAS, ['systemctl']);
    expect(node.run()).toMatchObject({ status: 1, stderr: expect.stringContaining('neither update-ca-trust nor update-ca-certificates') });
    expect(node.calls()).toEqual([]);
  });
});
