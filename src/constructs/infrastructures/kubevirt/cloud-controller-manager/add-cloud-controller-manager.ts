import { ApiObject, Chart, Lazy, Yaml } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import {
  checkCloudControllerManager, checkGuestAddresses, checkSharedNamespace, checkSharedRanges, CLOUD_CONTROLLER_MANAGER_PROPERTY,
  machineCidrsOf, pollSeconds,
} from './cloud-controller-manager-checks';
import {
  KubevirtCloudControllerManager, KubevirtCloudControllerManagerOptions, loadBalancersOf,
} from './kubevirt-cloud-controller-manager';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { contentHash } from '../../../../manifests/values/content-hash';
import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import { SecretRef } from '../../../../manifests/values/secret-ref';
import { imageName, KUBEVIRT_CLOUD_CONTROLLER_MANAGER } from '../../../../manifests/values/versions';
import { controllerLabels, controllerName } from '../../../addons/controllers/controller-names';
import { addTenantController } from '../../../addons/controllers/tenant-controller';
import { TENANT_KUBECONFIG, TENANT_KUBECONFIG_MOUNT } from '../../../addons/controllers/tenant-kubeconfig';
import { Problems } from '../../../app/problems/problems';
import { claimsPlace } from '../../../app/synth/claims';
import { writtenManifest } from '../../../app/synth/synthesis';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { registerConsumer } from '../../../contracts/capabilities/consumers';
import { ClusterContext } from '../../../contracts/cluster-context';
import { INFRA_KUBECONFIG, INFRA_KUBECONFIG_MOUNT, infraKubeconfigVolume } from '../infra-kubeconfig';

/** Name of the controller. */
export const CLOUD_CONTROLLER_MANAGER = 'cloud-controller-manager';

/** The place in which ranges of machines must not overlap; no namespace has such a name. */
const MACHINE_RANGES = 'ranges of machines';

const CONFIG_MOUNT = { name: 'cloud-config', mountPath: '/etc/cloud', readOnly: true } satisfies k8s.VolumeMount;
const CONFIG_KEY = 'cloud-config';

/**
 * CPU request of openshift/hypershift control-plane-operator (assets/kubevirt-cloud-controller-manager), memory limit of cozystack/cozystack. HyperShift
 * requests 60Mi, which is less than the program holds without load (docs/guides/size-the-management-cluster.md).
 */
const RESOURCES: ResourceRequirements = { requests: { cpu: '75m', memory: '80Mi' }, limits: { memory: '512Mi' } };

/**
 * Adds the cloud controller manager of one cluster, unless it is switched off.
 *
 * @param owner the construct that the infrastructure's objects are in
 * @param context the cluster
 * @param manager its option
 * @param infraCluster the Secret with the kubeconfig of another cluster that runs the machines
 * @returns the Deployment
 */
export function addCloudControllerManager(
  owner: Construct, context: ClusterContext, manager: KubevirtCloudControllerManager, infraCluster: SecretRef | undefined,
): ApiObject | undefined {
  if (!manager.enabled) return undefined;
  const { options } = manager;
  const problems = Problems.of(owner);
  const scope = new Construct(owner, 'CloudControllerManager');
  Problems._reportAs(scope, owner);
  checkCloudControllerManager(options, context, infraCluster).forEach((problem) => problems.add(problem));
  const tenant = `${context.namespace}/${context.name}`;
  const place = `kubevirt ${claimsPlace(owner) ?? ''}`;
  const tenants = registerConsumer(owner, `${place} ${namespaceOf(context, options, infraCluster)}`, tenant);
  // In another cluster the ranges limit nothing.
  const ranges = infraCluster ? [] : registerConsumer(owner, `${place} ${MACHINE_RANGES}`, { tenant, cidrs: machineCidrsOf(options) });
  problems._addCheck(() => [
    ...checkSharedNamespace(options, tenant, tenants), ...checkSharedRanges(tenant, ranges), ...checkGuestAddresses(Chart.of(owner), options),
  ]);

  const namespace = infraCluster ? options.infraNamespace : context.namespace;
  const config = addConfig(scope, context, options, {
    ...(infraCluster && { kubeconfig: INFRA_KUBECONFIG }),
    ...(namespace !== undefined && { namespace }),
  });
  return addTenantController(scope, context, {
    name: CLOUD_CONTROLLER_MANAGER,
    property: CLOUD_CONTROLLER_MANAGER_PROPERTY,
    options,
    // In another cluster the kubeconfig has the rights.
    permissions: infraCluster ? undefined : cloudControllerManagerPermissions(options),
    clusterPermissions: options.zones && !infraCluster ? ZONE_PERMISSIONS : undefined,
    leaderElection: true,
    // It reads its configuration once, so that a change has to replace the pod.
    podAnnotations: { 'checksum/cloud-config': Lazy.any({ produce: () => contentHash(writtenManifest(config).data) }) },
    volumes: [{ name: CONFIG_MOUNT.name, configMap: { name: config.name } }, ...(infraCluster ? [infraKubeconfigVolume(infraCluster, options)] : [])],
    containers: [{
      name: CLOUD_CONTROLLER_MANAGER,
      image: options.image ?? imageName(KUBEVIRT_CLOUD_CONTROLLER_MANAGER, context.versions),
      args: managerArguments(context, options),
      resources: options.resources ?? RESOURCES,
      health: { path: '/healthz', port: 10258, scheme: 'HTTPS' },
      volumeMounts: [TENANT_KUBECONFIG_MOUNT, CONFIG_MOUNT, ...(infraCluster ? [INFRA_KUBECONFIG_MOUNT] : [])],
    }],
  });
}

