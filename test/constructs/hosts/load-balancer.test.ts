import * as fs from 'node:fs';
import * as fc from 'fast-check';
import { BALANCERS, documents, filesOf, hosts, kubeVip, MASTERS, problems, Written } from './clusters';
import { STATIC_POD } from './static-pod-schema';
import { checkVrrp, isMaster, rank, weight } from '../../../src/constructs/hosts/load-balancer/keepalived';
import { KubeadmLoadBalancer } from '../../../src/constructs/hosts/load-balancer/kubeadm-load-balancer';
import { structuralErrors } from '../../manifests/schema/structural';
import { ScriptFolder, ScriptRun } from '../../support/shell-scripts';

const HAPROXY = 'files/etc/haproxy/haproxy.cfg';
const KEEPALIVED = 'files/etc/keepalived/keepalived.conf';
const CHECK = 'files/usr/libexec/keepalived/check_apiserver.sh';
const PODS = 'files/etc/kubernetes/manifests';

/** The settings of a block of keepalived's configuration. */
function setting(file: Written[string], name: string): string[] {
  return file.text.split('\n').map((line) => line.trim()).filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
}

describe('hosts of their own', () => {
  const files = filesOf();

  test('have the files of both programs, and nothing of kubeadm', () => {
    expect(Object.keys(files).filter((file) => file.startsWith('lb01/files/'))).toEqual([HAPROXY, KEEPALIVED, CHECK].map((file) => `lb01/${file}`));
    expect(Object.keys(files).filter((file) => file.startsWith('master01/files/etc/haproxy'))).toEqual([]);
  });

  test('HAProxy passes connections on to API servers that say they are ready', () => {
    const lines = files[`lb01/${HAPROXY}`].text.split('\n').map((line) => line.trim());

    expect(lines).toEqual(expect.arrayContaining([
      'mode tcp', 'bind *:6443', 'option httpchk GET /readyz', 'http-check expect status 200',
      'default-server check check-ssl verify none inter 3s fall 3 rise 2 on-marked-down shutdown-sessions',
    ]));
    expect(lines.filter((line) => line.startsWith('server '))).toEqual(['server master01 192.168.10.21:6443', 'server master02 192.168.10.22:6443', 'server master03 192.168.10.23:6443']);
    expect(files[`lb02/${HAPROXY}`].text).toBe(files[`lb01/${HAPROXY}`].text);
  });

  test('API servers at another port are asked there', () => {
    const text = filesOf({ apiServerPort: 7443 })[`lb01/${HAPROXY}`].text;

    expect(text).toContain('bind *:6443');
    expect(text).toContain('server master01 192.168.10.21:7443');
  });

  test('keepalived knows the group, and who is the master', () => {
    const [first, second] = BALANCERS.map(({ name }) => files[`${name}/${KEEPALIVED}`]);

    expect([first, second].map((file) => setting(file, 'state'))).toEqual([['MASTER'], ['BACKUP']]);
    expect([first, second].map((file) => setting(file, 'priority'))).toEqual([['101'], ['100']]);
    expect([first, second].map((file) => setting(file, 'unicast_src_ip'))).toEqual([['192.168.10.11'], ['192.168.10.12']]);
    expect(first.text).toMatch(/unicast_peer \{\s+192\.168\.10\.12\s+\}/);
    for (const file of [first, second]) {
      expect(setting(file, 'virtual_router_id')).toEqual(['51']);
      expect(setting(file, 'interface')).toEqual(['ens192']);
      expect(['interval', 'weight', 'fall', 'rise'].map((name) => setting(file, name)[0])).toEqual(['3', '-2', '10', '2']);
      expect(file.text).toMatch(/virtual_ipaddress \{\s+192\.168\.10\.10\s+\}/);
      expect(setting(file, 'script')).toEqual(['"/usr/libexec/keepalived/check_apiserver.sh"']);
      expect(file.text).toContain('script_user root');
      expect(file.text.split('{')).toHaveLength(file.text.split('}').length);
    }
  });

  test('given priorities are kept, whoever has the highest is the master', () => {
    const given = filesOf({ loadBalancer: hosts({ hosts: [{ ...BALANCERS[0], priority: 120 }, { ...BALANCERS[1], priority: 150 }] }) });

    expect(BALANCERS.map(({ name }) => [setting(given[`${name}/${KEEPALIVED}`], 'state')[0], setting(given[`${name}/${KEEPALIVED}`], 'weight')[0]]))
      .toEqual([['BACKUP', '-31'], ['MASTER', '-31']]);
  });

  test('IPv6 has its own forms', () => {
    const six = filesOf({
      controlPlaneEndpoint: '[fd00::10]:6443',
      loadBalancer: hosts({ vip: 'fd00::10', subnet: 'fd00::/64', hosts: BALANCERS.map(({ name }, index) => ({ name, address: `fd00::1${index + 1}` })) }),
      controlPlaneNodes: MASTERS.map(({ name }, index) => ({ name, address: `fd00::2${index}` })),
      workers: [],
      podCidrs: ['fd00:1::/56'],
      serviceCidrs: ['fd00:2::/112'],
    });

    expect(six[`lb01/${HAPROXY}`].text).toContain('bind [::]:6443 v4v6');
    expect(six[`lb01/${HAPROXY}`].text).toContain('server master01 [fd00::20]:6443');
    expect(six[`lb01/${CHECK}`].text).toContain('ready [fd00::10]:6443');
    expect(six[`lb01/${KEEPALIVED}`].text).toMatch(/virtual_ipaddress \{\s+fd00::10\s+\}/);
  });
});

