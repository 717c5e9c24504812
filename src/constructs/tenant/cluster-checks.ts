import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ISOLATION_RULES } from './isolation/rules';
import { NodePool } from './node-pool';
import { CLUSTER_RULES } from './rules';
import type { TenantClusterProps } from './tenant-cluster-props';
import { registerProviders } from '../../manifests/validation/providers';
import { checkCatalog } from '../../manifests/values/catalog';
import { checkDns1035Label, checkDnsLabel } from '../../manifests/values/dns';
import { Finding } from '../../manifests/values/finding';
import { compareReleases } from '../../manifests/values/history';
import { SUPPORTED_MINORS } from '../../manifests/values/kubernetes-releases';
import { checkKubernetesVersion, KubernetesVersion } from '../../manifests/values/kubernetes-version';
import * as grammar from '../../manifests/values/labels';
import { Problem, problemsOf } from '../../manifests/values/problem';
import { checkSystemNamespace } from '../../manifests/values/system-namespaces';
import { isPlaced } from '../app/synth/output-place';
import { isInTenantChart } from '../app/tenant-trees';
import { registerUser } from '../contracts/capabilities/users';
import { ClusterContext, ClusterNetwork } from '../contracts/cluster-context';
import { nodeRangeText, nodesWithin } from '../contracts/network/node-ranges';
import { NETWORK_RULES } from '../contracts/network/rules';
import { Versions } from '../contracts/versions';

const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';

/** Labels that somebody else gives a meaning, by the property that they do harm in. */
const RESERVED_LABELS: { readonly [property: string]: { readonly [key: string]: string } } = {
  labels: {
    [CLUSTER_LABEL]: 'is set by the library to the cluster\'s name',
    // kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtcluster_controller.go
    'capk.cluster.x-k8s.io/template-kind': 'makes the KubeVirt provider delete objects',
  },
  namespaceLabels: {
    [CLUSTER_LABEL]: 'belongs to the objects of one cluster, and a namespace may hold several',
    'kubernetes.io/metadata.name': 'is set by Kubernetes to the namespace\'s name',
  },
};

/** Checks name and namespace. */
export function checkIdentity(context: ClusterContext): Problem[] {
  const name = checkDns1035Label(context.name);
  const namespace = checkDnsLabel(context.namespace);
  registerProviders();
  const system = checkSystemNamespace(context.namespace);
  return [
    ...(name ? [{ rule: CLUSTER_RULES.name, property: 'name', message: name, fix: 'choose such a name, in the name property or as the construct id' }] : []),
    ...(namespace ? [{ rule: CLUSTER_RULES.namespace, property: 'namespace', message: namespace, fix: 'choose such a namespace' }] : []),
    ...(system ? [{
      rule: CLUSTER_RULES.systemNamespace, property: 'namespace', message: system, fix: `choose a namespace for this tenant alone, such as "tenant-${context.name}"`,
    }] : []),
  ];
}

/** Checks that a cluster is written to the management cluster. */
export function checkPlace(cluster: IConstruct): Problem[] {
  return isInTenantChart(cluster) ? [{
    rule: CLUSTER_RULES.inTenant,
    message: 'the cluster is put into the workloads of another one, which would be given its Cluster API objects',
    fix: 'give it the app or a chart of the app as its scope',
  }] : [];
}

/**
 * Checks that nobody puts objects below a cluster as if it were the tenant.
 *
 * @param cluster the cluster
 * @param own what it made itself at first; what it makes later has files of its own
 */
export function checkForeignObjects(cluster: IConstruct, own: ReadonlySet<IConstruct>): Problem[] {
  const foreign = cluster.node.children.filter((child) => !(own.has(child) || isPlaced(child) || Chart.isChart(child)));
  const objects = foreign.flatMap((child) => child.node.findAll()).filter((child): child is ApiObject => ApiObject.isApiObject(child));
  return objects.map((object) => ({
    rule: CLUSTER_RULES.foreignObject,
    message: `${object.kind} "${object.node.path}" is put below the cluster, and would go to the management cluster`,
    accepted: 'constructs in workloads, which go to the tenant, and charts, which go to the management cluster',
    fix: 'put it into workloads, or into a chart below the cluster if it belongs to the management cluster',
  }));
}

