import { posix } from 'node:path';
import { ApiObject, Chart, Duration } from 'cdk8s';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { BALANCERS, documents, filesOf, hosts, kubeVip, MASTERS, problemsAmong, PROPS, write, Written } from './clusters';
import { CertManager } from '../../../src/constructs/addons/catalog/cert-manager';
import { Calico } from '../../../src/constructs/addons/cni/calico';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { ManifestAddon } from '../../../src/constructs/addons/manifest-addon';
import { HelmCrdPolicy } from '../../../src/constructs/contracts/helm-chart';
import { KubeadmEtcd } from '../../../src/constructs/control-planes/kubeadm/control-plane/etcd';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { checkHostFiles, HostFile } from '../../../src/constructs/hosts/host-file';
import { KubeadmCluster } from '../../../src/constructs/hosts/kubeadm-cluster';
import { KubeadmClusterProps } from '../../../src/constructs/hosts/kubeadm-cluster-props';
import { KubeadmHostRole } from '../../../src/constructs/hosts/kubeadm-host';
import { KubeadmPlatform, KubeadmPlatformConfig } from '../../../src/constructs/hosts/kubeadm-platform';
import { KubeadmLoadBalancer } from '../../../src/constructs/hosts/load-balancer/kubeadm-load-balancer';
import { NifcloudPlatform } from '../../../src/constructs/hosts/nifcloud/nifcloud-platform';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { amount } from '../../support/sample';

interface CloudConfigFile extends Required<HostFile> {
  readonly encoding?: string;
}

interface CloudConfig {
  readonly packages?: string[];
  readonly runcmd?: string[];
  readonly write_files: CloudConfigFile[];
}

function cloudConfigOf(files: Written, host: string): CloudConfig {
  return parse(files[`${host}/cloud-config.yaml`].text);
}

function installLines(files: Written): string[] {
  return files['addons/install.sh'].text.split('\n');
}

/** A cloud with a cloud controller manager that is a chart. */
class Cloud extends KubeadmPlatform {
  public readonly externalCloudProvider = true;

  public config(): KubeadmPlatformConfig {
    return {
      addons: [new HelmAddon('zz-cloud', {
        provides: ['cloud-controller-manager'],
        chart: 'ccm',
        repository: 'oci://registry.example.com/charts/',
        chartVersion: '1.0.0',
        namespace: 'cloud',
        crds: HelmCrdPolicy.SKIP,
      })],
      nodeFiles: [{ path: '/etc/cloud.conf', content: 'a=b\n', owner: 'root:adm', permissions: '0640' }],
      nodeRequirements: ['cloud tools'],
      secrets: [{ namespace: 'cloud', name: 'api', keys: ['id', 'key'] }],
    };
  }
}

const KERNEL = ['/etc/modules-load.d/kubernetes.conf', '/etc/sysctl.d/kubernetes.conf'];

test('each host has a folder with what it needs, and nothing else', () => {
  const files = filesOf();

  expect(Object.keys(files)).toEqual([
    'hosts.md',
    ...BALANCERS.flatMap(({ name }) => [
      'cloud-config.yaml', 'files/etc/haproxy/haproxy.cfg', 'files/etc/keepalived/keepalived.conf', 'files/usr/libexec/keepalived/check_apiserver.sh', 'install.sh',
    ].map((file) => `${name}/${file}`)),
    ...[
      'cloud-config.yaml', 'files/etc/kubernetes/kubeadm/init.yaml', ...KERNEL.map((file) => `files${file}`),
      'files/usr/local/sbin/cdk8s-cluster-api-credentials', 'files/usr/local/sbin/cdk8s-cluster-api-init', 'files/usr/local/sbin/cdk8s-cluster-api-ready', 'install.sh',
    ].map((file) => `master01/${file}`),
    ...['master02', 'master03', 'worker01', 'worker02'].flatMap((name) => [
      'cloud-config.yaml', 'files/etc/kubernetes/kubeadm/join.yaml', ...KERNEL.map((file) => `files${file}`), 'files/usr/local/sbin/cdk8s-cluster-api-join',
      ...(name.startsWith('master') ? ['files/usr/local/sbin/cdk8s-cluster-api-ready'] : []), 'install.sh',
    ].map((file) => `${name}/${file}`)),
  ]);
});