describe('the check of a host', () => {
  const script = filesOf()[`lb01/${CHECK}`];

  const folder = new ScriptFolder();

  /** Runs it on a host with or without the virtual address, where certain addresses answer. */
  function run(answering: readonly string[], carries: boolean): ScriptRun {
    return folder.run(script.text, {
      curl: `for url; do :; done\ncase "$url" in ${['none', ...answering].map((address) => `https://${address}/readyz`).join(' | ')}) exit 0 ;; esac\nexit 22`,
      ip: carries ? 'echo "2: ens192 inet 192.168.10.10/32 scope global ens192"' : 'true',
    });
  }

  test('is a program', () => {
    expect(script.mode).toBe('755');
  });

  test.each<[string, string[], boolean, number, string]>([
    ['leads to an API server, and does not carry the address', ['localhost:6443'], false, 0, ''],
    ['leads to none', [], false, 1, 'localhost:6443 does not answer\n'],
    ['carries the address, and answers there', ['localhost:6443', '192.168.10.10:6443'], true, 0, ''],
    ['carries the address in vain', ['localhost:6443'], true, 1, '192.168.10.10:6443 does not answer\n'],
  ])('a host that %s', (_what, answering, carries, status, message) => {
    expect(run(answering, carries)).toMatchObject({ status, stderr: message });
  });
});

test('kube-vip moves the address', () => {
  const files = filesOf({ loadBalancer: kubeVip() });
  const [[first], [second]] = ['master01', 'master02'].map((name) => documents(files[`${name}/${PODS}/kube-vip.yaml`]));
  const env = Object.fromEntries(second.spec.containers[0].env.map(({ name, value }: { name: string; value: string }) => [name, value]));

  expect(env).toEqual({
    vip_arp: 'true',
    port: '6443',
    vip_nodename: 'master02',
    vip_interface: 'ens192',
    vip_subnet: '32',
    cp_enable: 'true',
    cp_namespace: 'kube-system',
    vip_leaderelection: 'true',
    vip_leasename: 'plndr-cp-lock',
    vip_leaseduration: '5',
    vip_renewdeadline: '3',
    vip_retryperiod: '1',
    address: '192.168.10.10',
  });
  expect(second.spec.hostAliases).toEqual([{ ip: '127.0.0.1', hostnames: ['kubernetes'] }]);
  expect(second.spec.containers[0].securityContext.capabilities.add).toEqual(['NET_ADMIN', 'NET_RAW']);
  for (const pod of [first, second]) expect(structuralErrors(pod, STATIC_POD, { scope: 'Namespaced' })).toEqual([]);
  expect(structuralErrors({ ...first, spec: { hostNetworks: true } }, STATIC_POD, { scope: 'Namespaced' })).not.toEqual([]);
  for (const pod of [first, second]) expect(pod.spec.volumes[0].hostPath).toEqual({ path: '/etc/kubernetes/admin.conf', type: 'File' });
});

