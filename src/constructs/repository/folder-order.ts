import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { GITOPS_RULES } from './rules';
import { Problem } from '../../manifests/values/problem';
import { placeOf } from '../app/synth/output-place';
import { answered, constructsIn } from '../app/synth/synthesis';

/** Paths of the folders that come before each folder. */
type Before = ReadonlyMap<string, ReadonlySet<string>>;

interface FolderOrder {
  readonly before: Before;

  /** Folders that would wait for each other, which nothing comes out of; of these, `before` has no order. */
  readonly circle: ReadonlySet<string>;
}

/** Paths of the folders that come before each folder, because something in it depends on something in them. */
export function foldersBefore(app: IConstruct): Before {
  return orderOf(app).before;
}

/**
 * Warns of folders that depend on each other. Their objects may well have an order, which is that of the files; a tool that applies whole
 * folders has none for these, and would wait for ever if it were told of both dependencies.
 */
export function checkFolderOrder(app: IConstruct): Problem[] {
  const circle = [...orderOf(app).circle].sort();
  return circle.length === 0 ? [] : [{
    rule: GITOPS_RULES.order,
    message: `the folders ${circle.join(', ')} depend on each other, and are applied in no order`,
    fix: 'move what others depend on into a chart of its own',
  }];
}

function orderOf(app: IConstruct): FolderOrder {
  return answered(app, 'folder order', () => findOrder(app));
}

function findOrder(app: IConstruct): FolderOrder {
  const dependent = constructsIn(app).filter(({ node }) => node.dependencies.length > 0);
  if (dependent.length === 0) return { before: new Map(), circle: new Set() };

  const known = new Map<IConstruct, ReadonlySet<string>>();
  const foldersIn = (construct: IConstruct): ReadonlySet<string> => {
    let folders = known.get(construct);
    if (!folders) {
      const objects = construct.node.findAll().filter((one) => ApiObject.isApiObject(one));
      known.set(construct, folders = new Set(objects.map((one) => placeOf(one).folder.path)));
    }
    return folders;
  };
  const before = new Map<string, Set<string>>();
  for (const construct of dependent) {
    for (const other of construct.node.dependencies) {
      if (other.node.root !== app) continue;
      for (const folder of foldersIn(construct)) for (const first of foldersIn(other)) if (first !== folder) add(before, folder, first);
    }
  }
  const circle = circleIn(before);
  for (const folder of circle) before.set(folder, new Set([...before.get(folder) ?? []].filter((first) => !circle.has(first))));
  return { before, circle };
}

/** Folders in circles, and on the way from one to another: what is left when all that nothing comes before, or after, is taken away. */
function circleIn(before: Before): ReadonlySet<string> {
  const after = reversed(before, new Set([...before].flatMap(([folder, others]) => [folder, ...others])));
  const waiting = neverFree(before, after);
  const later = reversed(before, waiting);
  return neverFree(later, reversed(later, waiting));
}

/** The folders that wait for ever. */
function neverFree(before: Before, after: Before): ReadonlySet<string> {
  const open = new Map([...after.keys()].map((folder) => [folder, before.get(folder)?.size ?? 0]));
  const free = [...open].filter(([, count]) => count === 0).map(([folder]) => folder);
  for (const folder of free) {
    open.delete(folder);
    for (const next of after.get(folder)!) {
      open.set(next, open.get(next)! - 1);
      if (open.get(next) === 0) free.push(next);
    }
  }
  return new Set(open.keys());
}

/** The other way round, among some of the folders. */
function reversed(edges: Before, among: ReadonlySet<string>): Before {
  const result = new Map<string, Set<string>>([...among].map((folder) => [folder, new Set()]));
  for (const [folder, others] of edges) for (const other of others) if (among.has(folder)) result.get(other)?.add(folder);
  return result;
}

function add(before: Map<string, Set<string>>, folder: string, first: string): void {
  const others = before.get(folder);
  if (others) others.add(first);
  else before.set(folder, new Set([first]));
}
