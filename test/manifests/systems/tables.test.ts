import { Effect } from '../../../src/manifests/rules/changes/effects';
import { isRefusal, KindTable, TableChange } from '../../../src/manifests/rules/tables/provider-table';
import { tableProvider } from '../../../src/manifests/rules/tables/table-provider';
import { PROVIDER_TABLES } from '../../../src/manifests/systems/tables';
import { effectsIn, planned } from '../plan/tenant-pages';
import { changesBetween } from '../rules/changes/changes';

type Fields = { readonly [field: string]: unknown };

const KINDS = PROVIDER_TABLES.flatMap((table) => Object.entries(table.kinds).map(([kind, facts]): [string, KindTable] => [kind, facts]));
const CHANGES = KINDS.flatMap(([kind, { changes = [] }]) => changes.map((change): [string, TableChange] => [kind, change]));

function object(apiVersion: string, kind: string, name: string, spec: Fields, metadata: Fields = {}): Fields {
  return { apiVersion, kind, metadata: { name, namespace: 'default', ...metadata }, spec };
}

function cluster(controlPlane: string, infrastructure: string): Fields {
  return object('cluster.x-k8s.io/v1beta2', 'Cluster', 'acme', {
    controlPlaneRef: { apiGroup: controlPlane.split('/')[0], kind: controlPlane.split('/')[1], name: 'acme' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: infrastructure, name: 'acme' },
  });
}

/** The effects on the part that is neither new nor removed, when an object of a cluster changes. */
function effectsOf(around: readonly Fields[], before: readonly Fields[], after: readonly Fields[]): string[] {
  const effects = effectsIn(planned([...around, ...before], [...around, ...after]).clusters[0]);
  expect(Object.keys(effects)).toHaveLength(1);
  return Object.values(effects)[0];
}

/** Refusals of servers, and traps, as `id field: message`. */
function found(before: Fields, after: Fields): string[] {
  return changesBetween([before], [after]).map(({ rule, path, message }) => `${rule.id} ${path.join('.')}: ${message}`);
}

const OTHER = /^(spec(\.(\w+|\*))*|metadata\.annotations\.[\w./-]+|machinePool\.(version|bootstrap|bootstrapContent|failureDomains))$/;

test('tables have sources, and fields of the kind', () => {
  expect(CHANGES.length).toBeGreaterThan(100);
  for (const [, { source, fields, effect }] of CHANGES) {
    expect(source).toMatch(/^\S.*\S$/);
    for (const field of fields) expect(field).toMatch(isRefusal(effect) ? /^spec(\.(\w+|\*))*$/ : OTHER);
  }
  for (const [kind, { role, turn, version, onDelete, hosted, changes = [] }] of KINDS) {
    if (turn) expect(role).toBe('machinePool');
    // An object that is a cluster by itself has its version elsewhere.
    if ((version && version.path === undefined) || onDelete || hosted) expect(role).toBe('controlPlane');
    if (changes.some(({ fields }) => fields.some((field) => field.startsWith('machinePool.')))) expect([kind, role]).toEqual([kind, 'machinePool']);
    // An entry after one of the same field without a condition would never count.
    const always = changes.flatMap(({ fields, when, unless }) => (when || unless ? [] : fields));
    expect(always.filter((field, index) => always.indexOf(field) !== index)).toEqual([]);
  }
});

