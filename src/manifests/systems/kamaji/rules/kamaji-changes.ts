import { DATA_STORE_MOVES, STORE_TEXT, STORED_TEXT } from './data-store-moves';
import { namedControlPlane, tenantControlPlane } from './examples';
import {
  controlPlaneFields, DATA_STORE, DATA_STORE_CRD, KAMAJI_CONTROL_PLANE, placeOf, PROVIDER_CRD, PROVIDER_KINDS, PROVIDER_RECONCILER, serviceTypeOf,
  TENANT_CONTROL_PLANE, TENANT_CRD, tenantCluster,
} from './kamaji-objects';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { changed, changeWords, fieldValues, isMissing, isUpdate, keeps, KeptField } from '../../../rules/changes/kept-fields';
import { loweredMinor, skippedMinor } from '../../../rules/changes/pool-changes';
import { ManifestChange, TransitionRule } from '../../../rules/changes/transition-rule';
import { MACHINE_DEPLOYMENT } from '../../../rules/cluster-api/cluster-api-kinds';
import { membersOfCluster } from '../../../rules/cluster-api/cluster-members';
import { changedText, documents, replaced } from '../../../rules/example-text';
import { Lookup, ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT } from '../../../rules/references/examples';
import { clusterOf } from '../../../rules/references/object-references';
import { fieldAt, isSet, numberAt, sameValue, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const STOPPED = CONTROL_PLANE_TEXT.replace('spec:\n', 'spec:\n  replicas: 0\n');

/** A cluster that is stopped by half. */
export const STOPPED_CONTROL_PLANE: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-STOPPED',
  title: 'A control plane without replicas must not have pools with machines: without an API server, no machine is drained, replaced or scaled.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go (drainNode), v1.14.0',
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  warning: true,
  example: replaced(
    POOL_TEXT.replace('replicas: 3', 'replicas: 0'), 'replicas: 0', 'replicas: 3', STOPPED, CLUSTER_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT,
  ),
  check: (object, index) => {
    if (!isStopped(object)) return [];
    const running = poolsWithMachines(object, index);
    return running.length === 0 ? [] : [{
      path: ['spec', 'replicas'],
      message: `there is no API server, and ${running.map(nameOf).join(', ')} may have machines, which are then neither drained nor replaced nor scaled`,
      fix: 'set replicas of the pools to 0 first (Hibernation.POOLS), wait until their machines are gone, and then stop the control plane',
    }];
  },
};

/** A cluster that is stopped at once. */
const STOPPED_AT_ONCE: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-STOPPED',
  title: 'A control plane must not stop in the change that empties its pools: nodes are not drained, and machines stay until all timeouts have passed.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go (drainNode), v1.14.2',
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  example: changedText(
    documents(CONTROL_PLANE_TEXT.replace('spec:\n', 'spec:\n  replicas: 2\n'), POOL_TEXT, CLUSTER_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT),
    { 'replicas: 2': 'replicas: 0', 'replicas: 3': 'replicas: 0' }, { 'replicas: 3': 'replicas: 0' },
  ),
  check: ({ before, after, old }) => {
    if (!before || !after || isStopped(before) || !isStopped(after)) return [];
    const running = poolsWithMachines(before, old);
    return running.length === 0 ? [] : [{
      path: ['spec', 'replicas'],
      message: `the control plane stops, and ${running.map(nameOf).join(', ')} had machines until now, whose nodes need it to be drained`,
      fix: 'set only replicas of the pools to 0 (Hibernation.POOLS), and stop the control plane in a later commit, when the machines are gone',
    }];
  },
};

function isStopped(controlPlane: ManifestObject): boolean {
  return numberAt(controlPlane, 'spec', 'replicas') === 0;
}

/** The pools of a control plane that may have machines: those that are autoscaled have no number. */
function poolsWithMachines(controlPlane: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const owner = clusterOf(controlPlane, index);
  const pools = owner ? membersOfCluster(namespaceOf(owner), nameOf(owner), index, MACHINE_DEPLOYMENT) : [];
  return pools.filter((pool) => numberAt(pool, 'spec', 'replicas') !== 0);
}

const CEL = 'x-kubernetes-validations of the definition:';
const PUT_BACK = 'put it back';
const CLASS = ['network', 'loadBalancerConfig', 'loadBalancerClass'];
const TENANT_CLASS = ['spec', 'networkProfile', 'loadBalancerClass'];

const TENANT_TEXT = tenantControlPlane(`  dataStore: tenants
  dataStoreSchema: tenant_acme
  dataStoreUsername: tenant_acme
  kubernetes:
    version: v1.35.4
    kubelet: {cgroupfs: systemd}
  networkProfile:
    clusterDomain: cluster.local
    podCidrs: [10.244.0.0/16]
    serviceCidrs: [10.96.0.0/16]
`);

const RAISED = { 'v1.35.4': 'v1.35.5' };
const NEXT_MINOR = { 'v1.35.4': 'v1.36.1' };

