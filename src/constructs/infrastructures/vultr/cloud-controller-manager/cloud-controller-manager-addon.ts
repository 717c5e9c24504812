import { Chart } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { VultrCloudControllerManager } from './vultr-cloud-controller-manager';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import { TolerationOperator } from '../../../../manifests/values/tolerations';
import { imageName, VULTR_CLOUD_CONTROLLER_MANAGER } from '../../../../manifests/values/versions';
import { containerSpec } from '../../../addons/controllers/controller-container';
import { POD_SECURITY } from '../../../addons/controllers/security';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { Addon, AddonConfig } from '../../../contracts/addon';
import { AddonCapability } from '../../../contracts/addon-capability';
import { ClusterContext } from '../../../contracts/cluster-context';
import { pullSecretsField } from '../../../contracts/company-network/company-network';

const NAME = 'vultr-ccm';
const NAMESPACE = 'kube-system';
const RBAC = 'rbac.authorization.k8s.io';
const LABELS = { 'app.kubernetes.io/name': NAME };

/** Name of the Lease by which one of several is the one at work (k8s.io/cloud-provider options/options.go). */
const LEASE = 'cloud-controller-manager';

const SECURE_PORT = 10258;
const RESOURCES: ResourceRequirements = { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } };

/**
 * What it does in the tenant: vultr/vultr-cloud-controller-manager docs/releases/v0.18.0.yml without what its code does not use, and with
 * what that lacks: it reads single Services (vultr/loadbalancers.go) and ConfigMaps with firewall rules. Services, their certificates and
 * ConfigMaps are in all namespaces.
 */
export const CLOUD_CONTROLLER_MANAGER_PERMISSIONS: readonly k8s.PolicyRule[] = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['delete', 'get', 'list', 'patch', 'update', 'watch'] },
  { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['services'], verbs: ['get', 'list', 'patch', 'update', 'watch'] },
  { apiGroups: [''], resources: ['services/status'], verbs: ['patch', 'update'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch', 'update'] },
];

/** What it does in its own namespace: it elects a leader. An object that does not exist yet cannot be named when it is created. */
const LEASE_PERMISSIONS: readonly k8s.PolicyRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [LEASE], verbs: ['get', 'update'] },
];

/** Flags of the cloud controller manager. It knows no cluster ID, which it would otherwise insist on. */
export function managerArguments(cluster: string): ComponentArgument[] {
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
   * @param manager how it runs
   */
  public constructor(private readonly manager: VultrCloudControllerManager) {
    super();
  }

  /** Makes the objects. */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    addRights(tenant);
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
      // Until it has been there, a node has no pod network; and the metadata service answers machines.
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

function addRights(tenant: Construct): void {
  const subjects = [{ kind: 'ServiceAccount', name: NAME, namespace: NAMESPACE }];
  new TypedApiObject(tenant, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }, {
    metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS }, automountServiceAccountToken: false,
  });
  new TypedApiObject(tenant, 'ClusterRole', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', clusterScoped: true }, {
    metadata: { name: NAME, labels: LABELS }, rules: CLOUD_CONTROLLER_MANAGER_PERMISSIONS,
  });
  new TypedApiObject(tenant, 'ClusterRoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', clusterScoped: true }, {
    metadata: { name: NAME, labels: LABELS }, roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: NAME }, subjects,
  });
  new TypedApiObject(tenant, 'Role', { apiVersion: `${RBAC}/v1`, kind: 'Role' }, {
    metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS }, rules: LEASE_PERMISSIONS,
  });
  new TypedApiObject(tenant, 'RoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding' }, {
    metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS }, roleRef: { apiGroup: RBAC, kind: 'Role', name: NAME }, subjects,
  });
}
