import * as fc from 'fast-check';
import { changesBetween } from './changes';
import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { amount } from '../../../support/sample';
import { CrdSchemas } from '../../schema/crd-schemas';
import { isObject, StructuralSchema } from '../../schema/structural-schema';
import { SchemaValidator } from '../../schema/validate';

/** A value, or nothing. */
const NAME = fc.constantFrom(undefined, 'a', 'b');
const BALANCED = fc.constantFrom('LoadBalancer', 'ClusterIP');

/** Makes objects of a kind that differ in what its definition guards. */
interface Guarded {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: fc.Arbitrary<object>;
}

const PROVIDER_SPEC = fc.record({
  dataStoreUsername: NAME,
  network: fc.record({ serviceType: fc.constant('LoadBalancer'), loadBalancerConfig: fc.option(fc.record({ loadBalancerClass: NAME }), { nil: undefined }) }),
});
const TENANT_SPEC = fc.record({
  dataStore: NAME, dataStoreSchema: NAME, dataStoreUsername: NAME, domain: fc.constantFrom(undefined, 'cluster.local', 'acme.local'), type: BALANCED, loadBalancerClass: NAME,
}).map(({ domain, type, loadBalancerClass, ...names }) => ({
  ...names,
  kubernetes: { version: 'v1.35.4', kubelet: {} },
  controlPlane: { service: { serviceType: type } },
  networkProfile: { clusterDomain: domain, ...(type === 'LoadBalancer' ? { loadBalancerClass } : {}) },
}));
const SNAPSHOT_SOURCE = fc.constantFrom({ persistentVolumeClaimName: 'a' }, { persistentVolumeClaimName: 'b' }, { volumeSnapshotContentName: 'a' }, { volumeSnapshotContentName: 'b' });
const CONTENT_SOURCE = fc.constantFrom({ volumeHandle: 'a' }, { volumeHandle: 'b' }, { snapshotHandle: 'a' }, { snapshotHandle: 'b' });

const KINDS: readonly Guarded[] = [
  { apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2', kind: 'KamajiControlPlane', spec: PROVIDER_SPEC.map((spec) => ({ version: 'v1.35.4', ...spec })) },
  { apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2', kind: 'KamajiControlPlaneTemplate', spec: PROVIDER_SPEC.map((spec) => ({ template: { spec } })) },
  { apiVersion: 'kamaji.clastix.io/v1alpha1', kind: 'TenantControlPlane', spec: TENANT_SPEC },
  {
    apiVersion: 'kamaji.clastix.io/v1alpha1',
    kind: 'DataStore',
    spec: fc.constantFrom('MySQL', 'PostgreSQL', 'NATS').map((driver) => ({
      driver, endpoints: ['a:1'], basicAuth: { username: { content: 'YQ==' }, password: { content: 'YQ==' } },
    })),
  },
  {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'KubevirtClusterTemplate',
    spec: fc.constantFrom({}, { controlPlaneServiceTemplate: { spec: { type: 'ClusterIP' } } }, { controlPlaneServiceTemplate: { spec: { type: 'NodePort' } } })
      .map((spec) => ({ template: { spec } })),
  },
  { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot', spec: SNAPSHOT_SOURCE.map((source) => ({ source })) },
  {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotContent',
    spec: fc.tuple(CONTENT_SOURCE, fc.constantFrom(undefined, 'Filesystem', 'Block')).map(([source, sourceVolumeMode]) => ({
      source, sourceVolumeMode, deletionPolicy: 'Delete', driver: 'csi.example.com', volumeSnapshotRef: { name: 's', namespace: 'a' },
    })),
  },
  {
    apiVersion: 'metallb.io/v1beta2',
    kind: 'BGPPeer',
    spec: fc.constantFrom(undefined, true, false).map((enableGracefulRestart) => ({ myASN: 1, peerASN: 2, peerAddress: '192.0.2.1', enableGracefulRestart })),
  },
];

/** An object as it is written: what is undefined is not there. */
function written({ apiVersion, kind }: Guarded, spec: object): ManifestObject {
  const namespace = ['DataStore', 'VolumeSnapshotContent'].includes(kind) ? undefined : 'a';
  return JSON.parse(JSON.stringify({ apiVersion, kind, metadata: { name: 'x', namespace }, spec })) as ManifestObject;
}

test.each(KINDS)('changes of a $kind are refused here when its definition refuses them', (guarded) => {
  const validator = SchemaValidator.load();
  const verdicts = new Set<boolean>();
  fc.assert(fc.property(guarded.spec, guarded.spec, (one, other) => {
    const [before, after] = [one, other].map((spec) => written(guarded, spec));
    expect([...validator.validate(before), ...validator.validate(after)]).toEqual([]);
    const refused = validator.validate(after, before).length > 0;
    verdicts.add(refused);
    const found = changesBetween([before], [after]).filter(({ rule }) => !rule.trap && !rule.warning);
    expect(found.map(({ message }) => message).length > 0).toBe(refused);
  }), { numRuns: amount(300, 60) });
  expect(verdicts.size).toBe(2);
});

test('every kind whose definition guards a field against changes is one of these', () => {
  const guarded = CrdSchemas.load().all().filter(({ schema }) => comparesWithOld(schema)).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(guarded.sort()).toEqual(KINDS.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).sort());
});

/** True if a rule in a schema compares with the old object. */
function comparesWithOld(schema: StructuralSchema): boolean {
  const own = schema['x-kubernetes-validations']?.some(({ rule }) => rule.includes('oldSelf')) ?? false;
  const inner = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  return own || inner.some((part) => isObject(part) && comparesWithOld(part as StructuralSchema));
}
