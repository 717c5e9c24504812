import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { NodePool } from './node-pool';
import type { TenantClusterProps } from './tenant-cluster-props';
import { CLUSTER_NAME_LABEL } from '../../manifests/rules/cluster-api/cluster-api-kinds';
import { registerProviders } from '../../manifests/systems/providers';
import { checkCatalog } from '../../manifests/values/catalog';
import { compareReleases } from '../../manifests/values/component-facts';
import { checkDns1035Label, checkDnsLabel } from '../../manifests/values/dns';
import { Finding } from '../../manifests/values/finding';
import { SUPPORTED_MINORS } from '../../manifests/values/kubernetes-releases';
import { checkKubernetesVersion, KubernetesVersion } from '../../manifests/values/kubernetes-version';
import * as grammar from '../../manifests/values/labels';
import { Problem, problemsOf, Rule } from '../../manifests/values/problem';
import { checkSystemNamespace } from '../../manifests/values/system-namespaces';
import { isPlaced } from '../app/synth/output-place';
import { isInTenantChart } from '../app/tenant-trees';
import { ClusterContext, ClusterNetwork } from '../contracts/cluster-context';
import { ControlPlane, ControlPlaneMachines } from '../contracts/control-plane';
import { NETWORK_POD_CAPACITY_RULE, nodeRangeText, nodesWithin } from '../contracts/network/cluster-network';
import { checkNodeSetupApplied, nodeSetupOf } from '../contracts/node-pool/pool-node-setup';
import { Versions } from '../contracts/versions';

/** Labels with a meaning to others, by the property in which they do harm. */
const RESERVED_LABELS: { readonly [property: string]: { readonly [key: string]: string } } = {
  labels: {
    [CLUSTER_NAME_LABEL]: 'is set by the library to the cluster\'s name',
    // kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtcluster_controller.go
    'capk.cluster.x-k8s.io/template-kind': 'makes the KubeVirt provider delete objects',
  },
  namespaceLabels: {
    [CLUSTER_NAME_LABEL]: 'belongs to the objects of one cluster, and a namespace may hold several',
    'kubernetes.io/metadata.name': 'is set by Kubernetes to the namespace\'s name',
  },
};

export const CLUSTER_NAME_RULE: Rule = {
  id: 'TC-CLUSTER-NAME',
  title: 'The name of a cluster must be a DNS label that starts with a letter: its Services and Secrets are named after it.',
  source: 'clastix/kamaji internal/webhook/handlers/tcp_name.go',
};

