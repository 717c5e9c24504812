import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { SYNTH_RULES } from './rules';
import { formatProblem, placeText } from '../../../manifests/values/problem';

/** Set by Jest, Vitest and Node's test runner: tests synthesize what they go on with, and have many copies of this module. */
const TEST_RUNNERS: readonly string[] = ['JEST_WORKER_ID', 'VITEST', 'NODE_TEST_CONTEXT'];

/** The objects of each tree when it was synthesized last. */
const SYNTHESIZED = new Map<IConstruct, ReadonlySet<IConstruct>>();

/**
 * Notes what has been written; at the end of the program, objects that were made later and never written are an error.
 *
 * @param scopes the constructs that a synthesis has looked into
 */
export function noteSynthesized(scopes: readonly IConstruct[]): void {
  if (TEST_RUNNERS.some((name) => process.env[name] !== undefined)) return;
  if (SYNTHESIZED.size === 0) process.once('exit', reportLate);
  for (const root of new Set(scopes.map(({ node }) => node.root))) SYNTHESIZED.set(root, new Set(objectsOf(root)));
}

/** Notes a tree that is written with that of its owner. */
export function noteTree(root: IConstruct, owner: IConstruct): void {
  if (SYNTHESIZED.has(owner.node.root)) SYNTHESIZED.set(root, new Set());
}

function reportLate(): void {
  const late = [...SYNTHESIZED].flatMap(([root, written]) => objectsOf(root).filter((object) => !written.has(object)));
  if (late.length === 0) return;
  process.exitCode = process.exitCode || 1;
  process.stderr.write(`${placeText(late.map(({ node }) => node.path))}${formatProblem({
    rule: SYNTH_RULES.late, message: 'the objects were made after synth(), and are in no output', fix: 'call synth() when everything is declared',
  })}\n`);
}

function objectsOf(root: IConstruct): IConstruct[] {
  return root.node.findAll().filter((construct) => ApiObject.isApiObject(construct));
}
