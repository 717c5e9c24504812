import { Size, Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { Infrastructure } from '../../../../src/constructs/contracts/infrastructure';
import { Machine } from '../../../../src/constructs/contracts/machine';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { ControlPlaneEndpoint } from '../../../../src/constructs/control-planes/kubeadm/control-plane/endpoint';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import * as metal3 from '../../../../src/constructs/infrastructures/metal3';
import * as openstack from '../../../../src/constructs/infrastructures/openstack';
import * as proxmox from '../../../../src/constructs/infrastructures/proxmox';
import * as vsphere from '../../../../src/constructs/infrastructures/vsphere';
import { ClusterTopology } from '../../../../src/constructs/tenant/topology/cluster-topology';
import { ManifestIndex } from '../../../../src/manifests/rules/manifest-index';
import { desiredObjects, objectsOf } from '../../../../src/manifests/topology/desired-objects';
import { ManifestValidator } from '../../../../src/manifests/validation/validate-manifests';
import { Manifest } from '../../../support/clusters';
import { addCluster } from '../../../support/many-clusters';
import { problemsOf } from '../../../support/problems';

const KUBE_VIP = 'ghcr.io/kube-vip/kube-vip:v1.0.1';
const ADDRESSES: Readonly<Record<string, string>> = { acme: '192.0.2.10', beta: '192.0.2.1' };
const RANGES: Readonly<Record<string, string>> = { acme: '192.0.2.100-192.0.2.120', beta: '192.0.2.130-192.0.2.150' };

/** The infrastructure and a machine of each provider. */
const PROVIDERS: readonly [provider: string, infrastructure: (cluster: string) => Infrastructure, machine: (address: string) => Machine][] = [
  ['vSphere', () => new vsphere.VSphereInfrastructure({ server: 'vcenter.example.com', datacenter: 'dc1' }), () => new vsphere.VSphereMachine({
    template: 'ubuntu-2404-kube-v1.35.4', cpu: 4, memory: Size.gibibytes(16), networkDevices: [{ network: 'nodes' }],
  })],
  ['Proxmox VE', (cluster) => new proxmox.ProxmoxInfrastructure({
    ipv4: { addresses: [RANGES[cluster]], prefix: 24, gateway: '192.0.2.254' }, dnsServers: ['192.0.2.2'],
  }), () => new proxmox.ProxmoxMachine({ template: proxmox.ProxmoxTemplate.id(110, 'pve1'), cores: 4, memory: Size.gibibytes(16), networkDevices: [{ bridge: 'vmbr0' }] })],
  ['Metal3', () => new metal3.Metal3Infrastructure(), () => new metal3.Metal3Machine({
    image: { url: 'https://images.example.com/node.raw', checksum: 'https://images.example.com/node.raw.sha256' },
    network: { links: [metal3.Metal3Link.ethernet({ id: 'eno1' })], networks: [metal3.Metal3Network.ipv4Dhcp({ link: 'eno1' })] },
  })],
  ['OpenStack', () => new openstack.OpenStackInfrastructure({
    identity: openstack.OpenStackIdentity.clusterIdentity({ name: 'tenants', cloudName: 'openstack' }),
    network: openstack.OpenStackNetwork.managed({ cidr: '192.0.2.0/24', dnsNameservers: ['198.51.100.53'] }),
  }), (address) => new openstack.OpenStackMachine({
    flavor: 'm1.large', image: openstack.OpenStackResource.named('ubuntu-2404-kube-v1.35.4'), ports: [{ allowedAddresses: [address] }],
  })],
];

describe.each(PROVIDERS)('clusters with API servers at several addresses on %s', (provider, infrastructure, machine) => {
  function clusters(topology: ClusterTopology) {
    const app = Testing.app();
    for (const [name, address] of Object.entries(ADDRESSES)) {
      const controlPlane = new KubeadmControlPlane({
        replicas: 3, machine: machine(address), endpoint: ControlPlaneEndpoint.kubeVip({ address, image: KUBE_VIP }),
      });
      const tenant = addCluster(app, name, { infrastructure: infrastructure(name), controlPlane, topology }, []);
      tenant.addNodePool('general', { machine: machine(address), size: PoolSize.fixed(1) });
    }
    return app;
  }

  const manifests = (topology: ClusterTopology) => parseAllDocuments(clusters(topology).synthYaml()).map((document) => document.toJS() as Manifest);
  const ofClass = ClusterTopology.of({ className: 'machines', classNamespace: 'platform' });
  const shared = manifests(ofClass);
  const beside = manifests(ClusterTopology.of({ className: 'machines' }));
  const own = manifests(ClusterTopology.of());

  /** What the topology controller makes of a cluster. */
  function madeOf(objects: readonly Manifest[], name: string): unknown[] {
    const cluster = objects.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === name);
    return (objectsOf(desiredObjects(cluster, new ManifestIndex(objects))) as Manifest[])
      .filter(({ kind }) => kind !== 'Cluster').map(({ kind, metadata, spec }) => [kind, metadata.name, spec]);
  }

  test('can share a class', () => {
    expect(problemsOf(clusters(ofClass)).map(({ id }) => id).filter((id) => id.startsWith('TC-TOPOLOGY-'))).toEqual([]);
    expect(shared.filter(({ kind }) => kind === 'ClusterClass')).toHaveLength(1);
  });

  test('give their address to the class', () => {
    const variables = shared.filter(({ kind }) => kind === 'Cluster').map(({ spec }) => spec.topology.variables);

    expect(variables).toEqual(Object.entries(ADDRESSES).map(([name, value]) => [
      { name: 'controlPlaneEndpointHost', value },
      ...provider === 'Proxmox VE' ? [{ name: 'machineAddressesIPv4', value: [RANGES[name]] }] : [],
      ...provider === 'Metal3' ? ['control-plane', 'general'].map((group, index) => (
        { name: `dataTemplateName${index === 0 ? '' : index + 1}`, value: expect.stringMatching(`^${name}-${group}-[0-9a-f]{8}$`) })) : [],
    ]));
  });

  test.each(Object.keys(ADDRESSES))('have what cluster %s has with a class of its own', (name) => {
    expect(madeOf(shared, name)).toEqual(madeOf(own, name));
    expect(JSON.stringify(madeOf(shared, name))).toContain(`"host":"${ADDRESSES[name]}"`);
  });

  test('pass the rules that they pass with classes of their own', () => {
    const rules = (objects: readonly Manifest[]) => new ManifestValidator().validate([objects], { silences: [], strict: false }).found
      .filter(({ finding }) => !finding.rule.warning && !finding.rule.elsewhere).map(({ finding }) => finding.rule.id);

    expect([...rules(shared), ...rules(beside)].filter((id) => !rules(own).includes(id))).toEqual([]);
  });
});