/** Warns, once for an infrastructure, that nothing limits what Services of the tenant ask of the cluster that they are published in. */
export function checkPublishedServices(scope: IConstruct, { isolation, infrastructure }: TenantClusterProps, context: ClusterContext): Problem[] {
  const { servicePublisher, inOtherCluster } = context.infrastructure;
  if (isolation || servicePublisher === undefined || registerUser(scope, infrastructure, context).length > 1) return [];
  const place = inOtherCluster ? 'cluster that runs the machines' : 'management cluster';
  return [{
    rule: ISOLATION_RULES.servicesOpen,
    property: 'isolation',
    message: `Services of type LoadBalancer in the tenant bring their externalIPs, loadBalancerIP, annotations and ports into the ${place}, `
      + 'where they can take addresses, names and node ports of others',
    fix: `write isolation: new TenantIsolation(${inOtherCluster ? '{ infraCluster: InfraClusterIsolation.external("…") }' : ''}), or have the cloud controller manager publish no Services`,
  }];
}

/** Checks that no other cluster of the app has the name. */
export function checkNameTaken(context: ClusterContext, owner: string | undefined): Problem[] {
  return owner === undefined ? [] : [{
    rule: CLUSTER_RULES.nameTaken,
    property: 'name',
    message: `the cluster "${context.name}" in namespace "${context.namespace}" is declared by ${owner} already`,
    fix: 'rename one of the two, or give it another namespace',
  }];
}

/** Checks the Kubernetes version. */
export function checkVersion(version: string): Problem[] {
  const at = { rule: CLUSTER_RULES.version, property: 'kubernetesVersion' };
  const fault = checkKubernetesVersion(version);
  if (fault) return [{ ...at, message: fault, fix: 'write the full version, e.g. "1.35.4"' }];
  const { minorVersion } = KubernetesVersion.of(version);
  const [oldest] = SUPPORTED_MINORS;
  return compareReleases(minorVersion, oldest) >= 0 ? [] : [{
    ...at,
    message: `this release of the library knows no Kubernetes before ${oldest}, and so neither the flags nor the feature gates of ${minorVersion}`,
    accepted: `${SUPPORTED_MINORS.map((minor) => `${minor}.x`).join(', ')}, and newer ones with a warning`,
    fix: 'choose one of these',
  }];
}

/** Warns of a version that is newer than those that the library knows. */
export function checkNewerVersion(version: string): Problem[] {
  if (checkKubernetesVersion(version) !== undefined) return [];
  const { minorVersion } = KubernetesVersion.of(version);
  const newest = SUPPORTED_MINORS[SUPPORTED_MINORS.length - 1];
  return compareReleases(minorVersion, newest) <= 0 ? [] : [{
    rule: CLUSTER_RULES.newerVersion,
    property: 'kubernetesVersion',
    message: `this release of the library knows Kubernetes up to ${newest}: flags, feature gates and kubelet fields of ${minorVersion} are not checked, and what `
      + `goes by the minor, such as the cluster autoscaler, is that of ${newest}`,
    fix: 'take a release of the library that knows the version as soon as there is one, and try the cluster before that',
  }];
}

/** Checks that the package carries the catalog of versions. */
export function checkVersions(versions: Versions | undefined): Problem[] {
  const fault = versions && checkCatalog(versions);
  return fault ? [{ rule: CLUSTER_RULES.catalog, property: 'versions', ...fault }] : [];
}

/** Checks the labels and annotations that the user adds. */
export function checkLabels(props: TenantClusterProps): Problem[] {
  const { labels = {}, namespaceLabels = {}, annotations = {} } = props;
  return [
    ...Object.entries({ labels, namespaceLabels }).flatMap(([property, given]) => (
      problemsOf(CLUSTER_RULES.label, property, [...grammar.checkLabels(given), ...reservedLabels(given, RESERVED_LABELS[property])]))),
    ...problemsOf(CLUSTER_RULES.label, 'annotations', grammar.checkAnnotations(annotations)),
  ];
}

function reservedLabels(labels: { readonly [key: string]: string }, reserved: { readonly [key: string]: string }): Finding[] {
  return Object.entries(reserved).filter(([key]) => labels[key] !== undefined)
    .map(([key, reason]) => ({ path: [key], message: `"${key}" ${reason}`, fix: 'remove the entry' }));
}

/** Checks that every node that the pools may grow to gets a block of pod addresses, and every node of the control plane. */
export function checkPodCapacity(network: ClusterNetwork, pools: readonly NodePool[], controlPlaneNodes: number): Problem[] {
  const room = nodesWithin(network);
  const nodes = pools.reduce((sum, pool) => sum + pool.size.maximum, controlPlaneNodes);
  if (!(room >= 1) || nodes <= room) return [];
  return [{
    rule: NETWORK_RULES.podCapacity,
    property: 'podCidrs',
    message: `${controlPlaneNodes > 0 ? 'control plane and pools' : 'the pools'} may grow to ${nodes} nodes, and ${network.podCidrs.join(' and ')} has room for ${room}`,
    accepted: `a range with a ${nodeRangeText(network)} for each node`,
    fix: 'choose a larger range, smaller maximum sizes, or a longer prefix in nodeCidrMaskSizes',
  }];
}
