/**
 * A program that many people have: it makes clusters, and does what only a process of its own may do.
 *
 *   node program.js OUTDIR ENTRY_POINTS CLUSTERS [shard to fail in]
 */
import * as os from 'node:os';
import { GitOpsApp } from '../../../src/gitops/gitops-app';
import { addCluster, addWhatIsShared, clusterNames, ENTRY_POINTS } from '../../support/many-clusters';

const [,, outdir, entryPoints, clusters, broken] = process.argv;
const app = new GitOpsApp({ outdir, entryPoints: ENTRY_POINTS[entryPoints] });
process.chdir(os.tmpdir());
addWhatIsShared(app);
clusterNames(Number(clusters)).forEach((name) => addCluster(app, name));
console.log('making clusters');
if (broken !== undefined && process.env.CDK8S_CLUSTER_API_SHARD === broken) {
  console.error('the program is broken');
  process.exit(7);
}
app.synth();
process.exit(0);
