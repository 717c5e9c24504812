import { ApiObject } from 'cdk8s';
import { bringsCoreDns, skippedAddonPhases } from './addons';
import { certificateFields } from './certificates';
import { componentFields, componentSources } from './components';
import { etcdFields, KubeadmEtcd } from './etcd';
import { KubeadmControlPlaneProps } from './kubeadm-control-plane-props';
import { remediationFields, rolloutFields } from './rollout';
import {
  KubeadmControlPlaneSpec, KubeadmControlPlaneSpecKubeadmConfigSpec as KubeadmConfigFields,
  KubeadmControlPlaneSpecKubeadmConfigSpecClusterConfiguration as ClusterConfiguration,
  KubeadmControlPlaneSpecKubeadmConfigSpecClusterConfigurationEncryptionAlgorithm as EncryptionAlgorithm,
} from '../../../../../imports/controlplane.cluster.x-k8s.io';
import { CONTROL_PLANE_PROPERTIES } from '../../../../manifests/systems/kubeadm/page-properties';
import { unlessEmpty } from '../../../../manifests/values/fields';
import { nodeLabelRoute } from '../../../../manifests/values/labels';
import { ClusterContext } from '../../../contracts/cluster-context';
import { nodeMaskArguments } from '../../../contracts/network/cluster-network';
import { PoolContext } from '../../../contracts/node-pool/pool-context';
import { templateReference } from '../../../contracts/node-pool/template';
import { deletionFields } from '../../../contracts/node-pool/timeouts';
import { seconds, templateTimeouts } from '../bootstrap/join-timeouts';
import { machineFields, machineSetup, machineSources, nodeRegistration, patchesField, templateTaint } from '../bootstrap/kubeadm-config';
import { NODE_ADDRESS } from '../bootstrap/node-address';

/** The property of a tenant cluster that holds the options. */
export const PROPERTY = 'controlPlane';

const DEFAULT_REPLICAS = 3;

/** Cluster API removes a machine before it adds one from this number on (`TC-ADMIT-KCP-MAX-SURGE`). */
const FEWEST_WITHOUT_SURGE = 3;

/** Number of machines. */
export function replicasOf({ replicas }: KubeadmControlPlaneProps): number {
  return replicas ?? DEFAULT_REPLICAS;
}

/** Machines beyond that number during a rollout. */
export function maxSurgeOf(props: KubeadmControlPlaneProps): number {
  return props.rollout?.maxSurge ?? (props.machine.surges || replicasOf(props) < FEWEST_WITHOUT_SURGE ? 1 : 0);
}

/** Property by field of the KubeadmControlPlane. */
export function controlPlaneSources(props: KubeadmControlPlaneProps, machines: PoolContext): { [field: string]: string } {
  const ofMachines = Object.entries(machineSources(CONFIGURATION, PROPERTY, props, machines));
  return {
    ...CONTROL_PLANE_PROPERTIES,
    ...Object.fromEntries(ofMachines.map(([field, property]) => [field, ownProperty(property)])),
    [`${CONFIGURATION}.initConfiguration.skipPhases`]: `${PROPERTY}.initSkipPhases`,
    ...clusterConfigurationSources(`${CONFIGURATION}.clusterConfiguration`, PROPERTY, props, machines.cluster),
  };
}

/** The property of a control plane, from the name that checks of pools give it. */
export function ownProperty(property: string | undefined): string {
  return property === undefined || property === PROPERTY || property.startsWith(`${PROPERTY}.`) ? property ?? PROPERTY : `${PROPERTY}.${property}`;
}

/** Field of the object with the configuration of its machines. */
export const CONFIGURATION = 'spec.kubeadmConfigSpec';

/** `spec` of the KubeadmControlPlane. */
export function controlPlaneSpec(props: KubeadmControlPlaneProps, machines: PoolContext, template: ApiObject): KubeadmControlPlaneSpec {
  const synced = Object.fromEntries(Object.entries(props.labels ?? {}).filter(([key]) => nodeLabelRoute(key) === 'synced'));
  return {
    replicas: replicasOf(props),
    version: machines.kubernetesVersion.toString(),
    // The object has the name of the cluster, and its machines shall tell what they are.
    machineNaming: { template: `${machines.name}-{{ .random }}` },
    rollout: rolloutFields({ ...props.rollout, maxSurge: maxSurgeOf(props) }, props),
    remediation: remediationFields(props.remediation ?? {}),
    machineTemplate: {
      ...(Object.keys(synced).length > 0 && { metadata: { labels: synced } }),
      spec: { infrastructureRef: templateReference(template), deletion: deletionFields(props) },
    },
    kubeadmConfigSpec: kubeadmConfig(props, machines),
  };
}

