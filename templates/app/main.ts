import { FluxEntryPoints, GitOpsApp } from 'cdk8s-cluster-api';
import { addTenants } from './tenants';

const app = new GitOpsApp({
  // Flux applies __OUTPUT__/flux: flux bootstrap git --path=__OUTPUT__/flux
  entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: '__OUTPUT__' }),
  // CI compares with the target branch, everything else with the last commit.
  base: process.env.BASE || undefined,
});

addTenants(app);

app.synth();
