import { PlacedObject, placedObjects } from './placed-objects';
import { canonicalJson } from '../../src/manifests/values/content-hash';
import { Manifest } from '../support/clusters';
import { addCompleteTenant } from '../support/complete-tenant';
import { DELIVERIES, NamedDelivery } from '../support/deliveries';
import { synthesize } from '../support/outputs';
import { TEAM_APPLICATION } from '../support/team-application';

/** Kinds that deliveries make, beside the ConfigMaps of a ClusterResourceSet. */
const DELIVERY_KINDS = ['HelmRelease', 'HelmRepository', 'OCIRepository', 'Kustomization', 'HelmChartProxy', 'ClusterResourceSet', 'Application'];

function tenantBy({ delivery }: NamedDelivery, charts: boolean): PlacedObject[] {
  return placedObjects(synthesize((app) => addCompleteTenant(app, 'acme', { delivery, charts })));
}

/** Objects in the management cluster except those that a delivery makes. */
function undelivered(objects: readonly PlacedObject[]): Manifest[] {
  const managed = objects.filter(({ place }) => place.tenant === undefined).map(({ object }) => object);
  const carriers = managed.filter(({ kind }) => kind === 'ClusterResourceSet').flatMap(({ spec }) => spec.resources.map(({ name }: Manifest) => name));
  return managed.filter(({ kind, metadata }) => !DELIVERY_KINDS.includes(kind) && !(kind === 'ConfigMap' && carriers.includes(metadata.name)));
}

/** Objects that reach the tenant, in any order, by delivery. */
function delivered(objects: readonly PlacedObject[]): string[] {
  return objects.filter(({ place }) => place.tenant !== undefined).map(({ object, place }) => `${place.delivery} ${canonicalJson(object)}`).sort();
}

describe.each([true, false])('with Helm charts: %s', (charts) => {
  const [first, ...others] = DELIVERIES.filter((delivery) => delivery.charts || !charts);
  const expected = tenantBy(first, charts);

  test.each(others)('exchanging the delivery for $name moves nothing else', (other) => {
    const objects = tenantBy(other, charts);
    expect(undelivered(objects)).toEqual(undelivered(expected));
    expect(delivered(objects)).toEqual(delivered(expected));
  });

  test('there is something to move', () => {
    expect(undelivered(expected).length).toBeGreaterThan(20);
    expect(undelivered(expected).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Cluster', 'MachineDeployment', 'Deployment', 'ConfigMap']));
    expect(delivered(expected).length).toBeGreaterThan(TEAM_APPLICATION.length);
  });
});

describe.each(DELIVERIES)('by $name', (named) => {
  const objects = tenantBy(named, named.charts);
  const application = objects.filter(({ place }) => place.delivery === 'workloads').map(({ object }) => object);
  const one = (kind: string) => application.find((object) => object.kind === kind);

  test('an application of charts in charts reaches the tenant, whole', () => {
    const names = application.map(({ kind, metadata }) => `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`);
    expect(names.sort()).toEqual(TEAM_APPLICATION);
  });

  test('text with what Flux, Helm and Go templates look for arrives as it is', () => {
    expect(one('ConfigMap').data).toEqual({ 'start.sh': 'exec web --host "${HOSTNAME}" --theme {{ .Theme }}\n' });
  });

  test('objects still name each other', () => {
    expect(one('Ingress').spec.rules[0].http.paths[0].backend.service.name).toBe(one('Service').metadata.name);
    expect(one('Service').spec.selector).toEqual(one('Deployment').spec.template.metadata.labels);
    expect(one('RoleBinding').subjects).toEqual([{ kind: 'ServiceAccount', name: 'web', namespace: 'team-a', apiGroup: '' }]);
    expect(one('Deployment').spec.template.spec.volumes.map((volume: Manifest) => volume.configMap?.name)).toEqual(['settings']);
  });

  test('nothing of it is an object of the management cluster', () => {
    const managed = objects.filter(({ place }) => place.tenant === undefined).map(({ object }) => object);
    expect(managed.filter(({ metadata }) => [metadata.name, metadata.namespace].includes('team-a'))).toEqual([]);
  });
});

test('a difference outside of the delivery would be seen', () => {
  const [flux] = DELIVERIES;
  const moved = placedObjects(synthesize((app) => addCompleteTenant(app, 'acme', { delivery: flux.delivery, charts: true, props: { paused: true } })));
  expect(undelivered(moved)).not.toEqual(undelivered(tenantBy(flux, true)));
});