test('programs are programs, and nothing else is', () => {
  const files = filesOf({ cni: new Calico() });
  const programs = Object.keys(files).filter((file) => files[file].mode === '755');

  expect(new Set(Object.values(files).map(({ mode }) => mode))).toEqual(new Set(['644', '755']));
  expect(programs.every((file) => /install\.sh$|check_apiserver\.sh$|\/sbin\//.test(file))).toBe(true);
  expect(Object.keys(files).filter((file) => files[file].text.startsWith('#!'))).toEqual(programs);
});

test('cloud-init gets the same files with the same owner and permissions as the script', () => {
  const files = filesOf({
    files: [{ path: '/etc/motd', content: 'own\n', owner: 'root:adm', permissions: '0640' }, { path: '/usr/local/bin/own', content: '#!/bin/sh\ntrue\n', permissions: '0755' }],
    platform: new Cloud(),
    cni: new Calico(),
  });

  for (const { name } of [...BALANCERS, ...MASTERS, ...PROPS.workers!]) {
    const { write_files: written, runcmd = [] } = cloudConfigOf(files, name);
    const lines = files[`${name}/install.sh`].text.split('\n');

    expect(files[`${name}/cloud-config.yaml`].text.startsWith('#cloud-config\n')).toBe(true);
    expect(lines.filter((line) => line.startsWith('install '))).toEqual(written.map(({ path, owner, permissions }) => (
      `install -D -o ${owner.split(':')[0]} -g ${owner.split(':')[1]} -m ${permissions} files${path} ${path}`)));
    expect(lines).toEqual(expect.arrayContaining(runcmd));
    expect(Object.keys(files).filter((file) => file.startsWith(`${name}/files/`)).map((file) => file.slice(`${name}/files`.length)).sort()).toEqual(written.map(({ path }) => path).sort());
    for (const { path, content } of written) expect(content).toBe(files[`${name}/files${path}`].text);
  }
  expect(cloudConfigOf(files, 'worker01').write_files).toEqual(expect.arrayContaining([
    { path: '/etc/motd', owner: 'root:adm', permissions: '0640', content: 'own\n' },
    { path: '/etc/cloud.conf', owner: 'root:adm', permissions: '0640', content: 'a=b\n' },
  ]));
  expect(cloudConfigOf(files, 'lb01').write_files.map(({ path }) => path)).not.toContain('/etc/motd');
  expect(cloudConfigOf(files, 'lb01')).toMatchObject({ package_update: true, packages: ['curl', 'haproxy', 'keepalived'] });
  expect(cloudConfigOf(files, 'worker01').packages).toBeUndefined();
});

test('kubeadm\'s configuration is for root alone', () => {
  const files = filesOf();

  expect(cloudConfigOf(files, 'master01').write_files.map(({ path, permissions }) => `${permissions} ${path}`)).toEqual([
    '0600 /etc/kubernetes/kubeadm/init.yaml', ...KERNEL.map((file) => `0644 ${file}`), '0755 /usr/local/sbin/cdk8s-cluster-api-credentials', '0755 /usr/local/sbin/cdk8s-cluster-api-init',
    '0755 /usr/local/sbin/cdk8s-cluster-api-ready',
  ]);
});

describe('the kernel of a node', () => {
  const ofFamilies = (cidrs: Pick<KubeadmClusterProps, 'podCidrs' | 'serviceCidrs'>) => {
    const files = filesOf(cidrs);
    return { modules: files[`worker01/files${KERNEL[0]}`].text, settings: files[`worker01/files${KERNEL[1]}`].text, hosts: files['hosts.md'].text };
  };

  test('passes packets on, now and after each start', () => {
    const files = filesOf();

    expect(ofFamilies({})).toMatchObject({ modules: 'overlay\nbr_netfilter\n', settings: 'net.bridge.bridge-nf-call-iptables = 1\nnet.ipv4.ip_forward = 1\n' });
    for (const name of ['master01', 'master02', 'worker01']) {
      expect(cloudConfigOf(files, name).runcmd).toEqual(['modprobe -a overlay br_netfilter', 'sysctl -p /etc/sysctl.d/kubernetes.conf']);
    }
    expect(cloudConfigOf(files, 'lb01').write_files.map(({ path }) => path)).not.toContain(KERNEL[1]);
  });

  test('does so for the address families that there are', () => {
    const six = 'net.bridge.bridge-nf-call-ip6tables = 1\nnet.ipv6.conf.all.forwarding = 1\nnet.ipv6.conf.default.forwarding = 1\n';
    const dual = ofFamilies({ podCidrs: ['10.1.0.0/16', 'fd00:1::/56'], serviceCidrs: ['10.2.0.0/20', 'fd00:2::/112'] });

    expect(dual.settings).toBe(`net.bridge.bridge-nf-call-iptables = 1\nnet.ipv4.ip_forward = 1\n${six}`);
    expect(dual.hosts).toContain('accept_ra = 2');
    expect(ofFamilies({}).hosts).not.toContain('accept_ra');
  });
});

test('files of one host are on that host', () => {
  const files = filesOf({
    loadBalancer: hosts({ hosts: [{ ...BALANCERS[0], files: [{ path: '/etc/a', content: 'lb' }] }, BALANCERS[1]] }),
    workers: [{ ...PROPS.workers![0], files: [{ path: '/etc/a', content: 'worker' }] }, PROPS.workers![1]],
  });

  expect(Object.keys(files).filter((file) => file.endsWith('/etc/a'))).toEqual(['lb01/files/etc/a', 'worker01/files/etc/a']);
});

test('any content reaches the host as it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (content) => {
    // A lone half of a character is none in UTF-8.
    const text = Buffer.from(content, 'utf8').toString('utf8');
    const [{ content: written, encoding }] = cloudConfigOf(filesOf({ workers: [{ name: 'w', address: '192.168.10.31', files: [{ path: '/etc/a', content: text }] }] }), 'w').write_files;
    expect(encoding === 'b64' ? Buffer.from(written, 'base64').toString('utf8') : written).toBe(text);
  }), { numRuns: amount(60, 7), examples: [['a\u0000b'], ['a\r\nb\n\n'], ['  leading\n'], ['\u0085'], ['#cloud-config'], ['']] });
});

