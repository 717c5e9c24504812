import { parse } from 'yaml';
import { bound, MACHINE, refused } from './bound';
import { KamajiControlPlane } from '../../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ControlPlaneEndpoint, KubeVipEndpointOptions } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/endpoint';
import { KubeadmControlPlane } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubeVipMode } from '../../../../../src/constructs/control-planes/kubeadm/kube-vip/kube-vip-mode';
import { structuralErrors } from '../../../../manifests/schema/structural';
import { exampleCluster } from '../../../../support/clusters';
import { problemsIn } from '../../../../support/problems';
import { ScriptFolder } from '../../../../support/shell-scripts';
import { refusedPage, strangerCluster, StrangerInfrastructure, StrangerPage } from '../../../contracts/stranger';
import { STATIC_POD } from '../../../hosts/static-pod-schema';

const KUBE_VIP: KubeVipEndpointOptions = { address: '192.0.2.10', image: 'registry.example.com/kube-vip:v1.2.3', networkInterface: 'eth0' };
const BGP = KubeVipMode.bgp({ as: 65000, peers: [{ address: '192.0.2.1', as: 65001 }, { address: '2001:db8::1', as: 65002, multihop: true }] });

function page(endpoint: ControlPlaneEndpoint): StrangerPage {
  return { controlPlane: { endpoint } };
}

/** The static pod of a control plane, and the configuration that it is in. */
function kubeVipOf(options: Partial<KubeVipEndpointOptions> = {}) {
  const { spec: { kubeadmConfigSpec } } = bound({ endpoint: ControlPlaneEndpoint.kubeVip({ ...KUBE_VIP, ...options }) });
  const file = kubeadmConfigSpec.files.find((one: any) => one.path === '/etc/kubernetes/manifests/kube-vip.yaml');
  const pod: any = parse(file.content);
  const env = Object.fromEntries(pod.spec.containers[0].env.map((variable: any) => [variable.name, variable.value ?? variable.valueFrom]));
  return { kubeadmConfigSpec, file, pod, env };
}

describe('the endpoint of a control plane on machines', () => {
  test('is that of the infrastructure unless another one is named', () => {
    expect(new KubeadmControlPlane({ machine: MACHINE }).apiServerAddresses({ name: 'acme', namespace: 'tenant-acme' })).toEqual({});
    expect(refusedPage(page(ControlPlaneEndpoint.infrastructure()))).toEqual([]);
    expect(strangerCluster().find('StrangerCluster').spec).toEqual({});
  });

  test.each([
    ['kube-vip', ControlPlaneEndpoint.kubeVip(KUBE_VIP), { host: '192.0.2.10', port: 6443 }],
    ['a load balancer', ControlPlaneEndpoint.external({ host: 'api.acme.example.com' }), { host: 'api.acme.example.com', port: 6443 }],
    ['a load balancer at another port', ControlPlaneEndpoint.external({ host: '192.0.2.10', port: 443 }), { host: '192.0.2.10', port: 443 }],
  ])('of %s is in the object of the infrastructure', (_, endpoint, address) => {
    const { find, problems, tenant } = strangerCluster(page(endpoint));

    expect(problems()).toEqual([]);
    expect(find('StrangerCluster').spec.controlPlaneEndpoint).toEqual(address);
    expect(tenant._context.apiServer.published).toEqual(address);
  });

  test('is refused where the infrastructure makes its own', () => {
    const endpoint = ControlPlaneEndpoint.kubeVip(KUBE_VIP);

    expect(refusedPage({ ...page(endpoint), infrastructure: new StrangerInfrastructure({}, false) })).toEqual([
      expect.stringMatching(/^TC-CLUSTER-ENDPOINT controlPlane\.endpoint: the control plane brings the endpoint 192\.0\.2\.10:6443, and the StrangerCluster does not state it/),
    ]);
    expect(problemsIn((app) => exampleCluster(app, { controlPlane: new KubeadmControlPlane({ machine: MACHINE, endpoint }) })).map(({ id }) => id)).toContain('TC-CLUSTER-ENDPOINT');
  });

  test('is not asked of control planes that have managers of their own', () => {
    expect(refusedPage({ cluster: { controlPlane: new KamajiControlPlane({ dataStore: 'default' }) } }).filter((text) => text.startsWith('TC-CLUSTER-ENDPOINT'))).toEqual([]);
  });

  test('of two clusters is refused', () => {
    const taken = (one: ControlPlaneEndpoint, other: ControlPlaneEndpoint) => {
      const { app } = strangerCluster(page(one));
      return strangerCluster(page(other), app, 'blue').problems();
    };

    expect(taken(ControlPlaneEndpoint.kubeVip(KUBE_VIP), ControlPlaneEndpoint.kubeVip(KUBE_VIP))).toEqual([
      expect.objectContaining({ id: 'TC-KUBEADM-CP-ENDPOINT-TAKEN', text: expect.stringContaining('192.0.2.10 is the endpoint of acme') }),
    ]);
    expect(taken(ControlPlaneEndpoint.external({ host: '192.0.2.10' }), ControlPlaneEndpoint.external({ host: '192.0.2.10', port: 7443 }))).toEqual([]);
  });
});

