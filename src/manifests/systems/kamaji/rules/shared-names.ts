import { tenantControlPlane } from './examples';
import { apiPort, KAMAJI_CONTROL_PLANE, konnectivityPort, placeOf, serviceTypeOf, SERVICE_BUILDER, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { FieldPath, stringAt } from '../../../values/fields';

/** Something that only one control plane of a management cluster can have. */
interface Claim {
  /** In words, such as `node port 30443`. */
  readonly what: string;
  readonly path: FieldPath;
}

/** The port of an Ingress where its host name has none. */
const HTTPS_PORT = 443;

/** Names and addresses that a control plane takes. A schema or user that is not stated gets a name of its own. */
function claimsOf(object: ManifestObject, index: ManifestIndex): Claim[] {
  const text = (...field: readonly string[]) => stringAt(object, ...placeOf(object, ...field));
  const store = text('dataStoreName');
  const identities = ([['dataStoreSchema', 'schema'], ['dataStoreUsername', 'user']] as const).flatMap(([field, word]) => {
    const name = text(field);
    return name === undefined ? [] : [{ what: `the ${word} "${name}" in ${store === undefined ? 'the default DataStore' : `DataStore "${store}"`}`, path: placeOf(object, field) }];
  });
  const type = serviceTypeOf(object);
  const address = type === 'NodePort' ? undefined : text('network', 'serviceAddress');
  const ports = [apiPort(object, index), konnectivityPort(object)].flatMap((placed) => (placed ? [placed] : []))
    .filter(({ port }, position, all) => all.findIndex((other) => other.port === port) === position);
  const hosts = ['ingress', 'gateway'].flatMap((way) => {
    const hostname = text('network', way, 'hostname');
    if (hostname === undefined) return [];
    const port = way === 'ingress' ? HTTPS_PORT : apiPort(object, index)?.port;
    return [{ what: /:\d+$/.test(hostname) ? hostname : `${hostname}:${port ?? HTTPS_PORT}`, path: placeOf(object, 'network', way, 'hostname') }];
  });
  return [
    ...identities,
    ...(type === 'NodePort' ? ports.map(({ port, path }) => ({ what: `node port ${port}`, path })) : []),
    ...(address === undefined ? [] : ports.map(({ port }) => ({ what: `port ${port} at ${address}`, path: placeOf(object, 'network', 'serviceAddress') }))),
    ...hosts,
  ];
}

/** The first control plane that has something, by what it is. A KamajiControlPlane and its TenantControlPlane are the same one. */
const OWNERS = new WeakMap<ManifestIndex, ReadonlyMap<string, string>>();

function ownersIn(index: ManifestIndex): ReadonlyMap<string, string> {
  let owners = OWNERS.get(index);
  if (!owners) {
    const planes = [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE].flatMap((kind) => index.all(kind));
    owners = new Map(planes.reverse().flatMap((plane) => claimsOf(plane, index).map(({ what }) => [what, identityOf(plane)] as const)));
    OWNERS.set(index, owners);
  }
  return owners;
}

function identityOf(object: ManifestObject): string {
  return `${namespaceOf(object) ?? 'default'}/${nameOf(object)}`;
}

const plane = (name: string, schema: string) => tenantControlPlane(
  `  dataStore: tenants\n  dataStoreSchema: ${schema}\n  kubernetes: {version: v1.35.4, kubelet: {cgroupfs: systemd}}\n  networkProfile: {}\n`, { name });

const taken: ManifestRule = {
  id: 'TC-TRAP-TCP-TAKEN',
  title: 'Schema and user in a data store, node ports, and address and port of a TenantControlPlane should be unique in a management cluster: two API servers with one schema overwrite each other\'s objects.',
  source: `clastix/kamaji internal/resources/datastore/datastore_setup.go, 26.8.2-edge; ${SERVICE_BUILDER}`,
  kinds: [TENANT_CONTROL_PLANE],
  trap: true,
  // Two control planes may be in two management clusters.
  warning: true,
  example: { failing: `${plane('acme', 'tenant')}---\n${plane('other', 'tenant')}`, corrected: `${plane('acme', 'acme')}---\n${plane('other', 'other')}` },
  check: (object, index) => claimsOf(object, index).flatMap(({ what, path }) => {
    const owner = ownersIn(index).get(what);
    return owner === undefined || owner === identityOf(object) ? [] : [{ path, message: `${what} belongs to ${owner} already`, fix: 'choose another one' }];
  }),
};

/** Rules over what only one control plane of a management cluster can have. */
export const SHARED_NAMES: readonly ManifestRule[] = [taken];
