// Clusters in OpenStack: one whose control plane runs on machines behind a load balancer of Octavia, and one whose control plane runs in the management
// cluster, by Kamaji. docs/guides/use-openstack.md says which Secrets they need, and what the management cluster must have: Cluster API with the
// providers openstack and kubeadm (or kamaji), the OpenStack Resource Controller, Flux.
//
// This program writes the folder `dist` of a Git repository. `flux bootstrap git --path=dist/flux` in the management cluster makes the GitRepository,
// and from then on applies what is in `dist/flux`.

import { Size } from 'cdk8s';
import {
  Calico, FluxDelivery, FluxEntryPoints, GitOpsApp, KamajiControlPlane, KubeadmControlPlane, openstack, PoolSize, TenantCluster,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

const zones = ['az1', 'az2', 'az3'];
const image = openstack.OpenStackResource.named('ubuntu-2404-kube-v1.35.4');

// The capacity of a flavor is stated beside it: the library does not ask OpenStack. Reservations and autoscaling follow from it.
const large = { flavor: 'm1.large', image, sshKeyName: 'platform', capacity: { cpu: 4, memory: Size.gibibytes(8), ephemeralStorage: Size.gibibytes(80) } };

const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  controlPlane: new KubeadmControlPlane({
    replicas: 3,
    machine: new openstack.OpenStackMachine({
      flavor: 'm1.medium',
      image,
      sshKeyName: 'platform',
      capacity: { cpu: 2, memory: Size.gibibytes(4) },
      rootVolume: { size: Size.gibibytes(50), type: 'ssd' },
      // Made beforehand, with the policy soft-anti-affinity: machines are on different hosts as far as there are enough.
      serverGroup: openstack.OpenStackResource.named('acme-control-plane'),
    }),
  }),
  infrastructure: new openstack.OpenStackInfrastructure({
    identity: openstack.OpenStackIdentity.secret({ name: 'acme-clouds', cloudName: 'openstack' }),
    network: openstack.OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] }),
    externalNetwork: openstack.OpenStackResource.id('0f9b7a52-4ae6-4b0f-8a0c-1f2d3c4b5a69'),
    // 198.51.100.0/24 has the addresses by which the management cluster leaves its network.
    apiServer: openstack.OpenStackApiServer.loadBalancer({ allowedCidrs: ['198.51.100.0/24'] }),
    availabilityZones: zones,
    controlPlaneAvailabilityZones: zones,
    storageClasses: [{ name: 'ssd', parameters: { type: 'ssd' }, isDefault: true }],
    tags: ['tenant-acme'],
  }),
  cni: new Calico(),
  delivery: new FluxDelivery(),
});
// A pool for each zone, from zero machines on.
for (const zone of zones) {
  acme.addNodePool(zone, { machine: new openstack.OpenStackMachine(large), size: PoolSize.between(0, 5), failureDomain: zone });
}

// Kamaji's provider writes the address of the API server into the OpenStackCluster, which has no load balancer then.
const hosted = new TenantCluster(app, 'hosted', {
  namespace: 'tenant-hosted',
  kubernetesVersion: '1.35.4',
  controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
  infrastructure: new openstack.OpenStackInfrastructure({
    identity: openstack.OpenStackIdentity.secret({ name: 'hosted-clouds', cloudName: 'openstack' }),
    network: openstack.OpenStackNetwork.existing({ network: openstack.OpenStackResource.named('tenant-hosted') }),
    externalNetwork: openstack.OpenStackResource.named('public'),
    securityGroups: openstack.OpenStackSecurityGroups.managed({
      workers: [{ name: 'HTTPS', protocol: 'tcp', portRangeMin: 443, portRangeMax: 443 }],
    }),
  }),
  cni: new Calico(),
  delivery: new FluxDelivery(),
});
hosted.addNodePool('workers', { machine: new openstack.OpenStackMachine(large), size: PoolSize.between(1, 10) });

app.synth();