test('each kind is in one table', () => {
  const names = KINDS.map(([kind]) => kind);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const TEMPLATE = (kind: string, spec: Fields, version = 'v1beta1') => object(`infrastructure.cluster.x-k8s.io/${version}`, kind, 'acme', { template: { spec } });
const EKS_ANYWHERE = (kubernetesVersion: string) => object('anywhere.eks.amazonaws.com/v1alpha1', 'Cluster', 'acme', { kubernetesVersion });
const MACHINE = (kind: string, spec: Fields, version = 'v1beta1') => object(`infrastructure.cluster.x-k8s.io/${version}`, kind, 'acme', spec);
const METAL3 = (kind: string, spec: Fields) => MACHINE(kind, spec, 'v1beta2');
const KAPSULE = (spec: Fields) => MACHINE('ScalewayManagedControlPlane', spec, 'v1alpha2');
const HYPERSHIFT = (kind: string, spec: Fields) => object('hypershift.openshift.io/v1beta1', kind, 'acme', spec);
const ACS = (failureDomains: readonly Fields[]) => MACHINE('CloudStackCluster', { failureDomains }, 'v1beta3');

test.each<[what: string, before: Fields, after: Fields, findings: string[]]>([
  ['a flavor of OpenStack', TEMPLATE('OpenStackMachineTemplate', { flavor: 'm1.large' }), TEMPLATE('OpenStackMachineTemplate', { flavor: 'm1.xlarge' }), [
    'TC-CHANGE-OPENSTACK-FIELD spec.template.spec.flavor: it was "m1.large", and is "m1.xlarge" now',
  ]],
  ['several fields of a template', TEMPLATE('OpenStackMachineTemplate', { flavor: 'a', sshKeyName: 'b' }), TEMPLATE('OpenStackMachineTemplate', { flavor: 'c', sshKeyName: 'd' }), [
    'TC-CHANGE-OPENSTACK-FIELD spec.template.spec: flavor, sshKeyName changed',
  ]],
  ['a value that Go does not write', TEMPLATE('OpenStackMachineTemplate', { trunk: false, tags: [] }), TEMPLATE('OpenStackMachineTemplate', {}), []],
  ['the default of a definition', TEMPLATE('HCloudMachineTemplate', { publicNetwork: { enableIPv6: false } }), TEMPLATE('HCloudMachineTemplate', { publicNetwork: { enableIPv4: true, enableIPv6: false } }), []],
  ['the opposite of a default', TEMPLATE('HCloudMachineTemplate', { publicNetwork: { enableIPv6: true } }), TEMPLATE('HCloudMachineTemplate', { publicNetwork: { enableIPv4: false, enableIPv6: true } }), [
    'TC-CHANGE-HETZNER-FIELD spec.template.spec.publicNetwork.enableIPv4: it is false now, and was not set before',
  ]],
  ['a value that a webhook sets', TEMPLATE('AzureMachineTemplate', { vmSize: 'a' }), TEMPLATE('AzureMachineTemplate', { vmSize: 'a', sshPublicKey: 'b' }), []],
  ['metadata options that are set for the first time', TEMPLATE('AWSMachineTemplate', {}, 'v1beta2'), TEMPLATE('AWSMachineTemplate', { instanceMetadataOptions: { httpTokens: 'required' } }, 'v1beta2'), []],
  ['an image of Metal3', TEMPLATE('Metal3MachineTemplate', { image: { url: 'a' } }), TEMPLATE('Metal3MachineTemplate', { image: { url: 'b' } }), []],
  ['the prefix of names of a pool of addresses', object('ipam.metal3.io/v1alpha1', 'IPPool', 'acme', { namePrefix: 'a' }), object('ipam.metal3.io/v1alpha1', 'IPPool', 'acme', { namePrefix: 'b' }), [
    'TC-CHANGE-METAL3-IPAM-FIELD spec.namePrefix: it was "a", and is "b" now',
  ]],
  ['the template of a claim of data', METAL3('Metal3DataClaim', { template: { name: 'a' } }), METAL3('Metal3DataClaim', { template: { name: 'b' } }), [
    'TC-CHANGE-METAL3-FIELD spec.template.name: it was "a", and is "b" now',
  ]],
  ['the index of data', METAL3('Metal3Data', { index: 0 }), METAL3('Metal3Data', { index: 1 }), ['TC-CHANGE-METAL3-FIELD spec.index: it was 0, and is 1 now']],
  ['the pool of a claim', object('ipam.metal3.io/v1alpha1', 'IPClaim', 'acme', { pool: { name: 'a' } }), object('ipam.metal3.io/v1alpha1', 'IPClaim', 'acme', { pool: { name: 'b' } }), [
    'TC-CHANGE-METAL3-IPAM-FIELD spec.pool.name: it was "a", and is "b" now',
  ]],
  ['a label of the pool of a claim', object('ipam.metal3.io/v1alpha1', 'IPClaim', 'acme', { pool: { name: 'a', uid: 'b' } }), object('ipam.metal3.io/v1alpha1', 'IPClaim', 'acme', { pool: { name: 'a' } }), []],
  ['an address', object('ipam.metal3.io/v1alpha1', 'IPAddress', 'acme', { address: '192.0.2.1' }), object('ipam.metal3.io/v1alpha1', 'IPAddress', 'acme', { address: '192.0.2.2' }), [
    'TC-CHANGE-METAL3-IPAM-FIELD spec.address: it was "192.0.2.1", and is "192.0.2.2" now',
  ]],
  ['the provider ID of a machine of OpenStack, for the first time', MACHINE('OpenStackMachine', { flavor: 'a' }), MACHINE('OpenStackMachine', { flavor: 'a', providerID: 'b' }), []],
  ['the provider ID of a machine of OpenStack, once more', MACHINE('OpenStackMachine', { providerID: 'a' }), MACHINE('OpenStackMachine', { providerID: 'b' }), [
    'TC-CHANGE-OPENSTACK-FIELD spec.providerID: it was "a", and is "b" now',
  ]],
  ['credentials of a machine of OpenStack', MACHINE('OpenStackMachine', { identityRef: { name: 'a' } }), MACHINE('OpenStackMachine', { identityRef: { name: 'b' } }), []],
  ['the flavor of a machine of OpenStack', MACHINE('OpenStackMachine', { flavor: 'a' }), MACHINE('OpenStackMachine', { flavor: 'b' }), [
    'TC-CHANGE-OPENSTACK-FIELD spec.flavor: it was "a", and is "b" now',
  ]],
  ['tags of a machine of Proxmox VE', MACHINE('ProxmoxMachine', { tags: ['a'] }, 'v1alpha2'), MACHINE('ProxmoxMachine', { tags: ['b'] }, 'v1alpha2'), [
    'TC-CHANGE-PROXMOX-FIELD spec.tags.0: it was "a", and is "b" now',
  ]],
  ['devices of a machine of vSphere', MACHINE('VSphereMachine', { network: { devices: [{ networkName: 'a' }] } }), MACHINE('VSphereMachine', { network: { devices: [{ networkName: 'b' }] } }), []],
  ['the folder of a machine of vSphere', MACHINE('VSphereMachine', { folder: 'a' }), MACHINE('VSphereMachine', { folder: 'b' }), ['TC-CHANGE-VSPHERE-FIELD spec.folder: it was "a", and is "b" now']],
  ['the system of a virtual machine of vSphere, once more', MACHINE('VSphereVM', { os: 'Linux' }), MACHINE('VSphereVM', { os: 'Windows' }), ['TC-CHANGE-VSPHERE-FIELD spec.os: it was "Linux", and is "Windows" now']],
  ['the thumbprint of a virtual machine of vSphere', MACHINE('VSphereVM', { thumbprint: 'a' }), MACHINE('VSphereVM', { thumbprint: 'b' }), []],
  ['a field that only v1beta1 of vSphere has', TEMPLATE('VSphereMachineTemplate', { network: {} }), TEMPLATE('VSphereMachineTemplate', { network: { preferredAPIServerCidr: '10.0.0.0/8' } }), []],
  ['ranges of a pool of addresses', object('ipam.metal3.io/v1alpha1', 'IPPool', 'acme', { pools: [] }), object('ipam.metal3.io/v1alpha1', 'IPPool', 'acme', { pools: [{ subnet: '192.0.2.0/24' }] }), []],
  ['subnets of an OpenStackCluster', object('infrastructure.cluster.x-k8s.io/v1beta1', 'OpenStackCluster', 'acme', { networkMTU: 1500 }), object('infrastructure.cluster.x-k8s.io/v1beta1', 'OpenStackCluster', 'acme', { networkMTU: 9000 }), [
    'TC-CHANGE-OPENSTACK-FIELD spec.networkMTU: it was 1500, and is 9000 now',
  ]],
  ['another version of the API', TEMPLATE('RKE2ControlPlane', {}), TEMPLATE('RKE2ControlPlane', { a: 1 }, 'v1beta2'), []],
  ['a size of GKE', object('infrastructure.cluster.x-k8s.io/v1beta1', 'GCPManagedMachinePool', 'acme', { machineType: 'a' }), object('infrastructure.cluster.x-k8s.io/v1beta1', 'GCPManagedMachinePool', 'acme', { machineType: 'b' }), [
    'TC-CHANGE-GCP-FIELD spec.machineType: it was "a", and is "b" now',
  ]],
  ['a minor that k0s leaves out', object('controlplane.cluster.x-k8s.io/v1beta2', 'K0sControlPlane', 'acme', { version: 'v1.33.1+k0s.0' }), object('controlplane.cluster.x-k8s.io/v1beta2', 'K0sControlPlane', 'acme', { version: 'v1.35.1+k0s.0' }), [
    'TC-CHANGE-K0S-VERSION spec.version: it was "v1.33.1+k0s.0", and is "v1.35.1+k0s.0" now: that leaves out a minor',
  ]],
  ['a minor that EKS Anywhere leaves out', EKS_ANYWHERE('1.31'), EKS_ANYWHERE('1.33'), [
    'TC-CHANGE-EKS-ANYWHERE-VERSION spec.kubernetesVersion: it was "1.31", and is "1.33" now: that leaves out a minor',
  ]],
  ['an older version of EKS Anywhere', EKS_ANYWHERE('1.32'), EKS_ANYWHERE('1.31'), [
    'TC-CHANGE-EKS-ANYWHERE-VERSION spec.kubernetesVersion: it was "1.32", and is "1.31" now: the webhook refuses an older version',
  ]],
  ['the next version of EKS Anywhere', EKS_ANYWHERE('1.31'), EKS_ANYWHERE('1.32'), []],
  ['an older version of EKS', object('controlplane.cluster.x-k8s.io/v1beta2', 'AWSManagedControlPlane', 'acme', { version: 'v1.34' }), object('controlplane.cluster.x-k8s.io/v1beta2', 'AWSManagedControlPlane', 'acme', { version: 'v1.33' }), [
    'TC-CHANGE-AWS-VERSION spec.version: it was "v1.34", and is "v1.33" now: the webhook refuses an older version',
  ]],
  ['an older version of RKE2', object('controlplane.cluster.x-k8s.io/v1beta2', 'RKE2ControlPlane', 'acme', { version: 'v1.34.1+rke2r1' }), object('controlplane.cluster.x-k8s.io/v1beta2', 'RKE2ControlPlane', 'acme', { version: 'v1.33.1+rke2r1' }), [
    'TC-CHANGE-RKE2-DOWNGRADE spec.version: it was "v1.34.1+rke2r1", and is "v1.33.1+rke2r1" now: what is stored may be too new for it',
  ]],
  ['a size of DigitalOcean', TEMPLATE('DOMachineTemplate', { size: 'a' }), TEMPLATE('DOMachineTemplate', { size: 'b' }), [
    'TC-CHANGE-DIGITALOCEAN-FIELD spec.template.spec.size: it was "a", and is "b" now',
  ]],
  ['the zone of a failure domain of CloudStack', ACS([{ name: 'a', zone: { name: 'x' } }]), ACS([{ name: 'a', zone: { name: 'y' } }]), [
    'TC-CHANGE-CLOUDSTACK-FIELD spec.failureDomains.a.zone.name: it was "x", and is "y" now',
  ]],
  ['an account of a failure domain of CloudStack, for the first time', ACS([{ name: 'a' }]), ACS([{ name: 'a', account: 'x' }]), [
    'TC-CHANGE-CLOUDSTACK-FIELD spec.failureDomains.a.account: it is "x" now, and was not set before',
  ]],
  ['the gateway of a network of CloudStack', ACS([{ name: 'a', zone: { network: { gateway: 'x' } } }]), ACS([{ name: 'a', zone: { network: { gateway: 'y' } } }]), []],
  ['the first CNI of Kapsule', KAPSULE({}), KAPSULE({ cni: 'cilium' }), ['TC-CHANGE-SCALEWAY-FIELD spec.cni: it is "cilium" now, and was not set before']],
  ['an endpoint of Kapsule that is not private, for the first time', KAPSULE({}), KAPSULE({ enablePrivateEndpoint: false }), [
    'TC-CHANGE-SCALEWAY-FIELD spec.enablePrivateEndpoint: it is false now, and was not set before',
  ]],
  ['the first name of a cluster of Kapsule', KAPSULE({}), KAPSULE({ clusterName: 'a' }), []],
  ['the manager of addresses of Equinix Metal, for the first time', MACHINE('PacketCluster', { projectID: 'a' }), MACHINE('PacketCluster', { projectID: 'a', vipManager: 'KUBE_VIP' }), [
    'TC-CHANGE-PACKET-FIELD spec.vipManager: it is "KUBE_VIP" now, and was not set before',
  ]],
  ['the default manager of addresses of Equinix Metal', MACHINE('PacketCluster', { projectID: 'a' }), MACHINE('PacketCluster', { projectID: 'a', vipManager: 'CPEM' }), []],
  ['a type of IONOS Cloud other than the default', TEMPLATE('IonosCloudMachineTemplate', {}, 'v1alpha1'), TEMPLATE('IonosCloudMachineTemplate', { type: 'VCPU' }, 'v1alpha1'), [
    'TC-CHANGE-IONOSCLOUD-FIELD spec.template.spec.type: it is "VCPU" now, and was not set before',
  ]],
  ['capabilities of HyperShift, for the first time', HYPERSHIFT('HostedCluster', {}), HYPERSHIFT('HostedCluster', { capabilities: { disabled: ['Console'] } }), [
    expect.stringMatching(/^TC-CHANGE-HYPERSHIFT-FIELD spec.capabilities/) as unknown as string,
  ]],
  ['the default policy of HyperShift', HYPERSHIFT('HostedCluster', {}), HYPERSHIFT('HostedCluster', { controllerAvailabilityPolicy: 'HighlyAvailable' }), []],
  ['the subnet of a pool of HyperShift', HYPERSHIFT('NodePool', { platform: { azure: { subnetID: 'a' } } }), HYPERSHIFT('NodePool', { platform: { azure: { subnetID: 'b' } } }), [
    'TC-CHANGE-HYPERSHIFT-FIELD spec.platform.azure.subnetID: it was "a", and is "b" now',
  ]],
  ['a VPC in a template of clusters of Linode', TEMPLATE('LinodeClusterTemplate', { vpcID: 1 }, 'v1alpha2'), TEMPLATE('LinodeClusterTemplate', { vpcID: 2 }, 'v1alpha2'), [
    'TC-CHANGE-LINODE-FIELD spec.template.spec.vpcID: it was 1, and is 2 now',
  ]],
  ['a network of IONOS Cloud that goes', TEMPLATE('IonosCloudMachineTemplate', { networkID: 'a' }, 'v1alpha1'), TEMPLATE('IonosCloudMachineTemplate', {}, 'v1alpha1'), [
    'TC-CHANGE-IONOSCLOUD-FIELD spec.template.spec.networkID: it was "a", and is not set any more',
  ]],
  ['another failure domain of CloudStack', ACS([{ name: 'a', zone: { name: 'x' } }]), ACS([{ name: 'a', zone: { name: 'x' } }, { name: 'b', zone: { name: 'y' } }]), []],
  ['another VPC of Linode, whose definition compares two values', TEMPLATE('LinodeMachineTemplate', { vpcID: 1 }, 'v1alpha2'), TEMPLATE('LinodeMachineTemplate', { vpcID: 2 }, 'v1alpha2'), [
    'TC-CHANGE-LINODE-FIELD spec.template.spec.vpcID: it was 1, and is 2 now',
  ]],
  ['another reference of Linode', TEMPLATE('LinodeMachineTemplate', { vpcRef: { name: 'a' } }, 'v1alpha2'), TEMPLATE('LinodeMachineTemplate', { vpcRef: { name: 'a', kind: 'LinodeVPC' } }, 'v1alpha2'), [
    'TC-CHANGE-LINODE-FIELD spec.template.spec.vpcRef.kind: it is "LinodeVPC" now, and was not set before',
  ]],
  ['the first VPC of Linode', TEMPLATE('LinodeMachineTemplate', { type: 'a' }, 'v1alpha2'), TEMPLATE('LinodeMachineTemplate', { type: 'a', vpcID: 2 }, 'v1alpha2'), []],
  ['no VPC of Linode any more', TEMPLATE('LinodeMachineTemplate', { type: 'a', vpcID: 2 }, 'v1alpha2'), TEMPLATE('LinodeMachineTemplate', { type: 'a' }, 'v1alpha2'), []],
  ['a shape of Oracle Cloud', TEMPLATE('OCIMachineTemplate', { shape: 'a' }, 'v1beta2'), TEMPLATE('OCIMachineTemplate', { shape: 'b' }, 'v1beta2'), []],
  ['the region of a cluster of Oracle Cloud that had none', MACHINE('OCICluster', { compartmentId: 'a' }, 'v1beta2'), MACHINE('OCICluster', { compartmentId: 'a', region: 'b' }, 'v1beta2'), []],
])('servers refuse, or not: %s', (_, before, after, findings) => {
  expect(found(before, after)).toEqual(findings);
});

const RKE2 = (spec: Fields) => object('controlplane.cluster.x-k8s.io/v1beta2', 'RKE2ControlPlane', 'acme', {
  replicas: 3, version: 'v1.34.1+rke2r1', machineTemplate: { spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'OpenStackMachineTemplate', name: 'a' } } }, ...spec,
});
const TALOS = (spec: Fields) => object('controlplane.cluster.x-k8s.io/v1alpha3', 'TalosControlPlane', 'acme', {
  replicas: 3, version: 'v1.34.1', infrastructureTemplate: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'OpenStackMachineTemplate', name: 'a' }, ...spec,
});
const K0S = (spec: Fields) => object('controlplane.cluster.x-k8s.io/v1beta2', 'K0sControlPlane', 'acme', {
  replicas: 3, version: 'v1.34.1+k0s.0', machineTemplate: { infrastructureRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'OpenStackMachineTemplate', name: 'a' } }, ...spec,
});
const OLDER_TEMPLATE = (name: string) => ({ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'OpenStackMachineTemplate', name });
const MICROK8S = (spec: Fields) => object('controlplane.cluster.x-k8s.io/v1beta1', 'MicroK8sControlPlane', 'acme', {
  replicas: 3, version: 'v1.34.1', machineTemplate: { infrastructureTemplate: OLDER_TEMPLATE('a') }, ...spec,
});
const CK8S = (spec: Fields) => object('controlplane.cluster.x-k8s.io/v1beta2', 'CK8sControlPlane', 'acme', {
  replicas: 3, version: 'v1.34.1', machineTemplate: { infrastructureTemplate: OLDER_TEMPLATE('a') }, ...spec,
});
const OKE = (version: string) => object('infrastructure.cluster.x-k8s.io/v1beta2', 'OCIManagedControlPlane', 'acme', { version });
const EKS = (spec: Fields) => object('controlplane.cluster.x-k8s.io/v1beta2', 'AWSManagedControlPlane', 'acme', { version: 'v1.34', ...spec });
const OTHER_TEMPLATE = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'OpenStackMachineTemplate', name: 'b' };

