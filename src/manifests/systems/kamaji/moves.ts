import { DATA_STORE, placeOf } from './rules/kamaji-objects';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { MoveFacts, MoveFinding, MoveSide, MoveSides } from '../../rules/move-facts';
import { parseAddressRange, rangeCovers } from '../../values/address-ranges';
import { parseHostPort } from '../../values/dns';
import { isSet, stringAt, stringsAt } from '../../values/fields';
import { parseIp } from '../../values/ip-address';
import { commandLine } from '../../values/printable';

/**
 * Secrets of a TenantControlPlane that Kamaji does not make again as they were: authorities, the key of ServiceAccounts, the password in the
 * data store. It keeps those that it finds, and derives all others from them.
 *
 * Sources: clastix/kamaji internal/resources/ca_certificate.go, sa_certificate.go, front_proxy_ca_certificate.go,
 * datastore/datastore_storage_config.go, 26.8.2-edge.
 */
const SECRETS: readonly string[] = ['ca', 'sa-certificate', 'front-proxy-ca-certificate', 'datastore-config'];

/**
 * The move of a KamajiControlPlane. Its TenantControlPlane does not move: the provider makes another one, which finds its data by schema and
 * user. The former one is paused, or Kamaji would delete the data along with it.
 *
 * Sources: clastix/kamaji controllers/tenantcontrolplane_controller.go, controllers/resources.go (GetDeletableResources), api/v1alpha1/
 * tenantcontrolplane_funcs.go, 26.8.2-edge; clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_tcp.go,
 * pkg/externalclusterreference, v0.20.0.
 */
export function controlPlaneMove(controlPlane: ManifestObject, sides: MoveSides): MoveFacts {
  const [name, namespace] = [nameOf(controlPlane) ?? '', namespaceOf(controlPlane)];
  const [from, to] = [sides.from, sides.to].map((side) => commandLine(['kubectl', '--context', side.name, '-n', namespace ?? 'default']));
  return {
    obstacles: [...hosting(controlPlane), ...identity(controlPlane), ...dataStore(controlPlane, sides), ...address(controlPlane, sides.to)],
    lookups: [
      `pods of ${sides.to.name} reach the data store, and its Secrets are there too: the DataStore must be ready`,
      `${sides.from.name} has no label clusterctl.cluster.x-k8s.io on the definition tenantcontrolplanes.kamaji.clastix.io: clusterctl would delete `
      + 'the control plane with its data',
    ],
    carried: [{ namespace, names: SECRETS.map((secret) => `${name}-${secret}`), why: 'Kamaji owns them, and clusterctl does not know their owner' }],
    before: [{
      title: 'pause the TenantControlPlane, so that Kamaji does not delete its data when it goes',
      commands: [
        `${from} annotate tenantcontrolplane ${name} kamaji.clastix.io/paused=moving`,
        `${from} get tenantcontrolplane ${name} -o 'jsonpath={.spec.dataStore} {.spec.dataStoreSchema} {.spec.dataStoreUsername}'`,
      ],
      back: `${from} annotate tenantcontrolplane ${name} kamaji.clastix.io/paused-`,
    }],
    after: [{
      title: 'wait for the control plane, then let the former one go: without finalizers, and still paused, so that its data stay',
      commands: [
        `${to} wait --for=create --timeout=5m tenantcontrolplane/${name}`,
        `${to} wait --for=jsonpath='{.status.kubernetesResources.version.status}'=Ready --timeout=15m tenantcontrolplane/${name}`,
        `${from} get tenantcontrolplane ${name} -o 'jsonpath={.metadata.annotations.kamaji\\.clastix\\.io/paused}'   # must print: moving`,
        `${from} patch tenantcontrolplane ${name} --type merge -p '{"metadata":{"finalizers":[]}}'`,
        `${from} patch secret ${name}-datastore-config --type merge -p '{"metadata":{"finalizers":[]}}'`,
      ],
      back: 'none from here on but another move: before it, both control planes work on the same data',
    }],
  };
}

