import { ApiObject, App } from 'cdk8s';
import { IConstruct } from 'constructs';
import { Manifest } from '../../../manifests/objects/yaml/manifests-text';
import { formatProblem, placeText, Problem, Rule } from '../../../manifests/values/problem';
import { ConstructSlot } from '../app-state';
import { Problems } from '../problems/problems';
import { appOf, tenantCharts } from '../tenant-trees';

/**
 * The synthesis of an app that is prepared, while nothing changes any more: each construct is validated once and each object written once.
 * A synthesis within another one of the same app has its own state.
 */
class Synthesis {
  public readonly manifests = new Map<ApiObject, Manifest>();

  /** By question: every construct is asked some. */
  public readonly answers = new Map<string, Map<IConstruct, unknown>>();

  public constructor(public readonly root: IConstruct) {}
}

/** The running synthesis of an app, at its root. */
const SYNTHESIS = new ConstructSlot<Synthesis>('Synthesis');

/** The object of an app whose manifest is being written for readers who do not change it, at the root. */
const SHARED = new ConstructSlot<ApiObject>('SharedManifest');

/** The steps that complete a tree; undefined if it is not prepared by itself. */
const STEPS = new ConstructSlot<(() => void)[]>('Preparation');

/**
 * Synthesizes a tree. The passes, in their order:
 *
 * 1. `prepare` completes the tree by the steps of `onPrepare`. From here on nothing changes, and every answer is kept.
 * 2. `run` validates the constructs, each before those in it. A construct with `Problems` reports what was found at declaration, then what its
 *    checks find, images included (`ImagePass`), without what others have reported (`_settle`); then `AttachedValidation` writes and checks
 *    all objects of the construct and those of its tenants, and hands on what belongs to constructs in it.
 * 3. `run` writes what is valid: `App` of cdk8s its files, `GitOpsApp` those of `RepositoryFiles`, by `writeTree`.
 * 4. `noteSynthesized` remembers what was written, so that the end of the process refuses objects that were made later.
 *
 * @param root the top of the tree
 * @param run validates and writes it
 */
export function synthesize(root: IConstruct, run: () => void): void {
  prepare(root);
  const app = appOf(root);
  const outer = SYNTHESIS.get(app);
  SYNTHESIS.set(app, new Synthesis(root));
  try {
    Problems._reportOnce(app, run);
  } finally {
    SYNTHESIS.set(app, outer);
  }
  noteSynthesized(root);
}

/**
 * Completes a tree before it is validated and written: all that depends on later declarations and that no lazy value can express, such as
 * how many ConfigMaps carry the manifests of a delivery, and the order of objects. Doing it again changes nothing unless the tree changed.
 *
 * @param root the top of the tree
 */
export function prepare(root: IConstruct): void {
  STEPS.get(root)?.forEach((step) => step());
}

/**
 * Registers a step of the preparation. Steps run in the order in which they are registered.
 *
 * @param scope a construct of the tree
 * @param step what it does; it must not throw
 */
export function onPrepare(scope: IConstruct, step: () => void): void {
  prepareBeforeValidation(scope);
  STEPS.get(scope.node.root)!.push(step);
}

/**
 * Has an `App` of cdk8s prepared, too. All of its ways to write begin with the validations of the root, so that this one comes before
 * everything that looks at the tree.
 *
 * @param scope a construct of the tree
 */
export function prepareBeforeValidation(scope: IConstruct): void {
  const { root } = scope.node;
  STEPS.ensure(root, () => {
    if (root instanceof App) synthesizeOnce(root);
    root.node.addValidation({
      validate: () => {
        // A synthesis begins with a tree that is prepared.
        if (synthesisOf(root)?.root !== root) prepare(root);
        return [];
      },
    });
    return [];
  });
}

/** Spares an `App` of cdk8s to validate everything again for each of its charts. One that overrides `synth` is left alone. */
function synthesizeOnce(app: App): void {
  if (app.synth !== App.prototype.synth) return;
  const synth = (): void => synthesize(app, () => App.prototype.synth.call(app));
  Object.defineProperty(app, 'synth', { value: synth, configurable: true, writable: true });
}

/**
 * An object as it is written. Not to be changed: it shares fields with the object, and during synthesis all callers get the same one.
 *
 * @throws if it cannot be written
 */
