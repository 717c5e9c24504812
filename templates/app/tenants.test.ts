import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Testing } from 'cdk8s';
import { GitOpsApp, testing, validation } from 'cdk8s-cluster-api';
import { addTenants } from './tenants';

const app = new GitOpsApp();

for (const tenant of addTenants(app)) {
  const { id } = tenant.node;
  const objects = Testing.synth(tenant);
  const assertions = testing.ClusterAssertions.of(tenant);
  // With "decommission", the Cluster and what goes with it are no longer in the output.
  const isRunning = objects.some(({ kind }) => kind === 'Cluster');

  test(`${id}: API servers and webhooks accept the objects of the management cluster`, () => {
    deepEqual(validation.ManifestValidation.check(objects).refused, []);
  });

  test(`${id}: every pool runs the Kubernetes version of the cluster`, { skip: !isRunning }, () => {
    assertions.hasKubernetesVersion(String(tenant.kubernetesVersion));
  });

  test(`${id}: nodes get metrics`, { skip: !isRunning }, () => {
    assertions.hasAddon('metrics-server');
  });

  test(`${id}: the cluster autoscaler reads no Secrets`, { skip: !isRunning || tenant.autoscaler === undefined }, () => {
    assertions.serviceAccount('cluster-autoscaler').cannot({ verbs: ['*'], resources: ['secrets'] });
  });
}

// Shows a change of the output in the review. To accept it, delete the file and test again. Versions that the library brings are masked.
test('the objects are those of tenants.snapshot.yaml', () => {
  const snapshot = join(__dirname, 'tenants.snapshot.yaml');
  const objects = testing.Snapshots.yaml(app);
  if (!existsSync(snapshot) && !process.env.CI) writeFileSync(snapshot, objects);
  equal(objects, readFileSync(snapshot, 'utf8'));
});
