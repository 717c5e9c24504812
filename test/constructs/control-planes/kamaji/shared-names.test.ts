import { Testing } from 'cdk8s';
import { IManagementCluster, ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity } from '../../../../src/constructs/control-planes/kamaji/konnectivity';
import { exampleCluster } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';

/** Problems of two clusters in one app, as `path: id property: message`. */
function refusedOfTwo(
  one: KamajiControlPlaneProps, other: KamajiControlPlaneProps, managementClusters: (IManagementCluster | undefined)[] = [],
): string[] {
  const app = Testing.app();
  [one, other].forEach((props, index) => exampleCluster(app, {
    namespace: `tenant-${index}`,
    controlPlane: new KamajiControlPlane({ ...props, additionalInfrastructureKinds: ['ExampleCluster'] }),
    managementCluster: managementClusters[index],
  }, `c${index}`));
  return problemsOf(app).map(({ path, id, text }) => `${path}: ${id} ${text}`);
}

const nodePort = (port: number, konnectivityPort: number, address = '192.0.2.1') => ({ exposure: KamajiExposure.nodePort({ address, port, konnectivityPort }) });
const loadBalancer = (address: string, port?: number) => ({ exposure: KamajiExposure.loadBalancer({ address, port }) });
const ingress = (hostname: string, port?: number) => ({ exposure: KamajiExposure.ingress({ hostname, port }) });
const gateway = (hostname: string) => ({ exposure: KamajiExposure.gateway({ name: 'g', namespace: 'g', hostname, port: 443 }) });

const TAKEN: [string, KamajiControlPlaneProps, KamajiControlPlaneProps, string[]][] = [
  ['schema', { dataStoreSchema: 'a' }, { dataStoreSchema: 'a' }, [
    'c1: TC-KAMAJI-DATA-STORE-TAKEN controlPlane.dataStoreSchema: the schema "a" in data store "default" belongs to c0/ControlPlane already',
  ]],
  ['schema in the usual data store, named by one', { dataStoreSchema: 'a', dataStore: 'default' }, { dataStoreSchema: 'a' }, ['c1: TC-KAMAJI-DATA-STORE-TAKEN controlPlane.dataStoreSchema']],
  ['user', { dataStoreUsername: 'a' }, { dataStoreUsername: 'a' }, ['c1: TC-KAMAJI-DATA-STORE-TAKEN controlPlane.dataStoreUsername: the user "a"']],
  ['node port', nodePort(30443, 30132), nodePort(30443, 30133, '192.0.2.2'), ['c1: TC-KAMAJI-NODE-PORT-TAKEN controlPlane.exposure.port: node port 30443 belongs to c0/ControlPlane already']],
  ['node port of konnectivity', nodePort(30443, 30132), nodePort(30444, 30443), ['c1: TC-KAMAJI-NODE-PORT-TAKEN controlPlane.exposure.konnectivityPort: node port 30443']],
  ['address', loadBalancer('192.0.2.1'), { ...loadBalancer('192.0.2.1'), konnectivity: KamajiKonnectivity.none() }, [
    'c1: TC-KAMAJI-ENDPOINT-TAKEN controlPlane.exposure.address: port 6443 at 192.0.2.1 belongs to c0/ControlPlane already',
  ]],
  ['address, with konnectivity', loadBalancer('192.0.2.1', 6443), loadBalancer('192.0.2.1', 6444), ['c1: TC-KAMAJI-ENDPOINT-TAKEN controlPlane.exposure.address: port 8132 at 192.0.2.1']],
  ['host name of an Ingress', ingress('a.example.com'), ingress('a.example.com', 443), ['c1: TC-KAMAJI-ENDPOINT-TAKEN controlPlane.exposure.hostname: port 443 at a.example.com']],
  ['host name of an Ingress and a Gateway', ingress('a.example.com'), gateway('a.example.com'), ['c1: TC-KAMAJI-ENDPOINT-TAKEN controlPlane.exposure.hostname']],
];

test.each(TAKEN)('one %s for two clusters is refused', (_what, one, other, texts) => {
  const found = refusedOfTwo(one, other);

  expect(found).toEqual(texts.map((text) => expect.stringContaining(text)));
  expect(found[0]).toContain('or give each cluster its managementCluster if they are in two');
});

test.each(TAKEN)('one %s in two management clusters is accepted, in one it is not', (_what, one, other, texts) => {
  const [here, there] = [new ImportedManagementCluster({}), new ImportedManagementCluster({})];

  expect(refusedOfTwo(one, other, [here, there])).toEqual([]);
  expect(refusedOfTwo(one, other, [here, here])).toHaveLength(texts.length);
});

test.each<[string, KamajiControlPlaneProps, KamajiControlPlaneProps]>([
  ['the defaults', {}, {}],
  ['one schema in two data stores', { dataStoreSchema: 'a', dataStore: 'x' }, { dataStoreSchema: 'a', dataStore: 'y' }],
  ['node ports that differ', nodePort(30443, 30132), nodePort(30444, 30133)],
  ['addresses that differ', loadBalancer('192.0.2.1'), loadBalancer('192.0.2.2')],
  ['one address with ports that differ', { ...loadBalancer('192.0.2.1', 6443), konnectivity: KamajiKonnectivity.none() }, { ...loadBalancer('192.0.2.1', 6444), konnectivity: KamajiKonnectivity.none() }],
  ['host names that differ', ingress('a.example.com'), ingress('b.example.com')],
])('%s are accepted', (_what, one, other) => {
  expect(refusedOfTwo(one, other)).toEqual([]);
});

test('an address that is none is refused once for each cluster', () => {
  const found = refusedOfTwo(loadBalancer('192.0.2.300'), loadBalancer('192.0.2.300'));

  expect(found).toEqual([expect.stringContaining('c0: TC-KAMAJI-ADDRESS '), expect.stringContaining('c1: TC-KAMAJI-ADDRESS ')]);
});
