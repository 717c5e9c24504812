import { App, Chart } from 'cdk8s';
import { GITOPS_RULES } from './rules';
import { formatProblem } from '../../manifests/values/problem';
import { WARNINGS } from '../app/problems/warnings';

const UNWRITTEN = Symbol.for('cdk8s-cluster-api.UnwrittenApps');

/**
 * Has the end of the process warn of an app that was never synthesized. One that a test has validated, or of which it has read manifests, needs no
 * synthesis.
 *
 * @param app the app
 */
export function expectSynthesis(app: App): void {
  const apps = unwrittenApps();
  // Held until it is validated: it may be collected before the process ends.
  apps.add(app);
  app.node.addValidation({
    validate: () => {
      apps.delete(app);
      return [];
    },
  });
}

/** The unwritten apps of the process, which may load the library more than once. */
function unwrittenApps(): Set<App> {
  const holder: typeof process & { [UNWRITTEN]?: Set<App> } = process;
  if (!holder[UNWRITTEN]) {
    Object.defineProperty(holder, UNWRITTEN, { value: new Set() });
    process.once('exit', warnOfUnwrittenApps);
  }
  return holder[UNWRITTEN]!;
}

/**
 * Warns of apps with charts that nothing was read of.
 *
 * @param exitCode that of the process: a program that failed has said so
 */
export function warnOfUnwrittenApps(exitCode: number): void {
  const { length } = [...unwrittenApps()].filter(({ node }) => node.findAll().some((construct) => Chart.isChart(construct)));
  if (exitCode !== 0 || length === 0) return;
  WARNINGS.emit(formatProblem({
    rule: GITOPS_RULES.unwritten,
    message: `the program has ended without synthesizing ${length === 1 ? 'its GitOpsApp' : `${length} of its GitOpsApps`}, so that nothing was written`,
    fix: 'call app.synth() at the end of the program',
  }), { code: GITOPS_RULES.unwritten.id });
}
