import { equal } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GitOpsApp, testing, validation } from 'cdk8s-cluster-api';
import { SILENCES } from './silences';
import { addTenants } from './tenants';

const app = new GitOpsApp({ validation: validation.ManifestValidation.of({ silences: SILENCES }) });
addTenants(app);

// Shows a change of the output in the review. To accept it, delete the file and test again. Versions that the library brings are masked.
test('the objects are those of tenants.snapshot.yaml', () => {
  const snapshot = join(__dirname, 'tenants.snapshot.yaml');
  const objects = testing.Snapshots.yaml(app);
  if (!existsSync(snapshot) && !process.env.CI) writeFileSync(snapshot, objects);
  equal(objects, readFileSync(snapshot, 'utf8'));
});
