import { IConstruct } from 'constructs';
import { WrittenObject } from './construct-manifests';
import { listedObjects } from '../../../manifests/objects/manifest-list';
import { groupKind, isManifestObject, ManifestObject, objectName } from '../../../manifests/objects/manifest-object';
import { readText } from '../../../manifests/objects/manifest-text';
import { packedManifests } from '../../../manifests/objects/packed-manifests';
import { CLUSTER } from '../../../manifests/rules/cluster-api/cluster-api-kinds';
import { KindDefinitions } from '../../../manifests/rules/structure/kind-definitions';
import { withDefinedKinds } from '../../../manifests/rules/structure/structures';
import { registerProviders } from '../../../manifests/systems/providers';
import { FoundChanges, GoneFindings } from '../../../manifests/validation/change-check';
import { ManifestSilence, SilencedPart } from '../../../manifests/validation/silences';
import { GroupTarget, ManifestValidator, ValidationOptions, ValidationResult } from '../../../manifests/validation/validate-manifests';
import { isFields, stringAt } from '../../../manifests/values/fields';
import { ConstructSlot } from '../app-state';
import { constructsIn } from '../synth/synthesis';
import { isCarrier, tenantCharts } from '../tenant-trees';

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
  registerProviders();
  const writers = new Map(written.flat().map((object) => [object.manifest, object]));
  const packed = written.flatMap((group) => packedObjects(group, writers));
  for (const { manifest, writer } of packed) writers.set(manifest, writer);
  const groups = [...written.map((group) => group.map(({ manifest }) => manifest)), ...byTarget(packed)];
  const { findChanges, definitions = [] } = options;
  const changes = findChanges && withDefinedKinds(new KindDefinitions(definitions, groups.flat()), () => findChanges([...writers.values()]));
  for (const { object, writer } of changes?.gone ?? []) writers.set(object, writer);
  const targets = written.map((group) => targetOf(group, written));
  const result = new ManifestValidator().validate(groups, { ...options, changes, targets, parts: silencedParts(scope, writers, options.places) });
  return { groups, result, writerOf: (object) => writers.get(object) };
}

/** The cluster that the objects of a tenant are applied to; undefined for those of a management cluster. */
function targetOf([first]: readonly WrittenObject[], written: readonly (readonly WrittenObject[])[]): GroupTarget | undefined {
  if (!first || first.construct.node.root === first.owner.node.root) return undefined;
  const isCluster = ({ construct, manifest }: WrittenObject): boolean => (
    isManifestObject(manifest) && groupKind(manifest) === CLUSTER && construct.node.scopes.includes(first.owner));
  const management = written.findIndex((group) => group.some(isCluster));
  const cluster = written[management]?.find(isCluster)?.manifest;
  const name = stringAt(cluster, 'metadata', 'name');
  return name === undefined ? undefined : { management, namespace: stringAt(cluster, 'metadata', 'namespace'), name };
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

/** Findings in changes of objects that constructs wrote before. */
export interface ConstructChanges extends FoundChanges {
  readonly gone: readonly (GoneFindings & { readonly writer: WrittenObject })[];
}

/** Compares what constructs write with what they wrote before; undefined if nothing is known of that. */
type FindChanges = (written: readonly WrittenObject[]) => ConstructChanges | undefined;

const FIND = new ConstructSlot<FindChanges>('FindChanges');

/** Has the validation of an app check its changes, too. */
export function checkChanges(app: IConstruct, find: FindChanges): void {
  FIND.set(app, find);
}

/** Finds the changes of the objects that a construct writes; undefined for all constructs but an app that has them checked. */
export function changesOf(construct: IConstruct): FindChanges | undefined {
  return FIND.get(construct);
}

const SILENCES = new ConstructSlot<ManifestSilence[]>('ManifestSilences');

/** Silences for everything below a construct. */
export interface SilencedPlace {
  readonly place: IConstruct;
  readonly silences: readonly ManifestSilence[];
}

/** Silences rules for everything below a construct. */
export function silenceBelow(scope: IConstruct, silences: readonly ManifestSilence[]): void {
  SILENCES.ensure(scope, () => []).push(...silences);
}

/**
 * The silences of constructs, the innermost construct first.
 *
 * @param scope whose silences, and those of what is below it
 * @param objects what constructs write, by the object
 * @param further silences that count after those of constructs
 */
function silencedParts(
  scope: IConstruct, objects: ReadonlyMap<unknown, WrittenObject>, further: readonly SilencedPlace[] = [],
): SilencedPart[] {
  const constructs = constructsIn(scope).flatMap((construct) => [construct, ...tenantCharts(construct).flatMap(({ node }) => node.findAll())]);
  const own = constructs.map((place) => ({ place, silences: SILENCES.get(place) ?? [] })).reverse();
  return [...own, ...further].filter(({ silences }) => silences.length > 0)
    .map(({ place, silences }) => ({
      name: `anything in ${place.node.path === '' ? 'the app' : place.node.path}`,
      silences,
      holds: (object) => {
        const found = objects.get(object);
        return found !== undefined && [...found.construct.node.scopes, ...found.owner.node.scopes].includes(place);
      },
    }));
}
