import { dataStore, namedControlPlane } from './examples';
import { DATA_STORE, KAMAJI_CONTROL_PLANE, placeOf, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { ManifestChange, TransitionRule } from '../../../rules/changes/transition-rule';
import { changedText, documents, edited } from '../../../rules/example-text';
import { Lookup, ManifestIndex } from '../../../rules/manifest-index';
import { fieldAt, Fields, isFields, isSet, listAt, objectsAt, sameValue, stringAt } from '../../../values/fields';

/** A DataStore of examples. */
export const STORE_TEXT = dataStore(`  driver: PostgreSQL
  endpoints: [postgres.example.com:5432]
  basicAuth:
    username: {secretReference: {name: postgres, namespace: kamaji-system, keyPath: username}}
    password: {secretReference: {name: postgres, namespace: kamaji-system, keyPath: password}}
`);

/** A control plane of examples, with what it keeps in a data store and how it is reached. */
export const STORED_TEXT = namedControlPlane(`  dataStoreName: tenants
  dataStoreSchema: tenant_acme
  dataStoreUsername: tenant_acme
  network:
    serviceType: LoadBalancer
    serviceAddress: 192.0.2.10
    loadBalancerConfig:
      loadBalancerClass: metallb
`);

const RAISED = { 'v1.35.4': 'v1.35.5' };
const MIGRATION_GUIDE = 'clastix/kamaji docs/content/guides/datastore-migration.md';

const STORE_TEXTS = [STORE_TEXT, edited(STORE_TEXT, { 'name: tenants': 'name: spare' }), edited(STORE_TEXT, { 'name: tenants': 'name: other', 'driver: PostgreSQL': 'driver: MySQL' })];

/** The data stores of a control plane before and after a change; undefined where Kamaji chooses one. */
interface Move {
  readonly path: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

function moveOf({ before, after }: ManifestChange): Move | undefined {
  if (!before || !after) return undefined;
  const path = placeOf(after, 'dataStoreName');
  const [from, to] = [stringAt(before, ...path), stringAt(after, ...path)];
  return from === to ? undefined : { path, from, to };
}

/** The drivers of both DataStores, as far as they are among the manifests. */
function driversOf({ old, now }: ManifestChange, { from, to }: Move): string[] {
  const stores = [old.find(DATA_STORE, undefined, from), now.find(DATA_STORE, undefined, to)];
  return [...new Set(stores.flatMap((store) => stringAt(store, 'spec', 'driver') ?? []))];
}

const MIGRATION: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-DATA-STORE',
  title: 'A move to another DataStore must be intended: the tenant cannot write meanwhile, kubelets are restarted afterwards, and the old data stays.',
  source: MIGRATION_GUIDE,
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  warning: true,
  example: changedText(documents(STORED_TEXT, ...STORE_TEXTS), { 'dataStoreName: tenants': 'dataStoreName: spare' }, RAISED),
  check: (change) => {
    const move = moveOf(change);
    if (!move || driversOf(change, move).length === 2) return [];
    const { path, from, to } = move;
    return [from === undefined || to === undefined
      ? { path, message: `it ${to === undefined ? `no longer names the DataStore "${from}"` : `names the DataStore "${to}" now`}: a move, unless that is Kamaji's default`, fix: 'make sure that it is, or plan the move; then silence this' }
      : { path, message: `it moves from the DataStore "${from}" to "${to}"`, fix: 'plan the move, and silence this' }];
  },
};

const DRIVERS: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-DRIVER',
  title: 'A control plane can only move to a DataStore of the same driver.',
  source: MIGRATION_GUIDE,
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: changedText(documents(STORED_TEXT, ...STORE_TEXTS), { 'dataStoreName: tenants': 'dataStoreName: other' }, RAISED),
  check: (change) => {
    const move = moveOf(change);
    const drivers = move ? driversOf(change, move) : [];
    return move && drivers.length === 2 ? [{
      path: move.path,
      message: `it moves from the DataStore "${move.from}" to "${move.to}"; their drivers are ${drivers.join(' and ')}`,
      fix: 'choose a DataStore of the same driver, or make a new control plane',
    }] : [];
  },
};

const POLICY_TEXT = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: acme-control-plane
  namespace: tenant-acme
spec:
  podSelector:
    matchLabels: {kamaji.clastix.io/name: acme}
  policyTypes: [Egress]
  egress:
    - to:
        - namespaceSelector:
            matchLabels: {kubernetes.io/metadata.name: databases}
          podSelector:
            matchLabels: {app: tenants}
`;
const SPARE_PEER = `        - namespaceSelector:
            matchLabels: {kubernetes.io/metadata.name: databases}
          podSelector:
            matchLabels: {app: spare}
