import { StructureNode } from './kind-structure';
import { nameWords, shownValue } from './value-words';
import { Fields } from '../../../images/manifest-object';
import { nearestName } from '../../../kubernetes/nearest-name';
import { FieldPath, ManifestFinding } from '../manifest-rule';

/** Names beyond this are no slip of the hand. */
const LONGEST_NAME = 100;

/** A version of the kind that is served besides the one that was written. */
export interface OtherVersion {
  readonly name: string;
  readonly root: StructureNode;
}

/** Where a field was written that is not there. */
export interface UnknownField {
  readonly name: string;

  /** The map that holds it, as the schema has it and as it was written. */
  readonly node: StructureNode;
  readonly map: Fields;

  /** The path of the map. */
  readonly path: FieldPath;

  /** The node around the map, if that one has fields. */
  readonly parent: StructureNode | undefined;

  /** The version that was written, and the others. */
  readonly version: string;
  readonly otherVersions: readonly OtherVersion[];
}

/** What to say about a field that a kind does not have: the way out is the likeliest of what people mean by it. */
export function unknownField(unknown: UnknownField): Omit<ManifestFinding, 'path'> {
  const { name, node, map, version } = unknown;
  const names = [...node.fields?.keys() ?? []];
  const home = versionWith(unknown);
  if (home !== undefined) {
    return {
      message: `${shownValue(name)} is a field of ${home}, and ${version} has none of this name here`,
      accepted: nameWords(names),
      fix: `write what ${version} has in its place, or leave it out`,
    };
  }
  return {
    message: `there is no field ${shownValue(name)} here`,
    accepted: nameWords(names),
    fix: placeFix(unknown) ?? nameFix(name, names.filter((known) => !Object.hasOwn(map, known))) ?? 'remove it, or move it to where it belongs',
  };
}

/** Fields come and go with versions. */
function versionWith({ name, path, otherVersions }: UnknownField): string | undefined {
  return otherVersions.find(({ root }) => nodeAt(root, path)?.fields?.has(name))?.name;
}

/** The likeliest mistake after a misspelt name is a wrong indentation. */
function placeFix({ name, node, path, parent }: UnknownField): string | undefined {
  if (parent?.fields?.has(name)) return `move it out of ${shownValue(path.at(-1))}, to the level above`;
  const [inside, ...more] = [...node.fields ?? []].filter(([, child]) => child.fields?.has(name));
  return inside && more.length === 0 ? `move it into ${shownValue(inside[0])}` : undefined;
}

function nameFix(name: string, known: readonly string[]): string | undefined {
  const near = name.length > LONGEST_NAME ? undefined : nearestName(name, known);
  return near === undefined ? undefined : `did you mean ${shownValue(near)}?`;
}

/** The node of a path, as far as it goes by what the schema describes. */
function nodeAt(root: StructureNode, path: FieldPath): StructureNode | undefined {
  return path.reduce<StructureNode | undefined>(
    (node, step) => (typeof step === 'number' ? node?.items : node?.fields?.get(step) ?? node?.values),
    root,
  );
}
