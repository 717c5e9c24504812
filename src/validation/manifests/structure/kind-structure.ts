import * as fs from 'node:fs';
import * as path from 'node:path';
import { FileNode, StructureFile, ValueLimits } from './structure-file';
import { readGoPattern } from '../../../kubernetes/go-pattern';
import { packageRoot } from '../../../package-root';

/** A node of a schema, and the nodes inside it. Nodes of a kind are shared, and none holds itself. */
export interface StructureNode extends ValueLimits {
  readonly fields?: ReadonlyMap<string, StructureNode>;
  readonly values?: StructureNode;
  readonly items?: StructureNode;

  /** The pattern as JavaScript has it. */
  readonly regexp?: RegExp;
}

/** What the objects of one kind look like, in each version that is served. */
export interface KindStructure {
  /** The API group. */
  readonly group: string;

  readonly kind: string;

  /** Project and release that the structure is from. */
  readonly release: string;

  /** The root of every version that is served, by version. */
  readonly versions: ReadonlyMap<string, StructureNode>;
}

const groups = new Map<string, ReadonlyMap<string, KindStructure>>();
let folder: string | undefined;
let files: ReadonlySet<string> | undefined;

/**
 * The structure of a kind; undefined for one that is not known. The file of an API group is read when the first of its kinds is asked
 * for, and once per process.
 *
 * @param group the API group
 * @param kind the kind
 */
export function structureOf(group: string, kind: string): KindStructure | undefined {
  let kinds = groups.get(group);
  if (!kinds) {
    // Only names that are there are read: the group comes from somebody's manifest.
    if (!knownGroups().has(group)) return undefined;
    kinds = readGroup(group);
    groups.set(group, kinds);
  }
  return kinds.get(kind);
}

/** The API groups that have structures. */
function knownGroups(): ReadonlySet<string> {
  files ??= new Set(fs.readdirSync(structureFolder()).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length)));
  return files;
}

/** The kinds of one file, with positions replaced by what stands there. */
export function kindsOf(group: string, file: StructureFile): ReadonlyMap<string, KindStructure> {
  const nodes: StructureNode[] = [];
  for (const node of file.nodes) nodes.push(linked(node, nodes));
  return new Map(Object.entries(file.kinds).map(([kind, { release, versions }]) => [kind, {
    group,
    kind,
    release,
    versions: new Map(Object.entries(versions).map(([version, root]) => [version, nodes[root]])),
  }]));
}

function readGroup(group: string): ReadonlyMap<string, KindStructure> {
  return kindsOf(group, JSON.parse(fs.readFileSync(path.join(structureFolder(), `${group}.json`), 'utf8')) as StructureFile);
}

function linked({ fields, values, items, ...limits }: FileNode, nodes: readonly StructureNode[]): StructureNode {
  return {
    ...limits,
    ...(fields && { fields: new Map(Object.entries(fields).map(([name, position]) => [name, nodes[position]])) }),
    ...(values !== undefined && { values: nodes[values] }),
    ...(items !== undefined && { items: nodes[items] }),
    ...(limits.pattern !== undefined && { regexp: readGoPattern(limits.pattern).regexp }),
  };
}

function structureFolder(): string {
  folder ??= path.join(packageRoot(), 'schemas');
  return folder;
}
