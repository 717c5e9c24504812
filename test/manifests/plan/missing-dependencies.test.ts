import { CLUSTER, controlPlane, Fields, newPool, ObjectFiles, plannedObjects } from './foreign-objects';
import { PartKind, PlannedPart } from '../../../src/manifests/plan/plan-model';
import { planTotals } from '../../../src/manifests/plan/plan-totals';
import { Effect } from '../../../src/manifests/rules/changes/effects';

function planned(before: ObjectFiles, after: ObjectFiles) {
  const changes = plannedObjects(before, after);
  const parts = [...changes.clusters.flatMap((cluster) => cluster.parts), ...changes.shared];
  const part = (name: string): PlannedPart | undefined => parts.find((one) => one.name === name);
  const pool = parts.find((one) => one.part === PartKind.POOL);
  const failing = (name: string) => part(name)?.effects.filter(({ effect }) => effect === Effect.FAILING).flatMap(({ reasons }) => reasons);
  return { part, pool, totals: planTotals(changes), failing };
}

function flux(name: string, path: string, ...dependsOn: string[]): Fields {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec: { path, prune: true, ...dependsOn.length > 0 && { dependsOn: dependsOn.map((other) => ({ name: other })) } },
  };
}

const ROOT = flux('root', './entries');
const state = (entries: readonly Fields[], replicas = 2): ObjectFiles => ({
  'entries/all.yaml': entries,
  'infra/all.yaml': [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'web' } }],
  'tenants/all.yaml': [CLUSTER, controlPlane(), newPool({}, { replicas })],
});
const INFRA = flux('infra', './infra');

test('a Kustomization that depends on one that nothing defines is never applied, nor is what it applies', () => {
  const { pool, totals, failing } = planned(state([ROOT, INFRA, flux('tenants', './tenants', 'infra')]), state([ROOT, INFRA, flux('tenants', './tenants', 'infar')], 1));
  const never = 'never applied: Kustomization tenants depends on infar, which nothing defines';
  expect(failing('tenants')).toEqual([never]);
  expect(pool).toMatchObject({ heldBy: ['Kustomization infar'], notes: [never] });
  expect(totals.machinesDeleted.maximum).toBe(0);
});

test('one whose dependency is removed is not applied any more, and so are those that depend on it', () => {
  const middle = flux('middle', './middle', 'infra');
  const { pool, failing } = planned(
    state([ROOT, INFRA, middle, flux('tenants', './tenants', 'middle')]), state([ROOT, middle, flux('tenants', './tenants', 'middle')], 1));
  expect(failing('infra')).toEqual(['Kustomization middle depends on infra, which nothing defines any more: it applies nothing from now on']);
  expect(pool).toMatchObject({ heldBy: ['Kustomization infra'], notes: ['never applied: Kustomization middle depends on infra, which nothing defines'] });
});

test('one that another repository may define is named as such', () => {
  const elsewhere = flux('elsewhere', './other/repository');
  const { part, failing } = planned(state([ROOT, elsewhere]), state([ROOT, elsewhere, flux('tenants', './tenants', 'infra')]));
  expect(failing('tenants')).toEqual([]);
  expect(part('tenants')!.notes).toEqual([
    'Kustomization tenants depends on infra, which is not among the manifests: nothing is applied unless another repository defines it',
  ]);
});

test('one that is missing in both states, or stays in the cluster, is no reason to wait', () => {
  const tenants = flux('tenants', './tenants', 'infra');
  const kept = { ...INFRA, metadata: { ...INFRA.metadata as Fields, annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } } };
  for (const before of [[ROOT, tenants], [ROOT, kept, tenants]]) {
    const { pool, failing, totals } = planned(state(before), state([ROOT, tenants], 1));
    expect([pool!.heldBy, failing('infra') ?? [], totals.machinesDeleted.maximum]).toEqual([undefined, [], 1]);
  }
});
