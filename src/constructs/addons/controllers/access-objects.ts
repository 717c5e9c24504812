import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { TypedApiObject } from '../../app/synth/typed-api-object';

const RBAC = 'rbac.authorization.k8s.io';

/** The ServiceAccount of a program, and the labels of its objects. */
interface Program {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { readonly [key: string]: string };
}

/** Adds the ServiceAccount of a program in the tenant. */
export function addServiceAccount(tenant: Construct, id: string, program: Program): void {
  new TypedApiObject(tenant, id, { apiVersion: 'v1', kind: 'ServiceAccount' }, { metadata: { ...program }, automountServiceAccountToken: false });
}

/**
 * Adds the rights of a program in the tenant.
 *
 * @param tenant the chart of the tenant
 * @param program the program
 * @param clusterRules rights in the cluster
 * @param ownRules rights in the namespace of the program; none if left out
 */
export function addRights(tenant: Construct, program: Program, clusterRules: readonly k8s.PolicyRule[], ownRules?: readonly k8s.PolicyRule[]): void {
  const { name, namespace, labels } = program;
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  new TypedApiObject(tenant, 'ClusterRole', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', clusterScoped: true }, {
    metadata: { name, labels }, rules: clusterRules,
  });
  new TypedApiObject(tenant, 'ClusterRoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', clusterScoped: true }, {
    metadata: { name, labels }, roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name }, subjects,
  });
  if (!ownRules) return;
  new TypedApiObject(tenant, 'Role', { apiVersion: `${RBAC}/v1`, kind: 'Role' }, { metadata: { ...program }, rules: ownRules });
  new TypedApiObject(tenant, 'RoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding' }, {
    metadata: { ...program }, roleRef: { apiGroup: RBAC, kind: 'Role', name }, subjects,
  });
}
