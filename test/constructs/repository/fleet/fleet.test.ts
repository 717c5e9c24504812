import * as fs from 'node:fs';
import * as path from 'node:path';
import { Size, Testing } from 'cdk8s';
import { exampleFleet, exampleOptions, exampleProfile, listIn, POOLED, RINGS, said, saying } from './fleets';
import { RULE_TOPICS } from '../../../../src/cli/explain/rule-text';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { Hibernation } from '../../../../src/constructs/contracts/cluster-context';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { Versions } from '../../../../src/constructs/contracts/versions';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { ClusterEntry } from '../../../../src/constructs/repository/fleet/cluster-list';
import { Fleet } from '../../../../src/constructs/repository/fleet/fleet';
import { FleetProps, IClusterProfile } from '../../../../src/constructs/repository/fleet/fleet-props';
import { FleetRing } from '../../../../src/constructs/repository/fleet/fleet-ring';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { Manifest } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';
import { amount } from '../../../support/sample';

/** Publishes no Services, so that nothing warns that there is no isolation. */
const INFRASTRUCTURE = new KubevirtInfrastructure({
  cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }),
});
const KAMAJI_EXPOSURE = KamajiExposure.loadBalancer({ address: '198.51.100.7' });
const ROOT_DISK = RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.4' });

/** The objects of each cluster, by its name. */
function manifests(clusters: ClusterEntry[], props: Partial<FleetProps> = {}): { [name: string]: Manifest[] } {
  const fleet = exampleFleet(Testing.app(), clusters, props);
  return Object.fromEntries(fleet.clusters.map((tenant) => [tenant.cluster.name, tenant.toJson()]));
}

function labelsOf(objects: Manifest[]): { [kind: string]: unknown } {
  return Object.fromEntries(objects.map(({ kind, metadata: { labels } }) => [kind, labels]));
}

describe('a cluster', () => {
  test('is one of its profile, with the name, version and labels of the list', () => {
    const { acme, blue } = manifests([
      { name: 'acme', ring: 'canary', profile: 'pooled', labels: { tier: 'gold' }, values: { workers: 5 } }, { name: 'blue', namespace: 'team', profile: 'plain', kubernetesVersion: '1.35.1' },
    ], { profiles: { plain: exampleProfile(), pooled: POOLED } });
    const byKind = Object.fromEntries(acme.map((object) => [object.kind, object]));
    expect(byKind.Cluster.metadata).toMatchObject({ name: 'acme', namespace: 'tenant-acme', labels: { 'tier': 'gold', 'cluster.x-k8s.io/cluster-name': 'acme' } });
    expect([byKind.MachineDeployment.spec.replicas, byKind.ExampleControlPlane.spec.version]).toEqual([5, 'v1.36.1']);
    expect(blue.map(({ kind }) => kind)).not.toContain('MachineDeployment');
    expect(blue.find(({ kind }) => kind === 'ExampleControlPlane')).toMatchObject({ metadata: { namespace: 'team' }, spec: { version: 'v1.35.1' } });
  });

  test('keeps the labels of its profile; those of the list go first', () => {
    const profiles = { plain: exampleProfile(() => ({ labels: { tier: 'silver', team: 'a' } })) };
    const { acme } = manifests([{ name: 'acme', labels: { tier: 'gold' } }], { profiles });
    expect(labelsOf(acme).Cluster).toMatchObject({ tier: 'gold', team: 'a' });
  });

  test('has region and ring as labels where a key is given, and leaves machines as they are', () => {
    const entries: ClusterEntry[] = [{ name: 'acme', region: 'eu-1', profile: 'plain' }];
    const profiles = { plain: POOLED };
    const plain = manifests(entries, { profiles }).acme;
    const labelled = manifests(entries, { profiles, regionLabel: 'example.com/region', ringLabel: 'example.com/ring' }).acme;
    expect(labelsOf(labelled).Cluster).toMatchObject({ 'example.com/region': 'eu-1', 'example.com/ring': 'main' });
    expect(JSON.stringify(plain)).not.toContain('eu-1');
    expect(labelled.map(({ kind, metadata: { name } }) => [kind, name])).toEqual(plain.map(({ kind, metadata: { name } }) => [kind, name]));
  });

  test('knows its version without a v', () => {
    const versions: string[] = [];
    const profiles = { plain: exampleProfile(({ kubernetesVersion }) => { versions.push(kubernetesVersion); return {}; }) };
    manifests([{ name: 'a' }, { name: 'b', kubernetesVersion: 'v1.35.1' }], { profiles, rings: [{ name: 'main', kubernetesVersion: 'v1.35.4' }] });
    expect(versions).toEqual(['1.35.4', '1.35.1']);
  });

  test('is taken down by a column', () => {
    const { acme, blue } = manifests([{ name: 'acme', decommission: true }, { name: 'blue' }]);
    expect([acme, blue].map((objects) => objects.some(({ kind }) => kind === 'Cluster'))).toEqual([false, true]);
  });

  test('is put to sleep by a column, or by its profile', () => {
    const replicas = (profile: IClusterProfile) => Object.values(manifests(
      [{ name: 'acme', hibernation: Hibernation.POOLS }, { name: 'blue' }], { profiles: { plain: profile } },
    )).map((objects) => objects.find(({ kind }) => kind === 'MachineDeployment').spec.replicas);
    const asleep = exampleProfile(() => ({ hibernation: Hibernation.POOLS }), (tenant, cluster) => POOLED.populate(tenant, cluster));
    expect(replicas(POOLED)).toEqual([0, 2]);
    expect(replicas(asleep)).toEqual([0, 0]);
  });

  test('may be made by a class that extends another', () => {
    class Standard implements IClusterProfile {
      public props() {
        return exampleOptions({ serviceDomain: 'one.local' });
      }

      public populate(): void {}
    }
    class Special extends Standard {
      public override props() {
        return { ...super.props(), podCidrs: ['10.9.0.0/16'] };
      }
    }
    const { acme } = manifests([{ name: 'acme' }], { profiles: { special: new Special() } });
    expect(acme.find(({ kind }) => kind === 'Cluster').spec.clusterNetwork).toMatchObject({ serviceDomain: 'one.local', pods: { cidrBlocks: ['10.9.0.0/16'] } });
  });
});