test.each<[what: string, before: Fields, after: Fields, effects: string[]]>([
  ['a version of RKE2', RKE2({}), RKE2({ version: 'v1.35.0+rke2r1' }), ['machines replaced 3 by 1 (version v1.34.1+rke2r1 -> v1.35.0+rke2r1)']],
  ['another template of RKE2', RKE2({}), RKE2({ machineTemplate: { spec: { infrastructureRef: OTHER_TEMPLATE } } }), [
    'machines replaced 3 by 1 (template OpenStackMachineTemplate a -> OpenStackMachineTemplate b, one of which is not in the manifests)',
  ]],
  ['a drain timeout of RKE2', RKE2({}), RKE2({ remediationStrategy: { maxRetry: 3 } }), ['in place (remediationStrategy added)']],
  ['an address of RKE2', RKE2({}), RKE2({ registrationAddress: 'a' }), ['new ones only (registrationAddress a added)']],
  ['fewer machines of RKE2', RKE2({}), RKE2({ replicas: 1 }), ['deleted 2 (replicas 3 -> 1)']],
  ['fewer machines of Talos', TALOS({}), TALOS({ replicas: 1 }), ['deleted 2 (replicas 3 -> 1)']],
  ['a version of Talos', TALOS({}), TALOS({ version: 'v1.35.0' }), ['machines replaced 3 by 1 (version v1.34.1 -> v1.35.0)']],
  ['a version of Talos, on deletion', TALOS({ rolloutStrategy: { type: 'OnDelete' } }), TALOS({ version: 'v1.35.0', rolloutStrategy: { type: 'OnDelete' } }), [
    'new ones only (version v1.34.1 -> v1.35.0 (each machine when it is deleted by hand))',
  ]],
  ['a version of k0s', K0S({}), K0S({ version: 'v1.35.0+k0s.0' }), ["in place (version v1.34.1+k0s.0 -> v1.35.0+k0s.0 (k0s's autopilot updates the machines that there are))"]],
  ['a version of k0s with new machines', K0S({ updateStrategy: 'Recreate' }), K0S({ version: 'v1.35.0+k0s.0', updateStrategy: 'Recreate' }), ['machines replaced 3 by 1 (version v1.34.1+k0s.0 -> v1.35.0+k0s.0)']],
  ["k0s's own configuration", K0S({}), K0S({ k0sConfigSpec: { k0s: { spec: {} } } }), ["in place (k0sConfigSpec.k0s added (k0s's dynamic configuration))"]],
  ['arguments of k0s', K0S({}), K0S({ k0sConfigSpec: { args: ['--debug'] } }), ['machines replaced 3 by 1 (k0sConfigSpec.args added)']],
  ['a version of EKS', EKS({}), EKS({ version: 'v1.35' }), [expect.stringMatching(/^in place \(version v1.34 -> v1.35 \(EKS upgrades its control plane minor by minor, and cannot go back/) as unknown as string]],
  ['a version of MicroK8s in place', MICROK8S({ upgradeStrategy: 'InPlaceUpgrade' }), MICROK8S({ upgradeStrategy: 'InPlaceUpgrade', version: 'v1.35.0' }), [
    'in place (version v1.34.1 -> v1.35.0 (the snap of each machine is refreshed, one after the other))',
  ]],
  ['a version of MicroK8s with three machines', MICROK8S({}), MICROK8S({ version: 'v1.35.0' }), ['machines replaced 3 by 1 (version v1.34.1 -> v1.35.0)']],
  ['a patch of MicroK8s, which compares minors', MICROK8S({}), MICROK8S({ version: 'v1.34.5' }), ['new ones only (version v1.34.1 -> v1.34.5)']],
  ['fewer machines of MicroK8s', MICROK8S({ replicas: 5 }), MICROK8S({ replicas: 3 }), ['deleted 2 (replicas 5 -> 3)']],
  ['too few machines of MicroK8s', MICROK8S({}), MICROK8S({ replicas: 1 }), ['unknown (replicas 3 -> 1 (no control plane of up to three machines is made smaller))']],
  ['another template of MicroK8s, which compares versions alone', MICROK8S({}), MICROK8S({ machineTemplate: { infrastructureTemplate: OLDER_TEMPLATE('b') } }), [
    'new ones only (template OpenStackMachineTemplate a -> OpenStackMachineTemplate b, one of which is not in the manifests)',
  ]],
  ['the configuration of Canonical Kubernetes', CK8S({}), CK8S({ spec: { nodeName: 'a' } }), ['machines replaced 3 by 1 (spec added)']],
  ['a timeout of Canonical Kubernetes', CK8S({}), CK8S({ machineTemplate: { infrastructureTemplate: OLDER_TEMPLATE('a'), nodeDrainTimeout: '5m' } }), [
    'new ones only (machineTemplate.nodeDrainTimeout 5m added)',
  ]],
  ['an annotation of machines of Canonical Kubernetes', CK8S({}), CK8S({ machineTemplate: { infrastructureTemplate: OLDER_TEMPLATE('a'), metadata: { annotations: { a: 'b' } } } }), [
    'in place (machineTemplate.metadata.annotations added)',
  ]],
  ['a version of OKE', OKE('v1.34.1'), OKE('v1.35.0'), [expect.stringMatching(/^in place \(version .*OKE upgrades its control plane/) as unknown as string]],
  ['an unknown field', RKE2({}), RKE2({ novelty: 1 }), ['unknown (novelty 1 added)']],
  ['an address of a management cluster', EKS({ region: 'a' }), EKS({ region: 'b' }), [expect.stringMatching(/^refused/) as unknown as string]],
])('a control plane: %s', (_, before, after, effects) => {
  const kind = `${String(before.apiVersion).split('/')[0]}/${String(before.kind)}`;
  expect(effectsOf([cluster(kind, 'OpenStackCluster')], [before], [after])).toEqual(effects);
});

test('a version without v is the same to providers that add it, and another one to others', () => {
  const isChanged = (before: Fields, after: Fields) => {
    const { clusters, shared } = planned([before], [after]);
    return clusters.length + shared.length > 0;
  };
  expect([TALOS, CK8S].map((plane) => isChanged(plane({}), plane({ version: '1.34.1' })))).toEqual([false, false]);
  expect([isChanged(TALOS({}), TALOS({ version: '1.34.2' })), isChanged(MICROK8S({}), MICROK8S({ version: '1.34.1' }))]).toEqual([true, true]);
});

function machinePool(infrastructure: string, spec: Fields = {}, machine: Fields = {}): Fields {
  return object('cluster.x-k8s.io/v1beta2', 'MachinePool', 'acme', {
    clusterName: 'acme',
    replicas: 10,
    ...spec,
    template: {
      spec: {
        clusterName: 'acme',
        version: 'v1.34.1',
        bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'acme' } },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: infrastructure, name: 'acme' },
        ...machine,
      },
    },
  });
}

