import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parse } from 'yaml';
import { filesOf, kubeVip, Written } from './clusters';
import { Calico } from '../../../src/constructs/addons/cni/calico';
import { KubeadmEtcd } from '../../../src/constructs/control-planes/kubeadm/control-plane/etcd';
import { ScriptFolder, ScriptRun } from '../../support/shell-scripts';

const FILES = filesOf({ cni: new Calico() });
const BIN = 'files/usr/local/sbin/cdk8s-cluster-api';

const TOKEN = 'abcdef.0123456789abcdef';
const HASH = `sha256:${'1'.repeat(64)}`;
const KEY = '0123456789abcdef'.repeat(4);

const folder = new ScriptFolder();

/** Runs a script with the host's folders below the folder of the test. */
function run(script: string, programs: { readonly [name: string]: string }, args: string[] = []): ScriptRun {
  fs.mkdirSync(folder.path('run'), { recursive: true });
  return folder.run(script.replace(/(?<![\w/.])\/(etc|run)\//g, (_, name) => `${folder.path(name)}/`), programs, args);
}

describe('joining', () => {
  const join = (node: string, credentials: string | undefined, kubeadm = 'cat "$3"') => {
    folder.put('etc/kubernetes/kubeadm/join.yaml', FILES[`${node}/files/etc/kubernetes/kubeadm/join.yaml`].text);
    if (credentials !== undefined) folder.put('etc/kubernetes/kubeadm/credentials.env', credentials, 0o600);
    return run(FILES[`${node}/${BIN}-join`].text, { kubeadm: `stat -c %a "$3" >&2\n${kubeadm}` });
  };
  const left = () => ['etc/kubernetes/kubeadm/credentials.env', 'run/cdk8s-cluster-api-join.yaml'].filter((file) => fs.existsSync(folder.path(file)));
  const worker = `KUBEADM_TOKEN=${TOKEN}\nKUBEADM_CA_CERT_HASH=${HASH}\n`;
  const controlPlane = `${worker}KUBEADM_CERTIFICATE_KEY=${KEY}\n`;

  test('a worker gets token and fingerprint, and nothing stays behind', () => {
    const { status, stdout, stderr, calls } = join('worker01', worker);
    const document = parse(stdout);

    expect(status).toBe(0);
    expect(stderr.trim()).toBe('600');
    expect(calls).toEqual([`kubeadm join --config ${folder.path('run')}/cdk8s-cluster-api-join.yaml`]);
    expect(document.discovery.bootstrapToken).toEqual({ apiServerEndpoint: 'api.example.com:6443', token: TOKEN, caCertHashes: [HASH] });
    expect(left()).toEqual([]);
  });

  test('a node of the control plane gets the key, too', () => {
    const { status, stdout } = join('master02', controlPlane);

    expect(status).toBe(0);
    expect(parse(stdout).controlPlane.certificateKey).toBe(KEY);
    expect(stdout).not.toContain('@KUBEADM');
  });

  test('no argument of a program holds a secret', () => {
    folder.put('etc/kubernetes/kubeadm/join.yaml', FILES['master02/files/etc/kubernetes/kubeadm/join.yaml'].text);
    folder.put('etc/kubernetes/kubeadm/credentials.env', controlPlane, 0o600);
    const real = spawnSync('sh', ['-c', 'command -v sed'], { encoding: 'utf8' }).stdout.trim();
    const { status, stdout, calls } = run(FILES[`master02/${BIN}-join`].text, { kubeadm: 'cat "$3"', sed: `exec ${real} "$@"` });

    expect(status).toBe(0);
    expect(parse(stdout).controlPlane.certificateKey).toBe(KEY);
    expect(calls.filter((call) => call.startsWith('sed ')).length).toBeGreaterThan(3);
    for (const secret of [TOKEN, KEY]) expect(calls.join('\n')).not.toContain(secret);
  });

  test('what looks like a number stays text', () => {
    const { stdout } = join('master02', `KUBEADM_TOKEN=123456.1234567890123456\nKUBEADM_CA_CERT_HASH=${HASH}\nKUBEADM_CERTIFICATE_KEY=${'7'.repeat(64)}\n`);

    expect(parse(stdout)).toMatchObject({ discovery: { bootstrapToken: { token: '123456.1234567890123456' } }, controlPlane: { certificateKey: '7'.repeat(64) } });
  });

  test('of values that are there twice the last one counts', () => {
    const { status, stdout } = join('worker01', `KUBEADM_TOKEN=aaaaaa.0000000000000000\n${worker}${worker}`);

    expect(status).toBe(0);
    expect(parse(stdout).discovery.bootstrapToken).toMatchObject({ token: TOKEN, caCertHashes: [HASH] });
  });

  test('kubeadm makes its files with the permissions that it always makes them with', () => {
    const { stderr } = join('worker01', worker, 'umask >&2');
    const usual = spawnSync('sh', ['-c', 'umask'], { encoding: 'utf8' }).stdout;

    expect(stderr).toBe(`600\n${usual}`);
    expect(Number.parseInt(usual, 8)).not.toBe(0o77);
  });

  test('credentials of a join that failed stay, what they were put into does not', () => {
    const { status } = join('worker01', worker, 'exit 3');

    expect(status).toBe(3);
    expect(left()).toEqual(['etc/kubernetes/kubeadm/credentials.env']);
  });

  test.each<[string, string, string | undefined, string]>([
    ['no credentials', 'worker01', undefined, 'credentials.env is not there'],
    ['no token', 'worker01', `KUBEADM_CA_CERT_HASH=${HASH}\n`, 'has no KUBEADM_TOKEN of the right form'],
    ['half a token', 'worker01', worker.replace(TOKEN, 'abcdef'), 'has no KUBEADM_TOKEN of the right form'],
    ['a fingerprint without its kind', 'worker01', worker.replace('sha256:', ''), 'has no KUBEADM_CA_CERT_HASH of the right form'],
    ['a command in place of a value', 'worker01', worker.replace(HASH, '$(reboot)'), 'has no KUBEADM_CA_CERT_HASH of the right form'],
    ['those of a worker', 'master02', worker, 'has no KUBEADM_CERTIFICATE_KEY of the right form'],
  ])('%s: nothing happens, and the reason is said', (_what, node, credentials, message) => {
    const { status, stderr, calls } = join(node, credentials);

    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(calls).toEqual(['']);
    expect(left()).not.toContain('run/cdk8s-cluster-api-join.yaml');
  });
});

describe('credentials', () => {
  const script = FILES[`master01/${BIN}-credentials`].text;
  const kubeadm = `case "$1" in token) echo ${TOKEN} ;; init) echo '[upload-certs] Using certificate key:'; echo ${KEY} ;; esac`;
  // A certificate of no meaning, made by openssl for this test.
  const certificate = () => {
    const file = folder.path('etc/kubernetes/pki/ca.crt');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    expect(spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=test', '-days', '1', '-keyout', folder.path('ca.key'), '-out', file]).status).toBe(0);
    const der = new X509Certificate(fs.readFileSync(file)).publicKey.export({ type: 'spki', format: 'der' });
    return `sha256:${createHash('sha256').update(der).digest('hex')}`;
  };

  test('for a worker: a token and the fingerprint of the authority\'s key', () => {
    const hash = certificate();
    const { status, stdout, calls } = run(script, { kubeadm }, ['worker']);

    expect(status).toBe(0);
    expect(stdout).toBe(`KUBEADM_TOKEN=${TOKEN}\nKUBEADM_CA_CERT_HASH=${hash}\n`);
    expect(calls).toEqual(['kubeadm token create --ttl 2h']);
  });

  test('for the control plane: the key, too', () => {
    const hash = certificate();
    const { stdout, calls } = run(script, { kubeadm }, ['control-plane']);

    expect(stdout).toBe(`KUBEADM_TOKEN=${TOKEN}\nKUBEADM_CA_CERT_HASH=${hash}\nKUBEADM_CERTIFICATE_KEY=${KEY}\n`);
    expect(calls[1]).toBe(`kubeadm init phase upload-certs --upload-certs --config ${folder.path('etc')}/kubernetes/kubeadm/init.yaml`);
  });

  test('are for one of both', () => {
    expect(run(script, { kubeadm }, ['master'])).toMatchObject({ status: 2, stdout: '', calls: [''] });
    expect(run(script, { kubeadm })).toMatchObject({ status: 2, stderr: 'usage: script control-plane|worker\n' });
  });

  test('are not there before the cluster', () => {
    expect(run(script, { kubeadm }, ['worker'])).toMatchObject({ status: 1, stdout: '', calls: [''] });
  });
});

test('starting shows no token', () => {
  const { status, calls } = run(FILES[`master01/${BIN}-init`].text, { kubeadm: 'true' });

  expect(status).toBe(0);
  expect(calls).toEqual([`kubeadm init --config ${folder.path('etc')}/kubernetes/kubeadm/init.yaml --skip-token-print --skip-certificate-key-print`]);
});

test('installing puts every file into place, and then restarts what reads it', () => {
  for (const [file, { text }] of Object.entries(FILES).filter(([name]) => name.startsWith('lb01/'))) folder.put(file, text);
  const { status, calls } = folder.run(`sh ${folder.path('lb01/install.sh')}`, { install: '', systemctl: '' });

  expect(status).toBe(0);
  expect(calls).toEqual([
    'install -D -o root -g root -m 0644 files/etc/haproxy/haproxy.cfg /etc/haproxy/haproxy.cfg',
    'install -D -o root -g root -m 0644 files/etc/keepalived/keepalived.conf /etc/keepalived/keepalived.conf',
    'install -D -o root -g root -m 0755 files/usr/libexec/keepalived/check_apiserver.sh /usr/libexec/keepalived/check_apiserver.sh',
    'systemctl enable haproxy keepalived',
    'systemctl reload-or-restart haproxy keepalived',
  ]);
});

test('where SELinux is on, HAProxy and keepalived may connect to API servers', () => {
  for (const [file, { text }] of Object.entries(FILES).filter(([name]) => name.startsWith('lb01/'))) folder.put(file, text);
  const { calls } = folder.run(`sh ${folder.path('lb01/install.sh')}`, { install: '', systemctl: '', selinuxenabled: 'true', restorecon: '', setsebool: '' });

  expect(calls.slice(-5)).toEqual([
    'selinuxenabled ',
    'restorecon -R /etc/haproxy/haproxy.cfg /etc/keepalived/keepalived.conf /usr/libexec/keepalived/check_apiserver.sh',
    'setsebool -P haproxy_connect_any=on keepalived_connect_any=on',
    'systemctl enable haproxy keepalived',
    'systemctl reload-or-restart haproxy keepalived',
  ]);
});

describe('waiting for a control plane node', () => {
  const script = FILES[`master02/${BIN}-ready`].text;
  const own = 'kubectl --kubeconfig ETC/kubernetes/admin.conf --server https://192.168.10.22:6443 --request-timeout 10s';
  const wait = (kubectl: string, sleep = '') => {
    const { calls, ...result } = run(script, { kubectl, sleep });
    return { ...result, calls: calls.map((call) => call.replaceAll(folder.path('etc'), 'ETC')) };
  };

  test('asks its own API server and its own member of etcd', () => {
    const { status, stdout, calls } = wait('true');

    expect({ status, stdout }).toEqual({ status: 0, stdout: 'master02 is ready\n' });
    expect(calls).toEqual([`${own} get --raw /readyz`, expect.stringMatching(/--namespace kube-system exec etcd-master02 -- etcdctl .* endpoint health$/)]);
    expect(calls[1]).toContain(own);
  });

  test('goes on until both answer', () => {
    const twice = (count: string) => `echo x >> ${folder.path(count)}; [ "$(wc -l < ${folder.path(count)})" -gt 2 ]`;

    const { status, calls } = wait(`case "$*" in *readyz*) ${twice('api')} ;; *) ${twice('etcd')} ;; esac`);

    expect(status).toBe(0);
    expect(calls.filter((call) => call === 'sleep 5')).toHaveLength(4);
  });

  test.each([['the API server', '*readyz*'], ['etcd', '*endpoint*']])('fails where %s does not come back', (_what, requests) => {
    expect(wait(`case "$*" in ${requests}) exit 1 ;; esac`)).toMatchObject({ status: 1, stderr: 'master02 is not ready: leave the other nodes as they are\n' });
  });

  test('asks no member of an external etcd', () => {
    const files = filesOf({ etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'] }) });

    expect(files[`master02/${BIN}-ready`].text).not.toContain('etcdctl');
    expect(Object.keys(files).filter((file) => file.endsWith('-ready'))).toHaveLength(3);
  });
});

test('installing really makes files with their permissions', () => {
  const user = os.userInfo().username;
  const group = spawnSync('id', ['-gn'], { encoding: 'utf8' }).stdout.trim();
  const target = folder.path('target');
  const script = FILES['master02/install.sh'].text
    .replace(/-o root -g root/g, `-o ${user} -g ${group}`).replace(/^(install .*) (\/\S+)$/gm, `$1 ${target}$2`);
  for (const [file, { text }] of Object.entries(FILES).filter(([name]) => name.startsWith('master02/files'))) folder.put(file, text);
  folder.put('master02/install.sh', script);

  expect(folder.run(`sh ${folder.path('master02/install.sh')}`, { modprobe: '', sysctl: '' }).status).toBe(0);
  expect(folder.mode('target/etc/kubernetes/kubeadm/join.yaml')).toBe('600');
  expect(folder.mode('target/usr/local/sbin/cdk8s-cluster-api-join')).toBe('755');
  expect(folder.mode('target/etc/sysctl.d/kubernetes.conf')).toBe('644');
});

test('every program is one that a POSIX shell can read, and says which shell', () => {
  const all: Written = { ...FILES, ...filesOf({ loadBalancer: kubeVip() }) };
  const programs = Object.entries(all).filter(([, { mode }]) => mode === '755');

  expect(programs.length).toBeGreaterThan(15);
  for (const [file, { text }] of programs) {
    expect([file, text.startsWith('#!/bin/sh\n'), text.endsWith('\n')]).toEqual([file, true, true]);
    expect([file, spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' }).stderr]).toEqual([file, '']);
  }
});
