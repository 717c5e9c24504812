import { ManagementCapabilities } from './capabilities/management-capabilities';
import { ClusterApiInstallation } from './cluster-api-installation';
import { KamajiInstallation } from './kamaji-installation';
import { KubevirtInstallation } from './kubevirt-installation';
import { MANAGEMENT_RULES } from './rules';
import { Problem } from '../validation/problem';

type Derived = Pick<
  ManagementCapabilities, 'kamajiVersion' | 'infrastructureProviders' | 'dataStores' | 'deviceNames' | 'kubevirtFeatureGates' | 'kubevirtSizing'
>;

const LISTS = [
  { list: 'deviceNames', kind: 'permitted host device', where: 'kubevirt.permittedHostDevices' },
  { list: 'kubevirtFeatureGates', kind: 'open feature gate', where: 'kubevirt.featureGates' },
] as const;

/** What a management cluster offers because of what is installed, as far as this app installs it. */
export function derivedCapabilities(kamaji: KamajiInstallation, kubevirt: KubevirtInstallation, clusterApi: ClusterApiInstallation): Derived {
  const all = {
    kamajiVersion: kamaji._version,
    infrastructureProviders: clusterApi._infrastructureProviders,
    dataStores: kamaji._dataStores,
    deviceNames: kubevirt._deviceNames,
    kubevirtFeatureGates: kubevirt._featureGates,
    kubevirtSizing: kubevirt._sizing,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** What is offered in the end: what is stated, and what follows from the rest. DataStores may also be made by others. */
export function offeredCapabilities(stated: ManagementCapabilities, derived: Derived): ManagementCapabilities {
  const dataStores = [...new Set([...(derived.dataStores ?? []), ...(stated.dataStores ?? [])])].sort();
  return { ...derived, ...stated, ...(dataStores.length > 0 && { dataStores }) };
}

/** Checks that nothing is stated that is not installed. */
export function checkStated(stated: ManagementCapabilities, derived: Derived): Problem[] {
  return [
    ...LISTS.flatMap(({ list, kind, where }) => missing(stated[list], derived[list]).map((name) => ({
      rule: MANAGEMENT_RULES.capability,
      property: `capabilities.${list}`,
      message: `the cluster has no ${kind} "${name}"`,
      accepted: derived[list]!.join(', ') || 'none',
      fix: `add it to ${where}, or remove it here`,
    }))),
    ...Object.entries(stated.infrastructureProviders ?? {}).flatMap(([name, version]) => {
      const installed = derived.infrastructureProviders?.[name];
      return installed === undefined || installed === version ? [] : [{
        rule: MANAGEMENT_RULES.capability,
        property: `capabilities.infrastructureProviders["${name}"]`,
        message: `${installed} is installed, and not ${version}`,
        fix: 'say it in clusterApi alone',
      }];
    }),
    ...(stated.kamajiVersion === undefined || derived.kamajiVersion === undefined || stated.kamajiVersion === derived.kamajiVersion ? [] : [{
      rule: MANAGEMENT_RULES.capability,
      property: 'capabilities.kamajiVersion',
      message: `Kamaji ${derived.kamajiVersion} is installed, and not ${stated.kamajiVersion}`,
      fix: 'say it in kamaji.version alone',
    }]),
  ];
}

function missing(stated: readonly string[] | undefined, derived: readonly string[] | undefined): string[] {
  return stated && derived ? stated.filter((name) => !derived.includes(name)) : [];
}