describe('kube-vip', () => {
  const folder = new ScriptFolder();

  test('is a static pod on the machines of the control plane, and on no others', () => {
    const { env, pod, file } = kubeVipOf();
    const { find } = strangerCluster(page(ControlPlaneEndpoint.kubeVip(KUBE_VIP)));

    expect(env).toEqual({
      vip_arp: 'true',
      port: '6443',
      vip_nodename: { fieldRef: { fieldPath: 'spec.nodeName' } },
      vip_interface: 'eth0',
      vip_subnet: '32',
      cp_enable: 'true',
      cp_namespace: 'kube-system',
      vip_leaderelection: 'true',
      vip_leasename: 'plndr-cp-lock',
      vip_leaseduration: '5',
      vip_renewdeadline: '3',
      vip_retryperiod: '1',
      address: '192.0.2.10',
    });
    expect(file).toMatchObject({ owner: 'root:root', permissions: '0600' });
    expect(pod.spec).toMatchObject({ hostNetwork: true, containers: [{ image: KUBE_VIP.image }], volumes: [{ hostPath: { path: '/etc/kubernetes/admin.conf', type: 'File' } }] });
    expect(structuralErrors(pod, STATIC_POD, { scope: 'Namespaced' })).toEqual([]);
    expect(JSON.stringify(find('KubeadmControlPlane'))).toContain('kube-vip');
    expect(JSON.stringify(find('KubeadmConfigTemplate'))).not.toContain('kube-vip');
  });

  test('announces an IPv6 address, and finds its interface itself', () => {
    const { env } = kubeVipOf({ address: '2001:db8::10', networkInterface: undefined });

    expect(env).toMatchObject({ address: '2001:db8::10', vip_subnet: '128' });
    expect(env).not.toHaveProperty('vip_interface');
  });

  test('announces the address to routers', () => {
    expect(kubeVipOf({ mode: BGP }).env).toMatchObject({
      vip_arp: 'false',
      vip_interface: 'lo',
      vip_leaderelection: 'true',
      bgp_enable: 'true',
      bgp_as: '65000',
      bgp_routerinterface: 'eth0',
      bgp_peers: '192.0.2.1:65001::false,[2001:db8::1]:65002::true',
    });
    expect(refusedPage(page(ControlPlaneEndpoint.kubeVip({ ...KUBE_VIP, mode: BGP })))).toEqual([]);
  });

  test('has the rights of super-admin.conf on the first machine, until kubeadm has ended', () => {
    const { kubeadmConfigSpec: { files, preKubeadmCommands, postKubeadmCommands }, file } = kubeVipOf();
    const script = files.find((one: any) => one.path === '/usr/local/sbin/cdk8s-cluster-api-kube-vip');
    const run = (kubeconfig: string, isFirst: boolean) => {
      folder.put('manifests/kube-vip.yaml', file.content, 0o600);
      folder.put('kubeadm.yaml', `kind: ${isFirst ? 'InitConfiguration' : 'JoinConfiguration'}\n`);
      const text = script.content.replace('manifests=/etc/kubernetes/manifests', `manifests=${folder.path('manifests')}`)
        .replace('/run/kubeadm/kubeadm.yaml', folder.path('kubeadm.yaml')).replace('"$1"', kubeconfig);
      return folder.run(`${text}sed -n 's/^ *path: //p' ${folder.path('manifests/kube-vip.yaml')}\n`, {});
    };

    expect(preKubeadmCommands).toEqual([`${script.path} super-admin.conf || exit 1`]);
    expect(postKubeadmCommands).toEqual([`${script.path} admin.conf`]);
    expect(run('super-admin.conf', false)).toMatchObject({ status: 0, stdout: '' });
    expect(run('super-admin.conf', true)).toMatchObject({ status: 0, stdout: '/etc/kubernetes/super-admin.conf\n' });
    expect(run('admin.conf', true)).toMatchObject({ status: 0, stdout: '/etc/kubernetes/admin.conf\n' });
    expect(folder.mode('manifests/kube-vip.yaml')).toBe('600');
  });

  test.each<[string, Partial<KubeVipEndpointOptions>, string]>([
    ['a name', { address: 'api.example.com' }, 'address'],
    ['no address', { address: '' }, 'address'],
    ['a floating image', { image: 'registry.example.com/kube-vip:latest' }, 'image'],
    ['an image without a tag', { image: 'registry.example.com/kube-vip' }, 'image'],
    ['another port', { port: 8443 }, 'port'],
    ['a wrong interface', { networkInterface: 'eth 0' }, 'networkInterface'],
    ['BGP without an interface', { networkInterface: undefined, mode: BGP }, 'networkInterface'],
    ['BGP without a router', { mode: KubeVipMode.bgp({ as: 65000, peers: [] }) }, 'mode.peers'],
    ['BGP to a name', { mode: KubeVipMode.bgp({ as: 65000, peers: [{ address: 'router', as: 1 }] }) }, 'mode.peers[0].address'],
    ['a wrong number', { mode: KubeVipMode.bgp({ as: 0, peers: [{ address: '192.0.2.1', as: 2 ** 32 }] }) }, 'mode.as'],
  ])('with %s is refused', (_, options, property) => {
    expect(refused({ endpoint: ControlPlaneEndpoint.kubeVip({ ...KUBE_VIP, ...options }) })).toContainEqual(
      expect.stringContaining(`TC-KUBEADM-CP-KUBE-VIP controlPlane.endpoint.${property}: `),
    );
  });

  test('needs an interface where the infrastructure states the address of nodes', () => {
    const endpoint = ControlPlaneEndpoint.kubeVip({ ...KUBE_VIP, networkInterface: undefined });

    expect(refused({ endpoint })).toEqual([]);
    expect(refusedPage(page(endpoint))).toEqual([expect.stringContaining('TC-KUBEADM-CP-KUBE-VIP controlPlane.endpoint.networkInterface: the infrastructure states the address')]);
  });

  test('is no file of the user\'s', () => {
    const files = [{ path: '/etc/kubernetes/manifests/kube-vip.yaml', content: 'kind: Pod\n' }];

    expect(refused({ endpoint: ControlPlaneEndpoint.kubeVip(KUBE_VIP), files })).toEqual([expect.stringContaining('TC-ADMIT-KUBEADM-FILE-PATH')]);
  });
});

test.each([
  ['api_server', 6443, 'host'],
  ['api.example.com', 0, 'port'],
  ['api.example.com', 65536, 'port'],
])('a load balancer at %s and port %i is refused', (host, port, property) => {
  expect(refused({ endpoint: ControlPlaneEndpoint.external({ host, port }) })).toEqual([expect.stringContaining(`TC-KUBEADM-CP-ENDPOINT controlPlane.endpoint.${property}: `)]);
});