const VERSION_WEBHOOK = 'clastix/kamaji internal/webhook/handlers/tcp_version.go';
const VERSION = ['spec', 'version'];
const TENANT_VERSION = ['spec', 'kubernetes', 'version'];

const CONTROL_PLANE: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI',
  title: 'The data store user and the load balancer class cannot be changed.',
  source: `${CEL} ${PROVIDER_CRD}`,
  kinds: PROVIDER_KINDS,
  example: changedText(STORED_TEXT, { 'Username: tenant_acme': 'Username: acme' }, RAISED),
  check: (change) => {
    const { before, after } = change;
    if (!isUpdate(change) || !before || !after) return [];
    const { path } = controlPlaneFields(after);
    const place = path.map(String);
    // The class is guarded only while there is the map around it.
    const configured = [before, after].every((object) => isSet(object, ...place, ...CLASS.slice(0, -1)));
    return keeps([
      { path: [...place, 'dataStoreUsername'], maySet: true, mayUnset: true },
      { path: [...place, ...CLASS], maySet: !configured, mayUnset: !configured },
    ], PUT_BACK)(change);
  },
};

const STORED: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-STORED',
  title: 'The schema and user of a control plane in its data store, and the presence of a load balancer class, cannot change: Kamaji refuses changes only while reconciling.',
  source: TENANT_CRD,
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  refusedLater: true,
  example: changedText(STORED_TEXT, { 'Schema: tenant_acme': 'Schema: acme' }, RAISED),
  check: (change) => {
    const names = ['dataStoreSchema', 'dataStoreUsername'].map((field) => ['spec', field]);
    if (!isUpdate(change) || !change.after || !change.before) return [];
    if (groupKind(change.after) === TENANT_CONTROL_PLANE) return names.flatMap((path) => setLater(change, path));
    const { before, after } = change;
    const configured = [before, after].every((object) => isSet(object, 'spec', ...CLASS.slice(0, -1)));
    const balanced = [before, after].every((object) => serviceTypeOf(object) === 'LoadBalancer');
    return [
      ...keeps([{ path: names[0], maySet: true }], PUT_BACK)(change),
      ...keeps([{ path: names[1], maySet: true }], PUT_BACK)(change).filter(() => !isSet(after, ...names[1])),
      ...names.flatMap((path) => setLater(change, path)),
      ...(balanced && !configured ? keeps([{ path: ['spec', ...CLASS] }], PUT_BACK)(change) : []),
    ];
  },
};

/** Kamaji generates the name if it is unset, and it cannot be changed afterwards. */
function setLater(change: ManifestChange, path: readonly string[]): Finding[] {
  const { before, after } = fieldValues(change, path);
  return isMissing(before) && !isMissing(after) ? [{
    path,
    message: `${changeWords(before, after)}: the control plane has a name already`,
    fix: 'leave it out; if it is the name that the TenantControlPlane has, silence this',
  }] : [];
}

const SET_ONCE: readonly KeptField[] = ['dataStoreSchema', 'dataStoreUsername'].map((field) => ({ path: ['spec', field], maySet: true }));

const TENANT: TransitionRule = {
  id: 'TC-CHANGE-TCP',
  title: 'Domain, data store schema and user, and load balancer class of a TenantControlPlane cannot be changed; its data store cannot be removed.',
  source: `${CEL} ${TENANT_CRD}`,
  kinds: [TENANT_CONTROL_PLANE],
  example: changedText(TENANT_TEXT, { 'cluster.local': 'acme.local' }, RAISED),
  check: (change) => {
    const { before, after } = change;
    if (!isUpdate(change) || !before || !after) return [];
    const balanced = [before, after].every((object) => serviceTypeOf(object) === 'LoadBalancer');
    // Only a name that goes away is refused; which one it is, is a matter of what can be moved.
    const unset = isSet(before, 'spec', 'dataStore') && !isSet(after, 'spec', 'dataStore');
    return [
      ...keeps([
        ...SET_ONCE,
        { path: ['spec', 'networkProfile', 'clusterDomain'], byDefault: 'cluster.local' },
        { path: TENANT_CLASS, maySet: !balanced, mayUnset: !balanced },
      ], PUT_BACK)(change),
      ...(unset ? [{ path: ['spec', 'dataStore'], message: 'it was there, and is not any more', fix: PUT_BACK }] : []),
    ];
  },
};

