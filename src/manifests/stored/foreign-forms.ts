import { Draft, sameFields, StoredForm } from '../rules/stored-form';
import { isFields } from '../values/fields';

/**
 * Fields that the older of two versions has and the stored one has not, or has in another shape; below `spec`, or, in templates, below the spec of
 * their template. All others are the same in both.
 */
type OlderFields = Readonly<Record<string, readonly string[]>>;

const NONE: readonly string[] = [];
const REFERENCE = ['apiVersion', 'fieldPath', 'kind', 'resourceVersion', 'uid'];
const K0S = ['customUserDataRef', 'ignition', 'postStartCommands', 'preStartCommands'];

/** Kinds whose templates are kinds as well. */
const INFRASTRUCTURE: OlderFields = {
  // kubernetes-sigs/cluster-api test/infrastructure/docker, v1.14.0
  DevCluster: ['backend.docker.failureDomains'],
  DevMachine: NONE,
  DockerCluster: ['failureDomains'],
  DockerMachine: NONE,
  DockerMachinePool: NONE,
  // kubernetes-sigs/cluster-api-provider-aws
  AWSCluster: NONE,
  AWSClusterControllerIdentity: NONE,
  AWSClusterRoleIdentity: NONE,
  AWSClusterStaticIdentity: NONE,
  AWSFargateProfile: NONE,
  AWSMachine: ['additionalSecurityGroups.arn', 'failureDomain', 'subnet.arn'],
  AWSMachinePool: NONE,
  AWSManagedMachinePool: ['updateConfig.maxUnavailablePrecentage'],
  // metal3-io/cluster-api-provider-metal3
  Metal3Cluster: ['failureDomains', 'noCloudProvider'],
  Metal3DataTemplate: [
    'metaData.dnsServersFromIPPool', 'metaData.gatewaysFromIPPool', 'metaData.ipAddressesFromIPPool', 'metaData.prefixesFromIPPool',
    'networkData.links.bonds.parameters', 'templateReference',
  ],
  Metal3Machine: [...REFERENCE.map((name) => `dataTemplate.${name}`), 'image.format'],
  Metal3Remediation: ['strategy.timeout'],
  // kubernetes-sigs/cluster-api-provider-vsphere
  VSphereCluster: NONE,
  VSphereClusterIdentity: NONE,
  VSphereDeploymentZone: NONE,
  VSphereFailureDomain: ['region.autoConfigure', 'zone.autoConfigure'],
  VSphereMachine: ['failureDomain', 'guestSoftPowerOffTimeout', 'namingStrategy', 'network.preferredAPIServerCidr'],
  // k0sproject/k0smotron
  PooledRemoteMachine: ['machine.customCleanUpCommands'],
  RemoteCluster: NONE,
  RemoteMachine: ['customCleanUpCommands'],
};

const BOOTSTRAP: OlderFields = { EKSConfig: NONE, K0sControllerConfig: K0S, K0sWorkerConfig: K0S, RKE2Config: NONE };

const CONTROL_PLANES: OlderFields = {
  AWSManagedControlPlane: ['disableVPCCNI'],
  K0sControlPlane: K0S.map((name) => `k0sConfigSpec.${name}`),
  K0smotronControlPlane: [
    'controllerPlaneFlags', 'etcd', 'kineDataSourceSecretName', 'kineDataSourceURL', 'kubeconfigRef', 'service.annotations',
    'service.externalTrafficPolicy', 'service.labels', 'service.loadBalancerClass',
  ],
  RKE2ControlPlaneTemplate: ['infrastructureRef', 'machineTemplate', 'nodeDrainTimeout'].map((name) => `template.spec.${name}`),
};

/** Kinds that went from an alpha to v1beta1 without a change. */
const FIRST_BETA: OlderFields = {
  AzureASOManagedCluster: NONE,
  AzureASOManagedControlPlane: NONE,
  AzureASOManagedMachinePool: NONE,
  // rancher-sandbox/cluster-api-provider-harvester
  HarvesterCluster: NONE,
  HarvesterMachine: NONE,
};

