import { ADDON_RULES } from './rules';
import { Problem } from '../../manifests/values/problem';
import { Addon } from '../contracts/addon';
import { AddonCapability } from '../contracts/addon-capability';

/** Capabilities that the cluster has without an addon, by their provider. */
export interface PresentCapabilities {
  readonly controlPlane?: readonly string[];
  readonly infrastructure?: readonly string[];
  /** Capabilities that the user installs without the library. */
  readonly user?: readonly string[];
}

/** Exclusive capabilities, with the reason. */
const EXCLUSIVE: Readonly<Record<string, string>> = {
  [AddonCapability.POD_NETWORK]: 'nodes would get two network configurations, and pods one or the other',
  [AddonCapability.CERTIFICATES]: 'their webhooks and controllers would work on the same objects',
  [AddonCapability.GATEWAY_API]: 'their definitions have the same names',
  [AddonCapability.DEFAULT_INGRESS_CLASS]: 'an Ingress without a class would have no definite controller',
  [AddonCapability.DEFAULT_LOAD_BALANCER]: 'each of them would publish Services of type LoadBalancer that name no class',
  [AddonCapability.RESOURCE_METRICS]: 'the API has one server',
  [AddonCapability.VOLUME_SNAPSHOTS]: 'their definitions have the same names',
  [AddonCapability.NODE_FEATURES]: 'both would set the same labels',
  [AddonCapability.CLUSTER_DNS]: 'kubelets use one address',
  [AddonCapability.PROMETHEUS_OPERATOR_CRDS]: 'their definitions have the same names',
};

/**
 * Reports exclusive capabilities that several addons provide.
 *
 * @param addons the addons
 * @param present capabilities without an addon
 */
export function checkExclusive(addons: readonly Addon[], { controlPlane = [], infrastructure = [] }: PresentCapabilities): Problem[] {
  return Object.entries(EXCLUSIVE).flatMap(([capability, reason]): Problem[] => {
    const names = addons.filter(({ provides }) => provides.includes(capability)).map(({ name }) => `"${name}"`);
    const bringers = [
      ...(controlPlane.includes(capability) ? ['the control plane'] : []), ...(infrastructure.includes(capability) ? ['the infrastructure'] : []), ...names,
    ];
    return names.length === 0 || bringers.length < 2 ? [] : [{
      rule: ADDON_RULES.exclusive,
      message: `${bringers.join(' and ')} bring ${capability}, and ${reason}`,
      accepted: 'one of them',
      fix: 'remove the others, or switch off what brings it there',
    }];
  });
}

/** Reports conflicting pairs of addons, by name or by capability. */
export function checkConflicts(addons: readonly Addon[]): Problem[] {
  return addons.flatMap((addon, index) => addons.slice(index + 1).flatMap((other): Problem[] => {
    const reason = refusal(addon, other) ?? refusal(other, addon);
    return reason === undefined ? [] : [{
      rule: ADDON_RULES.conflict,
      message: `"${addon.name}" and "${other.name}" cannot be in one cluster: ${reason}`,
      accepted: 'one of them',
      fix: 'remove one of them',
    }];
  }));
}

function refusal(addon: Addon, other: Addon): string | undefined {
  const found = addon.conflictsWith.find((refused) => refused === other.name || other.provides.includes(refused));
  if (found === undefined) return undefined;
  return found === other.name ? `"${addon.name}" does not go with it` : `"${addon.name}" does not go with ${found}, which "${other.name}" brings`;
}
