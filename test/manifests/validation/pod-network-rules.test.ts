import { parse } from 'yaml';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex, targetAmong } from '../../../src/manifests/rules/manifest-index';
import { DNS_RULES } from '../../../src/manifests/validation/dns-rules';
import { POD_NETWORK_RULES } from '../../../src/manifests/validation/pod-network-rules';

const PLACE = { name: 'acme', namespace: 'tenant-acme' };
const POD_RANGE = '10.243.0.0/16';

interface Parts {
  readonly pods?: string[];
  readonly services?: string[];
  readonly controlPlane?: string;
  readonly name?: string;
  readonly endpoint?: { host: string; port: number };
}

function cluster({ pods = [POD_RANGE], services = ['10.95.0.0/16'], controlPlane = 'KamajiControlPlane', name = 'acme', endpoint }: Parts = {}): ManifestObject {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { ...PLACE, name, labels: { tier: 'gold' } },
    spec: {
      ...endpoint && { controlPlaneEndpoint: endpoint },
      clusterNetwork: { pods: { cidrBlocks: pods }, services: { cidrBlocks: services } },
      controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: controlPlane, name },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtCluster', name },
    },
  };
}

function kamaji(addons: object = {}, network: object = {}): ManifestObject {
  return { apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2', kind: 'KamajiControlPlane', metadata: PLACE, spec: { addons, network } };
}

function kubeadm(kubeadmConfigSpec: object): ManifestObject {
  return { apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'KubeadmControlPlane', metadata: PLACE, spec: { kubeadmConfigSpec } };
}

function tenant(networkProfile: object, addons: object = {}): ManifestObject {
  return { apiVersion: 'kamaji.clastix.io/v1alpha1', kind: 'TenantControlPlane', metadata: PLACE, spec: { networkProfile, addons } };
}

function release(values: object | undefined, chart = 'cilium', more: object = {}): ManifestObject {
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { ...PLACE, name: chart },
    spec: { chart: { spec: { chart, version: '1.20.0' } }, kubeConfig: { secretRef: { name: 'acme-admin-kubeconfig' } }, values, ...more },
  };
}

const outer = (values: object, chart = 'cilium') => release(values, chart, { kubeConfig: undefined });

function proxy(valuesTemplate: string | undefined, chartName = 'cilium'): ManifestObject {
  return {
    apiVersion: 'addons.cluster.x-k8s.io/v1alpha1',
    kind: 'HelmChartProxy',
    metadata: { ...PLACE, name: chartName },
    spec: { clusterSelector: { matchLabels: { tier: 'gold' } }, chartName, valuesTemplate },
  };
}

function application(helm: object, destination: object = { name: 'acme', namespace: 'kube-system' }): ManifestObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'cilium', namespace: 'argocd' },
    spec: { destination, source: { repoURL: 'https://helm.cilium.io', chart: 'cilium', targetRevision: '1.20.0', helm } },
  };
}

function valuesFile(content: string, name = 'values'): ManifestObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...PLACE, name }, data: { 'values.yaml': content } };
}

function run(object: ManifestObject, index: ManifestIndex): string[] {
  const kind = `${String(object.apiVersion).includes('/') ? String(object.apiVersion).split('/')[0] : ''}/${String(object.kind)}`;
  return [...POD_NETWORK_RULES, ...DNS_RULES].filter(({ kinds }) => kinds.includes(kind))
    .flatMap((rule) => rule.check(object, index).map(({ path }) => `${rule.id.replace('TC-TRAP-CNI-', '')} ${path.join('.')}`));
}

function found(object: ManifestObject, ...beside: ManifestObject[]): string[] {
  return run(object, new ManifestIndex([object, ...beside]));
}

/** Findings in an object that is applied to the tenant. */
function foundInside(object: ManifestObject, ...management: ManifestObject[]): string[] {
  return run(object, new ManifestIndex([object], targetAmong(management)));
}

const KPR = { kubeProxyReplacement: true, k8sServiceHost: 'acme.tenant-acme.svc', k8sServicePort: 6443, ipam: { mode: 'kubernetes' } };
const BESIDE = { kubeProxyReplacement: false, ipam: { mode: 'kubernetes' } };
const NO_PROXY = 'NO-SERVICE-PROXY spec.values';