// kubernetes-sigs/cluster-api-provider-cloudstack
const CLOUDSTACK: OlderFields = { CloudStackCluster: NONE, CloudStackMachine: NONE };

// syself/cluster-api-provider-hetzner, which stores the older version
const HETZNER: OlderFields = {
  HCloudMachine: NONE, HCloudRemediation: NONE, HetznerBareMetalMachine: NONE, HetznerBareMetalRemediation: NONE, HetznerCluster: ['sshKeys.rescueSecretRef'],
};

const OCI_NETWORK = ['internetGatewayId', 'natGatewayId', 'networkSecurityGroups', 'privateRouteTableId', 'publicRouteTableId', 'serviceGatewayId']
  .map((name) => `networkSpec.vcn.${name}`);

// oracle/cluster-api-provider-oci
const OCI: OlderFields = { OCICluster: OCI_NETWORK, OCIMachine: ['nsgName'], OCIManagedCluster: OCI_NETWORK, OCIManagedControlPlane: NONE, OCIManagedMachinePool: NONE };

// scaleway/cluster-api-provider-scaleway
const SCALEWAY: OlderFields = {
  ScalewayCluster: ['network.controlPlanePrivateDNS'], ScalewayManagedCluster: NONE, ScalewayManagedControlPlane: NONE, ScalewayManagedMachinePool: NONE,
};

const PROXMOX: OlderFields = { ProxmoxCluster: ['cloneSpec'], ProxmoxMachine: ['network.additionalDevices', 'network.default', 'target'] };

/** True if a value has a field; of a list, if one of its items has it. */
function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined;
  if (Array.isArray(value)) return value.some((item) => has(item, [name, ...rest]));
  return isFields(value) && has(value[name], rest);
}

function formsOf(group: string, older: string, version: string, kinds: OlderFields): (readonly [string, StoredForm])[] {
  return Object.entries(kinds).flatMap(([kind, fields]) => ['', 'Template'].filter((end) => !kind.endsWith(end) || end === '').map((end) => {
    const paths = fields.map((field) => `${end === '' ? '' : 'template.spec.'}${field}`.split('.'));
    const convertible = (spec: Draft) => !paths.some((path) => has(spec, path));
    return [`${group}/${kind}${end}`, { ...sameFields(version, older), convertible }] as const;
  }));
}

/**
 * Kinds of other projects with two versions that have nearly the same fields. An object with another field keeps its version: what becomes of it
 * is up to their conversion.
 *
 * Source: the definitions of these projects (both versions, field by field).
 */
export const FOREIGN_FORMS: Readonly<Record<string, StoredForm>> = Object.fromEntries([
  ...formsOf('infrastructure.cluster.x-k8s.io', 'v1beta1', 'v1beta2', INFRASTRUCTURE),
  ...formsOf('bootstrap.cluster.x-k8s.io', 'v1beta1', 'v1beta2', BOOTSTRAP),
  ...formsOf('controlplane.cluster.x-k8s.io', 'v1beta1', 'v1beta2', CONTROL_PLANES),
  ...formsOf('infrastructure.cluster.x-k8s.io', 'v1beta1', 'v1beta2', OCI),
  ...formsOf('infrastructure.cluster.x-k8s.io', 'v1beta2', 'v1beta1', HETZNER),
  ...formsOf('infrastructure.cluster.x-k8s.io', 'v1beta2', 'v1beta3', CLOUDSTACK),
  ...formsOf('infrastructure.cluster.x-k8s.io', 'v1alpha1', 'v1beta1', FIRST_BETA),
  ...formsOf('infrastructure.cluster.x-k8s.io', 'v1alpha1', 'v1alpha2', { ...PROXMOX, ...SCALEWAY }),
]);
