import { releasesOf, targetTenant, Tenant } from './tenants';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { PodNetworkFacts, PodNetworkSettings } from '../rules/tenant-charts';
import { deliveryFacts, ofProviders, providers } from '../systems/providers';

/** A pod network that an object installs, or configures. */
export interface InstalledPodNetwork {
  readonly facts: PodNetworkFacts;
  readonly settings: PodNetworkSettings;

  /** Version of the chart. */
  readonly version?: string;

  /** Undefined for the management cluster. */
  readonly tenant?: Tenant;
}

/** All pod networks that are known. */
export const knownPodNetworks = ofProviders((all): readonly PodNetworkFacts[] => all.flatMap(({ podNetworks = [] }) => podNetworks));

/** Kinds of objects that install charts whose values are known. */
export function releaseKinds(): string[] {
  return providers().flatMap(({ deliveries = [] }) => deliveries).filter(({ layers }) => layers).map(({ kind }) => kind);
}

/** Kinds of objects that may install or configure a pod network. */
export function podNetworkKinds(): string[] {
  return [...new Set([...releaseKinds(), ...knownPodNetworks().flatMap(({ objects = {} }) => Object.keys(objects))])];
}

const INSTALLED = new WeakMap<ManifestIndex, WeakMap<ManifestObject, readonly InstalledPodNetwork[]>>();

/** The pod networks that an object installs or configures, once for each tenant that it is for. */
export function podNetworksIn(object: ManifestObject, index: ManifestIndex): readonly InstalledPodNetwork[] {
  let known = INSTALLED.get(index);
  if (!known) INSTALLED.set(index, known = new WeakMap());
  let found = known.get(object);
  if (!found) known.set(object, found = read(object, index));
  return found;
}

function read(object: ManifestObject, index: ManifestIndex): readonly InstalledPodNetwork[] {
  if (!deliveryFacts(object)) {
    return knownPodNetworks().flatMap((facts) => {
      const settings = facts.objects?.[groupKind(object)]?.(object);
      return settings ? [{ facts, settings, tenant: targetTenant(index) }] : [];
    });
  }
  const known = knownPodNetworks();
  return releasesOf(object, index, known.map(({ chart }) => chart)).flatMap(({ chart, version, values, tenant }) => known
    .filter((facts) => facts.chart === chart).map((facts) => ({ facts, settings: facts.read(values), version, tenant })));
}

const MANAGEMENT = new WeakMap<ManifestIndex, readonly InstalledPodNetwork[]>();

/** The pod networks of a management cluster. */
export function managementNetworks(management: ManifestIndex): readonly InstalledPodNetwork[] {
  let found = MANAGEMENT.get(management);
  if (!found) {
    const objects = podNetworkKinds().flatMap((kind) => management.all(kind));
    found = objects.flatMap((object) => podNetworksIn(object, management)).filter(({ tenant }) => !tenant);
    MANAGEMENT.set(management, found);
  }
  return found;
}
