import { Chart } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { checkApiKey, VultrApiKey } from './api-key';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { releaseOf } from '../../../manifests/values/image-reference';
import { Problem } from '../../../manifests/values/problem';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { TolerationOperator } from '../../../manifests/values/taints';
import { imageName, VULTR_CLOUD_CONTROLLER_MANAGER } from '../../../manifests/values/versions';
import { addRights, addServiceAccount } from '../../addons/controllers/access-objects';
import { checkContainer, managedFlags } from '../../addons/controllers/controller-checks';
import { containerSpec, POD_SECURITY } from '../../addons/controllers/controller-container';
import { ControllerContainerOptions } from '../../addons/controllers/tenant-controller-options';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { Addon, AddonCapability, AddonConfig } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';
import { pullSecretsField } from '../../contracts/company-network/company-network';
import { Versions } from '../../contracts/versions';

/** Options of Vultr's cloud controller manager. */
export interface VultrCloudControllerManagerOptions extends ControllerContainerOptions {
  /**
   * Secret from which it reads the API key (`TC-VULTR-API-KEY`).
   *
   * @default VultrApiKey.carried() - key `api-key` of the tenant's Secret `vultr-ccm`
   */
  readonly apiKey?: VultrApiKey;
}

/**
 * Vultr's cloud controller manager of a cluster: it initializes the nodes, removes those whose machine is gone, and publishes
 * Services of type LoadBalancer (see `VultrLoadBalancer`). No cluster comes up without one: Cluster API recognizes a node by the
 * `spec.providerID` that it writes, and replaces machines without a node again and again.
 *
 * It runs in the tenant, on the machines of the control plane, because it asks Vultr's metadata service where it is
 * (vultr/vultr-cloud-controller-manager vultr/cloud.go).
 *
 * @example
 * const manager = vultr.VultrCloudControllerManager.external();
 */
export class VultrCloudControllerManager {
  /**
   * Runs it.
   *
   * @param options its options
   */
  public static of(options: VultrCloudControllerManagerOptions = {}): VultrCloudControllerManager {
    return new VultrCloudControllerManager(true, options);
  }

  /**
   * Not installed by this library: the user installs one before the first machine's start-up time is over. Kubelets register with
   * `cloud-provider=external` all the same, and pods wait for it.
   */
  public static external(): VultrCloudControllerManager {
    return new VultrCloudControllerManager(false, {});
  }

  private constructor(
    /** True if this library installs it. */
    public readonly enabled: boolean,
    /** Its options. */
    public readonly options: VultrCloudControllerManagerOptions,
  ) {}

  /** @internal */
  public get _apiKey(): VultrApiKey {
    return this.options.apiKey ?? VultrApiKey.carried();
  }
}

const NAME = 'vultr-ccm';
const NAMESPACE = 'kube-system';
const LABELS = { 'app.kubernetes.io/name': NAME };

/** Name of the Lease by which one instance is the leader (k8s.io/cloud-provider options/options.go). */
const LEASE = 'cloud-controller-manager';

const SECURE_PORT = 10258;
const RESOURCES: ResourceRequirements = { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } };

/**
 * Rights in the tenant: those of vultr/vultr-cloud-controller-manager docs/releases/v0.18.0.yml that its code uses, and some that are
 * missing there: it reads single Services (vultr/loadbalancers.go) and ConfigMaps with firewall rules. Services, their certificates and
 * ConfigMaps are in all namespaces.
 */
const CLOUD_CONTROLLER_MANAGER_PERMISSIONS: readonly k8s.PolicyRule[] = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['delete', 'get', 'list', 'patch', 'update', 'watch'] },
  { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'patch', 'update', 'watch'] },
  { apiGroups: [''], resources: ['services/status'], verbs: ['patch', 'update'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch', 'update'] },
];

/** Rights in its own namespace: it elects a leader. A rule for `create` cannot name the object. */
const LEASE_PERMISSIONS: readonly k8s.PolicyRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [LEASE], verbs: ['get', 'update'] },
];

/** Flags of the cloud controller manager. Without `allow-untagged-cloud` it requires a cluster ID. */
function managerArguments(cluster: string): ComponentArgument[] {
  return [
    { name: 'cloud-provider', value: 'vultr' },
    { name: 'cluster-name', value: cluster },
    { name: 'allow-untagged-cloud', value: 'true' },
    { name: 'authentication-skip-lookup', value: 'true' },
    { name: 'leader-elect', value: 'true' },
  ];
}

/** Vultr's cloud controller manager in the tenant. It comes before the pod network, which waits for initialized nodes. */
export class VultrCloudControllerManagerAddon extends Addon {
  /** Name of the addon. */
  public readonly name = 'vultr-cloud-controller-manager';

  /** It publishes Services. */
  public override readonly provides: string[] = [AddonCapability.DEFAULT_LOAD_BALANCER];

