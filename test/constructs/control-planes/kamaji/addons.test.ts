import { bound, refused } from './bound';
import { KamajiCoreDns, KamajiKubeProxy } from '../../../../src/constructs/control-planes/kamaji/addons';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity, KamajiKonnectivityAgentMode, KamajiKonnectivityOptions } from '../../../../src/constructs/control-planes/kamaji/konnectivity';
import { KubernetesVersion } from '../../../../src/manifests/values/kubernetes-version';

describe('DNS', () => {
  test('has its addresses beside CoreDNS, where they count', () => {
    const { spec } = bound();

    expect(spec.addons.coreDNS).toEqual({ dnsServiceIPs: ['10.95.0.10'] });
    expect(spec.network).not.toHaveProperty('dnsServiceIPs');
  });

  test('has its addresses in the network without CoreDNS, so that kubelets still know them', () => {
    const { spec } = bound({ coreDns: KamajiCoreDns.none() });

    expect(spec.addons).not.toHaveProperty('coreDNS');
    expect(spec.network.dnsServiceIPs).toEqual(['10.95.0.10']);
  });

  test('pulls the image from where the user says', () => {
    expect(bound({ coreDns: KamajiCoreDns.managed({ imageRepository: 'registry.example.com/coredns', imageTag: 'v1.13.1' }) }).spec.addons.coreDNS)
      .toEqual({ imageRepository: 'registry.example.com/coredns', imageTag: 'v1.13.1', dnsServiceIPs: ['10.95.0.10'] });
  });
});

test('kube-proxy is there by default, and gone when something else takes its place', () => {
  expect(bound().spec.addons.kubeProxy).toEqual({});
  expect(bound({ kubeProxy: KamajiKubeProxy.none() }).spec.addons).not.toHaveProperty('kubeProxy');
});

test('without any addon there is no empty block', () => {
  const props = { coreDns: KamajiCoreDns.none(), kubeProxy: KamajiKubeProxy.none(), konnectivity: KamajiKonnectivity.none() };
  const { spec, problems } = bound(props, { kubeProxyReplaced: undefined });

  expect(problems).toEqual([]);
  expect(spec).not.toHaveProperty('addons');
});

describe('kube-proxy', () => {
  test('follows the pod network', () => {
    expect(bound({}, { kubeProxyReplaced: false }).spec.addons.kubeProxy).toEqual({});
    expect(bound({}, { kubeProxyReplaced: undefined }).spec.addons.kubeProxy).toEqual({});
    expect(bound({}, { kubeProxyReplaced: true }).spec.addons).not.toHaveProperty('kubeProxy');
  });

  test.each([
    [KamajiKubeProxy.managed(), true, 'would both lead'],
    [KamajiKubeProxy.none(), false, 'nothing leads'],
  ])('one of kube-proxy and the pod network leads Services', (kubeProxy, kubeProxyReplaced, text) => {
    const problems = bound({ kubeProxy }, { kubeProxyReplaced }).problems;
    // TC-KAMAJI-KUBE-PROXY and nothing else.
    expect(problems).toMatchObject([{ id: 'TC-KAMAJI-KUBE-PROXY', text: expect.stringContaining(text) }]);
    expect(bound({ kubeProxy }, { kubeProxyReplaced: undefined }).problems).toEqual([]);
  });
});

