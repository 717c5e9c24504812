import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { Manifest } from './yaml/manifests-text';

/**
 * What is going on while an app is synthesized. Synthesis is one call, so that there is never more than one at a time; one inside another
 * has its own.
 *
 * First, the app settles: its validations run, in which deliveries come into being, and what they say does not count yet. Then nothing
 * changes any more: each construct is validated once and each object written once, whoever asks.
 */
class Synthesis {
  public readonly manifests = new Map<ApiObject, Manifest>();
  public readonly errors = new Map<IConstruct, readonly string[]>();
  public readonly answers = new Map<object, Map<string, unknown>>();

  public constructor(public readonly isSettled: boolean) {}
}

const CONSTRUCTS = 'constructs';
const NONE: readonly string[] = [];

let current: Synthesis | undefined;

/** Runs the validations of an app for what comes into being in them. Checks that only look need not look (`isSettling`). */
export function settling(run: () => void): void {
  during(new Synthesis(false), run);
}

/** Runs what validates and writes an app that has settled. */
export function onceSettled(run: () => void): void {
  during(new Synthesis(true), run);
}

/** Whether what checks find does not count yet, because they will be asked again. */
export function isSettling(): boolean {
  return current?.isSettled === false;
}

/** A written object, written once when nothing changes any more. */
export function writtenOnce(object: ApiObject, write: () => Manifest): Manifest {
  if (!current?.isSettled) return write();
  const known = current.manifests.get(object);
  if (known) return known;
  const manifest = write();
  current.manifests.set(object, manifest);
  return manifest;
}

/** A written object that nobody will ask for again, so that it is not kept. */
export function writtenLast(object: ApiObject, write: () => Manifest): Manifest {
  const known = current?.manifests.get(object);
  if (!known) return write();
  current!.manifests.delete(object);
  return known;
}

/** What a construct refuses. */
export function errorsOf(construct: IConstruct): readonly string[] {
  if (!current?.isSettled) return construct.node.validate();
  const { errors } = current;
  const known = errors.get(construct);
  if (known) return known;
  const found = construct.node.validate();
  errors.set(construct, found.length === 0 ? NONE : found);
  return found;
}

/**
 * The answer to a question about something, found once when nothing changes any more.
 *
 * @param subject what the question is about
 * @param question tells it from other questions about the same thing
 * @param find finds the answer
 */
export function answered<T>(subject: object, question: string, find: () => T): T {
  if (!current?.isSettled) return find();
  const { answers } = current;
  const known = answers.get(subject) ?? new Map<string, unknown>();
  answers.set(subject, known);
  if (!known.has(question)) known.set(question, find());
  return known.get(question) as T;
}

/** The constructs of a tree. */
export function constructsIn(scope: IConstruct): readonly IConstruct[] {
  return answered(scope, CONSTRUCTS, () => scope.node.findAll());
}

/**
 * Goes over the constructs of a tree, also over those that come into being on the way.
 *
 * @param root the top of the tree
 * @param look looks at each of them, once
 */
export function forEachConstruct(root: IConstruct, look: (construct: IConstruct) => void): void {
  let all = constructsIn(root);
  all.forEach(look);
  for (let now = root.node.findAll(); !isSame(all, now); now = root.node.findAll()) {
    current?.answers.get(root)?.delete(CONSTRUCTS);
    const seen = new Set(all);
    now.filter((construct) => !seen.has(construct)).forEach(look);
    all = now;
  }
}

function isSame(one: readonly IConstruct[], other: readonly IConstruct[]): boolean {
  return one.length === other.length && one.every((construct, index) => construct === other[index]);
}

function during(synthesis: Synthesis, run: () => void): void {
  const outer = current;
  current = synthesis;
  try {
    run();
  } finally {
    current = outer;
  }
}