describe('who forwards Services', () => {
  const noProxy = [cluster(), kamaji()];
  const withProxy = [cluster(), kamaji({ kubeProxy: {} })];
  const skipping = (...skipPhases: string[]) => [cluster({ controlPlane: 'KubeadmControlPlane' }), kubeadm({ initConfiguration: { skipPhases } })];

  test.each<[string, ManifestObject, ManifestObject[], string[]]>([
    ['nobody: Cilium beside Kamaji', release(BESIDE), noProxy, [`${NO_PROXY}.kubeProxyReplacement`]],
    ['nobody: Cilium by its default', release({ ipam: BESIDE.ipam }), noProxy, [NO_PROXY]],
    ['nobody: a string', release({ ...BESIDE, kubeProxyReplacement: 'false' }), noProxy, [`${NO_PROXY}.kubeProxyReplacement`]],
    ['nobody: an older word', release({ ...BESIDE, kubeProxyReplacement: 'disabled' }), noProxy, [`${NO_PROXY}.kubeProxyReplacement`]],
    ['nobody: Calico with iptables', release({ installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } }, 'tigera-operator'), noProxy, [`${NO_PROXY}.installation.calicoNetwork.linuxDataplane`]],
    ['nobody: Flannel', release({ podCidr: POD_RANGE }, 'flannel'), noProxy, ['NO-SERVICE-PROXY spec']],
    ['nobody: kubeadm without the phase', release(BESIDE), skipping('addon/kube-proxy'), [`${NO_PROXY}.kubeProxyReplacement`]],
    ['nobody: kubeadm without addons', release(BESIDE), skipping('addon'), [`${NO_PROXY}.kubeProxyReplacement`]],
    ['nobody: a TenantControlPlane without Cluster', release(BESIDE), [tenant({})], [`${NO_PROXY}.kubeProxyReplacement`]],
    ['nobody: a template of values', proxy('kubeProxyReplacement: false\nipam: {mode: kubernetes}\n'), noProxy, ['NO-SERVICE-PROXY spec.valuesTemplate']],
    ['nobody: a template with actions', proxy('kubeProxyReplacement: false\nipam: {mode: kubernetes}\ncluster: {name: "{{ .Cluster.metadata.name }}"}\n'), noProxy, ['NO-SERVICE-PROXY spec.valuesTemplate']],
    ['nobody: no values at all', proxy(undefined), noProxy, ['NO-SERVICE-PROXY spec.valuesTemplate', 'POD-RANGE spec.valuesTemplate']],
    ['nobody: an Application with fields', application({ valuesObject: BESIDE }), noProxy, ['NO-SERVICE-PROXY spec.source.helm.valuesObject.kubeProxyReplacement']],
    ['nobody: an Application with text', application({ values: 'kubeProxyReplacement: false\nipam: {mode: kubernetes}\n' }), noProxy, ['NO-SERVICE-PROXY spec.source.helm.values']],
    ['nobody: a parameter over the values', application({ valuesObject: KPR, parameters: [{ name: 'kubeProxyReplacement', value: 'false' }] }), noProxy, ['NO-SERVICE-PROXY spec.source.helm.parameters.0.value']],
    ['nobody: an Application by the name with the namespace', application({ valuesObject: BESIDE }, { name: 'tenant-acme-acme' }), noProxy, ['NO-SERVICE-PROXY spec.source.helm.valuesObject.kubeProxyReplacement']],
    ['nobody: an Application by the address', application({ valuesObject: BESIDE }, { server: 'https://192.0.2.10:6443' }),
      [cluster({ endpoint: { host: '192.0.2.10', port: 6443 } }), kamaji()], ['NO-SERVICE-PROXY spec.source.helm.valuesObject.kubeProxyReplacement']],
    ['nobody: a ConfigMap of values', release({ ipam: BESIDE.ipam }, 'cilium', { valuesFrom: [{ kind: 'ConfigMap', name: 'values' }] }),
      [...noProxy, valuesFile('kubeProxyReplacement: false')], ['NO-SERVICE-PROXY spec.valuesFrom.0']],
    ['both', release(KPR), withProxy, ['TWO-SERVICE-PROXIES spec.values.kubeProxyReplacement']],
    ['both: kubeadm', release(KPR), skipping(), ['TWO-SERVICE-PROXIES spec.values.kubeProxyReplacement']],
    ['both: Calico with eBPF', release({ installation: { calicoNetwork: { linuxDataplane: 'BPF' } }, kubernetesServiceEndpoint: { host: 'acme.tenant-acme.svc' } }, 'tigera-operator'), withProxy,
      ['TWO-SERVICE-PROXIES spec.values.installation.calicoNetwork.linuxDataplane']],
    ['the pod network', release(KPR), noProxy, []],
    ['kube-proxy', release(BESIDE), withProxy, []],
    ['kube-proxy of kubeadm', release(BESIDE), skipping('addon/coredns'), []],
    ['not known: a file of kubeadm speaks of it', release(BESIDE), [cluster({ controlPlane: 'KubeadmControlPlane' }), kubeadm({
      initConfiguration: { skipPhases: ['addon/kube-proxy'] }, postKubeadmCommands: ['kubectl apply -f /etc/kube-proxy.yaml'],
    })], []],
    ['not known: values of a Secret', release({ ipam: BESIDE.ipam }, 'cilium', { valuesFrom: [{ kind: 'Secret', name: 'values' }] }), noProxy, []],
    ['not known: a ConfigMap that is not read', release({ ipam: BESIDE.ipam }, 'cilium', { valuesFrom: [{ kind: 'ConfigMap', name: 'values' }] }), noProxy, []],
    ['not known: files of the source', application({ valueFiles: ['values.yaml'], valuesObject: { ipam: BESIDE.ipam } }), noProxy, []],
    ['not known: another kind of control plane', release(BESIDE), [cluster({ controlPlane: 'K0smotronControlPlane' })], []],
    ['not known: no Cluster', release(BESIDE), [], []],
    ['kube-proxy by another release', release(BESIDE), [...noProxy, release({}, 'kube-proxy')], []],
  ])('%s', (_, object, beside, expected) => {
    expect(found(object, ...beside)).toEqual(expected);
  });

  test('objects in the tenant', () => {
    const config = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cilium-config', namespace: 'kube-system' }, data });
    const agent = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'calico-node' }, spec: { template: { spec: { containers: [{ env: [] }] } } } };

    expect(foundInside(config({ 'ipam': 'kubernetes', 'kube-proxy-replacement': 'false' }), ...noProxy)).toEqual(['NO-SERVICE-PROXY data.kube-proxy-replacement']);
    expect(foundInside(config({ 'ipam': 'kubernetes', 'kube-proxy-replacement': 'true' }), ...noProxy)).toEqual([]);
    expect(foundInside(config({ other: 'x' }), ...noProxy)).toEqual([]);
    expect(foundInside(agent, ...noProxy)).toEqual(['NO-SERVICE-PROXY spec.template.spec.containers']);
    expect(foundInside(outer(BESIDE), ...noProxy)).toEqual([`${NO_PROXY}.kubeProxyReplacement`]);
    expect(found(agent, ...noProxy)).toEqual([]);
  });
});

