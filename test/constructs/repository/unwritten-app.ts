import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { addCluster } from '../../support/many-clusters';

/** A program that forgets to synthesize its app. */
function run(): void {
  addCluster(new GitOpsApp({ quiet: true }), 'a');
}

run();
setImmediate(() => globalThis.gc!());
