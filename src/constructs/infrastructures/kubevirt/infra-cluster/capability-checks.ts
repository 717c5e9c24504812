import { checkCidr, Cidr } from '../../../../manifests/values/cidr';
import { checkDnsLabel, checkDnsSubdomain } from '../../../../manifests/values/dns';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { checkTexts, MANAGEMENT_CAPABILITIES_ENTRY_RULE } from '../../../contracts/capabilities/capability-checks';
import { InfraClusterCapabilities, InfraStorageClass } from '../../../contracts/capabilities/infra-cluster-capabilities';
import { checkResourceName } from '../devices';
import { checkGuestSize, checkPodSizing } from '../machine-size';

const SHARED = 'ReadWriteMany';

export const INFRA_CAPABILITIES_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-CLUSTER',
  title: 'Capabilities of another cluster can only be set if it runs the machines; those of the management cluster are known.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/infracluster/infracluster.go',
};

/** Checks the declared capabilities of a cluster that runs machines. */
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
    ...checkTexts(`${property}.networks`, capabilities.networks, checkNetworkEntry),
    ...checkTexts(`${property}.deviceNames`, capabilities.deviceNames, checkResourceName),
    ...checkTexts(`${property}.kubevirtFeatureGates`, capabilities.kubevirtFeatureGates, checkGate),
    ...checkPodSizing(kubevirtSizing, `${property}.kubevirtSizing`),
    ...checkTexts(`${property}.priorityClasses`, capabilities.priorityClasses, checkDnsSubdomain),
    ...checkHosts(`${property}.hosts`, capabilities),
    ...checkRanges(property, capabilities),
  ];
}

function checkHosts(property: string, { hosts }: InfraClusterCapabilities): Problem[] {
  return (hosts?._faults() ?? []).map(({ path: [zone], ...fault }) => ({
    ...fault, rule: MANAGEMENT_CAPABILITIES_ENTRY_RULE, property: zone === undefined ? property : `${property}.zones["${zone}"]`,
  }));
}

function checkStorageClass(property: string, { claimPropertySets = [], snapshotClasses, local }: InfraStorageClass): Problem[] {
  return [
    ...checkTexts(`${property}.snapshotClasses`, snapshotClasses, checkDnsSubdomain),
    ...claimPropertySets.flatMap(({ accessModes }, index): Problem[] => (accessModes.length > 0 ? [] : [{
      rule: MANAGEMENT_CAPABILITIES_ENTRY_RULE,
      property: `${property}.claimPropertySets[${index}].accessModes`,
      message: 'the list is empty, and no volume is without an access mode',
      fix: 'copy the entry from the StorageProfile, or remove it',
    }])),
    ...(local && claimPropertySets.some(({ accessModes }) => accessModes.map(String).includes(SHARED)) ? [{
      rule: MANAGEMENT_CAPABILITIES_ENTRY_RULE,
      property: `${property}.local`,
      message: `the class makes ${SHARED} volumes, and is said to make volumes for one host`,
      fix: 'keep one of the two statements',
    }] : []),
  ];
}

const MANAGEMENT_CAPABILITIES_DEFAULT_CLASS_RULE: Rule = {
  id: 'TC-MANAGEMENT-CAPABILITIES-DEFAULT-CLASS',
  title: 'A cluster must have at most one default StorageClass, and one for virtual machines: of several, the youngest is used.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
};

function checkDefault(property: string, classes: readonly InfraStorageClass[], flag: 'isDefault' | 'isDefaultForMachines'): Problem[] {
  const names = classes.filter((one) => one[flag]).map(({ name }) => name);
  return names.length < 2 ? [] : [{
    rule: MANAGEMENT_CAPABILITIES_DEFAULT_CLASS_RULE,
    property,
    message: `${names.join(' and ')} all have ${flag}, and the cluster takes the youngest of them`,
    accepted: 'one class',
    fix: `keep ${flag} on one of them, here and in the cluster`,
  }];
}

function checkNetworkEntry(text: string): string | undefined {
  const parts = text.split('/');
  return parts.length === 2 && parts.every((part) => checkDnsLabel(part) === undefined) ? undefined
    : `"${text}" does not name a NetworkAttachmentDefinition; accepted is "namespace/name", each a DNS label`;
}

function checkGate(text: string): string | undefined {
  return /^[A-Z][A-Za-z0-9]*$/.test(text) ? undefined : `"${text}" is not the name of a feature gate; accepted is the name alone, such as "CPUManager"`;
}

const MANAGEMENT_CAPABILITIES_CIDR_RULE: Rule = {
  id: 'TC-MANAGEMENT-CAPABILITIES-CIDR',
  title: 'The ranges of a cluster must be CIDR blocks, and its Services must have no address in common with its pods and nodes.',
  source: 'kubernetes.io/docs/concepts/cluster-administration/networking',
};

function checkRanges(property: string, { podCidrs = [], serviceCidrs = [], nodeCidrs = [] }: InfraClusterCapabilities): Problem[] {
  const lists = Object.entries({ podCidrs, serviceCidrs, nodeCidrs });
  const faults = lists.flatMap(([name, texts]) => texts.flatMap((text, index): Problem[] => {
    const message = checkCidr(text);
    return message === undefined ? [] : [{ rule: MANAGEMENT_CAPABILITIES_CIDR_RULE, property: `${property}.${name}[${index}]`, message, fix: 'write a range such as "10.42.0.0/16"' }];
  }));
  return [...faults, ...serviceCidrs.flatMap((text, index) => checkServiceRange(`${property}.serviceCidrs[${index}]`, text, { podCidrs, nodeCidrs }))];
}

/** Pods may share the CIDRs of the nodes; service CIDRs must not overlap with any other. */
function checkServiceRange(property: string, text: string, others: { readonly [list: string]: readonly string[] }): Problem[] {
  const range = Cidr.parse(text);
  return Object.entries(others).flatMap(([list, texts]) => texts.filter((other) => {
    const parsed = Cidr.parse(other);
    return range !== undefined && parsed !== undefined && parsed.overlaps(range);
  }).map((other) => ({
    rule: MANAGEMENT_CAPABILITIES_CIDR_RULE, property, message: `${text} overlaps with ${other} in ${list}`, accepted: 'ranges without a common address', fix: 'correct the wrong one of the two',
  })));
}
