import { ManifestObject } from '../../../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../../../src/manifests/rules/manifest-index';
import { DNS, DUAL_STACK } from '../../../../../src/manifests/systems/kamaji/rules/network';
import { registerProviders } from '../../../../../src/manifests/systems/providers';

registerProviders();

const PLACE = { name: 'acme', namespace: 'tenant-acme' };

function cluster(services?: string[], controlPlaneKind = 'KamajiControlPlane'): ManifestObject {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: PLACE,
    spec: {
      clusterNetwork: services && { services: { cidrBlocks: services } },
      controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: controlPlaneKind, name: 'acme' },
    },
  };
}

function controlPlane(spec: object, version = 'v1alpha2'): ManifestObject {
  return { apiVersion: `controlplane.cluster.x-k8s.io/${version}`, kind: 'KamajiControlPlane', metadata: PLACE, spec };
}

function tenant(networkProfile: object, addons: object = { coreDNS: {} }): ManifestObject {
  return { apiVersion: 'kamaji.clastix.io/v1alpha1', kind: 'TenantControlPlane', metadata: PLACE, spec: { networkProfile, addons } };
}

function found(object: ManifestObject, ...beside: ManifestObject[]): string[] {
  const index = new ManifestIndex([object, ...beside]);
  const rule = DNS.find(({ id }) => id === 'TC-TRAP-KAMAJI-DNS-TENTH')!;
  return rule.check(object, index).map(({ message }) => message);
}

const coreDns = (...dnsServiceIPs: string[]) => ({ addons: { coreDNS: { dnsServiceIPs } } });

describe('the address of the DNS service that Kamaji installs', () => {
  const RANGE = cluster(['10.95.0.0/16']);

  test.each([
    ['another one of the range', controlPlane(coreDns('10.95.0.53')), [RANGE]],
    ['another one, in the older version of the kind', controlPlane(coreDns('10.95.0.53'), 'v1alpha1'), [RANGE]],
    ['the tenth behind another one', controlPlane(coreDns('10.95.0.53', '10.95.0.10')), [RANGE]],
    ['another one of the default range', controlPlane(coreDns('10.96.0.2')), [cluster()]],
    ['another one of a range of IPv6', controlPlane(coreDns('fd00:2::10')), [cluster(['fd00:2::/112'])]],
    ['another one of a TenantControlPlane', tenant({ serviceCidr: '10.95.0.0/16', dnsServiceIPs: ['10.95.0.53'] }), []],
    ['another one of a TenantControlPlane with a list of ranges', tenant({ serviceCidrs: ['10.95.0.0/16'], dnsServiceIPs: ['10.95.0.53'] }), []],
    ['none of a TenantControlPlane with a range of IPv6', tenant({ serviceCidrs: ['fd00:2::/112'] }), []],
  ])('is not %s', (_, object, beside) => {
    expect(found(object, ...beside)).toEqual([expect.stringContaining('no pod resolves a name')]);
  });

  test.each([
    ['the tenth', controlPlane(coreDns('10.95.0.10')), [RANGE]],
    ['the tenth of IPv6, however it is written', controlPlane(coreDns('fd00:2:0::A')), [cluster(['fd00:2::/112'])]],
    ['the tenth, and one of the other family', controlPlane(coreDns('10.95.0.10', 'fd00:2::a')), [cluster(['10.95.0.0/16', 'fd00:2::/112'])]],
    ['one outside the range, which is another finding', controlPlane(coreDns('10.96.0.10')), [RANGE]],
    ['any, where the Cluster is not read', controlPlane(coreDns('10.95.0.53')), []],
    ['any, where the user installs CoreDNS', controlPlane({ network: { dnsServiceIPs: ['10.95.0.53'] } }), [RANGE]],
    ['any of a TenantControlPlane without the addon', tenant({ serviceCidr: '10.95.0.0/16', dnsServiceIPs: ['10.95.0.53'] }, {}), []],
    ['none of a TenantControlPlane with IPv4', tenant({ serviceCidr: '10.95.0.0/16' }), []],
  ])('may be %s', (_, object, beside) => {
    expect(found(object, ...beside)).toEqual([]);
  });
});

test('ranges that the provider drops', () => {
  const both = ['10.95.0.0/16', 'fd00:2::/112'];
  const paths = (object: ManifestObject) => DUAL_STACK.check(object, new ManifestIndex([object])).map(({ path }) => path.join('.'));

  expect(paths(cluster(both))).toEqual(['spec.clusterNetwork.services.cidrBlocks.1']);
  expect(paths(cluster(both.slice(1)))).toEqual([]);
  expect(paths(cluster(both, 'KubeadmControlPlane'))).toEqual([]);
});
