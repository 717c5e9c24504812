import { FluxEntryPoints, GitOpsApp } from 'cdk8s-cluster-api';
import { addTenant } from './tenant';

const app = new GitOpsApp({
  // Flux applies dist/flux: flux bootstrap git --path=dist/flux
  entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }),
  // CI compares with the target branch, everything else with the last commit.
  base: process.env.BASE || undefined,
});

addTenant(app);

app.synth();