test('a path that is accepted is one word to a shell, and stays in the folder of its host', () => {
  const parts = fc.constantFrom('etc', 'a', '..', '.', '', 'a b', '$HOME', '`x`', ';', '-rf', 'ä', 'a\nb', 'conf.d', '_', '*');
  let accepted = 0;
  fc.assert(fc.property(fc.array(parts, { maxLength: 4 }), fc.boolean(), (names, absolute) => {
    const file = `${absolute ? '/' : ''}${names.join('/')}`;
    if (checkHostFiles('files', [{ path: file, content: '' }]).length > 0) return;
    accepted += 1;
    expect(file).toMatch(/^\/[\w./-]+$/);
    expect(posix.resolve('/host/files', `.${file}`)).toBe(`/host/files${file}`);
  }), { numRuns: 3000 });
  expect(accepted).toBeGreaterThan(50);
});

test('the hosts can be asked for', () => {
  let cluster: KubeadmCluster | undefined;
  filesOf({ workers: [{ name: 'w', address: '192.168.10.31', zone: 'a' }] }, (one) => { cluster = one; });
  const found = cluster!.hosts;

  expect(found.map(({ name, role, address, zone }) => [name, role, address, zone])).toEqual([
    ['lb01', KubeadmHostRole.LOAD_BALANCER, '192.168.10.11', undefined],
    ['lb02', KubeadmHostRole.LOAD_BALANCER, '192.168.10.12', undefined],
    ['master01', KubeadmHostRole.FIRST_CONTROL_PLANE, '192.168.10.21', undefined],
    ['master02', KubeadmHostRole.CONTROL_PLANE, '192.168.10.22', undefined],
    ['master03', KubeadmHostRole.CONTROL_PLANE, '192.168.10.23', undefined],
    ['w', KubeadmHostRole.WORKER, '192.168.10.31', 'a'],
  ]);
  expect(found[0].packages).toEqual(['curl', 'haproxy', 'keepalived']);
  expect(found[0].files.map(({ path, permissions, owner }: HostFile) => [path, permissions, owner])).toContainEqual(['/usr/libexec/keepalived/check_apiserver.sh', '0755', 'root:root']);
});

