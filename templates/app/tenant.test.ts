import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Testing } from 'cdk8s';
import { GitOpsApp, validation } from 'cdk8s-cluster-api';
import { addTenant } from './tenant';

const app = new GitOpsApp();
const acme = addTenant(app);

test('API servers and webhooks accept the objects of the management cluster', () => {
  deepEqual(validation.ManifestValidation.check(Testing.synth(acme)).refused, []);
});

test('every pool runs the Kubernetes version of the cluster', () => {
  for (const pool of acme.nodePools) {
    equal(pool.machineDeployment.toJson().spec.template.spec.version, String(acme.kubernetesVersion));
  }
});

// Shows a change of the output in the review. To accept it, delete the file and test again.
test('the objects are those of tenant.snapshot.yaml', () => {
  const snapshot = join(__dirname, 'tenant.snapshot.yaml');
  const objects = app.synthYaml();
  if (!existsSync(snapshot) && !process.env.CI) writeFileSync(snapshot, objects);
  equal(objects, readFileSync(snapshot, 'utf8'));
});
