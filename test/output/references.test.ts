import { EXTERNALS } from './externals';
import { everyOutput, folderOf, PlacedObject } from './placed-objects';
import { danglingReferences, emptySelectors, External, kindKey, referencesOf } from './references';
import { goldenOutputs, parse } from '../support/outputs';

const outputs = everyOutput();

/** Folders of the Git repositories of other projects (`GatewayApi`). */
const UPSTREAM_FOLDERS = ['./config/crd', 'config/crd', './charts/gateway-helm/charts/crds/crds/generated', 'charts/gateway-helm/charts/crds/crds/generated'];

test('every reference leads to an object of the output, or to what is said to be there, which all is referred to', () => {
  const used = new Set<External>();
  expect(outputs.flatMap(([name, objects]) => danglingReferences(name, objects, EXTERNALS, used))).toEqual([]);
  expect(EXTERNALS.filter((external) => !used.has(external))).toEqual([]);
});

test('every selector selects something', () => {
  expect(outputs.flatMap(([name, objects]) => emptySelectors(objects).map((fault) => `${name}: ${fault}`))).toEqual([]);
});

test('every folder that is read from a repository is written, and read by one object', () => {
  for (const [, { management, tenants, lists }] of goldenOutputs()) {
    const read = parse(management).flatMap((object) => folderOf(object) ?? []).filter((folder) => !UPSTREAM_FOLDERS.includes(folder));
    const delivered = Object.keys(tenants).map((file) => file.replace(/\/[^/]*$/, ''));
    const entries = Object.keys(lists).map((file) => file.replace(/\/[^/]*$/, ''));
    const written = read.map((path) => [...delivered, ...entries].find((folder) => path.endsWith(`/${folder}`)) ?? path);
    expect(written.filter((folder) => !entries.includes(folder) || delivered.includes(folder)).sort()).toEqual([...new Set(delivered)].sort());
    expect(new Set(written).size).toBe(written.length);
  }
});

describe('says', () => {
  const POD = { serviceAccountName: 'sa', volumes: [{ name: 'a', secret: { secretName: 'token' } }], containers: [{ name: 'c', image: 'i:1', env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'cm' } } }] }] };
  const DEPLOYMENT = placed('apps/v1', 'Deployment', 'web', { spec: { template: { metadata: { labels: { app: 'web' } }, spec: POD } } });

  function placed(apiVersion: string, kind: string, name: string, rest: object = {}, tenant?: string, namespace: string | undefined = 'a'): PlacedObject {
    return { object: { apiVersion, kind, metadata: { name, namespace }, ...rest }, place: { tenant } };
  }

  function dangling(objects: readonly PlacedObject[], externals: readonly External[] = []): string[] {
    return danglingReferences('x', objects, externals).map((fault) => fault.replace(/^x: /, ''));
  }

  test('what a pod names and is not there', () => {
    expect(dangling([DEPLOYMENT])).toEqual([
      'Deployment web: spec.template.spec.serviceAccountName: there is no ServiceAccount a/sa',
      'Deployment web: spec.template.spec.volumes[0].secret.secretName: there is no Secret a/token',
      'Deployment web: spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef.name: there is no ConfigMap a/cm',
    ]);
  });

  test('nothing of what is there, or is said to be', () => {
    const others = [placed('v1', 'ServiceAccount', 'sa'), placed('v1', 'ConfigMap', 'cm')];
    const token: External = { output: /^x$/, kind: 'Secret', name: /^a\/token$/, reason: 'a test' };
    expect(dangling([DEPLOYMENT, ...others], [token])).toEqual([]);
    expect(dangling([DEPLOYMENT, ...others], [{ ...token, output: /^y$/ }])).toHaveLength(1);
    expect(dangling([DEPLOYMENT, ...others], [{ ...token, tenant: true }])).toHaveLength(1);
  });

  test('that something is in another namespace, or another cluster', () => {
    const others = [placed('v1', 'ServiceAccount', 'sa', {}, undefined, 'b'), placed('v1', 'ConfigMap', 'cm', {}, 'a/acme'), placed('v1', 'Secret', 'token')];
    expect(dangling([DEPLOYMENT, ...others]).filter((fault) => fault.startsWith('Deployment')).map((fault) => fault.split(': ')[2])).toEqual(['there is no ServiceAccount a/sa', 'there is no ConfigMap a/cm']);
  });

  test('a kubeconfig that nobody will write', () => {
    const release = (name: string) => placed('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'r', { spec: { kubeConfig: { secretRef: { name } } } });
    const cluster = placed('cluster.x-k8s.io/v1beta2', 'Cluster', 'acme');
    const kamaji = placed('controlplane.cluster.x-k8s.io/v1alpha2', 'KamajiControlPlane', 'acme');
    expect(dangling([release('acme-kubeconfig'), cluster])).toEqual([]);
    expect(dangling([release('acme-admin-kubeconfig'), cluster, kamaji])).toEqual([]);
    expect(dangling([release('acme-admin-kubeconfig'), cluster])).toEqual(['HelmRelease r: spec.kubeConfig.secretRef.name: there is no Secret a/acme-admin-kubeconfig']);
  });

  test('references that have their kind with them, and people are no objects', () => {
    const binding = placed('rbac.authorization.k8s.io/v1', 'RoleBinding', 'b', {
      roleRef: { kind: 'ClusterRole', name: 'view' }, subjects: [{ kind: 'User', name: 'lea' }, { kind: 'ServiceAccount', name: 'sa', namespace: 'b' }],
    });
    expect(dangling([binding]).map((fault) => fault.split(': ').slice(1).join(': '))).toEqual(['roleRef: there is no ClusterRole view', 'subjects[1]: there is no ServiceAccount b/sa']);
  });

  test('kinds that nobody has looked at, except the users\' own', () => {
    const unknown = placed('example.com/v1', 'Gadget', 'g');
    expect(dangling([unknown])).toEqual(['Gadget g: nobody has said where example.com/Gadget has references']);
    expect(dangling([{ ...unknown, place: { tenant: 'a/b', delivery: 'workloads' } }])).toEqual([]);
    expect(referencesOf(unknown.object)).toBeUndefined();
    expect(kindKey({ apiVersion: 'v1', kind: 'Pod' })).toBe('/Pod');
  });

  test('fields that look like a reference and are not in the table', () => {
    const quota = placed('v1', 'ResourceQuota', 'q', { spec: { scopes: [{ priorityClassName: 'high' }] } });
    expect(dangling([quota])).toEqual(['ResourceQuota q: spec.scopes[0].priorityClassName is no reference that the table knows']);
  });

  test('which selectors are empty', () => {
    const service = (selector: object) => placed('v1', 'Service', 's', { spec: { selector } });
    const set = placed('addons.cluster.x-k8s.io/v1beta2', 'ClusterResourceSet', 'crs', { spec: { clusterSelector: { matchLabels: { x: 'acme' } } } });
    const cluster = (labels?: object) => ({ object: { kind: 'Cluster', metadata: { name: 'acme', namespace: 'a', labels } }, place: {} });
    expect(emptySelectors([DEPLOYMENT, service({ app: 'web' })])).toEqual([]);
    expect(emptySelectors([DEPLOYMENT, service({ app: 'other' })])).toEqual(['Service s selects nothing']);
    expect(emptySelectors([set, cluster({ x: 'acme' })])).toEqual([]);
    expect(emptySelectors([set, cluster()])).toEqual(['ClusterResourceSet crs selects nothing']);
  });
});
