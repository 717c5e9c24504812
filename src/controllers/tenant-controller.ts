import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { containerSpec, ControllerContainer } from './controller-container';
import { clusterScopedName, controllerLabels, controllerName, selectorLabels } from './controller-names';
import { CONTROLLER_RULES } from './rules';
import { POD_SECURITY } from './security';
import { TenantControllerPodOptions } from './tenant-controller-options';
import { kubeconfigVolume, waitContainer } from './tenant-kubeconfig';
import { ClusterContext } from '../cluster-context';
import { noSubstitution } from '../delivery/marks';
import { claimName } from '../naming/claims';
import { placePart } from '../synth/output-place';
import { TypedApiObject } from '../synth/typed-api-object';
import { Problems } from '../validation/problems';

const RBAC = 'rbac.authorization.k8s.io';

/** What one controller is made of. */
export interface TenantController {
  /** Name of the controller, a DNS label; objects are called `<cluster>-<name>`. */
  readonly name: string;

  /** The user's options, checked already. */
  readonly options: TenantControllerPodOptions;

  readonly containers: readonly ControllerContainer[];

  /** Rights in the namespace of the cluster; without any here and in `clusterPermissions` the pod needs no token of the management cluster. */
  readonly permissions?: readonly k8s.PolicyRule[];

  /** Rights on objects that belong to no namespace. */
  readonly clusterPermissions?: readonly k8s.PolicyRule[];

  /** Whether the pod gets a token of the management cluster even without rights there, for a program that does not start without. */
  readonly alwaysToken?: boolean;

  /** Further volumes beside the tenant's kubeconfig. */
  readonly volumes?: readonly k8s.Volume[];

  /** Annotations of the pod beside the user's. */
  readonly podAnnotations?: { readonly [key: string]: string };

  /**
   * Whether its instances elect a leader in the tenant, so that a new one may start before the old one is gone. It also ends a program
   * whose client certificate has run out, which reads the renewed kubeconfig when it starts again.
   */
  readonly leaderElection: boolean;
}

/**
 * Adds a controller that works on one tenant cluster from the management cluster: ServiceAccount, Role, RoleBinding, Deployment.
 *
 * @returns the Deployment
 */
export function addTenantController(scope: Construct, context: ClusterContext, controller: TenantController): ApiObject {
  const name = controllerName(context, controller.name);
  placePart(scope, `controllers/${controller.name}`);
  const owner = claimName(scope, 'Deployment', `${context.namespace}/${name}`);
  if (owner !== undefined) {
    Problems.of(scope).add({
      rule: CONTROLLER_RULES.nameTaken,
      message: `the Deployment "${name}" in namespace "${context.namespace}" is made by ${owner} already`,
      fix: 'rename one of the two clusters, or give each cluster a namespace of its own',
    });
  }
  const labels = controllerLabels(context, controller.name);
  new TypedApiObject(scope, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }, {
    metadata: { name, labels },
    automountServiceAccountToken: false,
  });
  addPermissions(scope, context, controller, labels);
  return new TypedApiObject(scope, 'Deployment', { apiVersion: 'apps/v1', kind: 'Deployment' }, {
    // The init container is a shell script, which is not for Flux to fill in.
    metadata: { name, labels, annotations: noSubstitution() },
    spec: {
      replicas: 1,
      selector: { matchLabels: selectorLabels(context, controller.name) },
      strategy: controller.leaderElection ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } : { type: 'Recreate' },
      template: { metadata: podMetadata(controller, labels), spec: podSpec(context, controller, name) },
    },
  });
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
  const { tolerations, nodeSelector, priorityClassName, imagePullSecrets, waitImage } = controller.options;
  return {
    automountServiceAccountToken: controller.alwaysToken || controller.permissions !== undefined || controller.clusterPermissions !== undefined,
    // The variables of the namespace's Services would be taken for settings.
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