export const CLUSTER_NAMESPACE_RULE: Rule = {
  id: 'TC-CLUSTER-NAMESPACE',
  title: 'The namespace must be a DNS label.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

const SYSTEM_NAMESPACE_RULE: Rule = {
  id: 'TC-CLUSTER-SYSTEM-NAMESPACE',
  title: 'A tenant must not have a namespace of Kubernetes or of a component of the management cluster: its policies, quotas and rights hold for all of it.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/namespaces (prefix kube-); the manifests of the components',
};

const DEFAULT_NAMESPACE = 'default';

const DEFAULT_NAMESPACE_RULE: Rule = {
  id: 'TC-CLUSTER-DEFAULT-NAMESPACE',
  title: 'A tenant in the namespace "default" shares it with what others apply without a namespace: the rights of its controllers hold for that, too.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/namespaces (initial namespaces)',
  warning: true,
};

/** A cluster that exists may be in the namespace "default", which the page leaves as it is. */
function checkOwnNamespace({ name, namespace }: ClusterContext, { createNamespace, isolation }: Pick<TenantClusterProps, 'createNamespace' | 'isolation'>): Problem[] {
  const system = checkSystemNamespace(namespace);
  if (!system) return [];
  const fix = `choose a namespace for this tenant alone, such as "tenant-${name}"`;
  const isLeft = namespace === DEFAULT_NAMESPACE && createNamespace === false && !isolation;
  return [isLeft ? { rule: DEFAULT_NAMESPACE_RULE, property: 'namespace', message: system, fix: `${fix}, unless the cluster is there already` } : {
    rule: SYSTEM_NAMESPACE_RULE,
    property: 'namespace',
    message: system,
    fix: namespace === DEFAULT_NAMESPACE ? `${fix}; a cluster that is there already needs createNamespace: false, and no isolation` : fix,
  }];
}

/** Checks that a control plane applies what infrastructure and machines ask of the machines that it runs on. */
export function checkControlPlaneSetup(
  { constructor, capabilities }: ControlPlane, machines: ControlPlaneMachines | undefined, { infrastructure }: ClusterContext,
): Problem[] {
  if (!machines) return [];
  const owner = { property: 'controlPlane', name: constructor.name, applied: capabilities.appliedNodeSetup ?? [] } as const;
  return checkNodeSetupApplied(owner, machines.nodeSetup ?? nodeSetupOf(infrastructure), infrastructure.clusterKind);
}

/** Checks name and namespace. */
export function checkIdentity(context: ClusterContext, props: Pick<TenantClusterProps, 'createNamespace' | 'isolation'>): Problem[] {
  const name = checkDns1035Label(context.name);
  const namespace = checkDnsLabel(context.namespace);
  registerProviders();
  return [
    ...(name ? [{ rule: CLUSTER_NAME_RULE, property: 'name', message: name, fix: 'choose such a name, in the name property or as the construct id' }] : []),
    ...(namespace ? [{ rule: CLUSTER_NAMESPACE_RULE, property: 'namespace', message: namespace, fix: 'choose such a namespace' }] : []),
    ...checkOwnNamespace(context, props),
  ];
}

const IN_TENANT_RULE: Rule = {
  id: 'TC-CLUSTER-IN-TENANT',
  title: 'A cluster must not be put into the workloads of another one, which has no Cluster API.',
};

/** Checks that a cluster is written to the management cluster. */
export function checkPlace(cluster: IConstruct): Problem[] {
  return isInTenantChart(cluster) ? [{
    rule: IN_TENANT_RULE,
    message: 'the cluster is put into the workloads of another one, which would be given its Cluster API objects',
    fix: 'give it the app or a chart of the app as its scope',
  }] : [];
}

const FOREIGN_OBJECT_RULE: Rule = {
  id: 'TC-CLUSTER-FOREIGN-OBJECT',
  title: 'Objects for the tenant must be put into its workloads, and others of the management cluster into a chart: directly below a cluster '
    + 'they would be written beside its control plane.',
};

/**
 * Checks that no objects are put below a cluster as if it were the tenant.
 *
 * @param cluster the cluster
 * @param own the children that it made at first; later ones have files of their own
 */
export function checkForeignObjects(cluster: IConstruct, own: ReadonlySet<IConstruct>): Problem[] {
  const foreign = cluster.node.children.filter((child) => !(own.has(child) || isPlaced(child) || Chart.isChart(child)));
  const objects = foreign.flatMap((child) => child.node.findAll()).filter((child): child is ApiObject => ApiObject.isApiObject(child));
  return objects.map((object) => ({
    rule: FOREIGN_OBJECT_RULE,
    message: `${object.kind} "${object.node.path}" is put below the cluster, and would go to the management cluster`,
    accepted: 'constructs in workloads, which go to the tenant, and charts, which go to the management cluster',
    fix: object.kind === 'ClusterClass'
      ? 'give the cluster a topology, which writes the ClusterClass that it needs, or put a class of your own into a chart below the cluster'
      : 'put it into workloads, or into a chart below the cluster if it belongs to the management cluster',
  }));
}

const NAME_TAKEN_RULE: Rule = {
  id: 'TC-CLUSTER-NAME-TAKEN',
  title: 'Two clusters of one namespace must have different names.',
};

/** Checks that no other cluster of the app has the name. */
export function checkNameTaken(context: ClusterContext, owner: string | undefined): Problem[] {
  return owner === undefined ? [] : [{
    rule: NAME_TAKEN_RULE,
    property: 'name',
    message: `the cluster "${context.name}" in namespace "${context.namespace}" is declared by ${owner} already`,
    fix: 'rename one of the two, or give it another namespace',
  }];
}

const VERSION_RULE: Rule = {
  id: 'TC-CLUSTER-VERSION',
  title: 'The Kubernetes version must be a full version of a minor release that the library knows.',
  source: 'kubernetes-sigs/cluster-api core/webhooks/admission/cluster.go',
};

/** Checks the Kubernetes version. */
export function checkVersion(version: string): Problem[] {
  const at = { rule: VERSION_RULE, property: 'kubernetesVersion' };
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

const VERSION_NEWER_RULE: Rule = {
  id: 'TC-CLUSTER-VERSION-NEWER',
  title: 'A Kubernetes version that is newer than those that the library knows works as far as nothing has changed: its flags and gates are not checked.',
  warning: true,
};

/** Warns of a version that is newer than those that the library knows. */
export function checkNewerVersion(version: string): Problem[] {
  if (checkKubernetesVersion(version) !== undefined) return [];
  const { minorVersion } = KubernetesVersion.of(version);
  const newest = SUPPORTED_MINORS[SUPPORTED_MINORS.length - 1];
  return compareReleases(minorVersion, newest) <= 0 ? [] : [{
    rule: VERSION_NEWER_RULE,
    property: 'kubernetesVersion',
    message: `this release of the library knows Kubernetes up to ${newest}: flags, feature gates and kubelet fields of ${minorVersion} are not checked, and what `
      + `goes by the minor, such as the cluster autoscaler, is that of ${newest}`,
    fix: 'take a release of the library that knows the version as soon as there is one, and try the cluster before that',
  }];
}

const CATALOG_RULE: Rule = {
  id: 'TC-CLUSTER-CATALOG',
  title: 'The catalog of versions must be one that this release of the library has: the newest, or one of those before it.',
};

/** Checks that the package carries the catalog of versions. */
export function checkVersions(versions: Versions | undefined): Problem[] {
  const fault = versions && checkCatalog(versions);
  return fault ? [{ rule: CATALOG_RULE, property: 'versions', ...fault }] : [];
}

export const CLUSTER_LABEL_RULE: Rule = {
  id: 'TC-CLUSTER-LABEL',
  title: 'Labels and annotations must be valid, and must not belong to the library, to Kubernetes or to a controller.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
};

/** Checks the labels and annotations that the user adds. */
export function checkLabels(props: TenantClusterProps): Problem[] {
  const { labels = {}, namespaceLabels = {}, annotations = {} } = props;
  return [
    ...Object.entries({ labels, namespaceLabels }).flatMap(([property, given]) => (
      problemsOf(CLUSTER_LABEL_RULE, property, [...grammar.checkLabels(given), ...reservedLabels(given, RESERVED_LABELS[property])]))),
    ...problemsOf(CLUSTER_LABEL_RULE, 'annotations', grammar.checkAnnotations(annotations)),
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
    rule: NETWORK_POD_CAPACITY_RULE,
    property: 'podCidrs',
    message: `${controlPlaneNodes > 0 ? 'control plane and pools' : 'the pools'} may grow to ${nodes} nodes, and ${network.podCidrs.join(' and ')} has room for ${room}`,
    accepted: `a range with a ${nodeRangeText(network)} for each node`,
    fix: 'choose a larger range, smaller maximum sizes, or a longer prefix in nodeCidrMaskSizes',
  }];
}
