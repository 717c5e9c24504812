import { IConstruct } from 'constructs';
import { ResourceType } from './resource-type';

const TYPES = Symbol.for('cdk8s-cluster-api.DefinedTypes');

/** Makes known that a type is defined somewhere in an app. */
export function addDefinedType(scope: IConstruct, type: ResourceType): void {
  const types = typesOf(scope);
  const key = keyOf(type.group, type.resource);
  types.set(key, [...types.get(key) ?? [], type]);
}

/** The types of one name that are defined in an app: several where several clusters have it. */
export function definedTypes(scope: IConstruct, group: string, resource: string): readonly ResourceType[] {
  return typesOf(scope).get(keyOf(group, resource)) ?? [];
}

function typesOf(scope: IConstruct): Map<string, ResourceType[]> {
  const root = scope.node.root as IConstruct & { [TYPES]?: Map<string, ResourceType[]> };
  if (!root[TYPES]) Object.defineProperty(root, TYPES, { value: new Map<string, ResourceType[]>() });
  return root[TYPES]!;
}

function keyOf(group: string, resource: string): string {
  return `${resource}.${group}`;
}