describe('the address of the API server', () => {
  const beta = cluster({ name: 'beta', endpoint: { host: '192.0.2.20', port: 6443 } });
  const own = cluster({ endpoint: { host: '192.0.2.10', port: 6443 } });

  test.each<[string, object, string[]]>([
    ['none', { ...KPR, k8sServiceHost: undefined }, ['API-SERVER spec.values']],
    ['the Service of another cluster', { ...KPR, k8sServiceHost: 'beta.tenant-acme.svc' }, ['API-SERVER spec.values.k8sServiceHost']],
    ['the address of another cluster', { ...KPR, k8sServiceHost: '192.0.2.20' }, ['API-SERVER spec.values.k8sServiceHost']],
    ['another port', { ...KPR, k8sServiceHost: '192.0.2.10', k8sServicePort: 443 }, ['API-SERVER spec.values.k8sServiceHost']],
    ['the own one', { ...KPR, k8sServiceHost: '192.0.2.10' }, []],
    ['one that is not known', { ...KPR, k8sServiceHost: 'proxy.example.com' }, []],
    ['what kubeadm says', { ...KPR, k8sServiceHost: 'auto' }, []],
    ['a ConfigMap', { ...KPR, k8sServiceHost: undefined, k8sServiceHostRef: { name: 'api', key: 'host' } }, []],
  ])('%s', (_, given, expected) => {
    expect(found(release(given), own, kamaji(), beta)).toEqual(expected);
  });
});

