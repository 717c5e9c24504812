import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Problems } from '../../../src/constructs/app/problems/problems';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { exampleCluster } from '../../support/clusters';

const RULE = { id: 'TC-EXAMPLE', title: 'An example.' };
const RARE = { id: 'TC-RARE', title: 'Another example.' };

let folder: string;
beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'report-')); });
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
  delete process.env.CDK8S_CLUSTER_API_PROBLEMS;
});

/** An app with so many different problems, and one of another rule. */
function appWith(count: number): GitOpsApp {
  const app = new GitOpsApp({ outdir: folder, quiet: true });
  const cluster = exampleCluster(app);
  for (let number = 0; number < count; number++) Problems.of(cluster).add({ rule: RULE, message: `number ${number}`, fix: 'mend it' });
  Problems.of(cluster).add({ rule: RARE, message: 'rare', fix: 'mend it' });
  return app;
}

function errorOf(app: GitOpsApp): Error {
  try {
    app.synth();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing is refused');
}

test('a few problems are all told, without a stack around them', () => {
  const error = errorOf(appWith(19));

  expect(error.message.split('\n')).toHaveLength(1 + 20);
  expect(error.stack).toBe(error.message);
});

test('of many, the first twenty are told, and how many there are of each rule', () => {
  const lines = errorOf(appWith(399)).message.split('\n');

  expect(lines).toHaveLength(1 + 20 + 1);
  expect(lines.at(-1)).toBe('  and 380 more; 400 problems in all: TC-EXAMPLE 399, TC-RARE 1. CDK8S_CLUSTER_API_PROBLEMS=all in the environment shows them.');
});

test('all are told where that is asked for', () => {
  process.env.CDK8S_CLUSTER_API_PROBLEMS = 'all';

  expect(errorOf(appWith(399)).message.split('\n')).toHaveLength(1 + 400);
});

test('clusters that are warned of the same are named together', () => {
  const emit = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  const app = new GitOpsApp({ outdir: folder, quiet: true });
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const cluster = exampleCluster(app, { name, namespace: `tenant-${name}` }, name);
    Problems.of(cluster).add({ rule: { ...RULE, warning: true }, message: 'careful', fix: 'mend it' });
  }
  app.synth();
  const texts = emit.mock.calls.map(([text]) => text);
  emit.mockRestore();

  expect(texts.filter((text) => `${text as string}`.includes('TC-EXAMPLE'))).toEqual(['[a, b, c and 2 more] TC-EXAMPLE careful. Fix: mend it.']);
});

test('warnings are printed before the error', () => {
  const order: string[] = [];
  const print = (warning: Error & { code?: string }) => { order.push(warning.code!); };
  const app = appWith(1);
  Problems.of(app).add({ rule: { ...RULE, warning: true }, message: 'careful', fix: 'mend it' });
  process.on('warning', print);
  order.push(errorOf(app).message.split('\n')[0]);
  process.off('warning', print);

  expect(order).toEqual(['TC-EXAMPLE', expect.stringMatching(/^Validation failed/)]);
});
