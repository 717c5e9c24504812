import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { placePart } from '../../../src/constructs/app/synth/output-place';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { checkFolders, FileLayout, outputFolders } from '../../../src/constructs/repository/output-folders';
import { addCompleteTenant } from '../../support/complete-tenant';

function files(app: App): { [file: string]: string[] } {
  app.node.findAll().forEach(({ node }) => node.validate());
  return Object.fromEntries(outputFolders(app, FileLayout.FILE_PER_PART)
    .flatMap((folder) => [...folder.files].map(([file, objects]) => [file, objects.map(({ kind, name }) => `${kind} ${name}`)])));
}

function object(scope: Construct, id: string): ApiObject {
  return new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id } });
}

test('a tenant cluster is a dozen files: control plane, each pool, each controller, each addon', () => {
  const app = Testing.app();
  addCompleteTenant(app, 'acme', { delivery: new FluxDelivery(), charts: true });
  const written = files(app);
  const folder = 'clusters/tenant-acme/acme';
  expect(Object.keys(written)).toEqual([
    ...['cert-manager', 'cilium', 'kubevirt-csi-driver', 'metrics-server', 'sources', 'team-settings', 'traefik', 'workloads'].map((id) => `${folder}/addons/${id}.yaml`),
    `${folder}/cluster.yaml`,
    ...['cloud-controller-manager', 'cluster-autoscaler', 'csi-driver'].map((id) => `${folder}/controllers/${id}.yaml`),
    `${folder}/isolation.yaml`,
    ...['batch', 'general', 'ingress'].map((id) => `${folder}/pools/${id}.yaml`),
  ]);
  expect(written[`${folder}/cluster.yaml`]).toEqual([
    'Namespace tenant-acme', 'KubevirtCluster acme', 'KamajiControlPlane acme', 'PodDisruptionBudget acme', 'Cluster acme',
  ]);
  expect(written[`${folder}/pools/general.yaml`].map((text) => text.split(' ')[0])).toEqual([
    'KubevirtMachineTemplate', 'KubeadmConfigTemplate', 'MachineDeployment', 'MachineHealthCheck',
  ]);
  expect(written[`${folder}/addons/workloads.yaml`]).toEqual(['ClusterResourceSet acme-workloads', 'ConfigMap acme-workloads.1']);
});

test('a chart without a place of its own has a folder by its path', () => {
  const app = Testing.app();
  const chart = new Chart(app, 'platform');
  object(chart, 'one');
  object(new Chart(chart, 'inner one'), 'two');
  expect(files(app)).toEqual({ 'charts/platform/platform.yaml': ['ConfigMap one'], 'charts/platform.inner-one/inner-one.yaml': ['ConfigMap two'] });
});

test('the innermost part counts', () => {
  const app = Testing.app();
  const outer = placePart(new Construct(new Chart(app, 'c'), 'outer'), 'outer');
  object(outer, 'one');
  object(placePart(new Construct(outer, 'inner'), 'deep/inner'), 'two');
  expect(files(app)).toEqual({ 'charts/c/outer.yaml': ['ConfigMap one'], 'charts/c/deep/inner.yaml': ['ConfigMap two'] });
});

test('neither order nor number of other charts shows', () => {
  const made = (ids: string[]) => {
    const app = Testing.app();
    ids.forEach((id) => object(new Chart(app, id), `of-${id}`));
    return files(app);
  };
  const all = made(['a', 'b', 'c']);
  expect(Object.keys(made(['c', 'a', 'b']))).toEqual(Object.keys(all));
  expect(made(['c', 'a'])).toEqual({ 'charts/a/a.yaml': all['charts/a/a.yaml'], 'charts/c/c.yaml': all['charts/c/c.yaml'] });
});

test('TC-GITOPS-FOLDER: ids that are one path are refused', () => {
  const app = Testing.app();
  new Chart(app, 'a b');
  new Chart(app, 'a?b');
  expect(checkFolders(app)).toEqual([expect.objectContaining({
    rule: expect.objectContaining({ id: 'TC-GITOPS-FOLDER' }), message: 'the charts "a b" and "a?b" are both written to charts/a-b',
  })]);
});
