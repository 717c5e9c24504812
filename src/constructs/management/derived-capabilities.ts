import { ClusterApiInstallation } from './cluster-api-installation';
import { ProviderKind } from './cluster-api-provider';
import { KamajiInstallation } from './kamaji-installation';
import { KubevirtInstallation } from './kubevirt-installation';
import { CatalogName } from '../../manifests/values/catalog';
import { Problem, Rule } from '../../manifests/values/problem';
import { ManagementCapabilities } from '../contracts/capabilities/management-cluster';

type Derived = Pick<
  ManagementCapabilities,
  'clusterApiVersion' | 'kamajiVersion' | 'controlPlaneProviders' | 'infrastructureProviders' | 'dataStores' | 'dataStorePeers' | 'deviceNames'
  | 'controlPlaneWebhookPeers' | 'dataStoreLimits' | 'kubevirtFeatureGates' | 'kubevirtSizing'
>;

const LISTS = [
  { list: 'deviceNames', kind: 'permitted host device', where: 'kubevirt.permittedHostDevices' },
  { list: 'kubevirtFeatureGates', kind: 'open feature gate', where: 'kubevirt.featureGates' },
] as const;

const VERSIONS = [
  { version: 'clusterApiVersion', name: 'Cluster API', where: 'clusterApi.version' },
  { version: 'kamajiVersion', name: 'Kamaji', where: 'kamaji.version' },
] as const;

const PROVIDERS = ['controlPlaneProviders', 'infrastructureProviders'] as const;

/** The capabilities of the components that this app installs. */
export function derivedCapabilities(
  kamaji: KamajiInstallation, kubevirt: KubevirtInstallation, clusterApi: ClusterApiInstallation, versions: CatalogName,
): Derived {
  const all = {
    clusterApiVersion: clusterApi._version(versions),
    kamajiVersion: kamaji._version(versions),
    controlPlaneProviders: clusterApi._providers(ProviderKind.CONTROL_PLANE, versions),
    infrastructureProviders: clusterApi._providers(ProviderKind.INFRASTRUCTURE, versions),
    dataStores: kamaji._dataStores,
    dataStorePeers: kamaji._dataStorePeers,
    controlPlaneWebhookPeers: kamaji._webhookPeers,
    dataStoreLimits: kamaji._dataStoreLimits,
    deviceNames: kubevirt._deviceNames,
    kubevirtFeatureGates: kubevirt._featureGates(versions),
    kubevirtSizing: kubevirt._sizing,
  };
  return withoutUndefined(all);
}

/** Merges the stated capabilities and those of the installed components. DataStores and providers may also be installed separately. */
export function mergeCapabilities(stated: ManagementCapabilities, derived: Derived): ManagementCapabilities {
  const dataStores = [...new Set([...(derived.dataStores ?? []), ...(stated.dataStores ?? [])])].sort();
  const providers = Object.fromEntries(PROVIDERS.filter((list) => stated[list] ?? derived[list])
    .map((list) => [list, { ...derived[list], ...stated[list] }]));
  const dataStorePeers = { ...derived.dataStorePeers, ...stated.dataStorePeers };
  const dataStoreLimits = { ...derived.dataStoreLimits, ...stated.dataStoreLimits };
  const sizing = { ...derived.kubevirtSizing, ...withoutUndefined(stated.kubevirtSizing ?? {}) };
  return {
    ...derived,
    ...withoutUndefined(stated),
    ...providers,
    ...(Object.keys(sizing).length > 0 && { kubevirtSizing: sizing }),
    ...(dataStores.length > 0 && { dataStores }),
    ...(Object.keys(dataStorePeers).length > 0 && { dataStorePeers }),
    ...(Object.keys(dataStoreLimits).length > 0 && { dataStoreLimits }),
  };
}

/** Removes undefined fields: they are not stated. */
function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

const CAPABILITY_RULE: Rule = {
  id: 'TC-MANAGEMENT-CAPABILITY',
  title: 'The stated capabilities of the management cluster must match the installed components.',
};

/** Checks that the stated capabilities match the installed components. */
export function checkStatedCapabilities(stated: ManagementCapabilities, derived: Derived): Problem[] {
  return [
    ...LISTS.flatMap(({ list, kind, where }) => missing(stated[list], derived[list]).map((name) => ({
      rule: CAPABILITY_RULE,
      property: `capabilities.${list}`,
      message: `the cluster has no ${kind} "${name}"`,
      accepted: derived[list]!.join(', ') || 'none',
      fix: `add it to ${where}, or remove it here`,
    }))),
    ...PROVIDERS.flatMap((list) => Object.entries(stated[list] ?? {}).flatMap(([name, version]) => {
      const installed = derived[list]?.[name];
      return installed === undefined || installed === version ? [] : [{
        rule: CAPABILITY_RULE,
        property: `capabilities.${list}["${name}"]`,
        message: `${installed} is installed, and not ${version}`,
        fix: 'set it in clusterApi only',
      }];
    })),
    ...Object.entries(stated.kubevirtSizing ?? {}).flatMap(([field, value]) => {
      const installed = derived.kubevirtSizing?.[field as keyof typeof derived.kubevirtSizing];
      return installed === undefined || value === undefined || String(installed) === String(value) ? [] : [{
        rule: CAPABILITY_RULE,
        property: `capabilities.kubevirtSizing.${field}`,
        message: `KubeVirt is installed with ${String(installed)}, and not with ${String(value)}`,
        fix: 'set it in kubevirt.sizing only',
      }];
    }),
    ...VERSIONS.flatMap(({ version, name, where }) => {
      const [said, installed] = [stated[version], derived[version]];
      return said === undefined || installed === undefined || said === installed ? [] : [{
        rule: CAPABILITY_RULE,
        property: `capabilities.${version}`,
        message: `${name} ${installed} is installed, and not ${said}`,
        fix: `set it in ${where} only`,
      }];
    }),
  ];
}

function missing(stated: readonly string[] | undefined, derived: readonly string[] | undefined): string[] {
  return stated && derived ? stated.filter((name) => !derived.includes(name)) : [];
}
