import { ARGO_CD } from '../argo-cd/provider';
import { RESOURCE_SETS } from '../cluster-resource-set/provider';
import { FLUX } from '../flux/provider';
import { HELM_CHART_PROXIES } from '../helm-chart-proxy/provider';
import { KAMAJI } from '../kamaji/provider';
import { KUBEADM } from '../kubeadm/provider';
import { KUBEVIRT } from '../kubevirt/provider';
import { addKnownKinds } from '../manifests/known-kinds';
import { groupKind, ManifestObject } from '../manifests/manifest-object';
import { DeliveryFacts, Provider } from '../rules/provider';
import { VULTR } from '../vultr/provider';

/** The systems that the library knows. */
export const PROVIDERS: Provider[] = [];

const DELIVERIES = new Map<string, DeliveryFacts>();

/** Adds a system to those that the library knows: validation, inventory and isolation ask it from then on. */
export function registerProvider(provider: Provider): void {
  PROVIDERS.push(provider);
  addKnownKinds(provider.kinds, provider.groups);
  for (const facts of provider.deliveries ?? []) DELIVERIES.set(facts.kind, facts);
}

/** What is known of the kind of an object that delivers; undefined of other kinds. */
export function deliveryFacts(object: ManifestObject): DeliveryFacts | undefined {
  return DELIVERIES.get(groupKind(object));
}

[KUBEADM, KAMAJI, KUBEVIRT, VULTR, RESOURCE_SETS, HELM_CHART_PROXIES, FLUX, ARGO_CD].forEach(registerProvider);