/** A MachinePool of an Azure scale set in v1beta1, whose references have a version. */
function olderPool(version: string): Fields {
  const reference = (group: string, kind: string) => ({ apiVersion: `${group}.cluster.x-k8s.io/v1beta1`, kind, name: 'acme' });
  const references = { bootstrap: { configRef: reference('bootstrap', 'KubeadmConfig') }, infrastructureRef: reference('infrastructure', 'AzureMachinePool') };
  return { ...machinePool('AzureMachinePool', {}, { version, ...references }), apiVersion: 'cluster.x-k8s.io/v1beta1' };
}

/** A MachinePool with an annotation that says what sets its replicas. */
function managedPool(manager: string, replicas: number): Fields {
  const pool = machinePool('AWSManagedMachinePool', { replicas });
  return { ...pool, metadata: { ...pool.metadata as Fields, annotations: { 'cluster.x-k8s.io/replicas-managed-by': manager } } };
}

const INFRASTRUCTURE = (kind: string, spec: Fields = {}) => object(`infrastructure.cluster.x-k8s.io/${kind.startsWith('AWS') ? 'v1beta2' : 'v1beta1'}`, kind, 'acme', spec);
const OKE_POOL = (version: string, spec: Fields = {}) => INFRASTRUCTURE('OCIManagedMachinePool', { version, ...spec });
const CYCLING = { nodePoolCyclingDetails: { isNodeCyclingEnabled: true, maximumSurge: '2' } };
const CONFIG = (spec: Fields = {}) => object('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfig', 'acme', spec);
const NEWER = { version: 'v1.35.0' };

