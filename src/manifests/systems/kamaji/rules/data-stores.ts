import { controlPlaneExample, dataStore, namedControlPlane } from './examples';
import {
  controlPlaneFields, DATA_STORE, DATA_STORE_CRD, GENERATOR_CRD, KAMAJI_CONTROL_PLANE, KUBECONFIG_GENERATOR, placeOf, PROVIDER_KINDS,
  TENANT_CONTROL_PLANE, WEBHOOKS,
} from './kamaji-objects';
import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { missing, Wanted } from '../../../rules/references/missing-references';
import { FieldPath, isSet, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const ETCD = 'etcd';
const NATS = 'NATS';

/** A kind of object as `--etcd-servers-overrides` of the API server names it. */
const RESOURCE = /^[a-z0-9.-]*\/[a-z0-9]+$/;

const CERTIFICATES = `  endpoints: [etcd.example.com:2379]
  tlsConfig:
    certificateAuthority:
      certificate: {secretReference: {name: etcd, namespace: kamaji-system, keyPath: ca.crt}}
      privateKey: {secretReference: {name: etcd, namespace: kamaji-system, keyPath: ca.key}}
    clientCertificate:
      certificate: {secretReference: {name: etcd, namespace: kamaji-system, keyPath: tls.crt}}
      privateKey: {secretReference: {name: etcd, namespace: kamaji-system, keyPath: tls.key}}
`;
const CREDENTIALS = `  endpoints: [database.example.com:5432]
  basicAuth:
    username: {secretReference: {name: database, namespace: kamaji-system, keyPath: username}}
    password: {secretReference: {name: database, namespace: kamaji-system, keyPath: password}}
`;

const certificates: ManifestRule = {
  id: 'TC-ADMIT-KAMAJI-DATA-STORE-ETCD',
  title: 'A DataStore of the driver etcd must have the key of the authority, and a client certificate with its key.',
  source: `${DATA_STORE_CRD} (x-kubernetes-validations)`,
  kinds: [DATA_STORE],
  example: {
    failing: dataStore(`  driver: etcd\n${CERTIFICATES.split('\n').filter((line) => !line.includes('ca.key')).join('\n')}`),
    corrected: dataStore(`  driver: etcd\n${CERTIFICATES}`),
  },
  check: (object) => {
    if (stringAt(object, 'spec', 'driver') !== ETCD) return [];
    return [['certificateAuthority', 'privateKey'], ['clientCertificate', 'certificate'], ['clientCertificate', 'privateKey']]
      .map((part) => ['spec', 'tlsConfig', ...part])
      .flatMap((path) => unfilled(object, path, 'the driver etcd needs it'));
  },
};

const credentials: ManifestRule = {
  id: 'TC-ADMIT-KAMAJI-DATA-STORE-CREDENTIALS',
  title: 'A DataStore of another driver than etcd must have complete certificates or a complete user.',
  source: `${DATA_STORE_CRD} (x-kubernetes-validations)`,
  kinds: [DATA_STORE],
  example: {
    failing: dataStore('  driver: PostgreSQL\n  endpoints: [database.example.com:5432]\n'),
    corrected: dataStore(`  driver: PostgreSQL\n${CREDENTIALS}`),
  },
  check: (object) => {
    const driver = stringAt(object, 'spec', 'driver');
    if (driver === undefined || driver === ETCD) return [];
    if (!isSet(object, 'spec', 'tlsConfig') && !isSet(object, 'spec', 'basicAuth')) {
      return [{ path: ['spec'], message: `the driver ${driver} has neither tlsConfig nor basicAuth`, fix: 'write basicAuth with username and password, or tlsConfig with the certificate of a client' }];
    }
    const parts = [
      ...(isSet(object, 'spec', 'tlsConfig', 'clientCertificate') ? [['tlsConfig', 'clientCertificate', 'certificate']] : []),
      ...(isSet(object, 'spec', 'basicAuth') ? [['basicAuth', 'username'], ['basicAuth', 'password']] : []),
    ];
    return parts.flatMap((part) => unfilled(object, ['spec', ...part], 'it is empty'));
  },
};

const endpoint: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DATA-STORE-ENDPOINT',
  title: 'Endpoints of etcd must be host and port, without a scheme: Kamaji adds https://.',
  source: 'clastix/kamaji api/v1alpha1/datastore_types.go',
  kinds: [DATA_STORE],
  trap: true,
  example: {
    failing: dataStore(`  driver: etcd\n${CERTIFICATES.replace('etcd.example.com', '"https://etcd.example.com').replace('2379', '2379"')}`),
    corrected: dataStore(`  driver: etcd\n${CERTIFICATES}`),
  },
  check: (object) => (stringAt(object, 'spec', 'driver') !== ETCD ? []
    : stringsAt(object, 'spec', 'endpoints').filter(([text]) => text.includes('://')).map(([text, position]) => ({
      path: ['spec', 'endpoints', position],
      message: `"${text}" has a scheme, and Kamaji puts another one before it`,
      accepted: 'host and port, such as "etcd.example.com:2379"',
      fix: 'remove what is before the host',
    }))),
};