test('the order of the list decides nothing that is written', () => {
  const entries: ClusterEntry[] = [{ name: 'a', ring: 'canary' }, { name: 'b', namespace: 'x' }, { name: 'b' }];
  const files = (list: ClusterEntry[]) => {
    const app = Testing.app();
    const { clusters } = exampleFleet(app, list, { profiles: { plain: POOLED } });
    return Object.fromEntries(clusters.map((tenant) => [tenant.node.path, tenant.toJson()]));
  };
  expect(files([...entries].reverse())).toEqual(files(entries));
  expect(Object.keys(files(entries))).toEqual(['fleet/a', 'fleet/x.b', 'fleet/b']);
});

describe('clusters are found', () => {
  const fleet = (): Fleet => exampleFleet(Testing.app(), [
    { name: 'a', ring: 'canary', region: 'eu', labels: { tier: 'gold' } }, { name: 'b', namespace: 'x', region: 'eu' }, { name: 'b', labels: { tier: 'gold', team: 'y' } },
  ]);

  test('by name', () => {
    expect([fleet().cluster('a'), fleet().cluster('b', 'x')].map(({ node }) => node.path)).toEqual(['fleet/a', 'fleet/x.b']);
    expect(() => fleet().cluster('b')).toThrow('clusters "b" in the namespaces x, tenant-b');
    expect(() => fleet().cluster('c')).toThrow(/^the fleet has no cluster "c"$/);
    expect(() => fleet().cluster('a', 'x')).toThrow('no cluster "x/a"');
  });

  test('not where the list has problems, which are said', () => {
    expect(() => exampleFleet(Testing.app(), listIn('a.csv', 'Name\nacme\n')).cluster('acme')).toThrow('no cluster "acme"; it has problems:\n  TC-FLEET-COLUMN a.csv:1: ');
  });

  test.each<[string, object, string[]]>([
    ['all', {}, ['fleet/a', 'fleet/x.b', 'fleet/b']],
    ['by ring', { rings: ['main'] }, ['fleet/x.b', 'fleet/b']],
    ['by region', { regions: ['eu', 'us'] }, ['fleet/a', 'fleet/x.b']],
    ['by labels, all of them', { labels: { tier: 'gold', team: 'y' } }, ['fleet/b']],
    ['by profile', { profiles: ['other'] }, []],
    ['by name', { clusters: ['b'] }, ['fleet/x.b', 'fleet/b']],
    ['by name and namespace', { clusters: ['x/b'] }, ['fleet/x.b']],
    ['by several', { regions: ['eu'], labels: { tier: 'gold' } }, ['fleet/a']],
  ])('%s', (_what, selector, expected) => {
    expect(fleet().select(selector).map(({ node }) => node.path)).toEqual(expected);
  });
});