test.each<[what: string, before: Fields[], after: Fields[], effects: string[]]>([
  ['a version where the image follows it', [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool')], [machinePool('AWSMachinePool', {}, NEWER), INFRASTRUCTURE('AWSMachinePool')], [
    'machines replaced 10 by 1 (version v1.34.1 -> v1.35.0 (by an instance refresh with the image of that version))',
  ]],
  ['a version with a fixed image', ...bothWith('AWSMachinePool', { awsLaunchTemplate: { ami: { id: 'ami-1' } } }), ['new ones only (version v1.34.1 -> v1.35.0)']],
  ['a version without instance refresh', ...bothWith('AWSMachinePool', { refreshPreferences: { disable: true } }), ['new ones only (version v1.34.1 -> v1.35.0)']],
  ['a version with less healthy machines', ...bothWith('AWSMachinePool', { refreshPreferences: { minHealthyPercentage: 50 } }), [
    'machines replaced 10 by 5 (version v1.34.1 -> v1.35.0 (by an instance refresh with the image of that version))',
  ]],
  ['an instance type', [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool', { awsLaunchTemplate: { instanceType: 'a' } })], [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool', { awsLaunchTemplate: { instanceType: 'b' } })], [
    'machines replaced 10 by 1 (awsLaunchTemplate.instanceType a -> b (by an instance refresh))',
  ]],
  ['a disk', [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool', { awsLaunchTemplate: { rootVolume: { size: 20 } } })], [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool', { awsLaunchTemplate: { rootVolume: { size: 40 } } })], [
    'new ones only (awsLaunchTemplate.rootVolume.size 20 -> 40)',
  ]],
  ['bounds', [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool', { maxSize: 3 })], [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool', { maxSize: 5 })], ['in place (maxSize 3 -> 5)']],
  ['bootstrap data', [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool'), CONFIG()], [machinePool('AWSMachinePool'), INFRASTRUCTURE('AWSMachinePool'), CONFIG({ ntp: { enabled: true } })], [
    'new ones only (spec.ntp added)',
  ]],
  ['bootstrap data of an infrastructure that is not known', [machinePool('OtherMachinePool'), CONFIG()], [machinePool('OtherMachinePool'), CONFIG({ ntp: { enabled: true } })], ['unknown (spec.ntp added)']],
  ['a version of a node group of EKS', ...bothWith('AWSManagedMachinePool', { updateConfig: { maxUnavailablePercentage: 30 } }), [
    'machines replaced 10 by 3 (version v1.34.1 -> v1.35.0 (EKS updates the node group, and cannot go back))',
  ]],
  ['a version of a scale set', ...bothWith('AzureMachinePool', { strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } }), [
    'machines replaced 10 by 4 (version v1.34.1 -> v1.35.0 (with the image of that version))',
  ]],
  ['a version of a node pool of the Azure Service Operator', ...bothWith('AzureASOManagedMachinePool'), [
    'machines replaced 10 (version v1.34.1 -> v1.35.0 (AKS upgrades the node pool, and cannot go back))',
  ]],
  ['a version of a scale set in v1beta1', [olderPool('v1.34.1'), INFRASTRUCTURE('AzureMachinePool')], [olderPool('v1.35.0'), INFRASTRUCTURE('AzureMachinePool')], [
    'machines replaced 10 by 1 (version v1.34.1 -> v1.35.0 (with the image of that version))',
  ]],
  ['replicas that an autoscaler sets', [managedPool('external-autoscaler', 4)], [managedPool('external-autoscaler', 2)], ['in place (replicas 4 -> 2, which another controller sets)']],
  ['replicas that no autoscaler sets', [managedPool('false', 4)], [managedPool('false', 2)], ['deleted 2 (replicas 4 -> 2)']],
  ['a version of an instance group', ...bothWith('GCPMachinePool'), [
    'new ones only (version v1.34.1 -> v1.35.0 (the instance group gets another template, and instances that there are stay))',
  ]],
  ['a version of a node pool of OKE', [machinePool('OCIManagedMachinePool'), OKE_POOL('v1.34.1')], [machinePool('OCIManagedMachinePool'), OKE_POOL('v1.35.0')], [
    'new ones only (version v1.34.1 -> v1.35.0 (nodes stay as they are: nodePoolCyclingDetails does not enable cycling))',
  ]],
  ['a version of a node pool of OKE that cycles', [machinePool('OCIManagedMachinePool'), OKE_POOL('v1.34.1', CYCLING)], [machinePool('OCIManagedMachinePool'), OKE_POOL('v1.35.0', CYCLING)], [
    'machines replaced 10 by 2 (version v1.34.1 -> v1.35.0 (OKE cycles the nodes))',
  ]],
  ['a version of an infrastructure that is not known', ...bothWith('OtherMachinePool'), ['unknown (version v1.34.1 -> v1.35.0)']],
  ['replicas and failure domains', [machinePool('AzureMachinePool'), INFRASTRUCTURE('AzureMachinePool')], [machinePool('AzureMachinePool', { replicas: 12, failureDomains: ['1'] }), INFRASTRUCTURE('AzureMachinePool')], [
    'machines replaced 10 by 1 (failureDomains added)', 'scaled (replicas 10 -> 12)',
  ]],
  ['another infrastructure', [machinePool('AzureMachinePool'), INFRASTRUCTURE('AzureMachinePool')], [machinePool('AWSMachinePool'), INFRASTRUCTURE('AzureMachinePool')], [
    'unknown (template AzureMachinePool acme -> AWSMachinePool acme, one of which is not in the manifests)',
  ]],
])('a MachinePool: %s', (_, before, after, effects) => {
  expect(effectsOf([cluster('controlplane.cluster.x-k8s.io/KubeadmControlPlane', 'AWSCluster')], before, after)).toEqual(effects);
});

