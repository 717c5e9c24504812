import { Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { ClusterResourceSetDelivery, ResourceSetStrategy } from '../../../../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { FluxDelivery } from '../../../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../../../../src/constructs/deliveries/flux/flux-entry-points';
import { GitOpsApp } from '../../../../../src/constructs/repository/gitops-app';
import { CLUSTER_RESOURCE_SETS } from '../../../../../src/manifests/systems/cluster-resource-set/rules/cluster-resource-sets';
import { exampleCluster } from '../../../../support/clusters';
import { problemsOf } from '../../../../support/problems';
import { findings } from '../../../rules/rules-under-test';

/** A ConfigMap, or Secret, with manifests, and a set that applies it. */
function applied(manifests: readonly object[], kind = 'ConfigMap', strategy = 'Reconcile'): string {
  const text = manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n');
  const data = kind === 'Secret' ? Buffer.from(text).toString('base64') : text;
  const pack = {
    apiVersion: 'v1', kind, metadata: { name: 'pack', namespace: 't' }, ...(kind === 'Secret' && { type: 'addons.cluster.x-k8s.io/resource-set' }), data: { m: data },
  };
  const set = {
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: { name: 'set', namespace: 't' },
    spec: { strategy, clusterSelector: { matchLabels: { a: 'b' } }, resources: [{ kind: 'ConfigMap', name: 'elsewhere' }, { kind, name: 'pack' }] },
  };
  return [pack, set].map((object) => JSON.stringify(object)).join('\n---\n');
}

const object = (apiVersion: string, kind: string, spec: object = {}) => ({ apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec });
const hpa = (kind: string, name = 'web') => object('autoscaling/v2', 'HorizontalPodAutoscaler', { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind, name } });
const found = (text: string) => findings(CLUSTER_RESOURCE_SETS, text).map((line) => line.split(':')[0]);

const IMMUTABLE = 'TC-TRAP-CRS-IMMUTABLE spec.resources.1';
const REPLICAS = 'TC-TRAP-CRS-REPLICAS spec.resources.1';

test.each<[string, readonly object[], readonly string[]]>([
  ['a claim', [object('v1', 'PersistentVolumeClaim')], [IMMUTABLE]],
  ['a claim of a named volume', [object('v1', 'PersistentVolumeClaim', { storageClassName: '', volumeName: 'pv' })], []],
  ['a Job', [object('batch/v1', 'Job')], [IMMUTABLE]],
  ['a Job with a selector of its own', [object('batch/v1', 'Job', { manualSelector: true, selector: { matchLabels: { a: 'b' } } })], []],
  ['a Pod', [object('v1', 'Pod')], [IMMUTABLE]],
  ['a CronJob', [object('batch/v1', 'CronJob')], []],
  ['a list with a Job', [{ apiVersion: 'v1', kind: 'List', items: [object('batch/v1', 'Job')] }], [IMMUTABLE]],
  ['a Deployment that an autoscaler scales', [object('apps/v1', 'Deployment'), hpa('Deployment')], [REPLICAS]],
  ['a StatefulSet that an autoscaler scales', [hpa('StatefulSet'), object('apps/v1', 'StatefulSet')], [REPLICAS]],
  ['a Deployment with replicas', [object('apps/v1', 'Deployment', { replicas: 2 }), hpa('Deployment')], []],
  ['a Deployment beside the autoscaler of another one', [object('apps/v1', 'Deployment'), hpa('Deployment', 'other')], []],
  ['a Deployment without autoscaler', [object('apps/v1', 'Deployment')], []],
])('%s in a ClusterResourceSet that reconciles', (_what, manifests, expected) => {
  expect(found(applied(manifests))).toEqual(expected);
  expect(found(applied(manifests, 'Secret'))).toEqual(expected);
  expect(found(applied(manifests, 'ConfigMap', 'ApplyOnce'))).toEqual([]);
});

describe('workloads with a claim', () => {
  function problems(entryPoints: FluxEntryPoints | undefined, delivery: ClusterResourceSetDelivery | FluxDelivery): string[] {
    const app = new GitOpsApp({ entryPoints, quiet: true });
    const cluster = exampleCluster(app, { delivery });
    new kplus.PersistentVolumeClaim(cluster.workloads, 'data', {
      metadata: { name: 'data', namespace: 'shop' }, accessModes: [kplus.PersistentVolumeAccessMode.READ_WRITE_ONCE], storage: Size.gibibytes(1),
    });
    return problemsOf(app).filter(({ id }) => id.includes('CRS')).map(({ id, text }) => `${id} ${text}`);
  }

  test('are refused where a ClusterResourceSet would apply them again', () => {
    expect(problems(undefined, new FluxDelivery())).toEqual([
      expect.stringMatching(/TC-TRAP-CRS-IMMUTABLE .*PersistentVolumeClaim .*data.*spec\.storageClassName, spec\.volumeName to null.*Kustomization of Flux/s),
    ]);
  });

  test('are fine by a Kustomization, and where they are applied once', () => {
    expect(problems(new FluxEntryPoints({ sourceName: 'fleet' }), new FluxDelivery())).toEqual([]);
    expect(problems(undefined, new ClusterResourceSetDelivery({ strategy: ResourceSetStrategy.APPLY_ONCE }))).toEqual([]);
  });
});
