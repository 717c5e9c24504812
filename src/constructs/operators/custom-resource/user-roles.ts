import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { checkDns1035Label, checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { claimName } from '../../app/synth/claims';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { policyRules } from '../controller/permission';
import { ResourceType } from '../resource-type';

/**
 * ClusterRoles for the people who work with objects of a type. They grant nothing until you bind them, in a namespace or
 * everywhere.
 *
 * - `<kind>-admin-role` may do everything with the objects, deleting all at once and verbs to come included.
 * - `<kind>-editor-role` may create, read, change and delete them.
 * - `<kind>-viewer-role` may read them.
 *
 * Each may read the status, too, where the type has that subresource.
 *
 * Source: kubernetes-sigs/kubebuilder testdata/project-v4/config/rbac.
 */
export interface CustomResourceUserRoles {
  /**
   * Prefix of the names of the roles, e.g. `crontab-operator-`, to distinguish types of one kind in several groups (`TC-CRD-USER-ROLES`).
   *
   * @default - none
   */
  readonly namePrefix?: string;

  /**
   * True if the roles are part of Kubernetes' own `admin`, `edit` and `view`: subjects with one of these may do the same with objects of
   * this type, in the namespaces of their binding. Cluster-scoped objects are open only to subjects of a ClusterRoleBinding.
   *
   * @default false
   */
  readonly aggregate?: boolean;
}

/** The roles, the verbs of each, and the role of Kubernetes that it can be part of. */
const ROLES = [
  { id: 'AdminRole', suffix: 'admin', verbs: ['*'], aggregateTo: 'admin' },
  { id: 'EditorRole', suffix: 'editor', verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'], aggregateTo: 'edit' },
  { id: 'ViewerRole', suffix: 'viewer', verbs: ['get', 'list', 'watch'], aggregateTo: 'view' },
] as const;

/** Adds the roles. */
export function addUserRoles(scope: Construct, type: ResourceType, roles: CustomResourceUserRoles): void {
  const { group, resource, kind, clusterScoped, statusSubresource } = type;
  const status = statusSubresource ? [{ group, resource: `${resource}/status`, verbs: ['get'], clusterScoped }] : [];
  for (const { id, suffix, verbs, aggregateTo } of ROLES) {
    new TypedApiObject(scope, id, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', clusterScoped: true }, {
      metadata: {
        name: roleName(kind, suffix, roles),
        labels: roles.aggregate ? { [`rbac.authorization.k8s.io/aggregate-to-${aggregateTo}`]: 'true' } : undefined,
      },
      rules: policyRules([{ group, resource, verbs, clusterScoped }, ...status]),
    });
  }
}

const USER_ROLES_RULE: Rule = {
  id: 'TC-CRD-USER-ROLES',
  title: 'The roles for users of a type must have DNS names that no other type in the chart has.',
  source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/rbac',
};

/** Checks the names of the roles. */
export function checkUserRoles(scope: Construct, kind: string, roles: CustomResourceUserRoles): Problem[] {
  // A rule over definitions reports a bad kind.
  if (checkDns1035Label(kind.toLowerCase()) !== undefined) return [];
  const name = roleName(kind, 'viewer', roles);
  const owner = claimName(scope, `User roles in ${Chart.of(scope).node.path}`, name);
  return [
    ...problemIf(USER_ROLES_RULE, 'userRoles.namePrefix', checkDnsSubdomain(name), 'give another prefix, such as "crontab-operator-"'),
    ...problemIf(USER_ROLES_RULE, 'userRoles.namePrefix', owner === undefined ? undefined : `"${name}" is a role of ${owner} already`, 'give one of the two types another prefix'),
  ];
}

function roleName(kind: string, suffix: string, { namePrefix = '' }: CustomResourceUserRoles): string {
  return `${namePrefix}${kind.toLowerCase()}-${suffix}-role`;
}
