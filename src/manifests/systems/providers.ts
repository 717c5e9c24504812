import { addKnownKinds } from '../objects/known-kinds';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { DeliveryFacts } from '../rules/delivery-facts';
import { ImageFacts } from '../rules/image-facts';
import { Provider } from '../rules/provider';
import { ARGO_CD } from './argo-cd/provider';
import { CALICO } from './calico/provider';
import { CERT_MANAGER } from './cert-manager/provider';
import { CILIUM } from './cilium/provider';
import { CLUSTER_API_OPERATOR } from './cluster-api-operator/provider';
import { CLUSTER_AUTOSCALER } from './cluster-autoscaler/provider';
import { RESOURCE_SETS } from './cluster-resource-set/provider';
import { CORE_DNS } from './core-dns/provider';
import { EXTERNAL_SECRETS } from './external-secrets/provider';
import { FLANNEL } from './flannel/provider';
import { FLEET } from './fleet/provider';
import { FLUX } from './flux/provider';
import { FLUX_OPERATOR } from './flux-operator/provider';
import { GATEWAY_API } from './gateway-api/provider';
import { HELM_CHART_PROXIES } from './helm-chart-proxy/provider';
import { INGRESS_NGINX } from './ingress-nginx/provider';
import { KAMAJI } from './kamaji/provider';
import { KUBE_VIP } from './kube-vip/provider';
import { KUBEADM } from './kubeadm/provider';
import { KUBEVIRT } from './kubevirt/provider';
import { METALLB } from './metallb/provider';
import { PROMETHEUS_OPERATOR } from './prometheus-operator/provider';
import { ROOK } from './rook/provider';
import { SEALED_SECRETS } from './sealed-secrets/provider';
import { SNAPSHOTS } from './snapshots/provider';
import { SVELTOS } from './sveltos/provider';
import { TABLE_PROVIDERS } from './tables';
import { VULTR } from './vultr/provider';
import { addSystemNamespaces } from '../values/system-namespaces';

/** Every system that the library knows; a new one is a folder of `systems/` and a line here, or a table and a line in `systems/tables.ts`. */
const SYSTEMS: readonly Provider[] = [
  KUBEADM,
  KUBE_VIP,
  KAMAJI,
  KUBEVIRT,
  VULTR,
  RESOURCE_SETS,
  HELM_CHART_PROXIES,
  SVELTOS,
  FLUX,
  FLUX_OPERATOR,
  FLEET,
  ARGO_CD,
  CLUSTER_API_OPERATOR,
  CLUSTER_AUTOSCALER,
  CERT_MANAGER,
  EXTERNAL_SECRETS,
  SEALED_SECRETS,
  CILIUM,
  CALICO,
  FLANNEL,
  CORE_DNS,
  SNAPSHOTS,
  METALLB,
  ROOK,
  PROMETHEUS_OPERATOR,
  GATEWAY_API,
  INGRESS_NGINX,
  ...TABLE_PROVIDERS,
];

const REGISTERED: Provider[] = [];

const DELIVERIES = new Map<string, DeliveryFacts>();

const IMAGES = new Map<string, readonly ImageFacts[]>();

const NONE: readonly ImageFacts[] = [];

/**
 * Registers a provider: validation, plans, inventories and isolation of this process know its kinds from then on. Its facts count before those of the
 * library's own table of the same system; the rules of both are checked. Registering it again does nothing.
 *
 * Throws an error if the name, the id of a rule, or a kind that delivers belongs to another provider: one would replace the other.
 *
 * @param provider the provider
 */
export function registerProvider(provider: Provider): void {
  if (providers().includes(provider)) return;
  const { name, deliveries = [] } = provider;
  const taken = [
    ...REGISTERED.filter((other) => other.name === name && !TABLE_PROVIDERS.includes(other)).map(() => `the name "${name}"`),
    ...rulesOf(provider).filter((id) => REGISTERED.some((other) => rulesOf(other).includes(id))).map((id) => `the rule ${id}`),
    ...deliveries.filter(({ kind }) => DELIVERIES.has(kind)).map(({ kind }) => `the deliveries of ${kind}`),
  ];
  if (taken.length > 0) throw new Error(`The provider "${name}" cannot be registered: another provider has ${taken.join(', ')}. Fix: rename them, or leave them out.`);
  register(provider);
}

function rulesOf({ rules = [], chartRules = [], referenceRules = [], changes = [] }: Provider): string[] {
  return [...rules, ...chartRules, ...referenceRules, ...changes].map(({ id }) => id);
}

/** Makes the kinds of the library's providers known to the layers below, which cannot import them. Later calls do nothing. */
export function registerProviders(): void {
  if (REGISTERED.length === 0) SYSTEMS.forEach(register);
}

/** The providers that the library knows. */
export function providers(): readonly Provider[] {
  registerProviders();
  return REGISTERED;
}

/**
 * Keeps what is made of all providers, until another one is registered.
 *
 * @param make makes it
 */
export function ofProviders<T>(make: (all: readonly Provider[]) => T): () => T {
  let kept: { readonly count: number; readonly made: T } | undefined;
  return () => {
    const all = providers();
    if (kept?.count !== all.length) kept = { count: all.length, made: make(all) };
    return kept.made;
  };
}

/** The providers of the library itself: each command line knows them, also where nothing is registered. */
export function ownProviders(): readonly Provider[] {
  return SYSTEMS;
}

/** Facts of the kind of an object that delivers; undefined for other kinds. */
export function deliveryFacts(object: ManifestObject): DeliveryFacts | undefined {
  registerProviders();
  return DELIVERIES.get(groupKind(object));
}

/** Facts of images and charts of the kind of an object. */
export function imageFacts(object: ManifestObject): readonly ImageFacts[] {
  registerProviders();
  return IMAGES.get(groupKind(object)) ?? NONE;
}

function register(provider: Provider): void {
  const isTable = (other: Provider) => TABLE_PROVIDERS.includes(other);
  const firstTable = REGISTERED.findIndex(isTable);
  REGISTERED.splice(isTable(provider) || firstTable < 0 ? REGISTERED.length : firstTable, 0, provider);
  addKnownKinds(provider.kinds, provider.groups);
  addSystemNamespaces(provider.namespaces ?? {});
  for (const facts of provider.deliveries ?? []) DELIVERIES.set(facts.kind, facts);
  for (const [kind, facts] of Object.entries(provider.images ?? {})) IMAGES.set(kind, [...IMAGES.get(kind) ?? [], facts]);
}