describe('konnectivity', () => {
  test.each([['1.33.5', 'v0.33.0'], ['1.34.4', 'v0.34.0'], ['1.35.4', 'v0.34.0'], ['1.36.0', 'v0.36.0'], ['1.37.2', 'v0.36.0']])('of Kubernetes %s is %s on both sides', (kubernetes, version) => {
    const { server, agent } = bound({}, { kubernetesVersion: KubernetesVersion.of(kubernetes) }).spec.addons.konnectivity;
    expect([server.version, agent.version]).toEqual([version, version]);
  });

  test('works on nodes without network plug-in and with any taint', () => {
    expect(bound().spec.addons.konnectivity).toEqual({
      server: {
        image: 'registry.k8s.io/kas-network-proxy/proxy-server',
        version: 'v0.34.0',
        port: 8132,
        resources: { requests: { cpu: '50m', memory: '256Mi' }, limits: { memory: '256Mi' } },
      },
      agent: {
        image: 'registry.k8s.io/kas-network-proxy/proxy-agent', version: 'v0.34.0', mode: 'DaemonSet', hostNetwork: true, tolerations: [{ operator: 'Exists' }],
      },
    });
  });

  test('can run a fixed number of agents, with flags of both sides', () => {
    const { server, agent } = bound({
      konnectivity: KamajiKonnectivity.managed({
        agentMode: KamajiKonnectivityAgentMode.DEPLOYMENT,
        agentHostNetwork: false,
        agentTolerations: [],
        agentExtraArgs: [{ name: 'sync-interval', value: '5s' }],
        serverExtraArgs: [{ name: 'v', value: '2' }],
      }),
    }).spec.addons.konnectivity;

    expect(agent).toMatchObject({ mode: 'Deployment', replicas: 2, hostNetwork: false, tolerations: [], extraArgs: ['--sync-interval=5s'] });
    expect(server.extraArgs).toEqual(['--v=2']);
  });

  const konnectivity = (options: KamajiKonnectivityOptions): KamajiControlPlaneProps => ({ konnectivity: KamajiKonnectivity.managed(options) });

  test.each<[string, KamajiControlPlaneProps, string]>([
    ['a number of agents for a DaemonSet', konnectivity({ agentReplicas: 2 }), 'TC-KAMAJI-KONNECTIVITY controlPlane.konnectivity.agentReplicas: 2 agents are asked for in mode DaemonSet'],
    ['a Deployment without agents', konnectivity({ agentMode: KamajiKonnectivityAgentMode.DEPLOYMENT, agentReplicas: 0 }), 'TC-ADMIT-KAMAJI-KONNECTIVITY-REPLICAS controlPlane.konnectivity.agentReplicas: 0 agents are asked for in mode Deployment'],
    ['a toleration of nothing', konnectivity({ agentTolerations: [{}] }), 'TC-KAMAJI-TOLERATION controlPlane.konnectivity.agentTolerations[0].operator: there is no key'],
    ['an impossible port', konnectivity({ port: 0 }), 'TC-KAMAJI-KONNECTIVITY controlPlane.konnectivity.port: 0 is not a port'],
    ['two ports', { ...konnectivity({ port: 8132 }), exposure: KamajiExposure.nodePort({ address: '192.0.2.1', port: 30443, konnectivityPort: 30132 }) },
      'TC-KAMAJI-KONNECTIVITY controlPlane.konnectivity.port: the konnectivity server is given two ports, 8132 here and 30132 in controlPlane.exposure.konnectivityPort'],
    ['an image with its tag', konnectivity({ agentImage: 'registry.example.com/agent:v0.34.0' }), 'TC-KAMAJI-IMAGE controlPlane.konnectivity.agentImage: "registry.example.com/agent:v0.34.0" is not the name of an image without its tag'],
    ['an image with a scheme', konnectivity({ serverImage: 'https://registry.example.com/server' }), 'TC-KAMAJI-IMAGE controlPlane.konnectivity.serverImage: '],
    ['a version that is no tag', konnectivity({ version: 'v0.34.0@sha256:abc' }), 'TC-KAMAJI-IMAGE controlPlane.konnectivity.version: "v0.34.0@sha256:abc" is not the tag of an image'],
    ['resources that are none', konnectivity({ serverResources: { limits: { memory: 'lots' } } }), 'TC-KAMAJI-RESOURCES controlPlane.konnectivity.serverResources.limits.memory: "lots" is not a quantity'],
    ['a flag that Kamaji sets', konnectivity({ serverExtraArgs: [{ name: 'server-count', value: '5' }] }),
      'TC-KAMAJI-KONNECTIVITY-ARGUMENT controlPlane.konnectivity.serverExtraArgs[0]: konnectivity-server cannot be given --server-count, because Kamaji sets it itself and drops any other value without a word'],
    ['a flag that the server does not have', konnectivity({ serverExtraArgs: [{ name: 'sync-interval', value: '5s' }] }),
      'TC-KAMAJI-KONNECTIVITY-ARGUMENT controlPlane.konnectivity.serverExtraArgs[0]: konnectivity-server 0.34 has no flag'],
    ['a flag that the agent does not have', konnectivity({ agentExtraArgs: [{ name: 'server-count', value: '5' }] }),
      'TC-KAMAJI-KONNECTIVITY-ARGUMENT controlPlane.konnectivity.agentExtraArgs[0]: konnectivity-agent 0.34 has no flag'],
    ['a tag of CoreDNS alone', { coreDns: KamajiCoreDns.managed({ imageTag: 'v1.13.1' }) }, 'TC-TRAP-KAMAJI-ADDON-IMAGE controlPlane.coreDns.imageTag: Kamaji ignores the tag "v1.13.1"'],
    ['a repository with a slash at its end', { coreDns: KamajiCoreDns.managed({ imageRepository: 'registry.example.com/' }) }, 'TC-KAMAJI-IMAGE controlPlane.coreDns.imageRepository: "registry.example.com/" is not a registry'],
    ['a registry of nobody', { registry: 'a'.repeat(256) }, 'TC-KAMAJI-IMAGE controlPlane.registry: '],
    ['an image of nobody', konnectivity({ agentImage: 'a'.repeat(256) }), 'TC-KAMAJI-IMAGE controlPlane.konnectivity.agentImage: '],
    ['a registry with a scheme', { registry: 'https://registry.example.com' }, 'TC-KAMAJI-IMAGE controlPlane.registry: "https://registry.example.com" is not a registry'],
  ])('%s is refused', (_, props, problem) => {
    expect(refused(props)).toContainEqual(expect.stringContaining(problem));
  });
});
