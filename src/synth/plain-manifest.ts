import { ApiObject, ApiObjectMetadataDefinition, App, Chart, ImplicitTokenResolver, LazyResolver, NumberStringUnionResolver } from 'cdk8s';
import { IConstruct } from 'constructs';
import { inNameOrder, someOf, sortedKeys } from './map-fields';

/** The resolvers of cdk8s itself, which have nothing to say of plain data. */
const BUILT_IN_RESOLVERS: readonly unknown[] = [LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver];

/** Stands for a value that is not plain: cdk8s itself has to write it. */
const NOT_PLAIN = Symbol('not plain');

/** What cdk8s keeps to itself. */
interface StockObject {
  readonly props?: Readonly<Record<string, unknown>>;
  readonly patches?: readonly unknown[];
}

interface StockMetadata {
  readonly _additionalAttributes?: object;
}

/** Whether an object writes itself as cdk8s has it. */
export function isStock(object: ApiObject): boolean {
  return object.toJson === ApiObject.prototype.toJson;
}

/**
 * Writes an object as cdk8s does, when there is nothing in it but plain data: cdk8s asks three resolvers about every single value, goes over
 * all of them three times, and once more over the metadata.
 *
 * @param object an object that writes itself as cdk8s has it
 * @returns the manifest, which shares what it can with the object; undefined where cdk8s itself has to write it: with patches, tokens, or resolvers of the app, or with a cdk8s that
 * writes in another way
 */
export function plainManifest(object: ApiObject): Record<string, unknown> | undefined {
  if (!isAsKnown() || isResolved(object)) return undefined;
  const { props, patches } = object as unknown as StockObject;
  const metadata = plainMetadata(object.metadata);
  if (props === undefined || patches?.length !== 0 || metadata === NOT_PLAIN) return undefined;
  const manifest: Record<string, unknown> = { apiVersion: undefined, kind: undefined };
  if (metadata !== undefined) manifest.metadata = metadata;
  for (const key of sortedKeys(props)) {
    if (key === 'metadata') continue;
    const value = plain(props[key], false);
    // Items of a list are told apart by identity.
    if (value === NOT_PLAIN || key === 'items' || key === '__proto__') return undefined;
    if (value !== undefined) manifest[key] = value;
  }
  return manifest.apiVersion === undefined || manifest.kind === undefined ? undefined : manifest;
}

/** Writes the metadata of an object as cdk8s does. */
export function writtenMetadata(object: ApiObject): unknown {
  if (!isAsKnown() || isResolved(object)) return object.metadata.toJson();
  const metadata = plainMetadata(object.metadata);
  return metadata === NOT_PLAIN ? object.metadata.toJson() : metadata;
}

/** The resolvers of an app that are not those of every app. */
export function ownResolvers(scope: IConstruct) {
  return App.of(scope).resolvers.filter(({ constructor }) => !BUILT_IN_RESOLVERS.includes(constructor));
}

/** Whether somebody has a say in every value. */
function isResolved(object: ApiObject): boolean {
  return process.env.CDK8S_DISABLE_SORT !== undefined || ownResolvers(object).length > 0;
}

function plainMetadata(metadata: ApiObjectMetadataDefinition): unknown {
  const stock = ApiObjectMetadataDefinition.prototype;
  if (Object.getPrototypeOf(metadata) !== stock || metadata.toJson !== stock.toJson) return NOT_PLAIN;
  const { _additionalAttributes: given } = metadata as unknown as StockMetadata;
  // The last three are private, too.
  const { name, namespace, annotations, finalizers, ownerReferences, labels } = metadata as unknown as Record<string, unknown>;
  const known = { annotations, finalizers, labels, name, namespace, ownerReferences };
  // What is given has had a field removed; to copy such an object takes longer than all the rest.
  const isAll = given === undefined || Object.keys(given).every((key) => Object.hasOwn(known, key));
  return plain(isAll ? known : { ...given, ...known }, true);
}

/**
 * A value with its fields in order and without those that hold nothing. Lists and maps that are so already are not copied.
 *
 * @param value the value
 * @param dropEmpty whether empty lists and maps are nothing
 */
function plain(value: unknown, dropEmpty: boolean): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === undefined) return value;
  // JSON, which cdk8s copies by, has no others.
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : NOT_PLAIN;
  if (value === null) return undefined;
  if (typeof value !== 'object') return NOT_PLAIN;
  return Array.isArray(value) ? plainList(value, dropEmpty) : plainMap(value, dropEmpty);
}

function plainList(list: readonly unknown[], dropEmpty: boolean): unknown {
  if (Object.getPrototypeOf(list) !== Array.prototype || 'resolve' in list) return NOT_PLAIN;
  if (dropEmpty && list.length === 0) return undefined;
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const found = plain(list[index], dropEmpty);
    // A list keeps its gaps in some way; which one is left to cdk8s.
    if (found === NOT_PLAIN || found === undefined) return NOT_PLAIN;
    if (found !== list[index]) copy ??= list.slice(0, index);
    copy?.push(found);
  }
  return copy ?? list;
}

function plainMap(map: object, dropEmpty: boolean): unknown {
  if (Object.getPrototypeOf(map) !== Object.prototype || map.constructor !== Object) return NOT_PLAIN;
  const given = map as Readonly<Record<string, unknown>>;
  const keys = Object.keys(given);
  const inOrder = inNameOrder(keys);
  let copy: Record<string, unknown> | undefined = inOrder === keys ? undefined : {};
  let isEmpty = true;
  for (let index = 0; index < inOrder.length; index++) {
    const key = inOrder[index];
    const found = plain(given[key], dropEmpty);
    if (found === NOT_PLAIN || key === '__proto__') return NOT_PLAIN;
    if (found !== given[key] || found === undefined) copy ??= someOf(given, inOrder.slice(0, index));
    if (found === undefined) continue;
    if (copy) copy[key] = found;
    isEmpty = false;
  }
  return dropEmpty && isEmpty ? undefined : copy ?? given;
}

let known: boolean | undefined;

/** Whether the cdk8s that is there writes as the one that this was written for, tried out on an object that has a bit of everything. */
function isAsKnown(): boolean {
  if (known === undefined) {
    // What is asked on the way is answered with yes.
    known = true;
    const object = sample();
    known = JSON.stringify(plainManifest(object)) === JSON.stringify(object.toJson());
  }
  return known;
}

function sample(): ApiObject {
  const chart = new Chart(new App(), 'chart', { namespace: 'around', labels: { 'of-chart': 'yes' } });
  const object = new ApiObject(chart, 'object', {
    kind: 'Sample',
    apiVersion: 'example.com/v1',
    zone: { b: [], a: {}, c: null, d: undefined, 10: 'ten', 9: 'nine' },
    list: [{ z: 1, a: -1.5 }, [], 'text', false],
    metadata: { labels: { z: '1', a: '2' }, annotations: {}, finalizers: [], ownerReferences: [{ apiVersion: 'v1', kind: 'Owner', name: 'name', uid: 'uid' }], odd: { empty: {}, filled: [1] } },
  } as ConstructorParameters<typeof ApiObject>[2]);
  object.metadata.addAnnotation('z', '3');
  object.metadata.addAnnotation('a', '4');
  object.metadata.addFinalizers('example.com/late');
  object.metadata.add('later', { b: '', a: 0 });
  object.metadata.add('nothing', null);
  return object;
}