/** A pool before and after a new version. */
function bothWith(kind: string, spec: Fields = {}): [Fields[], Fields[]] {
  return [[machinePool(kind), INFRASTRUCTURE(kind, spec)], [machinePool(kind, {}, NEWER), INFRASTRUCTURE(kind, spec)]];
}

test('a template whose controllers apply a field to existing machines', () => {
  const pool = object('cluster.x-k8s.io/v1beta2', 'MachineDeployment', 'acme', {
    clusterName: 'acme',
    replicas: 2,
    template: {
      spec: {
        clusterName: 'acme', bootstrap: { dataSecretName: 'a' }, infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'Metal3MachineTemplate', name: 'acme' },
      },
    },
  });
  const template = (reuse: boolean, url: string) => object('infrastructure.cluster.x-k8s.io/v1beta2', 'Metal3MachineTemplate', 'acme', { nodeReuse: reuse, template: { spec: { image: { url } } } });
  const around = [cluster('controlplane.cluster.x-k8s.io/KubeadmControlPlane', 'Metal3Cluster'), pool];

  expect(effectsOf(around, [template(false, 'a')], [template(true, 'a')])).toEqual(['in place (nodeReuse false -> true)']);
  expect(effectsOf(around, [template(false, 'a')], [template(true, 'b')])).toEqual(['in place (nodeReuse false -> true)', 'new ones only (image.url a -> b)']);
  const rules = (after: Fields) => changesBetween([pool, template(false, 'a')] as never, [pool, after] as never).map(({ rule }) => rule.id);
  expect(rules(template(true, 'a'))).toEqual([]);
  expect(rules(template(false, 'b'))).toEqual(['TC-CHANGE-TEMPLATE-IN-PLACE']);
});