describe('ranges', () => {
  const pool = (...list: string[]) => ({ ...KPR, ipam: { mode: 'cluster-pool', operator: { clusterPoolIPv4PodCIDRList: list } } });
  const calico = (...cidrs: string[]) => ({
    installation: { calicoNetwork: { linuxDataplane: 'BPF', ipPools: cidrs.map((cidr) => ({ cidr })) } }, kubernetesServiceEndpoint: { host: 'acme.tenant-acme.svc' },
  });

  test.each<[string, ManifestObject, ManifestObject, string[]]>([
    ['the pool of Cilium by default', release({ ...KPR, ipam: { mode: 'cluster-pool' } }), cluster(), ['POD-RANGE spec.values.ipam']],
    ['no mode of Cilium', release({ ...KPR, ipam: undefined }), cluster(), ['POD-RANGE spec.values']],
    ['a pool of Cilium elsewhere', release(pool('10.42.0.0/16')), cluster(), ['POD-RANGE spec.values.ipam.operator.clusterPoolIPv4PodCIDRList']],
    ['a pool of Cilium as a string', release({ ...KPR, ipam: { mode: 'cluster-pool', operator: { clusterPoolIPv4PodCIDRList: '10.42.0.0/16' } } }), cluster(), ['POD-RANGE spec.values.ipam.operator.clusterPoolIPv4PodCIDRList']],
    ['a pool of Cilium among Services', release(pool('10.95.0.0/16')), cluster(), ['RANGE-TAKEN spec.values.ipam.operator.clusterPoolIPv4PodCIDRList']],
    ['the second pool of Cilium', release(pool(POD_RANGE, '10.42.0.0/16')), cluster(), ['POD-RANGE spec.values.ipam.operator.clusterPoolIPv4PodCIDRList']],
    ['a pool of Cilium smaller than a node\'s', release(pool('10.243.0.0/25')), cluster(), ['NODE-RANGE spec.values.ipam.operator.clusterPoolIPv4PodCIDRList']],
    ['a pool of Calico elsewhere', release(calico('192.168.0.0/16'), 'tigera-operator'), cluster(), ['POD-RANGE spec.values.installation.calicoNetwork.ipPools']],
    ['a pool of Calico with Services inside', release(calico('10.0.0.0/8'), 'tigera-operator'), cluster(), ['RANGE-TAKEN spec.values.installation.calicoNetwork.ipPools']],
    ['the range of Cilium', release(pool('10.243.128.0/17')), cluster(), []],
    ['the range of a Cluster that a template fills in', proxy(`${JSON.stringify({ ...KPR, ipam: undefined }).slice(0, -1)}, "ipam": {"mode": "cluster-pool", "operator": {"clusterPoolIPv4PodCIDRList": ["{{ index .Cluster.spec.clusterNetwork.pods.cidrBlocks 0 }}"]}}}`), cluster(), []],
    ['a template that cannot be rendered', proxy('kubeProxyReplacement: {{ randAlpha 3 }}\n'), cluster(), ['POD-RANGE spec.valuesTemplate']],
    ['the range of Calico', release(calico(POD_RANGE), 'tigera-operator'), cluster(), []],
    ['a range that Calico takes from kubeadm', release(calico(), 'tigera-operator'), cluster(), []],
    ['addresses of the cloud', release({ ...KPR, ipam: { mode: 'eni' } }), cluster(), []],
    ['Cilium behind another plug-in', release({ ...pool('10.42.0.0/16'), cni: { chainingMode: 'aws-cni' } }), cluster(), []],
    ['a family that nodes do not get', release({ ...KPR, ipv6: { enabled: true } }), cluster(), ['FAMILIES spec.values.ipv6.enabled']],
    ['no family that nodes get', release({ ...KPR, ipv4: { enabled: false } }), cluster(), ['FAMILIES spec.values.ipv4.enabled']],
    ['both families', release({ ...KPR, ipv6: { enabled: true } }), cluster({ pods: [POD_RANGE, 'fd00:1::/56'], services: ['10.95.0.0/16', 'fd00:2::/112'] }), []],
  ])('%s', (_, object, own, expected) => {
    expect(found(object, own, kamaji())).toEqual(expected);
  });

  test('Flannel must be told the range that nodes get theirs of', () => {
    const beside = [cluster(), kamaji({ kubeProxy: {} })];
    const config = (network: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-flannel-cfg' }, data: { 'net-conf.json': JSON.stringify({ Network: network }) } });

    expect(found(release({}, 'flannel'), ...beside)).toEqual(['POD-RANGE-OTHER spec.values']);
    expect(found(release({ podCidr: '10.244.0.0/16' }, 'flannel'), ...beside)).toEqual(['POD-RANGE-OTHER spec.values.podCidr']);
    expect(found(release({ podCidr: POD_RANGE }, 'flannel'), ...beside)).toEqual([]);
    expect(found(release({ podCidr: '10.240.0.0/12' }, 'flannel'), ...beside)).toEqual([]);
    expect(foundInside(config('10.244.0.0/16'), ...beside)).toEqual(['POD-RANGE-OTHER data.net-conf.json']);
    expect(foundInside(config(POD_RANGE), ...beside)).toEqual([]);
  });

  test('pools of Calico in the tenant', () => {
    const object = (cidr: string) => ({ apiVersion: 'crd.projectcalico.org/v1', kind: 'IPPool', metadata: { name: 'default' }, spec: { cidr } });
    const installation = { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata: { name: 'default' }, spec: { calicoNetwork: { linuxDataplane: 'BPF', ipPools: [{ cidr: '192.168.0.0/16' }] } } };

    expect(foundInside(object('192.168.0.0/16'), cluster(), kamaji())).toEqual(['POD-RANGE spec.cidr']);
    expect(foundInside(object(POD_RANGE), cluster(), kamaji())).toEqual([]);
    expect(foundInside(installation, cluster(), kamaji())).toEqual(['POD-RANGE spec.calicoNetwork']);
  });

  test('ranges of a TenantControlPlane, and of kubeadm', () => {
    const range = (object: ManifestObject, ...beside: ManifestObject[]) => found(object, ...beside).filter((line) => line.startsWith('POD-RANGE'));

    expect(range(release(pool('10.42.0.0/16')), tenant({ podCidr: '10.42.0.0/16' }))).toEqual([]);
    expect(range(release(pool('10.42.0.0/16')), tenant({}))).toHaveLength(1);
    expect(range(release(pool('10.42.0.0/16')), cluster({ controlPlane: 'KubeadmControlPlane' }), kubeadm({ clusterConfiguration: { networking: { podSubnet: '10.42.0.0/16' } } }))).toEqual([]);
  });
});

describe('machines that are pods of the management cluster', () => {
  const inner = (more: object) => release({ ...KPR, ...more });
  const beside = [cluster(), kamaji()];

  test.each<[string, ManifestObject, ManifestObject, string[]]>([
    ['the same port by default', inner({}), outer(BESIDE), ['NESTED-TUNNEL spec.values']],
    ['the same port', inner({ tunnelPort: 8473 }), outer({ ...BESIDE, tunnelPort: 8473 }), ['NESTED-TUNNEL spec.values.tunnelPort']],
    ['the port of Flannel', inner({}), outer({}, 'flannel'), ['NESTED-TUNNEL spec.values']],
    ['the port of Geneve', inner({ tunnelProtocol: 'geneve' }), outer({ ...BESIDE, tunnelProtocol: 'geneve' }), ['NESTED-TUNNEL spec.values']],
    ['another protocol', inner({ tunnelProtocol: 'geneve' }), outer(BESIDE), []],
    ['another port', inner({ tunnelPort: 8473 }), outer(BESIDE), []],
    ['no tunnels', inner({ routingMode: 'native' }), outer(BESIDE), []],
    ['a larger MTU', inner({ tunnelPort: 8473, MTU: 1500 }), outer({ ...BESIDE, MTU: 1450 }), ['NESTED-MTU spec.values.MTU']],
    ['a smaller MTU', inner({ tunnelPort: 8473, MTU: 1400 }), outer({ ...BESIDE, MTU: 1450 }), []],
  ])('%s', (_, object, management, expected) => {
    expect(found(object, management, ...beside)).toEqual(expected);
  });

  test('machines elsewhere', () => {
    const elsewhere = parse(JSON.stringify(cluster()).replace('KubevirtCluster', 'VultrCluster')) as ManifestObject;
    expect(found(inner({}), outer(BESIDE), elsewhere, kamaji())).toEqual([]);
  });
});

describe('the address of the DNS service', () => {
  const own = kamaji({}, { dnsServiceIPs: ['10.95.0.10'] });

  test.each<[string, ManifestObject, string[]]>([
    ['another one', release({ service: { clusterIP: '10.95.0.53' } }, 'coredns'), ['DNS-ADDRESS spec.values.service.clusterIP']],
    ['any', release({}, 'coredns'), ['DNS-ADDRESS spec.values']],
    ['a cache that asks elsewhere', release({}, 'node-local-dns'), ['DNS-ADDRESS spec.values']],
    ['the same', release({ service: { clusterIP: '10.95.0.10' } }, 'coredns'), []],
    ['an instance for something else', release({ isClusterService: false }, 'coredns'), []],
    ['a cache that asks there', release({ config: { dnsServer: '10.95.0.10' } }, 'node-local-dns'), []],
  ])('%s', (_, object, expected) => {
    expect(found(object, cluster(), own)).toEqual(expected);
  });

  test('beside CoreDNS of the control plane', () => {
    expect(found(release({}, 'coredns'), cluster(), kamaji({ coreDNS: { dnsServiceIPs: ['10.95.0.10'] } }))).toEqual([]);
  });

  test('kubeadm without its own', () => {
    const beside = [cluster({ controlPlane: 'KubeadmControlPlane' }), kubeadm({ initConfiguration: { skipPhases: ['addon/coredns'] } })];
    expect(found(release({ service: { clusterIP: '10.95.0.53' } }, 'coredns'), ...beside)).toEqual(['DNS-ADDRESS spec.values.service.clusterIP']);
    expect(found(release({ service: { clusterIP: '10.95.0.10' } }, 'coredns'), ...beside)).toEqual([]);
  });
});

describe('the DNS server of nodes', () => {
  const template = (spec: object, apiVersion = 'v1beta2'): ManifestObject => ({
    apiVersion: `bootstrap.cluster.x-k8s.io/${apiVersion}`, kind: 'KubeadmConfigTemplate', metadata: PLACE, spec: { template: { spec } },
  });
  const patch = (address: string) => ({ files: [{ path: '/etc/kubernetes/patches/kubeletconfiguration.yaml', content: `clusterDNS: ["${address}"]\n` }] });
  const pool: ManifestObject = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: PLACE,
    spec: { clusterName: 'acme', template: { spec: { bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 'acme' } } } } },
  };

  test.each<[string, ManifestObject, string[]]>([
    ['a file', template(patch('10.96.0.10')), ['NODE-DNS spec.template.spec.files.0.content']],
    ['a flag', template({ joinConfiguration: { nodeRegistration: { kubeletExtraArgs: [{ name: 'cluster-dns', value: '10.96.0.10' }] } } }),
      ['NODE-DNS spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs.0.value']],
    ['a flag of v1beta1', template({ joinConfiguration: { nodeRegistration: { kubeletExtraArgs: { 'cluster-dns': '10.96.0.10' } } } }, 'v1beta1'),
      ['NODE-DNS spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs.cluster-dns']],
    ['the address of the cluster', template(patch('10.95.0.10')), []],
    ['a cache on the node', template(patch('169.254.20.10')), []],
  ])('%s', (_, object, expected) => {
    expect(found(object, pool, cluster(), kamaji())).toEqual(expected);
  });
});

test('sources that a load balancer of the API server accepts', () => {
  const network = (...sources: string[]) => ({ loadBalancerConfig: { loadBalancerSourceRanges: sources } });
  const management = outer({ ipam: { mode: 'cluster-pool', operator: { clusterPoolIPv4PodCIDRList: ['10.244.0.0/16'] } } });

  expect(found(kamaji({}, network('203.0.113.0/24')), cluster(), management)).toEqual(['SOURCE-RANGES spec.network.loadBalancerConfig.loadBalancerSourceRanges']);
  expect(found(kamaji({}, network('203.0.113.0/24', '10.0.0.0/8')), cluster(), management)).toEqual([]);
  expect(found(kamaji({}, network('203.0.113.0/24')), cluster())).toEqual([]);
  expect(found(kamaji(), cluster(), management)).toEqual([]);
});