const TENANT_NETWORK: TransitionRule = {
  id: 'TC-CHANGE-TCP-NETWORK',
  title: 'Pod and service CIDRs and the port of a TenantControlPlane must not change: running nodes, Services and kubeconfigs keep the old ones.',
  source: `${TENANT_CRD}, which takes any change`,
  kinds: [TENANT_CONTROL_PLANE],
  trap: true,
  stranding: true,
  example: changedText(TENANT_TEXT, { '10.96.0.0/16': '10.112.0.0/16' }, RAISED),
  check: (change) => {
    const { before, after } = change;
    if (!isUpdate(change) || !before || !after) return [];
    const fix = 'put it back, or make a new control plane and move what runs';
    const [was, is] = [before, after].map(tenantCluster);
    return [
      ...(['pods', 'services'] as const).flatMap((list) => {
        const [old, now] = [was, is].map((cluster) => cluster[list].map(({ text }) => text).join(', '));
        const path = [is, was].flatMap((cluster) => cluster[list]).find(({ isDefault }) => !isDefault)?.path ?? [];
        return old === now ? [] : [{ path: typeof path.at(-1) === 'number' ? path.slice(0, -1) : path, message: changeWords(old, now), fix }];
      }),
      ...changed(change, ['spec', 'networkProfile', 'port'], fix, 6443),
    ];
  },
};

const DRIVER: TransitionRule = {
  id: 'TC-CHANGE-DATA-STORE',
  title: 'The driver of a DataStore cannot be changed.',
  source: `${CEL} ${DATA_STORE_CRD}`,
  kinds: [DATA_STORE],
  example: changedText(STORE_TEXT, { 'driver: PostgreSQL': 'driver: MySQL' }, { 'name: tenants': 'name: tenants-2', 'driver: PostgreSQL': 'driver: MySQL' }),
  check: keeps([{ path: ['spec', 'driver'] }], 'keep it, and make another DataStore'),
};

const ENDPOINT: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-ENDPOINT',
  title: 'The address of a control plane must not change: nodes and kubeconfigs keep the old address, and a changed host name does not reach them.',
  source: PROVIDER_RECONCILER,
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: changedText(STORED_TEXT, { '192.0.2.10': '192.0.2.11' }, RAISED),
  check: (change) => {
    const { before, after } = change;
    if (!isUpdate(change) || !before || !after) return [];
    const place = (field: string) => placeOf(after, 'network', field);
    const types = [before, after].map(serviceTypeOf);
    const fix = 'put it back, or let the new address be reached by the old name, and give nodes and users new kubeconfigs';
    return [
      ...(types[0] === types[1] ? [] : [{ path: place('serviceType'), message: changeWords(...types as [string, string]), fix }]),
      ...changed(change, place('serviceAddress'), fix),
      ...['ingress', 'gateway'].flatMap((way) => wayChanges(change, place(way), fix)),
    ];
  },
};

/** Changes of a way into the control plane by a host name, and its addition or removal. */
function wayChanges(change: ManifestChange, path: readonly string[], fix: string): Finding[] {
  const { before, after } = fieldValues(change, path);
  if (isMissing(before) || isMissing(after)) return isMissing(before) && isMissing(after) ? [] : [{ path, message: changeWords(before, after), fix }];
  return ['hostname', 'port'].flatMap((field) => (sameValue(fieldAt(before, field), fieldAt(after, field)) ? [] : [{
    path: [...path, field], message: changeWords(fieldAt(before, field), fieldAt(after, field)), fix,
  }]));
}

const TENANT_MINOR: TransitionRule = {
  id: 'TC-CHANGE-TCP-VERSION',
  title: 'The minor version of a TenantControlPlane must not go down, and must rise by one at a time.',
  source: VERSION_WEBHOOK,
  kinds: [TENANT_CONTROL_PLANE],
  example: changedText(tenantControlPlane('  kubernetes:\n    version: v1.35.4\n    kubelet: {cgroupfs: systemd}\n  networkProfile: {}\n'), { 'v1.35.4': 'v1.37.0' }, NEXT_MINOR),
  check: (change) => [...skippedMinor(change, TENANT_VERSION), ...loweredMinor(change, TENANT_VERSION, 'Kamaji does not go back')],
};

const MINOR: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-VERSION',
  title: 'The minor version of a KamajiControlPlane must not go down, and must rise by one at a time: Kamaji refuses others only while reconciling.',
  source: VERSION_WEBHOOK,
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  refusedLater: true,
  example: changedText(namedControlPlane(''), { 'v1.35.4': 'v1.34.8' }, NEXT_MINOR),
  check: (change) => [...skippedMinor(change, VERSION), ...loweredMinor(change, VERSION, 'Kamaji does not go back')],
};

const STORE_USERS = new Lookup([KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE], (plane) => [stringAt(plane, 'spec', 'dataStoreName') ?? stringAt(plane, 'spec', 'dataStore')]);

/** The control planes that name a DataStore. */
export function storeUsers(store: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  return STORE_USERS.find(index, nameOf(store));
}

/** Control planes of Kamaji, and what they store in. */
export const KAMAJI_CHANGES: readonly TransitionRule[] = [
  TENANT_MINOR, MINOR, CONTROL_PLANE, STORED, TENANT, TENANT_NETWORK, DRIVER, ...DATA_STORE_MOVES, ENDPOINT, STOPPED_AT_ONCE,
];
