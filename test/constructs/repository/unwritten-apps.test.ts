import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { App, Testing } from 'cdk8s';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { GitOpsApp, warnOfUnwrittenApps } from '../../../src/constructs/repository/gitops-app';
import { ClusterAssertions } from '../../../src/constructs/testing/cluster-assertions';
import { Snapshots } from '../../../src/constructs/testing/snapshots';
import { compiledProgram } from '../../support/compiled';
import { addCluster } from '../../support/many-clusters';

function gitOpsApp(): GitOpsApp {
  return new GitOpsApp({ quiet: true });
}

/** The warnings at the end of a program. */
function warningsAtExit(code = 0): string[] {
  const said: string[] = [];
  const spy = jest.spyOn(WARNINGS, 'emit').mockImplementation((text) => { said.push(String(text)); });
  warnOfUnwrittenApps(code);
  spy.mockRestore();
  return said;
}

test('a test that reads manifests needs no synthesis', () => {
  for (const read of [
    (app: GitOpsApp) => app.synthYaml(),
    (app: GitOpsApp) => Testing.synth(addCluster(app, 'b')),
    (app: GitOpsApp) => ClusterAssertions.of(addCluster(app, 'b')),
    (app: GitOpsApp) => Snapshots.yaml(app),
  ]) {
    const app = gitOpsApp();
    addCluster(app, 'a');
    read(app);
  }
  expect(warningsAtExit()).toEqual([]);
});

test('an app without charts has nothing to write, nor has a plain App', () => {
  gitOpsApp();
  addCluster(new App(), 'a');
  expect(warningsAtExit()).toEqual([]);
});

test('a program that ends without synth() is told so, unless it failed', () => {
  addCluster(gitOpsApp(), 'a');
  expect(process.listeners('exit')).toContain(warnOfUnwrittenApps);
  expect(warningsAtExit(1)).toEqual([]);
  expect(warningsAtExit()).toEqual([
    'TC-GITOPS-UNWRITTEN the program has ended without synthesizing its GitOpsApp, so that nothing was written. '
    + 'Fix: call app.synth() at the end of the program.',
  ]);
});

test('a program whose app was collected before the end is told so', () => {
  const program = compiledProgram(path.join(__dirname, 'unwritten-app.ts'));
  const { status, stderr } = spawnSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.stringContaining('[TC-GITOPS-UNWRITTEN]')]);
});