describe('rings: ', () => {
  const ringSaid = (rings: FleetRing[], entries: ClusterEntry[] = []) => said(entries, { rings });
  const ring = (name: string, kubernetesVersion: string): FleetRing => ({ name, kubernetesVersion });

  test('the last one takes who names none', () => {
    const { acme } = manifests([{ name: 'acme' }]);
    expect(acme.find(({ kind }) => kind === 'ExampleControlPlane').spec.version).toBe('v1.35.4');
  });

  test('may follow by one minor, and by any patch', () => {
    expect(ringSaid([ring('a', '1.36.0'), ring('b', '1.35.9'), ring('c', '1.35.9'), ring('d', '1.35.2'), ring('e', '1.34.7')])).toEqual([]);
  });

  test('TC-FLEET-RING-ORDER: not ahead', () => {
    expect(ringSaid([ring('a', '1.35.4'), ring('b', '1.35.5')])).toEqual([
      saying('fleet TC-FLEET-RING-ORDER rings[1].kubernetesVersion:', 'ring "b" would run v1.35.5, and ring "a"', 'runs v1.35.4', 'raise ring "a" first'),
    ]);
  });

  test('TC-FLEET-RING-STEP: not two minors behind', () => {
    expect(ringSaid([ring('a', '1.36.1'), ring('b', '1.34.7')])).toEqual([saying('fleet TC-FLEET-RING-STEP rings[1].kubernetesVersion:', 'Accepted: 1.36.x and 1.35.x')]);
  });

  test('TC-FLEET-RING: each has its own name', () => {
    expect(ringSaid([ring('a', '1.35.4'), ring('a', '1.35.4'), ring(' ', '1.35.4')])).toEqual([
      saying('fleet TC-FLEET-RING rings[1].name:', 'already the name of rings[0]'), saying('fleet TC-FLEET-RING rings[2].name:', 'empty'),
    ]);
  });

  test('a version that cannot be is said once, at the ring', () => {
    expect(ringSaid([ring('a', '1.36'), ring('b', '1.32.0')], [{ name: 'x', ring: 'a' }, { name: 'y', ring: 'a' }, { name: 'z' }])).toEqual([
      saying('fleet TC-CLUSTER-VERSION rings[0].kubernetesVersion:', '"1.36"'), saying('fleet TC-CLUSTER-VERSION rings[1].kubernetesVersion:', '1.32'),
    ]);
  });

  test('TC-FLEET-RING-ORDER: a cluster is not ahead of the first ring, and may be behind the last', () => {
    const clusters = [{ name: 'a', kubernetesVersion: '1.36.2' }, { name: 'b', kubernetesVersion: '1.36.2', ring: 'canary' }, { name: 'c', kubernetesVersion: '1.33.1' }];
    expect(said(clusters)).toEqual([saying('fleet TC-FLEET-RING-ORDER clusters[0] kubernetesVersion:', 'v1.36.2', 'ring "canary"', 'v1.36.1')]);
  });

  test('move to newer versions of charts and images one after the other', () => {
    const rings = [{ ...ring('a', '1.35.4'), versions: Versions.of('2026.11') }, { ...ring('b', '1.35.4'), versions: Versions.of('2026.08') }, ring('c', '1.35.4')];
    const seen: string[] = [];
    const versionsOf = (cluster: TenantCluster) => seen.push(cluster.versions.catalog);
    const profiles = { plain: exampleProfile(undefined, versionsOf), own: exampleProfile(() => ({ versions: Versions.of('2026.08') }), versionsOf) };
    const entries = [
      { name: 'x', ring: 'a', profile: 'plain' }, { name: 'y', ring: 'b', profile: 'plain' }, { name: 'z', profile: 'plain' },
      { name: 'q', ring: 'a', profile: 'own' }, { name: 'r', ring: 'a', profile: 'plain', versions: '2026.08' },
    ];
    expect(said(entries, { rings, profiles, versions: Versions.of('2026.08') })).toEqual([]);
    expect(seen).toEqual(['2026.11', '2026.08', '2026.08', '2026.08', '2026.08']);
    expect(said(entries, { rings, profiles })).toEqual([saying(
      'fleet TC-FLEET-RING-ORDER rings[2].versions:', 'ring "c" would get the versions of 2026.11, and ring "b"', 'has those of 2026.08', 'move ring "b" first',
    )]);
  });

  test('TC-CLUSTER-CATALOG: versions that the package does not carry are said once, where they are named', () => {
    const rings = [{ ...ring('a', '1.35.4'), versions: Versions.of('2025.01') }];
    const found = said([{ name: 'x' }, { name: 'y', versions: '2026.8' }], { rings, versions: Versions.of('soon') });
    expect(found).toEqual([
      saying('fleet TC-CLUSTER-CATALOG versions:', 'no catalog "soon"', 'Accepted: "2026.08", "2026.11"'),
      saying('fleet TC-CLUSTER-CATALOG rings[0].versions:', 'no catalog "2025.01"'),
      saying('fleet TC-CLUSTER-CATALOG clusters[1] versions:', 'no catalog "2026.8"', 'did you mean "2026.08"?'),
    ]);
  });

  test('TC-FLEET-VERSION: without them, each cluster says its version', () => {
    const clusters = [{ name: 'a' }, { name: 'b', kubernetesVersion: '1.35.4' }];
    expect(said(clusters, { rings: [] })).toEqual([saying('fleet TC-FLEET-VERSION clusters[0] kubernetesVersion:', 'add a ring to the fleet')]);
    expect(said(clusters, { rings: undefined })).toHaveLength(1);
  });

  test('TC-FLEET-VERSION: a column that is missing or misspelled is told once', () => {
    const found = said(listIn('a.csv', 'name,kubernetsVersion\na,1.35.4\nb,1.35.4\nc,1.35.4\n'), { rings: [] });
    expect(found[0]).toEqual(saying(
      'fleet TC-FLEET-VERSION a.csv:2 kubernetesVersion:', 'the same holds for all 3 clusters of the list', 'did you mean kubernetesVersion by "kubernetsVersion"?',
    ));
    expect(found.filter((text) => text.includes('TC-FLEET-VERSION'))).toHaveLength(1);
  });
});

