import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { plan } from '../../../src/manifests/plan/plan-objects';
import { FieldEffects } from '../../../src/manifests/rules/changes/effects';
import { StructureFile } from '../../../src/manifests/rules/structure/kind-structure';
import { DELIVERY_FIELDS } from '../../../src/manifests/systems/flux/delivery-effects';
import { CONTROL_PLANE_FIELDS, TENANT_FIELDS } from '../../../src/manifests/systems/kamaji/control-plane-effects';

/** True if some version of a kind has a field, or keeps fields that it does not know. */
function hasField(group: string, kind: string, field: string): boolean {
  const { kinds, nodes } = JSON.parse(readFileSync(path.join(__dirname, `../../../data/schemas/${group}.json`), 'utf8')) as StructureFile;
  return Object.values(kinds[kind].versions).some((version) => {
    let node: number | undefined = version;
    for (const name of field.split('.')) {
      while (node !== undefined && nodes[node].items !== undefined) node = nodes[node].items;
      if (node === undefined || (nodes[node].fields === undefined && nodes[node].values === undefined)) return false;
      node = nodes[node].fields?.[name] ?? nodes[node].values;
    }
    return node !== undefined;
  });
}

test.each<[group: string, kind: string, effects: FieldEffects]>([
  ['controlplane.cluster.x-k8s.io', 'KamajiControlPlane', CONTROL_PLANE_FIELDS],
  ['kamaji.clastix.io', 'TenantControlPlane', TENANT_FIELDS],
  ...['HelmRelease', 'Kustomization'].map((kind) => Object.entries(DELIVERY_FIELDS).filter(([name]) => name.endsWith(`/${kind}`))
    .map(([name, effects]): [string, string, FieldEffects] => [name.split('/')[0], kind, effects])[0]),
])('the effects of %s %s are of fields that it has', (group, kind, effects) => {
  const fields = Object.keys(effects).filter((field) => field.startsWith('spec.'));
  expect(fields.filter((field) => !hasField(group, kind, field))).toEqual([]);
});

test.each([
  ['gateway.networking.k8s.io/v1', 'HTTPRoute', 'in place'],
  ['gateway.networking.k8s.io/v1', 'Gateway', 'unknown'],
  ['monitoring.coreos.com/v1', 'PrometheusRule', 'in place'],
  ['cilium.io/v2', 'CiliumNetworkPolicy', 'in place'],
])('a field of a %s %s changes %s', (apiVersion, kind, effect) => {
  const object = (example: string) => ({ apiVersion, kind, metadata: { name: 'web', namespace: 'web' }, spec: { listeners: [{ name: example }] } });
  const { shared: [{ effects }] } = plan([object('a')], [object('b')]);
  expect(effects).toMatchObject([{ effect }]);
});