function kubeadmConfig(props: KubeadmControlPlaneProps, machines: PoolContext): KubeadmConfigFields {
  const setup = machineSetup(props, machines);
  const initSkipPhases = [...new Set([...skippedAddonPhases(props, machines.cluster.kubeProxyReplaced), ...props.initSkipPhases ?? []])];
  const timeouts = timeoutFields(props);
  // Of API server and etcd. Cluster API compares the two configurations, which must not differ (controlplane/kubeadm/pkg/filters.go).
  const endpoint = machines.nodeSetup?.address !== undefined && { localApiEndpoint: { advertiseAddress: NODE_ADDRESS } };
  const both = {
    nodeRegistration: {
      ...nodeRegistration(props, machines),
      // Without the list kubeadm gives its own taint; an empty one means none.
      ...(props.taints && { taints: props.taints.map(templateTaint) }),
    },
    ...patchesField(setup),
    ...(timeouts && { timeouts }),
  };
  return {
    // The imported types of the two kinds have the same fields under different names.
    ...machineFields(props, setup) as object,
    clusterConfiguration: clusterConfiguration(props, machines.cluster),
    initConfiguration: { ...both, ...endpoint, ...(initSkipPhases.length > 0 && { skipPhases: initSkipPhases }) },
    joinConfiguration: { ...both, ...(endpoint && { controlPlane: endpoint }), ...(props.skipPhases?.length && { skipPhases: props.skipPhases }) },
  };
}

/** Cluster API demands that init and join wait equally long for the components. */
function timeoutFields({ timeouts, controlPlaneTimeouts }: KubeadmControlPlaneProps) {
  const { componentHealthCheck, etcdApiCall } = controlPlaneTimeouts ?? {};
  const fields = {
    ...templateTimeouts(timeouts ?? {}),
    ...(componentHealthCheck && { controlPlaneComponentHealthCheckSeconds: seconds(componentHealthCheck) }),
    ...(etcdApiCall && { etcdApiCallSeconds: seconds(etcdApiCall) }),
  };
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** Names in the API server's certificate that the user or the infrastructure adds, each once. */
function certificateNames({ certSans = [] }: KubeadmControlPlaneProps, { apiServer }: ClusterContext): string[] {
  return [...new Set([...(apiServer.internal ? [apiServer.internal.host] : []), ...certSans])];
}

/** kubeadm's configuration of the cluster; Cluster API adds names, networks and the version. */
export function clusterConfiguration(props: KubeadmControlPlaneProps, context: ClusterContext): ClusterConfiguration {
  const certSaNs = certificateNames(props, context);
  const apiServer = { ...(certSaNs.length > 0 && { certSaNs }), ...componentFields(props.apiServer ?? {}) };
  const etcd = etcdFields(props.etcd ?? KubeadmEtcd.stacked());
  const dns = bringsCoreDns(props) ? props.coreDns?._options : undefined;
  const { encryptionAlgorithm, ...certificates } = certificateFields(props);
  return {
    ...certificates,
    // The two enumerations have the same values.
    ...(encryptionAlgorithm !== undefined && { encryptionAlgorithm: encryptionAlgorithm as string as EncryptionAlgorithm }),
    apiServer: unlessEmpty(apiServer),
    controllerManager: unlessEmpty(componentFields(props.controllerManager ?? {}, nodeMaskArguments(context.network))),
    scheduler: unlessEmpty(componentFields(props.scheduler ?? {})),
    dns: dns && unlessEmpty({ imageRepository: dns.imageRepository, imageTag: dns.imageTag }),
    etcd,
    featureGates: unlessEmpty(props.kubeadmFeatureGates ?? {}),
    imageRepository: props.imageRepository,
  };
}

/** Property by field of the configuration. */
function clusterConfigurationSources(
  path: string, owner: string, props: KubeadmControlPlaneProps, context: ClusterContext,
): { [field: string]: string } {
  const { certSans, apiServer, controllerManager, scheduler } = props;
  const names = certificateNames(props, context);
  return {
    [`${path}.certificateValidityPeriodDays`]: `${owner}.certificateValidity`,
    [`${path}.caCertificateValidityPeriodDays`]: `${owner}.caCertificateValidity`,
    [`${path}.apiServer.certSANs`]: `${owner}.certSans`,
    ...Object.fromEntries((certSans ?? []).map((name, index) => [`${path}.apiServer.certSANs[${names.indexOf(name)}]`, `${owner}.certSans[${index}]`])),
    ...componentSources(`${path}.apiServer`, `${owner}.apiServer`, apiServer ?? {}),
    ...componentSources(`${path}.controllerManager`, `${owner}.controllerManager`, controllerManager ?? {}, nodeMaskArguments(context.network).length),
    ...componentSources(`${path}.scheduler`, `${owner}.scheduler`, scheduler ?? {}),
    [`${path}.dns.**`]: `${owner}.coreDns.**`,
    [`${path}.etcd.local.**`]: `${owner}.etcd.**`,
    [`${path}.etcd.local.peerCertSANs.**`]: `${owner}.etcd.peerCertSans.**`,
    [`${path}.etcd.local.serverCertSANs.**`]: `${owner}.etcd.serverCertSans.**`,
    [`${path}.etcd.external.**`]: `${owner}.etcd.**`,
    [`${path}.imageRepository`]: `${owner}.imageRepository`,
  };
}