/** The numbered steps to a running cluster. */
function stepsOf(text: string): string[] {
  return text.slice(0, text.indexOf('## When a step fails')).split('\n').filter((line) => /^\d+\. /.test(line));
}

describe('the overview', () => {
  test('says what to do, in order', () => {
    const { text } = filesOf({ platform: new Cloud(), cni: new Cilium() })['hosts.md'];
    const steps = stepsOf(text);

    expect(text).toContain('| lb01 | load balancer | 192.168.10.11 |');
    expect(steps.map((step) => step.replace(/^\d+\. /, '').slice(0, 30))).toEqual([
      'Let the DNS name `api.example.', 'See that every host has what i', 'On master01, run `/usr/local/s', 'One after the other, for maste', 'One after the other, for worke',
      'Copy `/etc/kubernetes/admin.co', 'Make the namespace `cloud`: `k', 'Make the Secret `api`: `kubect', 'There, run `addons/install.sh`',
    ]);
    expect(steps[3]).toContain('for master02, master03: run `/usr/local/sbin/cdk8s-cluster-api-credentials control-plane` on master01');
    expect(steps[7]).toContain('`kubectl --namespace cloud create secret generic api --from-file=id=FILE --from-file=key=FILE`');
  });

  test('says what hosts must have, and let pass', () => {
    const text = (props: Partial<KubeadmClusterProps> = {}) => filesOf(props)['hosts.md'].text;
    const nodes = '| control plane | TCP 6443 (API servers) | load balancer, all nodes |';
    const etcd = '| control plane | TCP 2379-2380 (etcd) | control plane |';
    const own = text({ platform: new Cloud(), cni: new Cilium() });

    expect(own).toContain('- kubeadm, the kubelet and kubectl of version v1.34.1');
    expect(own).toContain('`SystemdCgroup = true`');
    expect(own).toContain('- no swap');
    expect(own).toContain('- cloud tools');
    expect(own).toContain('| load balancers | IP protocol 112 (VRRP) | load balancers |');
    for (const line of ['| load balancers | TCP 6443 (the endpoint) | all nodes, clients of the API |', nodes, etcd, 'TCP and UDP 30000-32767']) expect(own).toContain(line);
    expect(text({ kubelet: { configuration: { failSwapOn: false } } })).not.toContain('swap');
    expect(text({ criSocket: 'unix:///run/crio/crio.sock' })).toContain('a container runtime at `unix:///run/crio/crio.sock`');
    expect(text({ apiServer: { extraArgs: [{ name: 'service-node-port-range', value: '20000-22767' }] } })).toContain('TCP and UDP 20000-22767');
    for (const loadBalancer of [kubeVip(), KubeadmLoadBalancer.external()]) expect(text({ loadBalancer })).not.toContain('VRRP');

    expect(text({ loadBalancer: kubeVip() })).toContain('| control plane | TCP 6443 (API servers and endpoint) | all nodes, clients of the API |');
    expect(text({ loadBalancer: kubeVip() })).not.toContain('load balancer, all nodes');
    const external = text({ loadBalancer: KubeadmLoadBalancer.external(), controlPlaneEndpoint: 'api.example.com:443' });
    expect(external).toContain('| your load balancer | TCP 443 (the endpoint) | all nodes, clients of the API |');
    expect(external).toContain('| control plane | TCP 6443 (API servers) | your load balancer, all nodes |');
  });

  test('says what to do when a step fails, and how to keep the cluster running', () => {
    const text = (props: Partial<KubeadmClusterProps> = {}) => filesOf(props)['hosts.md'].text;
    const own = text();

    expect(own.match(/^## .*/gm)).toEqual([
      '## What hosts need', '## Starting the cluster', '## When a step fails', '## Renew certificates', '## Upgrade Kubernetes', '## Change the configuration',
      '## Back up etcd', '## Restore etcd', '## Add a host', '## Replace a host',
    ]);
    for (const command of [
      '`kubeadm reset --force`', '`kubeadm certs renew all`', 'expire after 365 days', '`kubeadm upgrade apply v1.34.1`', '`kubeadm upgrade node`',
      'exec etcd-master01 -- etcdctl --endpoints https://127.0.0.1:2379 --cacert /etc/kubernetes/pki/etcd/ca.crt',
      'snapshot save /var/lib/etcd/snapshot.db', '--initial-cluster master01=https://192.168.10.21:2380', '`/usr/local/sbin/cdk8s-cluster-api-init --ignore-preflight-errors=DirAvailable--var-lib-etcd`',
      '`kubeadm init phase upload-config all --config /etc/kubernetes/kubeadm/init.yaml`', 'delete node master02 master03`', '`member remove ID`',
      '**Load balancer** (lb01, lb02)',
    ]) expect(own).toContain(command);
    expect(own).not.toContain('--patches');
    expect(own.match(/ drain NAME.*?`/g)).toEqual(Array(4).fill(' drain NAME --ignore-daemonsets --delete-emptydir-data`'));
    expect(text({ criSocket: 'unix:///run/crio/crio.sock' }).match(/kubeadm reset --force.*?`/g))
      .toEqual(own.match(/kubeadm reset --force`/g)!.map(() => 'kubeadm reset --force --cri-socket unix:///run/crio/crio.sock`'));
    expect(text({ certificateValidity: Duration.days(90) })).toContain('expire after 90 days');
    expect(text({ etcd: KubeadmEtcd.stacked({ dataDir: '/data/etcd' }) })).toContain('snapshot save /data/etcd/snapshot.db');
    expect(text({ workers: [{ name: 'worker01', address: '192.168.10.31', kubelet: { maxPods: 50 } }] })).toContain('Add `--patches /etc/kubernetes/patches` to `kubeadm upgrade` on worker01');
    const withKubeVip = text({ loadBalancer: kubeVip() });
    expect(withKubeVip).not.toContain('**Load balancer**');
    // It holds the certificate of admin.conf, and has nothing to do with a restored etcd.
    expect(withKubeVip.match(/for name in .*?;/g)).toEqual([
      'for name in etcd kube-apiserver kube-controller-manager kube-scheduler kube-vip;', 'for name in etcd kube-apiserver kube-controller-manager kube-scheduler;',
    ]);
    expect(withKubeVip).toContain('kube-vip reads it only when it starts');
    expect(own).not.toContain('kube-vip');
    expect(text({ loadBalancer: KubeadmLoadBalancer.external() })).toContain('After a control plane node was replaced, change the targets of your load balancer');
    const external = text({ etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'] }) });
    expect(external).toContain('Back up your etcd as its documentation describes');
    expect(external).not.toContain('## Restore etcd');
  });

  test.each<[string, Cni, string[]]>([
    ['Cilium', new Cilium(), ['UDP 8473 (tunnels of Cilium)', 'TCP 4240 (health checks of Cilium)']],
    ['Cilium with Hubble', new Cilium({ hubble: true, tunnelPort: 9000 }), ['UDP 9000 (tunnels of Cilium)', 'TCP 4240 (health checks of Cilium)', 'TCP 4244 (Hubble)']],
    ['Calico', new Calico({ values: { defaultFelixConfiguration: { vxlanPort: 4789 } } }), ['UDP 4789 (tunnels of Calico)', 'TCP 5473 (Typha of Calico)']],
    ['a pod network of the user', Cni.none(), ['what the pod network uses, as its documentation says']],
  ])('names the ports of %s', (_what, cni, expected) => {
    const lines = filesOf({ cni })['hosts.md'].text.split('\n').filter((line) => line.startsWith('| all nodes |') && line.endsWith('| all nodes |'));

    expect(lines).toEqual(expected.map((what) => `| all nodes | ${what} | all nodes |`));
  });

  test.each<[string, boolean, boolean]>([['1.34.1', false, false], ['1.35.4', true, false], ['1.37.0', true, true]])('of hosts of %s, asks for what its kubelets demand', (kubernetesVersion, cgroup, containerd) => {
    const text = (props: Partial<KubeadmClusterProps> = {}) => filesOf({ kubernetesVersion, ...props })['hosts.md'].text;

    expect(text().includes('- cgroup v2')).toBe(cgroup);
    expect(text().includes('- containerd 2 before Kubernetes 1.38')).toBe(containerd);
    expect(text()).toContain('- clocks that are synchronized');
    expect(text({ kubelet: { configuration: { failCgroupV1: false } } })).not.toContain('cgroup v2');
    expect(text({ criSocket: 'unix:///run/crio/crio.sock' })).not.toContain('containerd 2');
  });

  test('never waits for an API server by the endpoint', () => {
    const text = filesOf()['hosts.md'].text;

    expect(text).not.toContain('/readyz');
    expect(text.match(/`\/usr\/local\/sbin\/cdk8s-cluster-api-ready`/g)!.length).toBeGreaterThan(4);
  });

  test('says where the certificates of an external etcd go', () => {
    const files = filesOf({ etcd: KubeadmEtcd.external({ endpoints: ['https://etcd.example.com:2379'], caFile: '/etc/etcd/ca.crt' }) });
    const { text } = files['hosts.md'];

    expect(text).toMatch(/^3\. On master01, put the certificate of etcd's authority into `\/etc\/etcd\/ca.crt`, .*apiserver-etcd-client.crt` and .*client.key`/m);
    expect(text).toMatch(/^4\. On master01, run/m);
    expect(text).not.toContain('2379-2380');
  });

  test('makes a namespace before the Secret in it', () => {
    const credentials = { secretName: 'nifcloud-api' };
    const platform = new NifcloudPlatform({ region: 'jp-east-1', zones: ['east-11'], credentials, cloudControllerManager: { namespace: 'cloud' } });
    const placed = { controlPlaneNodes: MASTERS.map((node) => ({ ...node, zone: 'east-11' })), workers: [] };
    const files = filesOf({ ...placed, platform, cni: new Cilium() });
    const steps = stepsOf(files['hosts.md'].text).map((step) => step.replace(/^\d+\. /, ''));
    const script = files['addons/install.sh'].text;

    expect(steps.slice(-3, -1)).toEqual([
      'Make the namespaces: `kubectl apply --server-side --force-conflicts --filename addons/01-namespaces.yaml`.',
      expect.stringContaining('kubectl --namespace cloud create secret generic nifcloud-api'),
    ]);
    expect(documents(files['addons/01-namespaces.yaml']).map(({ metadata }) => metadata.name)).toContain('cloud');
    expect(script.indexOf('--filename 01-namespaces.yaml')).toBeGreaterThan(0);
    expect(script.indexOf('get secret')).toBeGreaterThan(script.indexOf('--filename 01-namespaces.yaml'));
    expect(script.match(/01-namespaces/g)).toHaveLength(1);
  });

  test('names zones where they are known, and leaves out steps that are not needed', () => {
    const { text } = filesOf({ controlPlaneEndpoint: '192.168.10.10:6443', controlPlaneNodes: [{ ...MASTERS[0], zone: 'east-11' }], workers: [] })['hosts.md'];

    expect(text).toContain('| Host | Role | Address | Zone |');
    expect(text).toContain('| master01 | first control plane | 192.168.10.21 | east-11 |');
    expect(stepsOf(text)).toHaveLength(2);
  });
});

describe('addons', () => {
  test('are installed in their order, the workloads last', () => {
    const files = filesOf({ cni: new Cilium() }, (cluster) => {
      cluster.addAddon(new CertManager());
      new ApiObject(cluster.workloads, 'Own', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own', namespace: 'default' } });
    });
    const commands = installLines(files).filter((line) => /^(helm|kubectl|definitions) /.test(line));

    expect(commands.map((line) => line.split(' --repo ')[0])).toEqual([
      'definitions cilium',
      'helm upgrade --install cilium cilium',
      'definitions cert-manager',
      'helm upgrade --install cert-manager cert-manager',
      'kubectl apply --server-side --force-conflicts --filename 03-workloads.yaml',
    ]);
  });

  test('have each file that is written named in the script, and each that is named written', () => {
    const files = filesOf({ cni: new Calico(), platform: new Cloud() }, (cluster) => cluster.addAddon(new CertManager()));
    const written = Object.keys(files).filter((file) => /^addons\/.*yaml$/.test(file)).map((file) => file.slice('addons/'.length));

    expect(installLines(files).flatMap((line) => /--(?:values|filename) (\d\S+)/.exec(line)?.[1] ?? [])).toEqual(written);
    expect(written.length).toBeGreaterThan(2);
  });

  test('wait for the cloud controller manager, whatever they are called', () => {
    const files = filesOf({ platform: new Cloud(), cni: new Cilium() }, (cluster) => cluster.addAddon(new CertManager()));
    const releases = installLines(files).flatMap((line) => /^helm upgrade --install (\S+)/.exec(line)?.[1] ?? []);

    expect(releases).toEqual(['cilium', 'zz-cloud', 'cert-manager']);
  });

  test('ask for Secrets first, and take charts out of registries', () => {
    const text = filesOf({ platform: new Cloud(), cni: new Cilium() })['addons/install.sh'].text;

    expect(text).toContain('kubectl --namespace cloud get secret api > /dev/null');
    expect(text).toContain('helm upgrade --install zz-cloud oci://registry.example.com/charts/ccm --version 1.0.0 \\\n  --namespace cloud --create-namespace \\\n  --skip-crds');
    expect(text.indexOf('get secret')).toBeLessThan(text.indexOf('helm upgrade'));
    expect(text).not.toContain('definitions oci://');
  });

  test('have values and manifests in files of their own', () => {
    const files = filesOf({ cni: new Cilium() }, (cluster) => cluster.addAddon(new (class extends ManifestAddon {
      protected define(tenant: Chart): void {
        new ApiObject(tenant, 'A', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { a: 'b' } });
      }
    })('own')));
    const values = Object.keys(files).find((file) => file.endsWith('-cilium.values.yaml'))!;
    const manifests = Object.keys(files).find((file) => file.endsWith('-own.yaml'))!;

    expect(parse(files[values].text)).toMatchObject({ k8sServiceHost: 'api.example.com', k8sServicePort: 6443 });
    expect(documents(files[manifests])).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { a: 'b' } }]);
  });

  test('are installed as each of them asks', () => {
    const text = filesOf({ cni: new Cilium() }, (cluster) => cluster.addAddon(new HelmAddon('own', {
      chart: 'own', repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: 'own', crds: HelmCrdPolicy.CREATE, wait: false, timeout: Duration.minutes(3),
    })))['addons/install.sh'].text;

    expect(text).toContain([
      '', '', 'helm upgrade --install own own --repo https://charts.example.com --version 1.0.0 \\', '  --namespace own --create-namespace \\', '  --timeout 3m0s', '',
    ].join('\n'));
    expect(text).not.toContain('definitions own');
  });

  test('come from a mirror where one is given', () => {
    const images = new ImageSources({ chartRepositories: { 'https://helm.cilium.io': 'oci://registry.example.com/charts' } });

    expect(filesOf({ cni: new Cilium(), images })['addons/install.sh'].text).toContain('cilium oci://registry.example.com/charts/cilium --version');
  });

  test('are none where there are none', () => {
    expect(Object.keys(filesOf()).filter((file) => file.startsWith('addons'))).toEqual([]);
  });
});

describe('what delivers inside the cluster', () => {
  const written = (delivery: FluxDelivery | ArgoCdDelivery) => write((app) => {
    const cluster = new KubeadmCluster(app, 'ha', { ...PROPS, cni: new Cilium(), delivery, deliveryNamespace: 'gitops' });
    new ApiObject(cluster.workloads, 'Own', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own', namespace: 'default' } });
  });

  test('gets its objects beside the script', () => {
    const files = written(new FluxDelivery({ manifestSource: { name: 'fleet', path: 'clusters' } }));
    const [release] = documents(files['clusters/gitops/ha/addons/cilium.yaml']);

    expect(release.kind).toBe('HelmRelease');
    expect(release.metadata.namespace).toBe('gitops');
    expect(release.spec.kubeConfig).toBeUndefined();
    expect(files['clusters/gitops/ha/delivered/workloads/manifests.yaml'].text).toContain('name: own');
    expect(files['ha/addons/install.sh'].text).toContain('helm upgrade --install cilium');
    expect(release.spec.releaseName ?? release.metadata.name).toContain('cilium');
  });

  test('may be Argo CD', () => {
    const files = written(new ArgoCdDelivery({ manifestSource: { repoUrl: 'https://git.example.com/fleet.git', targetRevision: 'main' } }));
    const [application] = documents(files['clusters/gitops/ha/addons/cilium.yaml']);

    expect(application.kind).toBe('Application');
    expect(application.spec.destination.server).toBe('https://kubernetes.default.svc');
  });

  test('needs a source of manifests', () => {
    const found = problemsAmong((app) => {
      const cluster = new KubeadmCluster(app, 'ha', { ...PROPS, cni: new Cilium(), delivery: new FluxDelivery() });
      new ApiObject(cluster.workloads, 'Own', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own', namespace: 'default' } });
    });

    expect(found.map(({ id }) => id)).toContain('TC-DELIVERY-OWN-CLUSTER');
  });
});

describe('the same program', () => {
  const fill = (cluster: KubeadmCluster, addons: readonly ('a' | 'b' | 'c')[]) => addons.forEach((name) => cluster.addAddon(new HelmAddon(name, {
    chart: name, repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: name, values: { name },
  })));

  test('writes the same bytes, in whatever order addons are added and maps are written', () => {
    const expected = filesOf({ cni: new Cilium(), workers: [{ ...PROPS.workers![0], labels: { a: '1', b: '2', c: '3' } }] }, (cluster) => fill(cluster, ['a', 'b', 'c']));
    fc.assert(fc.property(fc.shuffledSubarray(['a', 'b', 'c'] as const, { minLength: 3 }), fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 3 }), (addons, keys) => {
      const labels = Object.fromEntries(keys.map((key) => [key, `${'abc'.indexOf(key) + 1}`]));
      expect(filesOf({ cni: new Cilium(), workers: [{ ...PROPS.workers![0], labels }] }, (cluster) => fill(cluster, addons))).toEqual(expected);
    }), { numRuns: 8 });
  });

  test('writes the same again', () => {
    const [first, second] = [1, 2].map((times) => write((app) => {
      new KubeadmCluster(app, 'ha', { ...PROPS, cni: new Cilium() });
      if (times === 2) app.synth();
    }));

    expect(second).toEqual(first);
  });

  test('writes folders that do not meet, for several clusters', () => {
    const files = write((app) => {
      new KubeadmCluster(app, 'one', PROPS);
      const elsewhere = { vip: '10.9.0.10', subnet: '10.9.0.0/24', networkInterface: 'eth1', virtualRouterId: 51 };
      new KubeadmCluster(app, 'two', {
        ...PROPS,
        loadBalancer: hosts({ ...elsewhere, hosts: BALANCERS.map(({ name }, index) => ({ name, address: `10.9.0.1${index + 1}` })) }),
        controlPlaneNodes: [{ name: 'master01', address: '10.9.0.21' }],
        workers: [],
      });
    });

    expect(new Set(Object.keys(files).map((file) => file.split('/')[0]))).toEqual(new Set(['one', 'two']));
  });
});
