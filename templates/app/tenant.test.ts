import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Testing } from 'cdk8s';
import { GitOpsApp, testing, validation } from 'cdk8s-cluster-api';
import { addTenant } from './tenant';

const app = new GitOpsApp();
const acme = addTenant(app);
const assertions = testing.ClusterAssertions.of(acme);

test('API servers and webhooks accept the objects of the management cluster', () => {
  deepEqual(validation.ManifestValidation.check(Testing.synth(acme)).refused, []);
});

test('every pool runs the Kubernetes version of the cluster', () => {
  assertions.hasKubernetesVersion(String(acme.kubernetesVersion));
});

test('nodes get metrics', () => {
  assertions.hasAddon('metrics-server');
});

test('the cluster autoscaler reads no Secrets', { skip: acme.autoscaler === undefined }, () => {
  assertions.serviceAccount('cluster-autoscaler').cannot({ verbs: ['*'], resources: ['secrets'] });
});

// Shows a change of the output in the review. To accept it, delete the file and test again. Versions that the library brings are masked.
test('the objects are those of tenant.snapshot.yaml', () => {
  const snapshot = join(__dirname, 'tenant.snapshot.yaml');
  const objects = testing.Snapshots.yaml(app);
  if (!existsSync(snapshot) && !process.env.CI) writeFileSync(snapshot, objects);
  equal(objects, readFileSync(snapshot, 'utf8'));
});
