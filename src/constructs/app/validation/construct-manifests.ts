import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { listedObjects } from '../../../manifests/objects/manifest-list';
import { computedObjects } from '../synth/computed-objects';
import { placeOf } from '../synth/output-place';
import { constructsIn, errorsOf, writtenManifest } from '../synth/synthesis';
import { isOwnTarget, tenantCharts } from '../tenant-trees';

/** A manifest that a construct writes, or an item of it if it is a list. */
export interface WrittenObject {
  /** The construct; of an object that is not written any more, the innermost one that is left of those around it. */
  readonly construct: IConstruct;

  /** The construct that the user made. */
  readonly owner: IConstruct;

  /** Path of the construct; of one whose object goes to a tenant, below that of the owner, whose tree it is no part of. */
  readonly path: string;
  readonly manifest: unknown;

  /**
   * True if the manifest is in a string of the object.
   *
   * @default false
   */
  readonly packed?: boolean;

  /**
   * True if it was written before, and is not any more.
   *
   * @default false
   */
  readonly gone?: boolean;
}

/** An object, and the construct that the user made. */
interface OwnedObject {
  readonly owner: IConstruct;
  readonly object: ApiObject;
}

/**
 * All objects below a construct, those that are delivered to tenants, and those that controllers make of others, among them, by the cluster that
 * they go to. Those of a management cluster come before those of tenants, what its own delivery brings to it among them.
 */
export function constructGroups(scope: IConstruct): (readonly OwnedObject[])[] {
  const owners = constructsIn(scope).map((owner) => ({ owner, objects: tenantCharts(owner).flatMap(objectsOf).map((object) => ({ owner, object })) }))
    .filter(({ objects }) => objects.length > 0);
  const management = new Map<string | undefined, OwnedObject[]>();
  const add = (place: IConstruct, entry: OwnedObject) => {
    const { tree } = placeOf(place).folder;
    const objects = management.get(tree);
    if (objects) objects.push(entry);
    else management.set(tree, [entry]);
  };
  objectsOf(scope).forEach((object) => add(object, { owner: scope, object }));
  owners.filter(({ owner }) => isOwnTarget(owner)).forEach(({ owner, objects }) => objects.forEach((entry) => add(owner, entry)));
  if (management.size === 0) management.set(undefined, []);
  return [...management.values(), ...owners.filter(({ owner }) => !isOwnTarget(owner)).map(({ objects }) => objects)];
}

/**
 * Runs the validations of constructs, as synthesis does.
 *
 * @returns what each construct refuses, for those that do
 */
export function refusals(constructs: readonly IConstruct[]): Map<IConstruct, readonly string[]> {
  const found = constructs.map((construct) => [construct, errorsOf(construct)] as const);
  return new Map(found.filter(([, errors]) => errors.length > 0));
}

function objectsOf(scope: IConstruct): ApiObject[] {
  return constructsIn(scope).flatMap((construct) => (ApiObject.isApiObject(construct) ? [construct] : computedObjects(construct)));
}

/**
 * The path of a construct; of one that goes to a tenant, below that of the owner, whose tree it is no part of.
 *
 * @param construct the construct
 * @param owner the construct that the user made
 */
export function pathOf(construct: IConstruct, owner: IConstruct): string {
  return construct.node.root === owner.node.root ? construct.node.path : `${owner.node.path}/${construct.node.path}`;
}

/**
 * The manifest of a construct, with patches applied. Throws an error if it cannot be written.
 *
 * @param construct the construct
 * @param owner the construct that the user made
 */
export function written(construct: ApiObject, owner: IConstruct): WrittenObject[] {
  return listedObjects(writtenManifest(construct)).map(({ object }) => new WrittenItem(construct, owner, object));
}

/** As a class, since a literal with a getter has a shape of its own each time, which is slow and large. */
class WrittenItem implements WrittenObject {
  public constructor(public readonly construct: IConstruct, public readonly owner: IConstruct, public readonly manifest: unknown) {}

  public get path(): string {
    return pathOf(this.construct, this.owner);
  }
}
