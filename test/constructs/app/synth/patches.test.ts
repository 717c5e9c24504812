import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiObject, App, JsonPatch, Testing } from 'cdk8s';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { exampleCluster, poolProps } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';

const MISPLACED = JsonPatch.replace('/spec/nosuch/field', 1);

describe('a patch that cannot be applied', () => {
  test('is reported with everything else', () => {
    const app = Testing.app();
    const cluster = exampleCluster(app, { serviceDomain: 'local' });
    const pool = cluster.addNodePool('general', poolProps());
    const objects: ApiObject[] = [
      cluster.cluster, cluster.controlPlane, cluster.infrastructure, pool.machineDeployment, pool.machineTemplate, pool.bootstrapTemplate,
    ];
    objects.forEach((object) => object.addJsonPatch(MISPLACED));
    const problems = problemsOf(app);

    expect(problems.map(({ id }) => id).sort()).toEqual(['TC-NETWORK-SERVICE-DOMAIN', ...objects.map(() => 'TC-OBJECT-PATCH')]);
    expect(problems.filter(({ id }) => id === 'TC-OBJECT-PATCH').map((problem) => problem.path).sort()).toEqual(objects.map((object) => object.node.path).sort());
    expect(problems.find((problem) => problem.path === 'acme/Cluster')!.text)
      .toMatch(/^Cluster: the patch 'replace \/spec\/nosuch\/field' cannot be applied: '\/spec\/nosuch' does not exist; '\/spec' has clusterNetwork, .* Fix: correct the patch/);
  });

  test('leaves no file of another chart behind', () => {
    const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'patches-'));
    const app = new App({ outdir });
    exampleCluster(app, {}, 'one');
    exampleCluster(app, { namespace: 'tenant-two' }, 'two').cluster.addJsonPatch(MISPLACED);

    expect(() => app.synth()).toThrow('[two/Cluster] TC-OBJECT-PATCH');
    expect(fs.readdirSync(outdir)).toEqual([]);
    fs.rmSync(outdir, { recursive: true });
  });

  test('is reported once where the object goes to the tenant', () => {
    const app = Testing.app();
    const cluster = exampleCluster(app, { delivery: new FluxDelivery() });
    const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
    new TypedApiObject(cluster.workloads, 'config', kind, { metadata: { name: 'config', namespace: 'default' } }).addJsonPatch(MISPLACED);

    expect(problemsOf(app)).toMatchObject([{ path: 'acme', id: 'TC-DELIVERY-MANIFEST' }]);
  });
});

test('fields that the API spells differently are reported, too', () => {
  const app = Testing.app();
  const cluster = exampleCluster(app);
  cluster.cluster.addJsonPatch(JsonPatch.add('/spec/clusterNetwork/apiServerport', 6443));
  const pool = cluster.addNodePool('general', poolProps());
  pool.machineDeployment.addJsonPatch(JsonPatch.test('/spec/clusterName', 'other'));

  expect(problemsOf(app)).toMatchObject([
    { id: 'TC-ADMIT-FIELD-UNKNOWN', text: expect.stringContaining('spec.clusterNetwork.apiServerport of acme/Cluster') },
    { path: 'acme/general/MachineDeployment', id: 'TC-OBJECT-PATCH', text: expect.stringContaining('Test operation failed') },
  ]);
});

test('a patch that can be applied is no problem', () => {
  const app = Testing.app();
  exampleCluster(app).cluster.addJsonPatch(JsonPatch.add('/spec/paused', true));

  expect(problemsOf(app)).toEqual([]);
});
