import { controlPlaneFields, DATA_STORE, PROVIDER_KINDS, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { groupKind } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { missing, Wanted } from '../../../rules/references/missing-references';
import { FieldPath, objectsAt, stringAt } from '../../../values/fields';

const CONTROL_PLANE_TEXT = `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata:
  name: acme
  namespace: tenant-acme
spec:
  version: v1.35.4
  dataStoreName: tenants
  addons:
    coreDNS: {dnsServiceIPs: [10.96.0.10]}
`;
const DATA_STORE_TEXT = `apiVersion: kamaji.clastix.io/v1alpha1
kind: DataStore
metadata:
  name: tenants
spec:
  driver: PostgreSQL
  endpoints: [database.example.com:5432]
  basicAuth:
    username: {secretReference: {name: database, namespace: kamaji-system, keyPath: username}}
    password: {secretReference: {name: database, namespace: kamaji-system, keyPath: password}}
`;

const stores: ManifestRule = {
  id: 'TC-TRAP-REF-DATA-STORE',
  title: 'The DataStores of a Kamaji control plane must exist if others do: Kamaji refuses the control plane otherwise.',
  source: 'clastix/kamaji internal/webhook/handlers/tcp_datastore.go',
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  elsewhere: true,
  example: replaced(CONTROL_PLANE_TEXT, 'dataStoreName: tenants', 'dataStoreName: tenant', DATA_STORE_TEXT),
  check: (object, index) => {
    const { fields, path } = controlPlaneFields(object);
    const field = groupKind(object) === TENANT_CONTROL_PLANE ? 'dataStore' : 'dataStoreName';
    const wanted = (name: string | undefined, at: FieldPath): Wanted[] => (
      name === undefined ? [] : [{ kind: DATA_STORE, name, path: [...path, ...at], clusterScoped: true }]
    );
    return [
      ...wanted(stringAt(fields, field), [field]),
      ...objectsAt(fields, 'dataStoreOverrides').flatMap(([item, position]) => wanted(stringAt(item, 'dataStore'), ['dataStoreOverrides', position, 'dataStore'])),
    ].flatMap((one) => missing(object, index, one));
  },
};

/** Where control planes keep their data, and that is not there. */
export const MISSING_STORES: readonly ManifestRule[] = [stores];