test('the address of an infrastructure, which Cluster API copies once', () => {
  const around = [cluster('controlplane.cluster.x-k8s.io/KubeadmControlPlane', 'Metal3Cluster')];
  const infrastructure = (host: string) => object('infrastructure.cluster.x-k8s.io/v1beta2', 'Metal3Cluster', 'acme', { controlPlaneEndpoint: { host, port: 6443 } });

  expect(effectsOf(around, [infrastructure('192.0.2.1')], [infrastructure('192.0.2.2')]))
    .toEqual([
      expect.stringMatching(/^fails later .*TC-CHANGE-CLUSTER-ENDPOINT/),
      'new ones only (controlPlaneEndpoint.host 192.0.2.1 -> 192.0.2.2 (the Cluster, nodes and kubeconfigs keep the former address))',
    ]);
});

test('a provider of somebody else is a table, too', () => {
  const { kinds, changes = [], effects = {} } = tableProvider({
    name: 'cloud',
    title: 'Cloud',
    project: 'example/cloud',
    release: 'v1',
    namespace: 'cloud-system',
    examples: { field: { apiVersion: 'infrastructure.example.com/v1', kind: 'CloudMachineTemplate', before: { a: 1 }, after: { a: 2 } } },
    kinds: {
      'infrastructure.example.com/CloudMachineTemplate': { role: 'machineTemplate', changes: [{ effect: 'refused', fields: ['spec'], source: 'a.go:1' }] },
      'infrastructure.example.com/CloudCluster': { role: 'cluster', changes: [{ effect: 'in place', fields: ['spec.tags'], source: 'b.go:1' }] },
    },
  });

  expect(kinds).toEqual([
    { kind: 'infrastructure.example.com/CloudMachineTemplate', role: 'machineTemplate', immutable: true }, { kind: 'infrastructure.example.com/CloudCluster', role: 'cluster' },
  ]);
  expect(changes.map(({ id, source }) => [id, source])).toEqual([['TC-CHANGE-CLOUD-FIELD', 'example/cloud v1: a.go']]);
  expect(Object.keys(effects)).toEqual(['infrastructure.example.com/CloudCluster']);
  expect(Effect.REFUSED).toBe('refused');
});

