import { IConstruct } from 'constructs';
import { OperatorProps } from './operator-props';
import { OPERATOR_RULES } from './operator-rules';
import { Grant, noStatus } from './permission';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { isBuiltInClusterScoped } from '../built-in-scope';
import { definedTypes } from '../defined-types';

/**
 * Checks permissions against what is known of the types that they name: those of Kubernetes, and those that the app defines. Types may be
 * defined after the operator, so that this is a check of the whole app.
 */
export function checkTypes(scope: IConstruct, { permissions, watchAllNamespaces = false }: OperatorProps): Problem[] {
  return permissions.flatMap((permission, index) => {
    const property = `permissions[${index}]`;
    const told = permission._check(property).some(({ rule }) => rule === OPERATOR_RULES.status);
    return [
      ...(watchAllNamespaces ? [] : oneOfEachType(permission._grants).flatMap((grant) => checkGrantScope(scope, grant, property))),
      ...(told ? [] : permission._grants.flatMap((grant) => checkGrantStatus(scope, grant, property))),
    ];
  });
}

/** Subresources have the scope of their type, which is told once. */
function oneOfEachType(grants: readonly Grant[]): Grant[] {
  return [...new Map(grants.map((grant) => [`${typeIn(grant)}.${grant.group}`, grant])).values()];
}

function typeIn({ resource }: Grant): string {
  return resource.split('/')[0];
}

/** A Role gives no right to what belongs to no namespace, and a ClusterRole gives rights in namespaces that the operator does not watch. */
function checkGrantScope(scope: IConstruct, grant: Grant, property: string): Problem[] {
  const { group, clusterScoped } = grant;
  const resource = typeIn(grant);
  const known = new Set(definedTypes(scope, group, resource).map((type) => type.clusterScoped));
  const wanted = known.size === 1 ? [...known][0] : isBuiltInClusterScoped(group, resource);
  if (wanted === undefined || wanted === clusterScoped) return [];
  return problemIf(OPERATOR_RULES.scope, property, wanted
    ? `${resource} belong to no namespace, and a Role in one gives no right to them`
    : `${resource} belong to namespaces, and the operator would have the right in all of them`,
  wanted ? 'set clusterScoped: true' : 'leave out clusterScoped, or set watchAllNamespaces: true on the operator');
}

function checkGrantStatus(scope: IConstruct, grant: Grant, property: string): Problem[] {
  const types = definedTypes(scope, grant.group, typeIn(grant));
  const missing = grant.resource.endsWith('/status') && types.length > 0 && types.every(({ statusSubresource }) => !statusSubresource);
  return missing ? [noStatus(types[0], property)] : [];
}
