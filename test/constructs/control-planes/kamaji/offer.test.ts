import { refused } from './bound';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { ManagementCapabilities } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KubernetesVersion } from '../../../../src/manifests/values/kubernetes-version';
import { clusterContext } from '../../../support/contexts';

const OFFER: ManagementCapabilities = {
  dataStores: ['default', 'postgres'],
  ingressClasses: ['nginx'],
  loadBalancerClasses: ['io.cilium/l2-announcer'],
  kamajiVersion: '26.5.4-edge',
};

const INGRESS = { hostname: 'acme.example.com' };

test.each<[entry: string, props: KamajiControlPlaneProps]>([
  ['TC-KAMAJI-DATA-STORE-UNKNOWN controlPlane.dataStore: the management cluster has no DataStore "postgre". Accepted: default, postgres. Fix: write "postgres"', { dataStore: 'postgre' }],
  [
    'TC-KAMAJI-DATA-STORE-UNKNOWN controlPlane.formerDataStore: the management cluster has no DataStore "postgre"',
    { dataStore: 'postgres', formerDataStore: 'postgre' },
  ],
  [
    'TC-KAMAJI-FORMER-DATA-STORE controlPlane.formerDataStore: the control plane uses the data store "postgres" now. Fix: name the data store that it moves from, or remove',
    { dataStore: 'postgres', formerDataStore: 'postgres' },
  ],
  [
    'TC-KAMAJI-DATA-STORE-UNKNOWN controlPlane.dataStoreOverrides[1].dataStore: the management cluster has no DataStore "events"',
    { dataStoreOverrides: [{ resource: '/events', dataStore: 'default' }, { resource: 'coordination.k8s.io/leases', dataStore: 'events' }] },
  ],
  ['TC-KAMAJI-CLASS-UNKNOWN controlPlane.exposure.className: the management cluster has no IngressClass "ngnix"', { exposure: KamajiExposure.ingress({ ...INGRESS, className: 'ngnix' }) }],
  [
    'TC-KAMAJI-CLASS-UNKNOWN controlPlane.exposure.loadBalancerClass: the management cluster has no load balancer class "metallb"',
    { exposure: KamajiExposure.loadBalancer({ loadBalancerClass: 'metallb' }) },
  ],
  ['TC-KAMAJI-VERSION-OTHER controlPlane.kamajiVersion: the management cluster runs Kamaji 26.5.4-edge, and the control plane is made for 26.8.2-edge', { kamajiVersion: '26.8.2-edge' }],
])('%s', (entry, props) => {
  expect(refused(props, { management: OFFER })).toEqual([expect.stringContaining(entry)]);
});

test.each<[what: string, props: KamajiControlPlaneProps, management?: ManagementCapabilities]>([
  ['what is there', { dataStore: 'postgres', kamajiVersion: '26.5.4-edge', exposure: KamajiExposure.ingress({ ...INGRESS, className: 'nginx' }) }, OFFER],
  ['the defaults of the management cluster', {}, OFFER],
  ['anything where nothing is stated', { dataStore: 'any', exposure: KamajiExposure.loadBalancer({ loadBalancerClass: 'any' }) }, {}],
  ['anything where nobody describes the management cluster', { dataStore: 'any' }],
])('%s is accepted', (_, props, management = undefined) => {
  expect(refused(props, { management })).toEqual([]);
});

test('TC-KAMAJI-NODE-SOURCES: a load balancer lets in the machines that are pods of the management cluster', () => {
  const warned = (sourceRanges: string[], podCidrs?: string[]) => {
    const emit = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(refused({ exposure: KamajiExposure.loadBalancer({ sourceRanges }) }, {
      infrastructure: { ...clusterContext().infrastructure, inManagementCluster: true }, management: { podCidrs },
    })).toEqual([]);
    const texts = emit.mock.calls.map(([text]) => String(text));
    jest.restoreAllMocks();
    return texts.filter((text) => text.includes('TC-KAMAJI-NODE-SOURCES'));
  };

  expect(warned(['203.0.113.0/24'], ['10.244.0.0/16'])).toEqual([expect.stringContaining('kubelets do not reach their API server. Fix: add "10.244.0.0/16"')]);
  expect(warned(['203.0.113.0/24', '10.0.0.0/8'], ['10.244.0.0/16'])).toEqual([]);
  expect(warned(['203.0.113.0/24'])).toEqual([]);
});

describe('the release of Kamaji', () => {
  const kubernetesVersion = KubernetesVersion.of('1.36.0');

  test('of the management cluster decides how new Kubernetes may be', () => {
    expect(refused({}, { kubernetesVersion })).toEqual([]);
    expect(refused({}, { kubernetesVersion, management: { kamajiVersion: '26.4.1-edge' } })).toEqual([
      expect.stringMatching(/^TC-KAMAJI-KUBERNETES-VERSION kubernetesVersion: .*Kamaji 26\.4\.1-edge .* in managementCluster\.capabilities\.kamajiVersion\.$/),
    ]);
  });

  test('of the control plane is refused where it is none, and looked at no further', () => {
    expect(refused({ kamajiVersion: 'edge-25.12.4' }, { kubernetesVersion, management: OFFER })).toEqual([expect.stringContaining('TC-KAMAJI-VERSION controlPlane.kamajiVersion: ')]);
  });

  test('of the management cluster is left to its own check where it is none', () => {
    expect(refused({}, { kubernetesVersion, management: { kamajiVersion: 'latest' } })).toEqual([]);
    expect(refused({ kamajiVersion: '26.8.2-edge' }, { kubernetesVersion, management: { kamajiVersion: 'latest' } })).toEqual([]);
  });
});

describe('two address families', () => {
  const network = { ...clusterContext().network, podCidrs: ['10.1.0.0/16', 'fd00:1::/56'], serviceCidrs: ['10.2.0.0/16', 'fd00:2::/112'], dnsServiceIps: ['10.2.0.10'] };
  const found = (management?: ManagementCapabilities) => refused({}, { network, management });
  const provider = (kamaji: string) => ({ controlPlaneProviders: { kamaji } });

  test('need a provider that passes on both, which the released ones do not', () => {
    const refusal = (version: string) => [expect.stringContaining(`TC-NETWORK-DUAL-STACK podCidrs: the Kamaji provider ${version} hands on only the first range`)];

    expect(found()).toEqual(refusal('v0.20.0'));
    expect(found({})).toEqual(refusal('v0.20.0'));
    expect(found(provider('v0.19.0'))).toEqual(refusal('v0.19.0'));
    expect(found(provider('v0.20.0'))).toEqual(refusal('v0.20.0'));
    expect(found(provider('main'))).toEqual(refusal('main'));
  });

  test.each(['v0.20.1', 'v0.21.0', 'v1.0.0'])('are passed on by %s', (version) => {
    expect(found(provider(version))).toEqual([]);
  });
});
