import { ApiObject, Chart, Include, Testing } from 'cdk8s';
import { ManifestAddon, ManifestAddonProps, ManifestFileAddon } from '../../../src/constructs/addons/manifest-addon';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { keepOnPrune } from '../../../src/manifests/objects/prune-annotations';
import { exampleCluster, Manifest } from '../../support/clusters';
import { parse, synthesize } from '../../support/outputs';
import { ScriptFolder } from '../../support/shell-scripts';
import { foo } from '../operators/definitions';

const INSTALL = `apiVersion: v1
kind: Namespace
metadata:
  name: ship-system
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: captains.ship.example.com
  annotations:
    controller-gen.kubebuilder.io/version: v0.19.0
spec:
  group: ship.example.com
  names: {kind: Captain, plural: captains, singular: captain, listKind: CaptainList}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: captain
  namespace: ship-system
`;

/** The manifest that a project of kubebuilder publishes, as a stranger includes it. */
class Ships extends ManifestAddon {
  public constructor(private readonly file: string, props: ManifestAddonProps = {}) {
    super('ships', { requires: [], ...props });
  }

  protected define(tenant: Chart): void {
    new Include(tenant, 'install', { url: this.file });
  }
}

const folder = new ScriptFolder();
const KEPT = keepOnPrune();

/** The annotations of what goes to the tenant, by kind. */
function annotations(fill: (cluster: TenantCluster) => void): { [kind: string]: Manifest } {
  const { tenants } = synthesize((app) => fill(exampleCluster(app, { delivery: new FluxDelivery({ manifestSource: { name: 'fleet' } }) })));
  return Object.fromEntries(Object.values(tenants).flatMap(parse).filter(({ kind }) => kind !== 'Kustomization').map(({ kind, metadata }) => [kind, metadata?.annotations]));
}

test('definitions and namespaces of a published manifest are kept, and nothing else', () => {
  const found = annotations((cluster) => cluster.addAddon(new Ships(folder.put('install.yaml', INSTALL))));

  expect(found).toEqual({ Namespace: KEPT, CustomResourceDefinition: { 'controller-gen.kubebuilder.io/version': 'v0.19.0', ...KEPT }, ConfigMap: undefined });
});

test('so are those of a file', () => {
  expect(annotations((cluster) => cluster.addAddon(new ManifestFileAddon('ships', folder.put('install.yaml', INSTALL), { requires: [] })))).toMatchObject({ Namespace: KEPT });
});

test('so are those of workloads', () => {
  expect(annotations((cluster) => new Include(cluster.workloads, 'install', { url: folder.put('install.yaml', INSTALL) }))).toMatchObject({ Namespace: KEPT });
});

test('an addon may let them be pruned', () => {
  const found = annotations((cluster) => cluster.addAddon(new Ships(folder.put('install.yaml', INSTALL), { keepOnPrune: false })));

  expect(found).toMatchObject({ Namespace: undefined, CustomResourceDefinition: { 'controller-gen.kubebuilder.io/version': 'v0.19.0' } });
  expect(Object.keys(found.CustomResourceDefinition)).toHaveLength(1);
});

test.each<[string, object, object]>([
  ['the annotation of Flux', { annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'enabled' } }, { 'kustomize.toolkit.fluxcd.io/prune': 'enabled' }],
  ['that of Helm', { annotations: { 'helm.sh/resource-policy': '' } }, { 'helm.sh/resource-policy': '' }],
  ['that of Argo CD', { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm' } }, { 'argocd.argoproj.io/sync-options': 'Prune=confirm' }],
  ['further options of Argo CD', { annotations: { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' } },
    { ...KEPT, 'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=false,Delete=false' }],
])('%s of an object stays', (_what, metadata, expected) => {
  const found = annotations((cluster) => new ApiObject(cluster.workloads, 'a', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a', ...metadata } }));

  expect(found.Namespace).toEqual(expected);
});

test('a type of the page that may be pruned stays so', () => {
  const found = annotations((cluster) => new CustomResourceType(cluster.workloads, 'foo', { ...foo(), keepOnPrune: false }));

  expect(Object.keys(found)).toContain('CustomResourceDefinition');
  expect(found.CustomResourceDefinition).toBeUndefined();
});

test('a second synthesis changes nothing', () => {
  const app = Testing.app();
  const { workloads } = exampleCluster(app, { delivery: new FluxDelivery() });
  new ApiObject(workloads, 'a', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
  const [first, second] = [1, 2].map(() => {
    app.synthYaml();
    return workloads.toJson();
  });

  expect(first[0].metadata.annotations).toEqual(KEPT);
  expect(second).toEqual(first);
});
