import { checkPeer } from './network-checks';
import { checkQuotaEntries } from './quota';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { checkQualifiedName } from '../../../manifests/values/labels';
import { Problem } from '../../../manifests/values/problem';
import { parseSemanticVersion } from '../../../manifests/values/semantic-version';
import { checkTexts, isServableVersion, MANAGEMENT_CAPABILITIES_ENTRY_RULE } from '../../contracts/capabilities/capability-checks';
import { checkDataStoreLimit } from '../../contracts/capabilities/data-store-limits';
import { ManagementCapabilities } from '../../contracts/capabilities/management-cluster';
import { checkKamajiRelease } from '../../control-planes/kamaji/kamaji-release';
import { checkInfraCapabilities } from '../../infrastructures/kubevirt/infra-cluster/capability-checks';

export { checkPodSizing } from '../../infrastructures/kubevirt/machine-size';

/** Checks the capabilities of a management cluster. */
export function checkManagementCapabilities(property: string, capabilities: ManagementCapabilities): Problem[] {
  const {
    kubernetesVersions, clusterApiVersion, kamajiVersion, controlPlaneProviders, infrastructureProviders, dataStores, ingressClasses,
    loadBalancerClasses, dataStorePeers = {}, dataStoreLimits = {}, controlPlaneWebhookPeers = [], tenantLimit = {}, totalLimit = {},
  } = capabilities;
  return [
    ...checkInfraCapabilities(property, capabilities),
    ...checkTexts(`${property}.kubernetesVersions`, kubernetesVersions, checkVersion),
    ...checkTexts(`${property}.dataStores`, dataStores, checkDnsSubdomain),
    ...Object.entries(dataStorePeers).flatMap(([name, peers]) => [peers].flat().flatMap((peer, index) => (
      checkPeer(`${property}.dataStorePeers["${name}"][${index}]`, peer, false)
    ))),
    ...Object.entries(dataStoreLimits).flatMap(([name, limit]) => checkDataStoreLimit(`${property}.dataStoreLimits["${name}"]`, limit)),
    ...controlPlaneWebhookPeers.flatMap((peer, index) => checkPeer(`${property}.controlPlaneWebhookPeers[${index}]`, peer, false)),
    ...checkTexts(`${property}.ingressClasses`, ingressClasses, checkDnsSubdomain),
    ...checkTexts(`${property}.loadBalancerClasses`, loadBalancerClasses, checkQualifiedName),
    ...(clusterApiVersion === undefined ? [] : checkRelease(`${property}.clusterApiVersion`, clusterApiVersion)),
    ...(kamajiVersion === undefined ? [] : checkKamajiRelease(`${property}.kamajiVersion`, kamajiVersion)),
    ...checkProviderVersions(`${property}.controlPlaneProviders`, controlPlaneProviders),
    ...checkProviderVersions(`${property}.infrastructureProviders`, infrastructureProviders),
    ...checkQuotaEntries(tenantLimit, `${property}.tenantLimit`),
    ...checkQuotaEntries(totalLimit, `${property}.totalLimit`),
  ];
}

function checkProviderVersions(property: string, providers: { readonly [name: string]: string } = {}): Problem[] {
  return Object.entries(providers).flatMap(([name, version]) => checkRelease(`${property}["${name}"]`, version));
}

function checkRelease(property: string, version: string): Problem[] {
  return parseSemanticVersion(version) ? [] : [{
    rule: MANAGEMENT_CAPABILITIES_ENTRY_RULE, property, message: `"${version}" is not one exact version`, fix: 'write it like "v0.4.0"',
  }];
}

function checkVersion(text: string): string | undefined {
  return isServableVersion(text) ? undefined : `"${text}" is neither a minor release such as "1.35" nor a full version such as "1.35.4"`;
}
