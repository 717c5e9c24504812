import { IConstruct } from 'constructs';
import { ResourceType } from './resource-type';
import { AppSlot } from '../app/app-state';

const TYPES = new AppSlot('DefinedTypes', () => new Map<string, ResourceType[]>());
const CONVERTED = new AppSlot('ConvertedTypes', () => new Map<string, string[]>());

/** A Service by its namespace and name. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** Registers a type that the app defines. */
export function addDefinedType(scope: IConstruct, type: ResourceType): void {
  const types = TYPES.of(scope);
  const key = keyOf(type.group, type.resource);
  types.set(key, [...types.get(key) ?? [], type]);
}

/** The types of one name that the app defines: several if several clusters have it. */
export function definedTypes(scope: IConstruct, group: string, resource: string): readonly ResourceType[] {
  return TYPES.of(scope).get(keyOf(group, resource)) ?? [];
}

/** Registers a Service that converts the objects of a type. */
export function addConvertedType(scope: IConstruct, definition: string, service: ServiceName): void {
  const types = CONVERTED.of(scope);
  types.set(serviceKey(service), [...types.get(serviceKey(service)) ?? [], definition]);
}

/** Names of the definitions of an app whose objects a Service converts, each once. */
export function convertedTypes(scope: IConstruct, service: ServiceName): readonly string[] {
  return [...new Set(CONVERTED.of(scope).get(serviceKey(service)))].sort();
}

/** Names of the Services of a namespace that convert objects of the app's types. */
export function convertingServices(scope: IConstruct, namespace: string): readonly string[] {
  const prefix = serviceKey({ namespace, name: '' });
  return [...CONVERTED.of(scope).keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)).sort();
}

function serviceKey({ namespace, name }: ServiceName): string {
  return `${namespace}/${name}`;
}

function keyOf(group: string, resource: string): string {
  return `${resource}.${group}`;
}