`;

const EGRESS: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-DATA-STORE-EGRESS',
  title: 'While a control plane moves to another DataStore, network policies must not close a way that its pods had: they use the former DataStore until the move has ended.',
  source: 'clastix/kamaji internal/resources/datastore/datastore_migrate.go (the Deployment waits for the Job), 26.8.2-edge',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: changedText(
    documents(STORED_TEXT, POLICY_TEXT),
    { 'dataStoreName: tenants': 'dataStoreName: spare', 'app: tenants': 'app: spare' },
    { 'dataStoreName: tenants': 'dataStoreName: spare', [POLICY_TEXT]: POLICY_TEXT + SPARE_PEER },
  ),
  check: (change) => {
    const move = moveOf(change);
    if (!move?.from || !move.to) return [];
    const [old, now] = [waysOf(change.before!, change.old), waysOf(change.after!, change.now)];
    const lost = (now && old?.filter((way) => !now.some((other) => covers(other, way)))) ?? [];
    return lost.length === 0 ? [] : [{
      path: move.path,
      message: `it moves from the DataStore "${move.from}" to "${move.to}", and ${[...new Set(lost.map(({ policy }) => policy))].join(', ')} closes the way to `
        + `${[...new Set(lost.map(wayWords))].join(' and to ')}; its pods use "${move.from}" until the data are copied`,
      fix: `keep that way until the move has ended (formerDataStore: ${JSON.stringify(move.from)} in a page); close other ways in another commit`,
    }];
  },
};

/** One peer that a policy lets pods through to, on some ports or on all. */
interface Way {
  readonly policy: string;
  /** Undefined for every peer. */
  readonly peer?: Fields;
  /** Undefined for all ports. */
  readonly ports?: readonly unknown[];
}

const POLICIES = new Lookup(['networking.k8s.io/NetworkPolicy', 'cilium.io/CiliumNetworkPolicy'], (policy) => [namespaceOf(policy)]);

/** Label of the pods of a control plane (clastix/kamaji internal/builders/controlplane/deployment.go). */
const POD_LABEL = 'kamaji.clastix.io/name';

/** The ways out that policies leave the pods of a control plane; undefined if no policy limits them. */
function waysOf(controlPlane: ManifestObject, index: ManifestIndex): Way[] | undefined {
  const egress = POLICIES.find(index, namespaceOf(controlPlane)).flatMap((policy) => (
    [policy.spec, ...listAt(policy, 'specs')].filter((spec) => selects(spec, nameOf(controlPlane)) && limitsEgress(spec)).map((spec) => [policy, spec] as const)));
  return egress.length === 0 ? undefined : egress.flatMap(([policy, spec]) => objectsAt(spec, 'egress').flatMap(([rule]) => waysOfRule(`${policy.kind} ${nameOf(policy)}`, rule)));
}

/** A selector of other labels may mean the pods or not: what is not known for sure is not counted. */
function selects(spec: unknown, name: string | undefined): boolean {
  const selector = fieldAt(spec, isSet(spec, 'endpointSelector') ? 'endpointSelector' : 'podSelector');
  const labels = fieldAt(selector, 'matchLabels') ?? {};
  return isFields(labels) && listAt(selector, 'matchExpressions').length === 0
    && Object.entries(labels).every(([label, value]) => label.replace(/^(?:k8s|any):/, '') === POD_LABEL && value === name);
}

function limitsEgress(spec: unknown): boolean {
  const types = listAt(spec, 'policyTypes');
  return types.length > 0 ? types.includes('Egress') : isSet(spec, 'egress');
}

const PORTS = ['ports', 'toPorts'];

function waysOfRule(policy: string, rule: Fields): Way[] {
  const ports = PORTS.flatMap((field) => listAt(rule, field));
  const peers = Object.keys(rule).filter((field) => !PORTS.includes(field))
    .flatMap((field) => listAt(rule, field).map((peer): Fields => (field === 'to' && isFields(peer) ? peer : { [field]: peer })));
  const rest = { policy, ...(ports.length > 0 && { ports }) };
  return peers.length === 0 ? [rest] : peers.map((peer) => ({ ...rest, peer }));
}

/** Blocks with exceptions stand for the world outside, whose exceptions follow from other things. */
function covers(now: Way, { peer, ports }: Way): boolean {
  const isWorld = peer !== undefined && JSON.stringify(peer).includes('"except"');
  return isWorld || (now.peer === undefined || sameValue(now.peer, peer)) && (now.ports === undefined || sameValue(now.ports, ports));
}

function wayWords({ peer = {} }: Way): string {
  const labels = [...JSON.stringify(peer).matchAll(/"matchLabels":(\{[^{}]*\})/g)].flatMap(([, text]) => Object.entries(JSON.parse(text) as Fields));
  return labels.length > 0 ? labels.map(([label, value]) => `${label}=${String(value)}`).join(', ') : JSON.stringify(peer);
}

/** Moves of control planes to other DataStores. */
export const DATA_STORE_MOVES: readonly TransitionRule[] = [MIGRATION, DRIVERS, EGRESS];