const override: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DATA-STORE-OVERRIDE',
  title: 'An override of the data store must name a kind of object by group and plural, each once.',
  source: `${WEBHOOKS}/tcp_datastore.go`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  dataStoreOverrides: [{resource: /events, dataStore: events}, {resource: /events, dataStore: other}]\n',
    '  dataStoreOverrides: [{resource: /events, dataStore: events}]\n',
  ),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const seen = new Map<string, number>();
    return objectsAt(fields, 'dataStoreOverrides').flatMap(([item, position]) => {
      const resource = stringAt(item, 'resource');
      if (resource === undefined) return [];
      const at = [...path, 'dataStoreOverrides', position, 'resource'];
      if (!RESOURCE.test(resource)) {
        return [{
          path: at,
          message: `"${resource}" does not name a kind of object`,
          accepted: 'group and plural joined by "/", such as "/events" or "coordination.k8s.io/leases"',
          fix: 'write the group (nothing for the core group), a "/", and the plural in lower case',
        }];
      }
      const first = seen.get(resource);
      if (first === undefined) {
        seen.set(resource, position);
        return [];
      }
      return [{ path: at, message: `"${resource}" is sent to another data store already, by dataStoreOverrides[${first}]`, fix: 'keep one of the two' }];
    });
  },
};

const nats: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-NATS',
  title: 'A DataStore of the driver NATS can have one control plane only.',
  source: 'clastix/kamaji internal/resources/datastore/datastore_multitenancy.go',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: {
    failing: `${namedControlPlane('  dataStoreName: tenants\n')}---\n${namedControlPlane('  dataStoreName: tenants\n').replace('name: acme', 'name: other')}---\n${natsStore()}`,
    corrected: `${namedControlPlane('  dataStoreName: tenants\n')}---\n${natsStore()}`,
  },
  check: checkNats,
};

const generator: ManifestRule = {
  id: 'TC-ADMIT-KAMAJI-KUBECONFIG-GENERATOR',
  title: 'User and groups of a KubeconfigGenerator must each be either a value or a reference to the object.',
  source: `${GENERATOR_CRD} (x-kubernetes-validations)`,
  kinds: [KUBECONFIG_GENERATOR],
  example: {
    failing: kubeconfigGenerator('    stringValue: backup\n    fromDefinition: metadata.name\n'),
    corrected: kubeconfigGenerator('    stringValue: backup\n'),
  },
  check: (object) => {
    const groups = objectsAt(object, 'spec', 'groups').map(([group, index]): [unknown, FieldPath] => [group, ['spec', 'groups', index]]);
    const user: [unknown, FieldPath][] = isSet(object, 'spec', 'user') ? [[(object.spec as { user: unknown }).user, ['spec', 'user']]] : [];
    return [...user, ...groups].flatMap(([value, path]) => {
      const given = ['stringValue', 'fromDefinition'].filter((field) => isSet(value, field));
      return given.length === 1 ? [] : [{
        path, message: given.length === 0 ? 'it has neither stringValue nor fromDefinition' : 'it has both stringValue and fromDefinition', fix: 'keep one of the two',
      }];
    });
  },
};

