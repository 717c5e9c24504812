import * as fs from 'node:fs';
import * as path from 'node:path';
import { FileNode, KubernetesFile, StructureFile, ValueLimits } from './structure-file';
import { readGoPattern } from '../../../kubernetes/go-pattern';
import { packageRoot } from '../../../package-root';
import { KUBERNETES_GROUPS } from '../kubernetes-groups';

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

/** File of Kubernetes' own kinds, whatever their group. */
const KUBERNETES = 'kubernetes.json';

const groups = new Map<string, ReadonlyMap<string, KindStructure>>();
let folder: string | undefined;
let files: ReadonlySet<string> | undefined;

/**
 * The structure of a kind; undefined for one that is not known. The file of an API group is read when the first of its kinds is asked
 * for, and once per process; that of Kubernetes' own groups is one.
 *
 * @param group the API group
 * @param kind the kind
 */
export function structureOf(group: string, kind: string): KindStructure | undefined {
  return structuresOf(group)?.get(kind);
}

/**
 * The structures of all kinds of an API group that have one; undefined for a group that has none.
 *
 * @param group the API group
 */
export function structuresOf(group: string): ReadonlyMap<string, KindStructure> | undefined {
  const known = groups.get(group);
  // Only names that are there are read: the group comes from somebody's manifest.
  if (known || !(KUBERNETES_GROUPS.has(group) || definedGroups().has(group))) return known;
  if (KUBERNETES_GROUPS.has(group)) readKubernetes();
  else groups.set(group, readGroup(group));
  return groups.get(group);
}

/** The API groups that custom resource definitions have brought structures of. */
export function definedGroups(): ReadonlySet<string> {
  files ??= new Set(fs.readdirSync(structureFolder()).filter((name) => name.endsWith('.json') && name !== KUBERNETES).map((name) => name.slice(0, -'.json'.length)));
  return files;
}

/** The kinds of one file, with positions replaced by what stands there. */
export function kindsOf(group: string, file: StructureFile): ReadonlyMap<string, KindStructure> {
  const nodes = linkedAll(file.nodes);
  return new Map(Object.entries(file.kinds).map(([kind, { release, versions }]) => [kind, structure(group, kind, release, versions, nodes)]));
}

function structure(
  group: string, kind: string, release: string, versions: Readonly<Record<string, number>>, nodes: readonly StructureNode[],
): KindStructure {
  return { group, kind, release, versions: new Map(Object.entries(versions).map(([version, root]) => [version, nodes[root]])) };
}

function readGroup(group: string): ReadonlyMap<string, KindStructure> {
  return kindsOf(group, readJson(`${group}.json`) as StructureFile);
}

function readKubernetes(): void {
  const { release, groups: all, nodes } = readJson(KUBERNETES) as KubernetesFile;
  const linkedNodes = linkedAll(nodes);
  for (const [group, kinds] of Object.entries(all)) {
    groups.set(group, new Map(Object.entries(kinds).map(([kind, versions]) => [kind, structure(group, kind, release, versions, linkedNodes)])));
  }
}

function readJson(file: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(structureFolder(), file), 'utf8'));
}

function linkedAll(nodes: readonly FileNode[]): StructureNode[] {
  const all: StructureNode[] = [];
  for (const node of nodes) all.push(linked(node, all));
  return all;
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
