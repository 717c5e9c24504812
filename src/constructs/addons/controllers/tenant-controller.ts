import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { containerSpec, ControllerContainer, POD_SECURITY } from './controller-container';
import { clusterScopedName, controllerLabels, controllerName, selectorLabels } from './controller-names';
import { podSources, TenantControllerPodOptions } from './tenant-controller-options';
import { kubeconfigVolume, waitContainer } from './tenant-kubeconfig';
import { noSubstitution } from '../../../manifests/objects/prune-annotations';
import { Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { claimName } from '../../app/synth/claims';
import { FieldSources } from '../../app/synth/field-sources';
import { placePart } from '../../app/synth/output-place';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { ClusterContext } from '../../contracts/cluster-context';

const RBAC = 'rbac.authorization.k8s.io';

/** The parts of a controller. */
export interface TenantController {
  /** Name of the controller, a DNS label; objects are called `<cluster>-<name>`. */
  readonly name: string;

  /** Property of the cluster that holds the user's options. */
  readonly property: string;

  /** The user's options. Rules over the Deployment check those of its pod. */
  readonly options: TenantControllerPodOptions;

  readonly containers: readonly ControllerContainer[];

  /**
   * Rights in the namespace of the cluster. Without rights here and in `clusterPermissions` the pod gets no token of the management
   * cluster.
   */
  readonly permissions?: readonly k8s.PolicyRule[];

  /** Rights on cluster-scoped objects. */
  readonly clusterPermissions?: readonly k8s.PolicyRule[];

  /** True if the pod gets a token of the management cluster even without rights, for a program that does not start without a token. */
  readonly alwaysToken?: boolean;

  /** Further volumes, besides the tenant's kubeconfig. */
  readonly volumes?: readonly k8s.Volume[];

  /** Annotations of the pod, besides the user's. */
  readonly podAnnotations?: { readonly [key: string]: string };

  /**
   * True if its instances elect a leader in the tenant, so that a new instance may start before the old one stops. The election also ends
   * a program whose client certificate has expired: it reads the renewed kubeconfig at its restart.
   */
  readonly leaderElection: boolean;
}

const NAME_TAKEN_RULE: Rule = {
  id: 'TC-CONTROLLER-NAME-TAKEN',
  title: 'The names of controllers must be unique in a namespace: cluster a with controller b-c and cluster a-b with controller c would collide.',
};

/**
 * Adds a controller that serves one tenant cluster from the management cluster: ServiceAccount, Role, RoleBinding, Deployment.
 *
 * @returns the Deployment
 */
export function addTenantController(scope: Construct, context: ClusterContext, controller: TenantController): ApiObject {
  const name = controllerName(context, controller.name);
  placePart(scope, `controllers/${controller.name}`);
  const owner = claimName(scope, 'Deployment', `${context.namespace}/${name}`);
  if (owner !== undefined) {
    Problems.of(scope).add({
      rule: NAME_TAKEN_RULE,
      message: `the Deployment "${name}" in namespace "${context.namespace}" is already created by ${owner}`,
      fix: 'rename one of the two clusters, or give each cluster its own namespace',
    });
  }
  const labels = controllerLabels(context, controller.name);
  new TypedApiObject(scope, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }, {
    metadata: { name, labels },
    automountServiceAccountToken: false,
  });
  addPermissions(scope, context, controller, labels);
  const deployment = new TypedApiObject(scope, 'Deployment', { apiVersion: 'apps/v1', kind: 'Deployment' }, {
    // The init container is a shell script, in which Flux must not substitute variables.
    metadata: { name, labels, annotations: noSubstitution() },
    spec: {
      replicas: 1,
      selector: { matchLabels: selectorLabels(context, controller.name) },
      strategy: controller.leaderElection ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } : { type: 'Recreate' },
      template: { metadata: podMetadata(controller, labels), spec: podSpec(context, controller, name) },
    },
  });
  FieldSources._record(deployment, scope, () => podSources(controller.options, `${controller.property}.`));
  return deployment;
}

function addPermissions(scope: Construct, context: ClusterContext, controller: TenantController, labels: { [key: string]: string }): void {
  const { permissions, clusterPermissions } = controller;
  const name = controllerName(context, controller.name);
  const subjects = [{ kind: 'ServiceAccount', name, namespace: context.namespace }];
  if (permissions) {
    new TypedApiObject(scope, 'Role', { apiVersion: `${RBAC}/v1`, kind: 'Role' }, { metadata: { name, labels }, rules: permissions });
    new TypedApiObject(scope, 'RoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding' }, {
      metadata: { name, labels }, roleRef: { apiGroup: RBAC, kind: 'Role', name }, subjects,
    });
  }
  if (clusterPermissions) {
    const wide = clusterScopedName(context, controller.name);
    new TypedApiObject(scope, 'ClusterRole', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', clusterScoped: true }, {
      metadata: { name: wide, labels }, rules: clusterPermissions,
    });
    new TypedApiObject(scope, 'ClusterRoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', clusterScoped: true }, {
      metadata: { name: wide, labels }, roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: wide }, subjects,
    });
  }
}

function podMetadata({ options, podAnnotations }: TenantController, labels: { [key: string]: string }): object {
  const annotations = { ...options.podAnnotations, ...podAnnotations };
  return {
    labels: { ...options.podLabels, ...labels },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

function podSpec(context: ClusterContext, controller: TenantController, serviceAccountName: string): object {
  const { tolerations, nodeSelector, priorityClassName, waitImage } = controller.options;
  const imagePullSecrets = controller.options.imagePullSecrets ?? context.companyNetwork?.pullSecrets;
  return {
    automountServiceAccountToken: controller.alwaysToken || controller.permissions !== undefined || controller.clusterPermissions !== undefined,
    // The program would read the variables of the namespace's Services as settings.
    enableServiceLinks: false,
    serviceAccountName,
    securityContext: POD_SECURITY,
    ...(imagePullSecrets?.length && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(nodeSelector && Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(tolerations?.length && { tolerations }),
    initContainers: [waitContainer(context, waitImage)],
    containers: controller.containers.map(containerSpec),
    volumes: [kubeconfigVolume(context), ...controller.volumes ?? []],
  };
}