describe('TC-FLEET-PROFILE: ', () => {
  test('no profile, and several to choose from', () => {
    expect(said([{ name: 'a' }], { profiles: { x: exampleProfile(), y: exampleProfile() } })).toEqual([saying('fleet TC-FLEET-PROFILE clusters[0] profile:', '"x", "y"')]);
  });

  test('names of what every object has are none', () => {
    expect(said([{ name: 'a', profile: 'constructor' }])).toEqual([saying('fleet TC-FLEET-PROFILE clusters[0] profile:', 'the profile "constructor" does not exist')]);
  });
});

describe('TC-FLEET-LABEL: ', () => {
  test('keys and regions', () => {
    expect(said([{ name: 'a', region: 'Europe West' }], { regionLabel: 'example.com/region', ringLabel: 'a b' })).toEqual([
      saying('fleet TC-FLEET-LABEL ringLabel:', '"a b"'), saying('fleet TC-FLEET-LABEL clusters[0] region:', '"Europe West"'),
    ]);
    expect(said([{ name: 'a', region: 'Europe West' }])).toEqual([]);
  });
});

test('TC-FLEET-OVERRIDE, TC-FLEET-OVERRIDE-IDLE: overrides are for somebody', () => {
  const overrides = [{ rings: ['cnary'], values: {} }, { profiles: ['gpu'], values: {} }, { regions: ['eu'], values: {} }, { clusters: ['a'], values: {} }];
  expect(said([{ name: 'a' }], { overrides })).toEqual([
    saying('fleet TC-FLEET-OVERRIDE overrides[0].rings[0]:', 'did you mean "canary"?'), saying('fleet TC-FLEET-OVERRIDE overrides[1].profiles[0]:', 'the profile "gpu" does not exist'),
    saying('fleet TC-FLEET-OVERRIDE-IDLE overrides[2]:'),
  ]);
});