function hosting(controlPlane: ManifestObject): MoveFinding[] {
  return isSet(controlPlane, 'spec', 'deployment', 'externalClusterReference') ? [{
    message: 'its pods run in a third cluster, under a name that the provider makes of the UID of the KamajiControlPlane, which changes',
    fix: 'make a new cluster beside it',
  }] : [];
}

/** Without a name, Kamaji takes the UID of the TenantControlPlane. */
function identity(controlPlane: ManifestObject): MoveFinding[] {
  const missing = ['dataStoreSchema', 'dataStoreUsername'].filter((field) => !isSet(controlPlane, ...placeOf(controlPlane, field)));
  return missing.length === 0 ? [] : [{
    message: `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not stated: Kamaji would start with no data, under a name that it makes of another UID`,
    fix: 'write what the living TenantControlPlane has, in a commit before',
  }];
}

function dataStore(controlPlane: ManifestObject, { from, to }: MoveSides): MoveFinding[] {
  const name = stringAt(controlPlane, ...placeOf(controlPlane, 'dataStoreName'));
  if (name === undefined) return [{ message: 'the data store is not stated: each Kamaji takes its own default', fix: 'write dataStoreName, in a commit before' }];
  const [former, next] = [from, to].map(({ index }) => index.find(DATA_STORE, undefined, name));
  const local = [former, next].flatMap((store) => (store ? stringsAt(store, 'spec', 'endpoints') : [])).find(([endpoint]) => isLocal(endpoint));
  if (local) {
    return [{
      message: `the data store "${name}" is reached at ${local[0]}, which is another one in each management cluster`,
      fix: 'restore a backup of its data for a new cluster, or move it to a data store first that both reach at the same address',
    }];
  }
  if (!former || !next) return [];
  const differs = ['driver', 'endpoints'].filter((field) => textOf(former, field) !== textOf(next, field));
  return differs.map((field) => ({
    message: `${field} of the data store "${name}" ${field === 'driver' ? 'differs' : 'differ'}: ${textOf(former, field)} in ${from.name}, ${textOf(next, field)} in ${to.name}`,
    fix: 'give the same data store the same name in both',
  }));
}

function textOf(store: ManifestObject, field: string): string {
  return field === 'driver' ? stringAt(store, 'spec', field) ?? 'none' : stringsAt(store, 'spec', field).map(([text]) => text).sort().join(', ');
}

/** True for a name of a Service. No top-level domain has a hyphen, apart from those in other scripts. */
function isLocal(endpoint: string): boolean {
  const host = parseHostPort(endpoint)?.host ?? endpoint;
  if (parseIp(host) !== undefined) return false;
  return !host.includes('.') || /\.svc(\.|$)|\.cluster\.local$/.test(host) || /^[^.]+\.(?!xn--)[^.]*-[^.]*$/.test(host);
}

/** The address of the API server is in the Cluster, in each kubelet and in certificates: it cannot become another one. */
function address(controlPlane: ManifestObject, { name, serviceAddresses }: MoveSide): MoveFinding[] {
  const text = (...field: readonly string[]) => stringAt(controlPlane, ...placeOf(controlPlane, 'network', ...field));
  if (text('ingress', 'hostname') !== undefined || text('gateway', 'hostname') !== undefined) return [];
  const stated = text('serviceAddress');
  if (stated === undefined) {
    return [{
      message: 'the address of the API server is not stated: the load balancer of the next management cluster gives it another one, and no kubelet finds it',
      fix: 'none for this cluster, unless its address can be announced there: then write serviceAddress in a commit before',
    }];
  }
  const range = parseAddressRange(stated);
  return !range || serviceAddresses.length === 0 || serviceAddresses.some((one) => rangeCovers(one, range)) ? [] : [{
    message: `no address pool of ${name} has ${stated}, the address of the API server`,
    fix: 'give the address to a pool there, if its network can be routed there',
  }];
}
