import { InfraClusterCapabilities } from './infra-cluster-capabilities';
import { ManagementCapabilities } from './management-cluster';
import { Finding } from '../../../manifests/values/finding';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, Rule } from '../../../manifests/values/problem';

const MOST_LISTED = 12;

/** A list of names in the capabilities of a cluster. */
export interface Offer {
  /** The cluster that offers it, e.g. `the management cluster`. */
  readonly place: string;
  /** Kind of the entries, in the singular, e.g. `StorageClass`. */
  readonly kind: string;
  /** Property of the capabilities that holds the list. */
  readonly list: string;
  /** The names; undefined where they were not stated. */
  readonly names: readonly string[] | undefined;
}

/** Reports a name that is not in a list of the capabilities; nothing if the list is not stated. */
export function checkOffered(name: string | undefined, { place, kind, list, names }: Offer): Finding[] {
  if (name === undefined || names === undefined || names.includes(name)) return [];
  const near = nearestName(name, names);
  return [{
    path: [],
    message: `${place} has no ${kind} "${name}"`,
    accepted: listText(names),
    fix: `${near === undefined ? '' : `write "${near}" if you mean that, or `}${names.length > 0 && near === undefined ? 'choose one of these, or ' : ''}`
      + `add "${name}" to ${list} of the capabilities if it is there`,
  }];
}

/** Names in one line, the first of them where there are many. */
export function listText(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return names.length === 0 ? 'none' : `${names.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

// kubernetes/kubernetes pkg/apis/scheduling/types.go: every API server makes these.
const BUILT_IN = ['system-cluster-critical', 'system-node-critical'];

/** Reports a PriorityClass that is not in the capabilities of a cluster; nothing if they list none. */
export function checkPriorityClass(name: string | undefined, { priorityClasses }: InfraClusterCapabilities, place: string): Finding[] {
  return checkOffered(name, { place, kind: 'PriorityClass', list: 'priorityClasses', names: priorityClasses && [...priorityClasses, ...BUILT_IN] });
}

const KUBERNETES_VERSION_RULE: Rule = {
  id: 'TC-MANAGEMENT-KUBERNETES-VERSION',
  title: 'A tenant must have a Kubernetes version that the management cluster offers.',
};

/**
 * Checks a tenant's Kubernetes version against those that are offered.
 *
 * @param version the version of the cluster or of a pool
 * @param offered minor releases and full versions; undefined if not stated
 */
export function checkServedVersion(version: KubernetesVersion, offered: readonly string[] | undefined): Problem[] {
  if (offered === undefined || offered.some((text) => isServed(version, text))) return [];
  return [{
    rule: KUBERNETES_VERSION_RULE,
    property: 'kubernetesVersion',
    message: `the management cluster does not offer Kubernetes ${version}`,
    accepted: listText(offered),
    fix: 'choose one of these, or add the version to kubernetesVersions of the capabilities once its machine images are there',
  }];
}

/** True if a string names a minor release or a full version. */
export function isServableVersion(text: string): boolean {
  return /^v?[1-9]\d*\.(0|[1-9]\d*)$/.test(text) || KubernetesVersion.isValid(text);
}

function isServed(version: KubernetesVersion, text: string): boolean {
  const plain = text.replace(/^v/, '');
  return plain === version.minorVersion || `v${plain}` === `${version}`;
}

const MANAGEMENT_CONTROL_PLANE_PROVIDER_RULE: Rule = {
  id: 'TC-MANAGEMENT-CONTROL-PLANE-PROVIDER',
  title: 'The management cluster must have the Cluster API provider of a tenant\'s control plane.',
  source: 'cluster-api.sigs.k8s.io/user/concepts (providers)',
};

/**
 * Checks that the management cluster has the provider of a control plane, if its providers are known.
 *
 * @param management its capabilities
 * @param provider the provider, as clusterctl calls it; undefined if it is not known
 * @param option how `ClusterApiInstallation` installs it
 */
export function checkControlPlaneProvider(management: ManagementCapabilities | undefined, provider: string, option: string): Problem[] {
  return missing(management?.controlPlaneProviders, provider) ? [{
    rule: MANAGEMENT_CONTROL_PLANE_PROVIDER_RULE,
    property: 'controlPlane',
    message: `the management cluster has no control plane provider "${provider}", so that no control plane is created`,
    accepted: namesOf(management?.controlPlaneProviders),
    fix: `give ${option} to its ClusterApiInstallation, or, if the provider is installed by other means, name it in controlPlaneProviders of its capabilities`,
  }] : [];
}

const MANAGEMENT_INFRASTRUCTURE_PROVIDER_RULE: Rule = {
  id: 'TC-MANAGEMENT-INFRASTRUCTURE-PROVIDER',
  title: 'The management cluster must have the Cluster API provider of a tenant\'s machines.',
  source: 'cluster-api.sigs.k8s.io/user/concepts (providers)',
};

/**
 * Checks that the management cluster has the provider of machines, if its providers are known.
 *
 * @param management its capabilities
 * @param provider the provider, as clusterctl knows it
 */
export function checkInfrastructureProvider(management: ManagementCapabilities | undefined, provider: string | undefined): Problem[] {
  return provider !== undefined && missing(management?.infrastructureProviders, provider) ? [{
    rule: MANAGEMENT_INFRASTRUCTURE_PROVIDER_RULE,
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

const MANAGEMENT_CAPABILITIES_TWICE_RULE: Rule = {
  id: 'TC-MANAGEMENT-CAPABILITIES-TWICE',
  title: 'Lists of capabilities must not have an entry twice.',
};

/** Rule for entries of capabilities. */
export const MANAGEMENT_CAPABILITIES_ENTRY_RULE: Rule = {
  id: 'TC-MANAGEMENT-CAPABILITIES-ENTRY',
  title: 'Entries of capabilities must be names and versions as Kubernetes, KubeVirt and Multus write them.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names, k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go',
};

/**
 * Checks the entries of a list of names.
 *
 * @param check finds what is wrong with one of them
 * @param below path from the entry to the name, if the entry is not the name itself
 */
export function checkTexts(property: string, texts: readonly string[] = [], check: (text: string) => string | undefined, below = ''): Problem[] {
  return texts.flatMap((text, index): Problem[] => {
    const at = `${property}[${index}]${below}`;
    const first = texts.indexOf(text);
    const fault = check(text);
    if (fault !== undefined) return [{ rule: MANAGEMENT_CAPABILITIES_ENTRY_RULE, property: at, message: fault, fix: 'write it as it is in the cluster' }];
    return first === index ? [] : [{ rule: MANAGEMENT_CAPABILITIES_TWICE_RULE, property: at, message: `"${text}" is there already, at position ${first}`, fix: 'remove one of the two' }];
  });
}