describe('names: ', () => {
  test('TC-FLEET-CLUSTER-TAKEN: once in a namespace', () => {
    expect(said([{ name: 'a' }, { name: 'a', namespace: 'x' }, { name: 'a', namespace: 'tenant-a' }])).toEqual([saying('fleet TC-FLEET-CLUSTER-TAKEN clusters[2] name:', 'already defined in clusters[0]')]);
  });

  test('namespaces that a name makes too long', () => {
    expect(said([{ name: `a${'b'.repeat(60)}` }, { name: 'c', namespace: 'C' }])).toEqual([
      saying('fleet TC-CLUSTER-NAMESPACE clusters[0] name:', 'or say the namespace'), saying('fleet TC-CLUSTER-NAMESPACE clusters[1] namespace:'),
    ]);
  });

  test('TC-CLUSTER-NAME-TAKEN: also where another part of the app has the cluster', () => {
    const app = Testing.app();
    exampleFleet(app, [{ name: 'a' }]);
    new Fleet(app, 'other', { clusters: listIn('b.csv', 'name\na\n'), profiles: { plain: exampleProfile() }, rings: RINGS });
    expect(problemsOf(app).map(({ path: at, id }) => `${at} ${id}`)).toContain('other/a TC-CLUSTER-NAME-TAKEN');
  });
});

describe('TC-FLEET-RANGE-OVERLAP: ', () => {
  const profiles = { plain: exampleProfile((cluster) => ({ podCidrs: cluster.cidrs('pods'), serviceCidrs: cluster.cidrs('services') })) };
  const entry = (name: string, network: string | undefined, pods: string, services: string): ClusterEntry => ({
    name, network, values: { pods, services },
  });
  const clusters = [
    entry('a', 'eu', '10.0.0.0/16', '10.100.0.0/20'), entry('b', 'eu', '10.0.128.0/20', '10.100.16.0/20'), entry('c', 'us', '10.0.0.0/16', '10.100.0.0/20'),
    entry('d', undefined, '10.0.0.0/16', '10.100.0.0/20'), entry('e', 'eu', '10.3.0.0/16', '10.0.192.0/20'),
  ];

  test('within a network only, whoever has the addresses', () => {
    expect(said(clusters, { profiles })).toEqual([
      saying('fleet TC-FLEET-RANGE-OVERLAP clusters[0] network:', 'in network "eu", pods of "a" (clusters[0]) have 10.0.0.0/16', 'pods of "b" (clusters[1]) with 10.0.128.0/20 and Services of "e" (clusters[4]) with 10.0.192.0/20'),
    ]);
  });

  test('not for Services that are not routed', () => {
    const equal = [entry('a', 'eu', '10.0.0.0/16', '10.100.0.0/20'), entry('b', 'eu', '10.1.0.0/16', '10.100.0.0/20')];
    expect(said(equal, { profiles, servicesRouted: false })).toEqual([]);
    expect(said(equal, { profiles, servicesRouted: true })).toHaveLength(1);
  });

  test('ranges that everybody has who says none; the first ones are named', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `c${index}`, network: 'eu' }));
    const found = said(many);
    expect(found).toEqual([saying('fleet TC-FLEET-RANGE-OVERLAP clusters[0] network:', 'Services', '"c1"', 'and 19 more'), saying('fleet TC-FLEET-RANGE-OVERLAP clusters[0] network:', 'pods')]);
  });

  test('both families', () => {
    const dual = (name: string, third: number) => entry(name, 'eu', `10.${third}.0.0/16;fd00:1::/56`, `10.10${third}.0.0/20;fd00:${third + 2}::/112`);
    expect(said([dual('a', 1), dual('b', 2)], { profiles })).toEqual([saying('fleet TC-FLEET-RANGE-OVERLAP clusters[0] network:', 'fd00:1::/56', 'pods of "b" (clusters[1]) with fd00:1::/56')]);
  });
});