test('the last system pool of AKS cannot be removed while its Cluster stays', () => {
  const aks = cluster('infrastructure.cluster.x-k8s.io/AzureManagedControlPlane', 'AzureManagedCluster');
  const pool = (name: string, mode = 'System') => object('infrastructure.cluster.x-k8s.io/v1beta1', 'AzureManagedMachinePool', name, { mode, sku: 'a' });
  const owner = (name: string) => object('cluster.x-k8s.io/v1beta2', 'MachinePool', name, {
    clusterName: 'acme',
    template: { spec: { clusterName: 'acme', infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AzureManagedMachinePool', name } } },
  });
  const both = [aks, owner('a'), pool('a')];
  const ids = (after: readonly Fields[], before: readonly Fields[] = both) => changesBetween(before, after).map(({ rule }) => rule.id).filter((id) => id.startsWith('TC-CHANGE-AZURE'));
  expect(ids([aks])).toEqual(['TC-CHANGE-AZURE-SYSTEM-POOL']);
  expect(ids([aks, owner('a'), pool('a', 'User')])).toEqual(['TC-CHANGE-AZURE-SYSTEM-POOL']);
  expect(ids([aks, owner('b'), pool('b')])).toEqual([]);
  expect(ids([])).toEqual([]);
  expect(ids([aks], [aks, owner('a'), pool('a', 'User')])).toEqual([]);
  expect(planned(both, [aks]).clusters[0].parts.flatMap(({ refusals = [] }) => refusals.map(({ rule }) => rule))).toEqual(['TC-CHANGE-AZURE-SYSTEM-POOL']);
});

test.each<[what: string, change: Fields, effects: string[]]>([
  ['the version', { version: 'v1.34.1+k3s1' }, ['machines replaced 3 by 1 (version v1.33.4+k3s1 -> v1.34.1+k3s1)']],
  ['the number of machines', { replicas: 1 }, ['deleted 2 (replicas 3 -> 1)']],
  ['an argument of servers', { kthreesConfigSpec: { serverConfig: { tlsSan: ['a'] } } }, [expect.stringMatching(/^machines replaced 3 by 1 \(kthreesConfigSpec/) as string]],
  ['a timeout', { machineTemplate: { nodeDrainTimeout: '5m' } }, [expect.stringMatching(/^in place/) as string]],
])('%s of a control plane of K3s', (_, change, effects) => {
  const machineTemplate = { infrastructureRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'DockerMachineTemplate', name: 'acme' } };
  const k3s = (spec: Fields) => object('controlplane.cluster.x-k8s.io/v1beta2', 'KThreesControlPlane', 'acme', {
    replicas: 3, version: 'v1.33.4+k3s1', ...spec, machineTemplate: { ...machineTemplate, ...spec.machineTemplate as Fields },
  });
  expect(effectsOf([cluster('controlplane.cluster.x-k8s.io/KThreesControlPlane', 'DockerCluster')], [k3s({})], [k3s(change)])).toEqual(effects);
});