function addConfig(scope: Construct, context: ClusterContext, options: KubevirtCloudControllerManagerOptions, infra: InfraAccess): ApiObject {
  return new TypedApiObject(scope, 'CloudConfig', { apiVersion: 'v1', kind: 'ConfigMap' }, {
    metadata: { name: controllerName(context, CLOUD_CONTROLLER_MANAGER), labels: controllerLabels(context, CLOUD_CONTROLLER_MANAGER) },
    data: { [CONFIG_KEY]: cloudConfig(options, infra) },
  });
}

function managerArguments({ name }: ClusterContext, { extraArgs = [] }: KubevirtCloudControllerManagerOptions): ComponentArgument[] {
  return [
    { name: 'cloud-provider', value: 'kubevirt' },
    { name: 'cloud-config', value: `${CONFIG_MOUNT.mountPath}/${CONFIG_KEY}` },
    { name: 'kubeconfig', value: TENANT_KUBECONFIG },
    { name: 'cluster-name', value: name },
    { name: 'authentication-skip-lookup', value: 'true' },
    // The provider has no routes, which the program otherwise warns of at each start (k8s.io/cloud-provider app/core.go).
    { name: 'configure-cloud-routes', value: 'false' },
    { name: 'leader-elect', value: 'true' },
    ...extraArgs,
  ];
}

/** The namespace of the machines, with the cluster that it is in. */
function namespaceOf(
  { namespace }: ClusterContext, { infraNamespace = '' }: KubevirtCloudControllerManagerOptions, infraCluster: SecretRef | undefined,
): string {
  return infraCluster ? `${infraCluster.namespace ?? namespace}/${infraCluster.name}/${infraNamespace}` : `/${namespace}`;
}

/** The cluster that runs the machines, as seen from the pod. */
interface InfraAccess {
  /** File with its kubeconfig; unset if that is the management cluster. */
  readonly kubeconfig?: string;

  /** Namespace of the virtual machines; unset if the kubeconfig has it. */
  readonly namespace?: string;
}

/**
 * The file that the cloud controller manager is configured by (kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go). Keys that it does
 * not know are silently ignored, and zones are enabled by default.
 */
function cloudConfig(options: KubevirtCloudControllerManagerOptions, infra: InfraAccess): string {
  const { _mode: mode, _options: polling } = loadBalancersOf(options);
  const { interval, timeout } = pollSeconds(polling);
  const labels = Object.entries(options.infraLabels ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return Yaml.stringify({
    ...infra,
    ...(labels.length > 0 && { infraLabels: Object.fromEntries(labels) }),
    instancesV2: { enabled: options.initializeNodes ?? true, zoneAndRegionEnabled: options.zones ?? false },
    loadBalancer: mode.enabled === false ? mode : { enabled: true, creationPollInterval: interval, creationPollTimeout: timeout, ...mode },
  });
}

/**
 * Rights of the cloud controller manager in the namespace of the machines.
 *
 * Source: kubevirt/cloud-provider-kubevirt pkg/provider/{instances_v2,instances_getter,loadbalancer}.go and
 * pkg/controller/kubevirteps/kubevirteps_controller.go. The upstream manifests grant more than the code uses, and nothing for
 * EndpointSlices. Its lookup of a machine by `spec.hostname` would list `virtualmachineinstances`; the API server answers it with an error
 * in any case, because the definition has no such selectable field.
 */
function cloudControllerManagerPermissions(options: KubevirtCloudControllerManagerOptions): k8s.PolicyRule[] {
  const { enabled = true, enableEPSController: slices = false } = loadBalancersOf(options)._mode;
  const serviceVerbs = slices ? ['create', 'delete', 'get', 'list', 'update', 'watch'] : ['create', 'delete', 'get', 'update'];
  return [
    ...((options.initializeNodes ?? true) || slices ? [{ apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get'] }] : []),
    ...(enabled ? [{ apiGroups: [''], resources: ['services'], verbs: serviceVerbs }] : []),
    ...(slices ? [{ apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['create', 'delete', 'list', 'update', 'watch'] }] : []),
  ];
}

/** Rights to read zones, which are labels of the hosts. */
const ZONE_PERMISSIONS: readonly k8s.PolicyRule[] = [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }];
