const GROUP = 'infrastructure.cluster.x-k8s.io';

/** Version of the API that is stored. */
export const VSPHERE_API_VERSION = `${GROUP}/v1beta2`;

export const VSPHERE_CLUSTER_KIND = 'VSphereCluster';
export const VSPHERE_CLUSTER = `${GROUP}/${VSPHERE_CLUSTER_KIND}`;
export const VSPHERE_MACHINE = `${GROUP}/VSphereMachine`;
export const VSPHERE_VM = `${GROUP}/VSphereVM`;
export const VSPHERE_MACHINE_TEMPLATE = `${GROUP}/VSphereMachineTemplate`;
export const VSPHERE_FAILURE_DOMAIN = `${GROUP}/VSphereFailureDomain`;
export const VSPHERE_DEPLOYMENT_ZONE = `${GROUP}/VSphereDeploymentZone`;
export const VSPHERE_CLUSTER_IDENTITY = `${GROUP}/VSphereClusterIdentity`;
