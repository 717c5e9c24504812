import { IConstruct } from 'constructs';
import { FindChanges } from './construct-changes';
import { WrittenObject } from './construct-manifests';
import { SilencedPlace, silencedParts } from './construct-silences';
import { listedObjects } from '../../../manifests/objects/manifest-list';
import { ManifestObject, objectName } from '../../../manifests/objects/manifest-object';
import { readText } from '../../../manifests/objects/manifest-text';
import { packedManifests } from '../../../manifests/objects/packed-manifests';
import { ManifestValidator, ValidationOptions, ValidationResult } from '../../../manifests/validation/validate-manifests';
import { isFields } from '../../../manifests/values/fields';
import { isCarrier } from '../tenant-trees';

/** Findings in the manifests of constructs. */
interface ConstructFindings {
  /** Everything that was looked at, by the cluster that it goes to; what objects carry packed comes last. */
  readonly groups: readonly (readonly unknown[])[];
  readonly result: ValidationResult;

  /** The construct that writes an object, and its place; undefined for any other value. */
  readonly writerOf: (object: unknown) => WrittenObject | undefined;
}

/** Options of the validation of final objects of constructs. */
export interface ConstructOptions extends ValidationOptions {
  /** @default - changes are not checked */
  readonly findChanges?: FindChanges;

  /**
   * Further silences for everything below some constructs, which count after the constructs' own.
   *
   * @default - none
   */
  readonly places?: readonly SilencedPlace[];
}

/**
 * Validates final objects of constructs, and the manifests that they carry as text.
 *
 * @param scope the construct that all of them are below; silences at it and below it count
 * @param written the objects by the cluster that they go to: the management cluster first, then each tenant
 * @param options how to validate them
 */
export function validateConstructs(scope: IConstruct, written: readonly (readonly WrittenObject[])[], options: ConstructOptions): ConstructFindings {
  const writers = new Map(written.flat().map((object) => [object.manifest, object]));
  const packed = written.flatMap((group) => packedObjects(group, writers));
  for (const { manifest, writer } of packed) writers.set(manifest, writer);
  const groups = [...written.map((group) => group.map(({ manifest }) => manifest)), ...byTarget(packed)];
  const changes = options.findChanges?.([...writers.values()]);
  for (const { object, writer } of changes?.gone ?? []) writers.set(object, writer);
  const result = new ManifestValidator().validate(groups, { ...options, changes, parts: silencedParts(scope, writers, options.places) });
  return { groups, result, writerOf: (object) => writers.get(object) };
}

/** A manifest that an object carries as text. */
interface PackedObject {
  readonly manifest: unknown;
  readonly target: string;

  /** The writer of the object around it. */
  readonly writer: WrittenObject;
}

function packedObjects(group: readonly WrittenObject[], writers: ReadonlyMap<unknown, WrittenObject>): PackedObject[] {
  const objects = group.map(({ manifest }) => manifest).filter((manifest): manifest is ManifestObject => isFields(manifest));
  return packedManifests(objects).texts.flatMap(({ object, where, text, target }) => {
    const writer = writers.get(object)!;
    // A delivery carries objects of constructs, which are validated themselves.
    if (isCarrier(writer.construct)) return [];
    const path = `${writer.path} (${objectName(object)}, ${where})`;
    // Other text is not checked: a file of a machine may have any content.
    return readText(text).documents.flatMap(({ value }) => listedObjects(value)).filter(({ object: inner }) => isManifest(inner))
      .map(({ object: manifest }) => ({ manifest, target, writer: { ...writer, path, manifest, packed: true } }));
  });
}

function isManifest(value: unknown): boolean {
  return isFields(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string';
}

function byTarget(packed: readonly PackedObject[]): unknown[][] {
  const groups = new Map<string, unknown[]>();
  for (const { manifest, target } of packed) {
    const beside = groups.get(target);
    if (beside) beside.push(manifest);
    else groups.set(target, [manifest]);
  }
  return [...groups.values()];
}
