import { ADDRESS_POOL_CHANGES } from '../../../../src/manifests/validation/address-pools/pool-changes';
import { ADDRESS_POOL_RULES } from '../../../../src/manifests/validation/address-pools/pool-rules';
import { changesBetween } from '../../rules/changes/changes';
import { findings, objectsIn, testRules } from '../../rules/rules-under-test';

testRules(ADDRESS_POOL_RULES);

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const object = (apiVersion: string, kind: string, name: string, spec: string, namespace: string | undefined = 'tenant-acme', annotations = '{}') => (
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}${namespace === '' ? '' : `, namespace: ${namespace}`}, annotations: ${annotations}}\nspec: ${spec}\n`
);
const pool = (addresses: string, name = 'nodes', namespace?: string) => object('ipam.cluster.x-k8s.io/v1alpha2', 'InClusterIPPool', name, `{addresses: [${addresses}], prefix: 24}`, namespace);
const global = (addresses: string) => object('ipam.cluster.x-k8s.io/v1alpha2', 'GlobalInClusterIPPool', 'all', `{addresses: [${addresses}], prefix: 24}`, '');
const metal3Pool = (pools: string, more = '') => object('ipam.metal3.io/v1alpha1', 'IPPool', 'nodes', `{namePrefix: nodes, pools: [${pools}]${more}}`);
const template = (references: string, name = 'acme-general', namespace?: string) => (
  object(`${INFRASTRUCTURE}/v1beta1`, 'VSphereMachineTemplate', name, `{template: {spec: {network: {devices: [{networkName: nodes, addressesFromPools: [${references}]}]}}}}`, namespace)
);
const reference = (name = 'nodes', kind = 'InClusterIPPool') => `{apiGroup: ipam.cluster.x-k8s.io, kind: ${kind}, name: ${name}}`;
const deployment = (name: string, replicas: string, kind = 'VSphereMachineTemplate', annotations?: string, namespace?: string) => object('cluster.x-k8s.io/v1beta2', 'MachineDeployment', name, (
  `{clusterName: acme, ${replicas}, template: {spec: {clusterName: acme, infrastructureRef: {apiGroup: ${INFRASTRUCTURE}, kind: ${kind}, name: ${name}}}}}`
), namespace, annotations);
const controlPlane = (replicas: number, rollout = '', kind = 'VSphereMachineTemplate') => object('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', 'acme', (
  `{replicas: ${replicas}, machineTemplate: {spec: {infrastructureRef: {apiGroup: ${INFRASTRUCTURE}, kind: ${kind}, name: acme-control-plane}}}${rollout}}`
));
const cluster = (infrastructure: string, more = '') => object('cluster.x-k8s.io/v1beta2', 'Cluster', 'acme', (
  `{controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: acme}, infrastructureRef: {apiGroup: ${INFRASTRUCTURE}, kind: ${infrastructure}, name: acme}${more}}`
));
const BOUNDS = '{cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "1", cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "10"}';
const MACHINES = [template(reference()), deployment('acme-general', 'replicas: 3')].join('');

const found = (...texts: string[]) => findings(ADDRESS_POOL_RULES, texts.join('').replace(/^---\n/, ''));

describe('pools that have too few addresses', () => {
  test('control planes and pools at their largest count, and one more of each during a rollout', () => {
    expect(found(
      pool('192.0.2.10-192.0.2.20'), template(reference()), template(reference(), 'acme-control-plane'), controlPlane(3), deployment('acme-general', 'replicas: 2', undefined, BOUNDS),
    )).toEqual([
      'TC-TRAP-ADDRESS-POOL-EXHAUSTED spec.addresses: pool "nodes" has 11 addresses for machines, and they may take 15: '
      + 'acme-general 10 + 1 in a rollout, acme 3 + 1 in a rollout = 15',
    ]);
  });

  test.each<[string, string, number]>([
    ['a surge in percent rounds up', 'replicas: 3, rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 34%}}}', 5],
    ['no surge needs no address', 'replicas: 3, rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}}', 3],
    ['machines that are deleted by hand need none either', 'replicas: 3, rollout: {strategy: {type: OnDelete}}', 3],
    ['older versions have the strategy elsewhere', 'replicas: 3, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 2}}', 5],
    ['a pool without machines needs none', 'replicas: 0', 0],
  ])('%s', (_, spec, need) => {
    const given = (count: number) => found(pool(count === 0 ? '192.0.2.9' : `192.0.2.10-192.0.2.${9 + count}`), template(reference()), deployment('acme-general', spec));

    expect(given(need)).toEqual([]);
    if (need > 0) expect(given(need - 1)).toEqual([expect.stringContaining(`they may take ${need}`)]);
  });

  test('a machine takes an address for each reference, and clusters share a pool for all namespaces', () => {
    const all = reference('all', 'GlobalInClusterIPPool');
    expect(found(
      global('192.0.2.10-192.0.2.20'), template(`${all}, ${all}`), deployment('acme-general', 'replicas: 3'),
      template(all, 'other', 'tenant-other'), deployment('other', 'replicas: 3', undefined, undefined, 'tenant-other'),
    )).toEqual([expect.stringContaining('they may take 12: acme-general 2 × (3 + 1 in a rollout), other 3 + 1 in a rollout = 12')]);
  });

  test('a machine of Metal3 takes one address from each pool, which its data template names', () => {
    const data = object(`${INFRASTRUCTURE}/v1beta2`, 'Metal3DataTemplate', 'acme', (
      '{clusterName: acme, metaData: {ipAddressesFromPool: [{key: ip, name: nodes}]}, networkData: {networks: {ipv4: [{id: a, link: b, fromPoolRef: {name: nodes, apiGroup: ipam.metal3.io, kind: IPPool}}]}}}'
    ));
    const machines = [data, object(`${INFRASTRUCTURE}/v1beta2`, 'Metal3MachineTemplate', 'acme-general', '{template: {spec: {dataTemplate: {name: acme}}}}'), deployment('acme-general', 'replicas: 3', 'Metal3MachineTemplate')];

    expect(found(metal3Pool('{start: 192.0.2.10, end: 192.0.2.13}'), ...machines)).toEqual([]);
    expect(found(metal3Pool('{start: 192.0.2.10, end: 192.0.2.13}', ', preAllocations: {a: 192.0.2.10}'), ...machines)).toEqual([]);
    expect(found(metal3Pool('{start: 192.0.2.10, end: 192.0.2.12}'), ...machines)).toEqual([
      'TC-TRAP-ADDRESS-POOL-EXHAUSTED spec.pools: pool "nodes" has 3 addresses for machines, and they may take 4: acme-general 3 + 1 in a rollout',
    ]);
    // After the address of the subnet, to its end.
    expect(found(metal3Pool('{subnet: 192.0.2.0/30}'), ...machines)).toEqual([expect.stringContaining('has 3 addresses')]);
    expect(found(metal3Pool('{subnet: 192.0.2.0/29}'), ...machines)).toEqual([]);
  });

  test('machines of Proxmox take addresses from the network of their cluster', () => {
    const infrastructure = object(`${INFRASTRUCTURE}/v1alpha2`, 'ProxmoxCluster', 'acme', '{ipv4Config: {addresses: [192.0.2.10-192.0.2.12], prefix: 24, gateway: 192.0.2.1}}');
    const machines = (device: string) => [
      cluster('ProxmoxCluster'), controlPlane(3, '', 'ProxmoxMachineTemplate'),
      object(`${INFRASTRUCTURE}/v1alpha2`, 'ProxmoxMachineTemplate', 'acme-control-plane', `{template: {spec: {network: {networkDevices: [${device}]}}}}`),
    ];

    expect(found(infrastructure, ...machines('{bridge: vmbr0}'))).toEqual([
      'TC-TRAP-ADDRESS-POOL-EXHAUSTED spec.ipv4Config.addresses: pool "acme-v4-icip" has 3 addresses for machines, and they may take 4: acme 3 + 1 in a rollout',
    ]);
    expect(found(pool('192.0.2.30-192.0.2.32'), infrastructure.replace('.12]', '.13]'), ...machines(`{bridge: vmbr0, defaultIPv4: true}, {bridge: vmbr1, ipPoolRef: [${reference()}]}`))).toEqual([
      expect.stringContaining('pool "nodes" has 3 addresses for machines, and they may take 4'),
    ]);
  });
});

describe('addresses that are used elsewhere', () => {
  test.each<[string, string[], string[]]>([
    ['pools of one management cluster that share addresses', [pool('192.0.2.10-192.0.2.20'), pool('192.0.2.20-192.0.2.30', 'others', 'tenant-other')], [
      'spec.addresses: 192.0.2.20 is in the InClusterIPPool "nodes" in the namespace "tenant-acme" as well, and machines get the same address',
    ]],
    ['pools of different systems', [pool('192.0.2.10-192.0.2.20'), metal3Pool('{subnet: 192.0.2.0/28}')], [
      'spec.pools: 192.0.2.10-192.0.2.15 are in the InClusterIPPool "nodes" in the namespace "tenant-acme" as well, and machines get the same address',
    ]],
    ['exceptions are no addresses', [pool('192.0.2.10-192.0.2.20'), pool('192.0.2.10-192.0.2.20', 'others').replace('prefix', 'excludedAddresses: [192.0.2.0/27], prefix')], []],
    ['addresses of load balancers in the management cluster', [pool('192.0.2.10-192.0.2.20'), object('metallb.io/v1beta1', 'IPAddressPool', 'lb', '{addresses: [192.0.2.16/28]}', 'metallb-system')], [
      expect.stringMatching(/192\.0\.2\.16-192\.0\.2\.20 are in .* and (machines and Services|Services and machines) get the same address/),
    ]],
    ['ranges of pods of the own cluster', [cluster('VSphereCluster', ', clusterNetwork: {pods: {cidrBlocks: [192.0.0.0/16]}}'), pool('192.0.2.10-192.0.2.20'), MACHINES], [
      'spec.addresses: 192.0.2.10-192.0.2.20 are in 192.0.0.0/16, the range of pods of the Cluster "acme"',
    ]],
    ['the address of an API server', [cluster('VSphereCluster', ', controlPlaneEndpoint: {host: 192.0.2.15, port: 6443}'), pool('192.0.2.10-192.0.2.20')], [
      'spec.addresses: "192.0.2.15" is the address of the API server of the Cluster "acme"',
    ]],
    ['the address of an API server in the infrastructure', [cluster('VSphereCluster'), object(`${INFRASTRUCTURE}/v1beta1`, 'VSphereCluster', 'acme', '{controlPlaneEndpoint: {host: 192.0.2.15, port: 6443}}'), pool('192.0.2.10-192.0.2.20')], [
      'spec.addresses: "192.0.2.15" is the address of the API server of the Cluster "acme"',
    ]],
    ['the name of an API server', [cluster('VSphereCluster', ', controlPlaneEndpoint: {host: api.example.com, port: 6443}'), pool('192.0.2.10-192.0.2.20')], []],
  ])('%s', (_, texts, expected) => {
    expect(found(...texts).map((text) => text.replace(/^\S+ /, ''))).toEqual(expected);
  });
});

test('load balancers of a tenant must not have addresses of its machines', () => {
  const balancers = (addresses: string) => object('metallb.io/v1beta1', 'IPAddressPool', 'lb', `{addresses: [${addresses}]}`, 'metallb-system').slice('---\n'.length);
  const management = [cluster('VSphereCluster'), pool('192.0.2.10-192.0.2.20'), MACHINES].join('').slice('---\n'.length);

  expect(findings(ADDRESS_POOL_RULES, balancers('192.0.2.20-192.0.2.30'), management)).toEqual([expect.stringContaining('Services and machines get the same address')]);
  expect(findings(ADDRESS_POOL_RULES, balancers('192.0.2.21-192.0.2.30'), management)).toEqual([]);
});

describe('references', () => {
  test.each<[string, string[], string[]]>([
    ['a pool that exists', [pool('192.0.2.10-192.0.2.20'), MACHINES], []],
    ['no pools at all', [MACHINES], []],
    ['a pool of another name', [pool('192.0.2.10-192.0.2.20', 'node'), MACHINES], ['there is no InClusterIPPool "nodes"']],
    ['a pool of another namespace', [pool('192.0.2.10-192.0.2.20', 'nodes', 'pools'), MACHINES], ['is in another namespace than the machines']],
    ['a pool for all namespaces', [global('192.0.2.10-192.0.2.20'), template(reference('all', 'GlobalInClusterIPPool'))], []],
    ['a pool for all namespaces of another name', [global('192.0.2.10-192.0.2.20'), template(reference('any', 'GlobalInClusterIPPool'))], ['there is no GlobalInClusterIPPool "any"']],
  ])('%s', (_, texts, expected) => {
    expect(found(...texts)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });
});

describe('changes', () => {
  const changes = (before: string[], after: string[]) => changesBetween(
    objectsIn(before.join('').replace(/^---\n/, '')) as never, objectsIn(after.join('').replace(/^---\n/, '')) as never,
  ).filter(({ rule }) => ADDRESS_POOL_CHANGES.some(({ id }) => id === rule.id)).map(({ rule, path, message }) => `${rule.id} ${path.join('.')}: ${message}`);
  const LARGE = pool('192.0.2.10-192.0.2.40');

  test.each<[string, string[], string[], string[]]>([
    ['a pool that grows', [LARGE, MACHINES], [pool('192.0.2.5-192.0.2.50'), MACHINES], []],
    ['a pool that loses addresses', [LARGE, MACHINES], [pool('192.0.2.15-192.0.2.40'), MACHINES], [
      'TC-CHANGE-ADDRESS-POOL-SHRUNK spec.addresses: it loses 192.0.2.10-192.0.2.14, and the change is refused if one of the machines of acme-general has such an address',
    ]],
    ['a pool that loses addresses without machines', [LARGE], [pool('192.0.2.15-192.0.2.40')], []],
    ['other addresses than those of machines', [LARGE, MACHINES], [pool('192.0.2.39-192.0.2.60'), MACHINES], [
      'TC-CHANGE-ADDRESS-POOL-USED spec.addresses: it keeps 2 of its addresses, and acme-general have 3 at least',
    ]],
    ['a pool that goes', [LARGE, MACHINES], [MACHINES], [
      expect.stringMatching(/^TC-CHANGE-ADDRESS-POOL-REMOVED : the pool "nodes" is gone, and MachineDeployment tenant-acme\/acme-general takes addresses from it/),
    ]],
    ['a pool that goes with its machines', [LARGE, MACHINES], [], []],
    ['a pool that goes after its machines', [LARGE, template(reference()), deployment('acme-general', 'replicas: 0')], [template(reference()), deployment('acme-general', 'replicas: 0')], []],
    ['a pool that is marked to stay', [LARGE.replace('annotations: {}', 'annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}'), MACHINES], [MACHINES], []],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});