describe('around kubeadm init, kube-vip', () => {
  const files = filesOf({ loadBalancer: kubeVip() });
  const installed = files[`master01/${PODS}/kube-vip.yaml`].text;
  const folder = new ScriptFolder();
  beforeEach(() => folder.put('manifests/kube-vip.yaml', installed, 0o600));

  /** Runs the script with a kubeadm that prints the file that kube-vip reads at that moment. */
  const init = (kubeadm: string) => folder.run(
    files['master01/files/usr/local/sbin/cdk8s-cluster-api-init'].text.replace('manifests=/etc/kubernetes/manifests', `manifests=${folder.path('manifests')}`),
    { kubeadm: `sed -n 's/^ *path: //p' ${folder.path('manifests/kube-vip.yaml')}\n${kubeadm}` },
  );
  const left = () => ({ names: fs.readdirSync(folder.path('manifests')), text: fs.readFileSync(folder.path('manifests/kube-vip.yaml'), 'utf8') });

  test.each([['that succeeds', 'true', 0], ['that fails', 'exit 3', 3], ['that is broken off', 'kill -TERM "$PPID"; sleep 1', 1]])(
    '%s has other rights, and the installed manifest again afterwards', (_what, kubeadm, expected) => {
      const { status, stdout } = init(kubeadm);

      expect(stdout).toBe('/etc/kubernetes/super-admin.conf\n');
      expect(status).toBe(expected);
      expect(left()).toEqual({ names: ['kube-vip.yaml'], text: installed });
      expect(folder.mode('manifests/kube-vip.yaml')).toBe('600');
    },
  );

  test('is asked for where it is not installed, as after a reset', () => {
    fs.rmSync(folder.path('manifests/kube-vip.yaml'));
    const { status, stdout, stderr } = init('true');

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^\S+kube-vip\.yaml is not there: run install\.sh/);
    expect(fs.readdirSync(folder.path('manifests'))).toEqual([]);
  });

  test('is left alone where the cluster has been started', () => {
    folder.put('manifests/kube-apiserver.yaml', '');

    expect(init('exit 1')).toMatchObject({ status: 1, stdout: '/etc/kubernetes/admin.conf\n' });
  });

  test('is installed again on the first node as it is on the others', () => {
    expect(installed.replace('master01', 'master02')).toBe(files[`master02/${PODS}/kube-vip.yaml`].text);
  });
});

test('somebody else\'s load balancer leaves no files', () => {
  const files = filesOf({ loadBalancer: KubeadmLoadBalancer.external() });

  expect(Object.keys(files).filter((file) => /haproxy|keepalived|kube-vip|manifests/.test(file))).toEqual([]);
  expect(problems({ loadBalancer: KubeadmLoadBalancer.external(), controlPlaneEndpoint: '203.0.113.7:443' })).toEqual([]);
});

describe('ranks', () => {
  const hostList = fc.array(fc.option(fc.integer({ min: -10, max: 300 }), { nil: undefined }), { minLength: 1, maxLength: 7 })
    .map((priorities) => rank(priorities.map((priority, index) => ({ name: `h${index}`, address: `10.0.0.${index}`, priority }))));

  test('that are accepted have one master, and every host with a failure comes after every host without, and stays in the race', () => {
    let accepted = 0;
    fc.assert(fc.property(hostList, fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), (ranked, failed) => {
      if (checkVrrp(51, ranked).length > 0) return;
      accepted += 1;
      const effective = ranked.map(({ priority }, index) => ({ value: priority + (failed[index] ? weight(ranked) : 0), failed: failed[index] }));
      expect(ranked.filter((host) => isMaster(ranked, host))).toHaveLength(1);
      for (const bad of effective.filter((host) => host.failed)) {
        expect(bad.value).toBeGreaterThanOrEqual(1);
        for (const good of effective.filter((host) => !host.failed)) expect(good.value).toBeGreaterThan(bad.value);
      }
      expect(new Set(effective.map(({ value }) => value)).size).toBe(ranked.length);
      expect(Math.abs(weight(ranked))).toBeLessThanOrEqual(253);
    }), { numRuns: 2000 });
    expect(accepted).toBeGreaterThan(100);
  });

  test('that are left open are accepted, from two hosts on to as many as a priority has room for', () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 99 }), (count) => {
      const ranked = rank(Array.from({ length: count }, (_, index) => ({ name: `h${index}`, address: `10.0.0.${index}` })));
      expect(checkVrrp(51, ranked)).toEqual([]);
      expect(isMaster(ranked, ranked[0])).toBe(true);
    }));
  });
});