/** Rules for data stores of control planes, and for their credentials. */
export const DATA_STORES: readonly ManifestRule[] = [certificates, credentials, endpoint, override, nats, generator];

/** Fields that the definition requires in what they are in: it is not for these rules to say that they are missing. */
const REQUIRED: readonly string[] = [
  'spec.tlsConfig.certificateAuthority', 'spec.tlsConfig.clientCertificate.certificate', 'spec.tlsConfig.clientCertificate.privateKey',
  'spec.basicAuth.username', 'spec.basicAuth.password',
];

function isReported(object: ManifestObject, path: readonly string[]): boolean {
  return path.some((_, depth) => REQUIRED.includes(path.slice(0, depth + 1).join('.')) && isSet(object, ...path.slice(0, depth)) && !isSet(object, ...path.slice(0, depth + 1)));
}

function unfilled(object: ManifestObject, path: readonly string[], why: string): Finding[] {
  return isReported(object, path) || isSet(object, ...path, 'secretReference') || isSet(object, ...path, 'content') ? [] : [{
    path, message: `${why}, and there is neither secretReference nor content`, fix: 'name the Secret that holds it in secretReference',
  }];
}

// The TenantControlPlane that a KamajiControlPlane was made into is the same control plane.
const USERS = new WeakMap<ManifestIndex, ReadonlyMap<string, readonly string[]>>();

function checkNats(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const path = placeOf(object, 'dataStoreName');
  const store = stringAt(object, ...path);
  if (store === undefined || stringAt(index.find(DATA_STORE, undefined, store), 'spec', 'driver') !== NATS) return [];
  const [first] = usersOf(index).get(store) ?? [];
  return first === undefined || first === identityOf(object) ? [] : [{
    path, message: `the DataStore "${store}" is of the driver NATS, and ${first} has it already`, fix: 'give each control plane a DataStore of its own',
  }];
}

function usersOf(index: ManifestIndex): ReadonlyMap<string, readonly string[]> {
  const known = USERS.get(index);
  if (known) return known;
  const users = new Map<string, string[]>();
  for (const object of [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE].flatMap((kind) => index.all(kind))) {
    const store = stringAt(object, ...placeOf(object, 'dataStoreName'));
    if (store !== undefined) users.set(store, [...users.get(store) ?? [], identityOf(object)]);
  }
  USERS.set(index, users);
  return users;
}

function identityOf(object: ManifestObject): string {
  return `${namespaceOf(object) ?? 'default'}/${nameOf(object)}`;
}

function natsStore(): string {
  return dataStore('  driver: NATS\n  endpoints: [nats.example.com:4222]\n  basicAuth:\n'
    + '    username: {secretReference: {name: nats, namespace: kamaji-system, keyPath: username}}\n'
    + '    password: {secretReference: {name: nats, namespace: kamaji-system, keyPath: password}}\n');
}

function kubeconfigGenerator(user: string): string {
  return `apiVersion: kamaji.clastix.io/v1alpha1
kind: KubeconfigGenerator
metadata:
  name: backup
spec:
  namespaceSelector: {}
  tenantControlPlaneSelector: {}
  user:
${user}`;
}

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
    const [store, overrides] = ['dataStoreName', 'dataStoreOverrides'].map((field) => placeOf(object, field));
    const wanted = (name: string | undefined, path: FieldPath): Wanted[] => (
      name === undefined ? [] : [{ kind: DATA_STORE, name, path, clusterScoped: true }]
    );
    return [
      ...wanted(stringAt(object, ...store), store),
      ...objectsAt(object, ...overrides).flatMap(([item, position]) => wanted(stringAt(item, 'dataStore'), [...overrides, position, 'dataStore'])),
    ].flatMap((one) => missing(object, index, one));
  },
};

/** Rules for missing data stores. */
export const MISSING_STORES: readonly ManifestRule[] = [stores];
