import { InfraClusterCapabilities } from './infra-cluster-capabilities';
import { InfraStorageClass } from './infra-storage-class';
import { ManagementCapabilities } from './management-capabilities';
import { ManagementNetworkPlugin } from './management-network-plugin';
import { CAPABILITIES_RULES } from './rules';
import { isServableVersion } from './served-version';
import { checkKamajiRelease } from '../../control-plane/kamaji/kamaji-version';
import { checkResourceName } from '../../infrastructure/kubevirt/devices';
import { checkGuestSize } from '../../infrastructure/kubevirt/guest-size';
import { checkSizing } from '../../isolation/kubevirt-sizing';
import { checkPeer } from '../../isolation/network-checks';
import { checkQuotaEntries } from '../../isolation/quota-entries';
import { checkQualifiedName } from '../../kubernetes/labels';
import { checkCidr, Cidr } from '../../network/cidr';
import { checkDnsLabel, checkDnsSubdomain } from '../../network/dns';
import { Problem } from '../../validation/problem';

type Check = (text: string) => string | undefined;

const SHARED = 'ReadWriteMany';

const RELEASE = /^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Checks what a management cluster is said to offer. */
export function checkManagementCapabilities(property: string, capabilities: ManagementCapabilities): Problem[] {
  const {
    kubernetesVersions, clusterApiVersion, kamajiVersion, controlPlaneProviders, infrastructureProviders, dataStores, ingressClasses,
    loadBalancerClasses, dataStorePeers = {}, networkPlugin, tenantLimit = {}, totalLimit = {},
  } = capabilities;
  return [
    ...checkInfraCapabilities(property, capabilities),
    ...checkTexts(`${property}.kubernetesVersions`, kubernetesVersions, checkVersion),
    ...checkTexts(`${property}.dataStores`, dataStores, checkDnsSubdomain),
    ...Object.entries(dataStorePeers).flatMap(([name, peers]) => [peers].flat().flatMap((peer, index) => (
      checkPeer(`${property}.dataStorePeers["${name}"][${index}]`, peer, false)
    ))),
    ...checkNetworkPlugin(`${property}.networkPlugin`, networkPlugin),
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

function checkNetworkPlugin(property: string, plugin: ManagementNetworkPlugin | undefined): Problem[] {
  return plugin === undefined || plugin instanceof ManagementNetworkPlugin ? [] : [{
    rule: CAPABILITIES_RULES.entry,
    property,
    message: `${JSON.stringify(plugin)} is not a network plug-in`,
    fix: 'write one such as ManagementNetworkPlugin.CALICO, or ManagementNetworkPlugin.of("name")',
  }];
}

function checkRelease(property: string, version: string): Problem[] {
  return RELEASE.test(version) ? [] : [{
    rule: CAPABILITIES_RULES.entry, property, message: `"${version}" is not one exact version`, fix: 'write it like "v0.4.0"',
  }];
}

/** Checks what a cluster that runs machines is said to offer. */
export function checkInfraCapabilities(property: string, capabilities: InfraClusterCapabilities): Problem[] {
  const { storageClasses = [], instanceTypes = [], kubevirtSizing = {} } = capabilities;
  return [
    ...checkTexts(`${property}.storageClasses`, storageClasses.map(({ name }) => name), checkDnsSubdomain, '.name'),
    ...storageClasses.flatMap((storageClass, index) => checkStorageClass(`${property}.storageClasses[${index}]`, storageClass)),
    ...checkDefault(`${property}.storageClasses`, storageClasses, 'isDefault'),
    ...checkDefault(`${property}.storageClasses`, storageClasses, 'isDefaultForMachines'),
    ...checkTexts(`${property}.instanceTypes`, instanceTypes.map(({ name }) => name), checkDnsSubdomain, '.name'),
    ...instanceTypes.flatMap(({ capacity }, index) => (capacity ? checkGuestSize(capacity) : []).map(([name, problem]) => ({
      ...problem, property: `${property}.instanceTypes[${index}].capacity.${name}`,
    }))),
    ...checkTexts(`${property}.preferences`, capabilities.preferences, checkDnsSubdomain),
    ...checkTexts(`${property}.networks`, capabilities.networks, checkNetwork),
    ...checkTexts(`${property}.deviceNames`, capabilities.deviceNames, checkResourceName),
    ...checkTexts(`${property}.kubevirtFeatureGates`, capabilities.kubevirtFeatureGates, checkGate),
    ...checkSizing(kubevirtSizing, `${property}.kubevirtSizing`),
    ...checkTexts(`${property}.priorityClasses`, capabilities.priorityClasses, checkDnsSubdomain),
    ...checkRanges(property, capabilities),
  ];
}

function checkTexts(property: string, texts: readonly string[] = [], check: Check, below = ''): Problem[] {
  return texts.flatMap((text, index): Problem[] => {
    const at = `${property}[${index}]${below}`;
    const first = texts.indexOf(text);
    const fault = check(text);
    if (fault !== undefined) return [{ rule: CAPABILITIES_RULES.entry, property: at, message: fault, fix: 'write it as it is in the cluster' }];
    return first === index ? [] : [{ rule: CAPABILITIES_RULES.twice, property: at, message: `"${text}" is there already, at position ${first}`, fix: 'remove one of the two' }];
  });
}

function checkStorageClass(property: string, { claimPropertySets = [], snapshotClasses, local }: InfraStorageClass): Problem[] {
  return [
    ...checkTexts(`${property}.snapshotClasses`, snapshotClasses, checkDnsSubdomain),
    ...claimPropertySets.flatMap(({ accessModes }, index): Problem[] => (accessModes.length > 0 ? [] : [{
      rule: CAPABILITIES_RULES.entry,
      property: `${property}.claimPropertySets[${index}].accessModes`,
      message: 'the list is empty, and no volume is without an access mode',
      fix: 'copy the entry from the StorageProfile, or remove it',
    }])),
    ...(local && claimPropertySets.some(({ accessModes }) => accessModes.map(String).includes(SHARED)) ? [{
      rule: CAPABILITIES_RULES.entry,
      property: `${property}.local`,
      message: `the class makes ${SHARED} volumes, and is said to make volumes for one host`,
      fix: 'keep one of the two statements',
    }] : []),
  ];
}

function checkDefault(property: string, classes: readonly InfraStorageClass[], flag: 'isDefault' | 'isDefaultForMachines'): Problem[] {
  const names = classes.filter((one) => one[flag]).map(({ name }) => name);
  return names.length < 2 ? [] : [{
    rule: CAPABILITIES_RULES.defaultClass,
    property,
    message: `${names.join(' and ')} all have ${flag}, and the cluster takes the youngest of them`,
    accepted: 'one class',
    fix: `keep ${flag} on one of them, here and in the cluster`,
  }];
}

function checkVersion(text: string): string | undefined {
  return isServableVersion(text) ? undefined : `"${text}" is neither a minor release such as "1.35" nor a full version such as "1.35.4"`;
}

function checkNetwork(text: string): string | undefined {
  const parts = text.split('/');
  return parts.length === 2 && parts.every((part) => checkDnsLabel(part) === undefined) ? undefined
    : `"${text}" does not name a NetworkAttachmentDefinition; accepted is "namespace/name", each a DNS label`;
}

function checkGate(text: string): string | undefined {
  return /^[A-Z][A-Za-z0-9]*$/.test(text) ? undefined : `"${text}" is not the name of a feature gate; accepted is the name alone, such as "CPUManager"`;
}

function checkRanges(property: string, { podCidrs = [], serviceCidrs = [], nodeCidrs = [] }: InfraClusterCapabilities): Problem[] {
  const lists = Object.entries({ podCidrs, serviceCidrs, nodeCidrs });
  const faults = lists.flatMap(([name, texts]) => texts.flatMap((text, index): Problem[] => {
    const message = checkCidr(text);
    return message === undefined ? [] : [{ rule: CAPABILITIES_RULES.cidr, property: `${property}.${name}[${index}]`, message, fix: 'write a range such as "10.42.0.0/16"' }];
  }));
  return [...faults, ...serviceCidrs.flatMap((text, index) => checkServiceRange(`${property}.serviceCidrs[${index}]`, text, { podCidrs, nodeCidrs }))];
}

/** Pods may well have addresses of the nodes' network, Services of nobody's. */
function checkServiceRange(property: string, text: string, others: { readonly [list: string]: readonly string[] }): Problem[] {
  const range = Cidr.parse(text);
  return Object.entries(others).flatMap(([list, texts]) => texts.filter((other) => {
    const parsed = Cidr.parse(other);
    return range !== undefined && parsed !== undefined && parsed.overlaps(range);
  }).map((other) => ({
    rule: CAPABILITIES_RULES.cidr, property, message: `${text} overlaps with ${other} in ${list}`, accepted: 'ranges without a common address', fix: 'correct the wrong one of the two',
  })));
}