  /** Nothing: it runs on the network of its machine. */
  public override readonly requires: string[] = [];

  /**
   * @param manager its options
   */
  public constructor(private readonly manager: VultrCloudControllerManager) {
    super();
  }

  /** Makes the objects. */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const program = { name: NAME, namespace: NAMESPACE, labels: LABELS };
    addServiceAccount(tenant, 'ServiceAccount', program);
    addRights(tenant, program, CLOUD_CONTROLLER_MANAGER_PERMISSIONS, LEASE_PERMISSIONS);
    new TypedApiObject(tenant, 'DaemonSet', { apiVersion: 'apps/v1', kind: 'DaemonSet' }, {
      metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS },
      spec: {
        selector: { matchLabels: LABELS },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        template: { metadata: { labels: LABELS }, spec: this.podSpec(context) },
      },
    });
    return {};
  }

  private podSpec({ name, versions, companyNetwork }: ClusterContext): object {
    const { image, resources = RESOURCES, extraArgs = [] } = this.manager.options;
    return {
      automountServiceAccountToken: true,
      enableServiceLinks: false,
      // It must run before the pod network exists, and it needs the metadata service of the host.
      hostNetwork: true,
      dnsPolicy: 'Default',
      nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
      tolerations: [{ operator: TolerationOperator.EXISTS }],
      priorityClassName: 'system-cluster-critical',
      serviceAccountName: NAME,
      securityContext: POD_SECURITY,
      ...pullSecretsField(companyNetwork),
      containers: [containerSpec({
        name: NAME,
        image: image ?? imageName(VULTR_CLOUD_CONTROLLER_MANAGER, versions),
        args: [...managerArguments(name), ...extraArgs],
        env: [{ name: 'VULTR_API_KEY', valueFrom: { secretKeyRef: this.manager._apiKey._secretKeyRef(NAME) } }],
        resources,
        health: { path: '/healthz', port: SECURE_PORT, scheme: 'HTTPS' },
        volumeMounts: [],
      })],
    };
  }
}

/** Name of the property of a cluster that holds the options. */
const CLOUD_CONTROLLER_MANAGER_PROPERTY = 'infrastructure.cloudControllerManager';

const PROBED = 'its probe asks at the default port of the machine';
const ELECTION = 'its role lets it have no other Lease than the default one';
const OWN_ACCOUNT = 'it works on the tenant that it runs in, with the rights of its own ServiceAccount';
const NO_FILES = 'its pod has no volume for files';
const OWN_CERTIFICATE = 'it makes its certificate itself';
const POD_NETWORK = 'pods get their addresses from the pod network of the cluster';
const WORK = 'nodes or Services would have no controller';

/**
 * Flags by which it would not start or not do its work, or which would do nothing, with the reason. What they mean to every cloud controller
 * manager: k8s.io/cloud-provider options/options.go.
 */
const MANAGED: Readonly<Record<string, string>> = {
  'allocate-node-cidrs': POD_NETWORK,
  'authentication-kubeconfig': OWN_ACCOUNT,
  'authorization-kubeconfig': OWN_ACCOUNT,
  'bind-address': PROBED,
  'cert-dir': OWN_CERTIFICATE,
  'cidr-allocator-type': POD_NETWORK,
  'client-ca-file': NO_FILES,
  'cloud-config': NO_FILES,
  'cluster-cidr': POD_NETWORK,
  'configure-cloud-routes': 'Vultr has no routes for pods',
  'controllers': WORK,
  'enable-leader-migration': 'it takes no work over from another controller manager',
  'kubeconfig': OWN_ACCOUNT,
  'leader-elect-resource-lock': ELECTION,
  'leader-elect-resource-name': ELECTION,
  'leader-elect-resource-namespace': ELECTION,
  'leader-migration-config': NO_FILES,
  'master': OWN_ACCOUNT,
  'requestheader-client-ca-file': NO_FILES,
  'secure-port': PROBED,
  'tls-cert-file': NO_FILES,
  'tls-private-key-file': NO_FILES,
  'use-service-account-credentials': 'it has one ServiceAccount, which may make no tokens for others',
};

/** Checks the options of the cloud controller manager. */
export function checkCloudControllerManager({ enabled, options, _apiKey }: VultrCloudControllerManager, versions: Versions): Problem[] {
  if (!enabled) return [];
  return [
    ...checkApiKey(`${CLOUD_CONTROLLER_MANAGER_PROPERTY}.apiKey`, _apiKey),
    ...checkContainer(CLOUD_CONTROLLER_MANAGER_PROPERTY, options, {
      component: 'vultr-cloud-controller-manager',
      release: releaseOf(options.image ?? imageName(VULTR_CLOUD_CONTROLLER_MANAGER, versions)),
      managed: { ...MANAGED, ...managedFlags(managerArguments('')) },
    }),
  ];
}
