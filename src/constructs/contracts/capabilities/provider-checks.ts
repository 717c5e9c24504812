import { ManagementCapabilities } from './management-capabilities';
import { CAPABILITIES_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';

/**
 * Checks that the management cluster has the provider of a control plane, as far as it is known which ones it has.
 *
 * @param management what it offers
 * @param provider the provider, as clusterctl knows it
 * @param option how `ClusterApiInstallation` installs it
 */
export function checkControlPlaneProvider(management: ManagementCapabilities | undefined, provider: string, option: string): Problem[] {
  return missing(management?.controlPlaneProviders, provider) ? [{
    rule: CAPABILITIES_RULES.controlPlaneProvider,
    property: 'controlPlane',
    message: `the management cluster has no control plane provider "${provider}", so that no control plane is created`,
    accepted: namesOf(management?.controlPlaneProviders),
    fix: `give ${option} to its ClusterApiInstallation, or, if the provider is installed by other means, name it in controlPlaneProviders of its capabilities`,
  }] : [];
}

/**
 * Checks that the management cluster has the provider of machines, as far as it is known which ones it has.
 *
 * @param management what it offers
 * @param provider the provider, as clusterctl knows it
 */
export function checkInfrastructureProvider(management: ManagementCapabilities | undefined, provider: string): Problem[] {
  return missing(management?.infrastructureProviders, provider) ? [{
    rule: CAPABILITIES_RULES.infrastructureProvider,
    property: 'infrastructure',
    message: `the management cluster has no infrastructure provider "${provider}", so that no machines are created`,
    accepted: namesOf(management?.infrastructureProviders),
    fix: 'name it in infrastructureProviders of the capabilities of the management cluster, if it is there',
  }] : [];
}

function missing(providers: { readonly [name: string]: string } | undefined, name: string): boolean {
  return providers !== undefined && !Object.hasOwn(providers, name);
}

function namesOf(providers: { readonly [name: string]: string } | undefined): string {
  return Object.keys(providers ?? {}).sort().join(', ') || 'none';
}
