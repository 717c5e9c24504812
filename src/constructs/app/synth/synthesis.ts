import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { noteSynthesized } from './late-objects';
import { Manifest } from '../../../manifests/objects/yaml/manifests-text';
import { Problems } from '../problems/problems';

/**
 * The synthesis of an app that is prepared, while nothing changes any more: each construct is validated once and each object written once.
 * Synthesis is one synchronous call, so only one runs at a time; a nested synthesis has its own state.
 */
class Synthesis {
  public readonly manifests = new Map<ApiObject, Manifest>();

  /** By question: every construct is asked some. */
  public readonly answers = new Map<string, Map<object, unknown>>();

  public constructor(public readonly root: IConstruct) {}
}

const CONSTRUCTS = 'constructs';

let current: Synthesis | undefined;

/** The object whose manifest is being written for readers who do not change it. */
let shared: ApiObject | undefined;

/** Runs what validates and writes an app that is prepared. */
export function synthesize(root: IConstruct, run: () => void): void {
  const outer = current;
  current = new Synthesis(root);
  const { answers } = current;
  try {
    Problems._reportOnce(run);
  } finally {
    current = outer;
  }
  noteSynthesized([...answers.get(CONSTRUCTS)?.keys() ?? []] as IConstruct[]);
}

/** True if an app is being validated and written as a whole. */
export function isSynthesizing(root: IConstruct): boolean {
  return current?.root === root;
}

/** A written object, written once when nothing changes any more. */
export function writtenOnce(object: ApiObject, write: () => Manifest): Manifest {
  if (!current) return write();
  const known = current.manifests.get(object);
  if (known) return known;
  const manifest = asShared(object, write);
  current.manifests.set(object, manifest);
  return manifest;
}

/** True if the manifest of an object is for readers who do not change it. */
export function isShared(object: ApiObject): boolean {
  return shared === object;
}

function asShared(object: ApiObject, write: () => Manifest): Manifest {
  const outer = shared;
  shared = object;
  try {
    return write();
  } finally {
    shared = outer;
  }
}

/** A written object for its last caller, which is not cached. */
export function writtenLast(object: ApiObject, write: () => Manifest): Manifest {
  const known = current?.manifests.get(object);
  if (!known) return current ? asShared(object, write) : write();
  current!.manifests.delete(object);
  return known;
}

/** The errors of a construct. */
export function errorsOf(construct: IConstruct): readonly string[] {
  return answered(construct, 'errors', () => construct.node.validate());
}

/**
 * The answer to a question about something, found once when nothing changes any more.
 *
 * @param subject the subject of the question
 * @param question distinguishes it from other questions about the same thing
 * @param find finds the answer
 */
export function answered<T>(subject: object, question: string, find: () => T): T {
  if (!current) return find();
  const { answers } = current;
  const known = answers.get(question) ?? new Map<object, unknown>();
  answers.set(question, known);
  if (!known.has(subject)) known.set(subject, find());
  return known.get(subject) as T;
}

/** The constructs of a tree. */
export function constructsIn(scope: IConstruct): readonly IConstruct[] {
  return answered(scope, CONSTRUCTS, () => scope.node.findAll());
}
