import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { SYNTH_RULES } from './rules';
import { formatProblem, placeText } from '../../../manifests/values/problem';
import { tenantCharts } from '../tenant-trees';

/** Set by Jest, Vitest and Node's test runner: tests synthesize what they go on with, and have many copies of this module. */
const TEST_RUNNERS: readonly string[] = ['JEST_WORKER_ID', 'VITEST', 'NODE_TEST_CONTEXT'];

/** The objects of each app of the process when it was synthesized last; held until the process ends. */
const SYNTHESIZED = new Map<IConstruct, ReadonlySet<IConstruct>>();

/**
 * Notes what has been written; at the end of the program, objects that were made later and never written are an error.
 *
 * @param root the top of the tree that was synthesized
 */
export function noteSynthesized(root: IConstruct): void {
  if (TEST_RUNNERS.some((name) => process.env[name] !== undefined)) return;
  if (SYNTHESIZED.size === 0) process.once('exit', reportLate);
  SYNTHESIZED.set(root, new Set(objectsOf(root)));
}

function reportLate(): void {
  const late = [...SYNTHESIZED].flatMap(([root, written]) => objectsOf(root).filter((object) => !written.has(object)));
  if (late.length === 0) return;
  process.exitCode = process.exitCode || 1;
  process.stderr.write(`${placeText(late.map(({ node }) => node.path))}${formatProblem({
    rule: SYNTH_RULES.late, message: 'the objects were made after synth(), and are in no output', fix: 'call synth() when everything is declared',
  })}\n`);
}

/** The objects of a tree, then those that go to its tenants. */
function objectsOf(scope: IConstruct): IConstruct[] {
  const all = scope.node.findAll();
  return [...all.filter((construct) => ApiObject.isApiObject(construct)), ...all.flatMap(tenantCharts).flatMap(objectsOf)];
}