export function writtenManifest(object: ApiObject): Manifest {
  const synthesis = synthesisOf(object);
  const known = synthesis?.manifests.get(object);
  if (known) return known;
  const manifest = sharedManifest(object);
  synthesis?.manifests.set(object, manifest);
  return manifest;
}

/**
 * An object as it is written, for the last caller: it is not cached any longer.
 *
 * @throws if it cannot be written
 */
export function lastWrittenManifest(object: ApiObject): Manifest {
  const synthesis = synthesisOf(object);
  const known = synthesis?.manifests.get(object);
  if (!known) return sharedManifest(object);
  synthesis!.manifests.delete(object);
  return known;
}

/**
 * Checks an object as it is written, with all patches. Finds nothing in an object that cannot be written: that is reported once, and must
 * not hide other problems.
 */
export function checkWritten(object: ApiObject, check: (manifest: ReturnType<ApiObject['toJson']>) => Problem[]): Problem[] {
  let manifest: Manifest;
  try {
    manifest = writtenManifest(object);
  } catch {
    return [];
  }
  return check(manifest);
}

/** True if the manifest of an object is for readers who do not change it. */
export function isShared(object: ApiObject): boolean {
  return SHARED.get(appOf(object)) === object;
}

function sharedManifest(object: ApiObject): Manifest {
  const app = appOf(object);
  const outer = SHARED.get(app);
  SHARED.set(app, object);
  try {
    return object.toJson() as Manifest;
  } finally {
    SHARED.set(app, outer);
  }
}

/** The errors of a construct. */
export function errorsOf(construct: IConstruct): readonly string[] {
  return answered(construct, 'errors', () => construct.node.validate());
}

/** The constructs of a tree. */
export function constructsIn(scope: IConstruct): readonly IConstruct[] {
  return answered(scope, 'constructs', () => scope.node.findAll());
}

/**
 * The answer to a question about a construct, found once when nothing changes any more.
 *
 * @param subject the construct
 * @param question distinguishes it from other questions about the same construct
 * @param find finds the answer
 */
export function answered<T>(subject: IConstruct, question: string, find: () => T): T {
  const synthesis = synthesisOf(subject);
  if (!synthesis) return find();
  const { answers } = synthesis;
  const known = answers.get(question) ?? new Map<IConstruct, unknown>();
  answers.set(question, known);
  if (!known.has(subject)) known.set(subject, find());
  return known.get(subject) as T;
}

function synthesisOf(construct: IConstruct): Synthesis | undefined {
  return SYNTHESIS.get(appOf(construct));
}

/** Set by Jest, Vitest and Node's test runner: tests synthesize what they go on with, and have many copies of this module. */
const TEST_RUNNERS: readonly string[] = ['JEST_WORKER_ID', 'VITEST', 'NODE_TEST_CONTEXT'];

/** The objects of each app of the process when it was synthesized last; held until the process ends. */
const SYNTHESIZED = new Map<IConstruct, ReadonlySet<IConstruct>>();

/**
 * Notes what has been written; at the end of the program, objects that were made later and never written are an error.
 *
 * @param root the top of the tree that was synthesized
 */
function noteSynthesized(root: IConstruct): void {
  if (TEST_RUNNERS.some((name) => process.env[name] !== undefined)) return;
  if (SYNTHESIZED.size === 0) process.once('exit', reportLate);
  SYNTHESIZED.set(root, new Set(objectsOf(root)));
}

const LATE_RULE: Rule = {
  id: 'TC-OBJECT-LATE',
  title: 'Objects must be made before the last call of synth(): later ones are in no output.',
};

function reportLate(): void {
  const late = [...SYNTHESIZED].flatMap(([root, written]) => objectsOf(root).filter((object) => !written.has(object)));
  if (late.length === 0) return;
  process.exitCode = process.exitCode || 1;
  process.stderr.write(`${placeText(late.map(({ node }) => node.path))}${formatProblem({
    rule: LATE_RULE, message: 'the objects were made after synth(), and are in no output', fix: 'call synth() when everything is declared',
  })}\n`);
}

/** The objects of a tree, then those that go to its tenants. */
function objectsOf(scope: IConstruct): IConstruct[] {
  const all = scope.node.findAll();
  return [...all.filter((construct) => ApiObject.isApiObject(construct)), ...all.flatMap(tenantCharts).flatMap(objectsOf)];
}
