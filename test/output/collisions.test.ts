import { collisions, sharedNames } from './collisions';
import { everyOutput, PlacedObject, placedObjects } from './placed-objects';
import { addCompleteTenant } from '../support/complete-tenant';
import { DELIVERIES } from '../support/deliveries';
import { synthesize } from '../support/outputs';

const outputs = everyOutput();

test('no output has an object twice', () => {
  expect(outputs.flatMap(([name, objects]) => collisions(objects).map((identity) => `${name}: ${identity}`))).toEqual([]);
});

/** Programs that also make what the management cluster has once: of them only what carries the mark of a cluster is looked at. */
const WITH_MANAGEMENT = ['example-management-cluster', 'example-metal3', 'example-monitoring', 'example-vultr', 'example-vultr-vpc', 'example-vsphere'];

function ofClusters(name: string, objects: readonly PlacedObject[]): readonly PlacedObject[] {
  if (WITH_MANAGEMENT.includes(name)) return objects.filter(({ object }) => object.metadata.labels?.['cluster.x-k8s.io/cluster-name'] !== undefined);
  return objects.filter(({ object }) => !isShared(object));
}

/**
 * Sources of charts and ClusterClasses, and what opens windows, which clusters share: their names have a hash of their content. Steps of
 * rollouts, which have no cluster.
 */
function isShared({ kind, metadata: { name, namespace } }: PlacedObject['object']): boolean {
  return namespace === 'cluster-classes'
    || (namespace === 'flux-system' && (/^(charts\.|ring-)|-window-[0-9a-f]{8}/.test(name) || (/^(Helm|OCI|Git)Repository$/.test(kind) && /-[0-9a-f]{8}$/.test(name))));
}

test('no object has a name that another cluster\'s could have', () => {
  expect(outputs.flatMap(([name, objects]) => sharedNames(ofClusters(name, objects)).map((object) => `${name}: ${object}`))).toEqual([]);
});

describe.each(DELIVERIES)('by $name', ({ delivery, charts }) => {
  test('equal clusters in two namespaces do not meet', () => {
    const output = synthesize((app) => {
      ['tenant-a', 'tenant-b'].forEach((namespace) => addCompleteTenant(app, namespace, { delivery, charts, props: { name: 'acme', namespace } }));
    });
    const objects = placedObjects(output);
    expect(collisions(objects)).toEqual([]);
    expect(objects.filter(({ place }) => place.tenant === 'tenant-a/acme').length).toBe(objects.filter(({ place }) => place.tenant === 'tenant-b/acme').length);
    expect(objects.filter(({ object }) => object.kind === 'Cluster').map(({ object }) => object.metadata.name)).toEqual(['acme', 'acme']);
  });

  test('two clusters in one namespace do not meet', () => {
    const output = synthesize((app) => {
      addCompleteTenant(app, 'acme', { delivery, charts });
      addCompleteTenant(app, 'beta', { delivery, charts, props: { createNamespace: false, isolation: undefined } });
    });
    expect(collisions(placedObjects(output))).toEqual([]);
  });
});

describe('says which objects', () => {
  const CLUSTER = placed('cluster.x-k8s.io/v1beta2', 'Cluster', 'acme');

  function placed(apiVersion: string, kind: string, name: string, namespace: string | undefined = 'tenant-acme', tenant?: string): PlacedObject {
    return { object: { apiVersion, kind, metadata: { name, namespace } }, place: { tenant } };
  }

  test('are there twice, in whichever version', () => {
    expect(collisions([placed('apps/v1', 'Deployment', 'a'), placed('apps/v2', 'Deployment', 'a')])).toEqual(['management apps Deployment tenant-acme a']);
    expect(collisions([placed('v1', 'ConfigMap', 'a'), placed('v1', 'ConfigMap', 'a', 'other')])).toEqual([]);
    expect(collisions([placed('v1', 'ConfigMap', 'a'), placed('v1', 'ConfigMap', 'a', 'tenant-acme', 'x/y')])).toEqual([]);
  });

  test.each<[string, PlacedObject, string[]]>([
    ['a cluster-scoped one with the name of the cluster only', { ...placed('v1', 'ClusterRole', 'acme-csi'), object: { kind: 'ClusterRole', apiVersion: 'v1', metadata: { name: 'acme-csi' } } }, ['ClusterRole /acme-csi']],
    ['one in a shared namespace', placed('v1', 'Application', 'acme-cilium', 'argocd'), ['Application argocd/acme-cilium']],
    ['one without the cluster', placed('v1', 'Role', 'viewer'), ['Role tenant-acme/viewer']],
    ['one whose name only begins alike', placed('v1', 'Role', 'acmeviewer'), ['Role tenant-acme/acmeviewer']],
    ['one in a shared namespace with both', placed('v1', 'Application', 'tenant-acme-acme-cilium', 'argocd'), []],
    ['a cluster-scoped one with both', placed('v1', 'ClusterRole', 'tenant-acme.acme.csi', ''), []],
    ['one of the cluster', placed('v1', 'ConfigMap', 'acme.1'), []],
    ['one in the tenant', placed('v1', 'ConfigMap', 'any', 'any', 'tenant-acme/acme'), []],
  ])('are shared: %s', (_what, object, expected) => {
    expect(sharedNames([CLUSTER, object])).toEqual(expected);
  });
});