describe('TC-FLEET-ADDRESS-TAKEN: ', () => {
  const published = (host: string, port: number) => {
    const controlPlane = exampleOptions().controlPlane;
    controlPlane.apiServerAddresses = () => ({ published: { host, port } });
    return { controlPlane };
  };
  const profiles = { plain: exampleProfile((cluster) => published(cluster.text('host'), cluster.integer('port', { default: 6443 }))) };
  const entry = (name: string, host: string, network?: string, port?: number): ClusterEntry => ({ name, network, values: { host, port } });
  // Ranges of a network are something else.
  const addresses = (...entries: ClusterEntry[]) => said(entries, { profiles }).filter((text) => !text.includes('RANGE'));

  test.each<[string, ClusterEntry[]]>([
    ['host names', [entry('a', 'api.example.com', 'eu'), entry('b', 'api.example.com', 'us')]],
    ['public addresses, also of different networks', [entry('a', '203.0.113.7', 'eu'), entry('b', '203.0.113.7', 'us')]],
    ['private addresses of one network', [entry('a', '10.0.0.7'), entry('b', '10.0.0.7')]],
    ['addresses in other letters', [entry('a', '2001:db8::a'), entry('b', '2001:DB8:0::A')]],
  ])('%s', (_what, entries) => {
    expect(addresses(...entries)).toEqual([saying('fleet TC-FLEET-ADDRESS-TAKEN clusters[1]:', '"a" (clusters[0]) and "b" (clusters[1])')]);
  });

  test.each<[string, ClusterEntry[]]>([
    ['private addresses of different networks', [entry('a', '10.0.0.7', 'eu'), entry('b', '10.0.0.7', 'us')]],
    ['other ports', [entry('a', '10.0.0.7'), entry('b', '10.0.0.7', undefined, 6444)]],
    ['addresses that nobody knows yet', [entry('a', '0.0.0.0'), entry('b', '0.0.0.0')]],
  ])('not %s', (_what, entries) => {
    expect(addresses(...entries)).toEqual([]);
  });

  test('in different management clusters, with a real control plane', () => {
    const halls = { eu: new ImportedManagementCluster({}), us: new ImportedManagementCluster({}) };
    const real: IClusterProfile = {
      props: ({ region }) => ({
        controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default', exposure: KAMAJI_EXPOSURE }),
        infrastructure: INFRASTRUCTURE,
        cni: Cni.none(),
        managementCluster: halls[region as keyof typeof halls],
      }),
      populate: () => {},
    };
    expect(said([{ name: 'a', region: 'eu' }, { name: 'b', region: 'us' }], { profiles: { real } })).toEqual([saying('fleet TC-FLEET-ADDRESS-TAKEN clusters[1]:', '198.51.100.7:6443')]);
  });
});

test('all clusters together fit into the management cluster, and those that ask most are named', () => {
  const hall = new ImportedManagementCluster({ totalLimit: { 'requests.memory': '40Gi' } });
  const profiles: FleetProps['profiles'] = {
    real: {
      props: () => ({ controlPlane: new KamajiControlPlane({ replicas: 1, dataStore: 'default' }), infrastructure: INFRASTRUCTURE, cni: Cni.none(), managementCluster: hall }),
      populate: (tenant, cluster) => {
        tenant.addNodePool('general', { machine: new KubevirtMachine({ cpu: 1, memory: Size.gibibytes(8), rootDisk: ROOT_DISK }), size: PoolSize.fixed(cluster.integer('workers')) });
      },
    },
  };
  const sized = (workers: number) => Array.from({ length: workers }, (_, index) => ({ name: `c${index}`, values: { workers: index === 2 ? 4 : 1 } }));
  expect(said(sized(1), { profiles })).toEqual([]);
  expect(said(sized(5), { profiles })).toEqual([expect.stringMatching(/^fleet\/c0 TC-ISOLATION-TOTAL-LIMIT managementCluster\.capabilities\.totalLimit\["requests\.memory"\]: .*requests\.memory: fleet\/c2 .*; fleet\/c0 /)]);
});

const MANY = amount(2000, 200);

test('many clusters are one fleet', () => {
  const entries = Array.from({ length: MANY }, (_, index): ClusterEntry => ({
    name: `c${index}`, network: 'eu', region: `r${index % 4}`, values: { pods: `10.${Math.floor(index / 16)}.${(index % 16) * 16}.0/20`, services: `172.${16 + Math.floor(index / 256)}.${index % 256}.0/24` },
  }));
  const profiles = { plain: exampleProfile((cluster) => ({ podCidrs: cluster.cidrs('pods'), serviceCidrs: cluster.cidrs('services') })) };
  const fleet = exampleFleet(Testing.app(), entries, { profiles, overrides: [{ regions: ['r1'], values: {} }] });
  expect(fleet.clusters.length).toBe(MANY);
  expect(fleet.node.validate()).toEqual([]);
});

describe('rules', () => {
  const rules = RULE_TOPICS.filter(({ topic }) => topic === 'Fleets').flatMap((entry) => entry.rules);

  test('have an id of their own and a title', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect(rules.filter(({ id, title }) => !/^TC-FLEET(-[A-Z]+)+$/.test(id) || !title.endsWith('.'))).toEqual([]);
  });

  test('have a negative test', () => {
    const texts = fs.readdirSync(__dirname).filter((file) => file.endsWith('.test.ts')).map((file) => fs.readFileSync(path.join(__dirname, file), 'utf8')).join('\n');
    expect(rules.map(({ id }) => id).filter((id) => !new RegExp(`saying\\('fleet ${id} `).test(texts))).toEqual([]);
  });
});
