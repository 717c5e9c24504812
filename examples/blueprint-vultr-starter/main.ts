// A first cluster at Vultr. docs/blueprints/vultr-starter.md explains it.

import { blueprints, FluxEntryPoints, GitOpsApp } from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

new blueprints.VultrStarter(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  region: 'nrt',
  // Put ids of your own here.
  snapshotId: '00000000-0000-4000-8000-000000000001',
  sshKeyIds: ['00000000-0000-4000-8000-000000000002'],
  firewallGroupId: '00000000-0000-4000-8000-000000000004',
});

app.synth();
