import { ACME, AUTHORITATIVE, AUTOSCALER, BETA, BOUNDED, DISCOVERY, PARTS } from './examples';
import { knownKind } from '../../../objects/known-kinds';
import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { isAsleep, isOfLeavingCluster } from '../../../rules/cluster-api/cluster-members';
import { documents, replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { POD_KINDS } from '../../../rules/pod-objects';
import { programsOf } from '../../../rules/programs';
import { POOL_TEXT } from '../../../rules/references/examples';
import { partReference } from '../../../rules/references/object-references';
import { isSet, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import {
  Autoscaler, autoscalersIn, clustersFoundBy, clustersNamed, clustersOf, Discovery, discoveryPairs, hasAutoscaler, hasBounds, isFound, poolsOf,
} from '../autoscalers';

const PROVIDER = 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi';
const DISCOVERIES = `${PROVIDER}/clusterapi_autodiscovery.go, v1.36.1`;
const KEYS: readonly string[] = ['clusterName', 'namespace'];

const FORM: ManifestRule = {
  id: 'TC-TRAP-AUTOSCALER-DISCOVERY',
  title: 'Discovery of pools must have the form clusterapi:key=value,key=value, with one namespace: the autoscaler exits otherwise, or finds no pool.',
  source: `${DISCOVERIES} (parseAutoDiscoverySpec, namespaceToWatch)`,
  kinds: POD_KINDS,
  trap: true,
  example: {
    failing: AUTOSCALER.replace('clusterName=acme', 'clustername=acme'),
    corrected: AUTOSCALER,
  },
  check: (object, index) => [
    ...programsOf(object).filter(({ name, args }) => name === 'cluster-autoscaler' && args.some((arg) => arg.name === 'cloud-provider' && arg.value === 'clusterapi'))
      .flatMap(({ args }) => args.filter(({ name, value }) => name === 'node-group-auto-discovery' && value !== undefined))
      .flatMap(({ path, value = '' }) => formFindings(value).map((finding) => ({ path, ...finding }))),
    ...autoscalersIn(object, index).flatMap(otherNamespaces),
  ],
};

function formFindings(text: string): Omit<Finding, 'path'>[] {
  const pairs = discoveryPairs(text);
  if (!pairs) {
    const accepted = '"clusterapi:namespace=…,clusterName=…"';
    return [{ message: `${JSON.stringify(text)} cannot be read, and the autoscaler exits`, accepted, fix: 'write it in this form' }];
  }
  return pairs.flatMap(([key]) => {
    const meant = KEYS.includes(key) ? undefined : nearestName(key.replace(/[-_]/g, ''), [...KEYS, 'cluster']);
    return meant === undefined ? [] : [{
      message: `${JSON.stringify(key)} is a label that pools must have, and finds none`,
      accepted: KEYS.join(', '),
      fix: `did you mean ${JSON.stringify(meant === 'cluster' ? 'clusterName' : meant)}?`,
    }];
  });
}

/** Only the first namespace is watched. */
function otherNamespaces({ discoveries = [] }: Autoscaler): Finding[] {
  const first = discoveries.find(({ namespace }) => namespace !== undefined)?.namespace;
  return discoveries.filter(({ namespace }) => first !== undefined && namespace !== first).map(({ path, namespace }) => ({
    path,
    message: `the autoscaler watches the namespace "${first}" alone, and finds no pool of ${namespace === undefined ? 'others' : `"${namespace}"`}`,
    fix: 'run an autoscaler for each cluster',
  }));
}

const CLUSTER_NAME: ManifestRule = {
  id: 'TC-TRAP-AUTOSCALER-CLUSTER',
  title: 'The Cluster whose pools an autoscaler discovers must exist: it finds no pool otherwise.',
  source: `${DISCOVERIES} (allowedByAutoDiscoverySpec)`,
  kinds: POD_KINDS,
  trap: true,
  elsewhere: true,
  example: replaced(AUTOSCALER, 'clusterName=acme', 'clusterName=acm', ACME),
  check: (object, index) => autoscalersIn(object, index).flatMap(({ discoveries = [] }) => discoveries)
    .flatMap((one) => missingCluster(one, index, object)),
};

/** A finding for a discovery of a Cluster that was not read, where others in its namespace were. */
export function missingCluster({ path, cluster, namespace }: Discovery, index: ManifestIndex, object?: ManifestObject): Finding[] {
  if (cluster === undefined || (namespace !== undefined && clustersNamed(namespace, cluster, index).length > 0)) return [];
  const all = clustersOf(index);
  if (all.some((one) => nameOf(one) === cluster && (namespace ?? namespaceOf(one)) === namespaceOf(one))) return [];
  const there = all.filter((one) => (namespace ?? namespaceOf(one)) === namespaceOf(one)).map((one) => nameOf(one) ?? '');
  const elsewhere = all.find((one) => nameOf(one) === cluster);
  if ((there.length === 0 && !elsewhere) || (object && isOfLeavingCluster(object, cluster, index))) return [];
  const near = nearestName(cluster, there) ?? (there.length === 1 ? there[0] : undefined);
  return [{
    path,
    message: `among the manifests that were read, there is no Cluster "${cluster}"${namespace === undefined ? '' : ` in the namespace "${namespace}"`}, so that no pool is scaled`,
    fix: elsewhere && there.length === 0 ? `write namespace=${namespaceOf(elsewhere) ?? 'default'}, where the Cluster is`
      : near === undefined ? 'name a Cluster that exists' : `write clusterName=${near}, or validate the other Cluster together with these`,
  }];
}

const SHARED: ManifestRule = {
  id: 'TC-TRAP-AUTOSCALER-SHARED',
  title: 'An autoscaler must discover the pools of one Cluster only: machines of others have no nodes that it sees, and it deletes them.',
  source: 'kubernetes/autoscaler issue 5510; cluster-autoscaler/clusterstate/clusterstate.go (getNotRegisteredNodes), v1.36.1',
  kinds: POD_KINDS,
  trap: true,
  example: {
    failing: documents(AUTOSCALER.replace(',clusterName=acme', ''), ACME, BETA),
    corrected: documents(AUTOSCALER, ACME, BETA),
  },
  check: (object, index) => autoscalersIn(object, index).flatMap((autoscaler) => sharedClusters(autoscaler, index)),
};

/** A finding for an autoscaler that finds pools of several Clusters, by the namespace and the name alone. */
export function sharedClusters(autoscaler: Autoscaler, index: ManifestIndex): Finding[] {
  const { path, discoveries = [] } = autoscaler;
  // Labels may be those of the pools of one cluster.
  if (discoveries.some(({ labels }) => Object.keys(labels).length > 0)) return [];
  const found = clustersFoundBy(autoscaler, index);
  if (found.length < 2) return [];
  const names = found.slice(0, 3).map((cluster) => JSON.stringify(nameOf(cluster)));
  return [{
    path: discoveries[0]?.path ?? path,
    message: `it finds the pools of ${found.length} Clusters, such as ${names.join(', ')}, and watches the nodes of one: machines of the others count as lost, and are deleted`,
    fix: 'name one Cluster by clusterName, and run an autoscaler for each',
  }];
}

const NODES: ManifestRule = {
  id: 'TC-TRAP-AUTOSCALER-NODES',
  title: 'An autoscaler must watch the nodes of the Cluster whose pools it scales, and look for the pools in the management cluster.',
  source: `${PROVIDER}/clusterapi_provider.go (BuildClusterAPI), README.md (Connecting cluster-autoscaler to Cluster API), v1.36.1`,
  kinds: POD_KINDS,
  trap: true,
  example: {
    failing: documents(AUTOSCALER.replace('acme-kubeconfig', 'beta-kubeconfig'), ACME, BETA),
    corrected: documents(AUTOSCALER, ACME, BETA),
  },
  // In a tenant, the files of the pod lead to clusters that are not known.
  check: (object, index) => (index.target ? [] : autoscalersIn(object, index).flatMap((autoscaler) => nodeFindings(object, autoscaler, index))),
};

const KUBECONFIG = /^(.+?)(?:-admin)?-kubeconfig$/;

function nodeFindings(object: ManifestObject, autoscaler: Autoscaler, index: ManifestIndex): Finding[] {
  const { path, nodes, poolsBesideNodes, discoveries = [] } = autoscaler;
  const found = clustersFoundBy(autoscaler, index);
  if (discoveries.length === 0 || found.length !== 1) return [];
  const [name, isHosted] = [nameOf(found[0]), knownKind(partReference(found[0], 'controlPlaneRef')?.kind ?? '')?.hosted === true];
  if (!nodes) {
    // A management cluster that scales itself has a control plane of its own.
    return !isHosted || !poolsBesideNodes ? [] : [{
      path,
      message: `without --kubeconfig it watches the nodes of the cluster that it runs in, and not those of "${name}", whose machines count as lost`,
      fix: `mount the Secret ${name}-kubeconfig, and name its file by --kubeconfig`,
    }];
  }
  const owner = KUBECONFIG.exec(nodes.secret ?? '')?.[1];
  const other = owner === undefined || owner === name ? undefined : clustersNamed(namespaceOf(object), owner, index)[0];
  if (other) {
    return [{
      path: nodes.path,
      message: `the Secret "${nodes.secret}" leads to the cluster "${owner}", and the pools are those of "${name}": their machines count as lost, and are deleted`,
      fix: `mount the kubeconfig of "${name}", or discover clusterName=${owner}`,
    }];
  }
  return !isHosted || !poolsBesideNodes || owner !== name ? [] : [{
    path: nodes.path,
    message: `it looks for pools in the cluster of --kubeconfig, too, and "${name}" has none: nothing is scaled`,
    fix: `add ${AUTHORITATIVE}, or name the kubeconfig of the management cluster by --cloud-config`,
  }];
}

const BOUNDLESS: ManifestRule = {
  id: 'TC-TRAP-AUTOSCALER-NO-POOL',
  title: 'A Cluster that has an autoscaler should have a pool with bounds: the autoscaler scales no other.',
  source: `${PROVIDER}/clusterapi_nodegroup.go (newNodeGroupFromScalableResource), v1.36.1`,
  kinds: POD_KINDS,
  trap: true,
  warning: true,
  example: {
    failing: documents(AUTOSCALER, ...PARTS, POOL_TEXT),
    corrected: documents(AUTOSCALER, ...PARTS, BOUNDED),
  },
  check: (object, index) => autoscalersIn(object, index).flatMap((autoscaler) => {
    const found = clustersFoundBy(autoscaler, index);
    const pools = found.flatMap((cluster) => poolsOf(cluster, index));
    // A topology, or its class, may give bounds to pools.
    if (pools.length === 0 || pools.some(hasBounds) || found.some((cluster) => isSet(cluster, 'spec', 'topology') || isAsleep(cluster, index))) return [];
    return [{
      path: autoscaler.discoveries?.[0]?.path ?? autoscaler.path,
      message: `none of the ${pools.length} pools that it finds has bounds, so that it scales nothing`,
      fix: 'write the annotations of the minimum and the maximum on the pools that may grow',
    }];
  }),
};

const UNSCALED: ManifestRule = {
  id: 'TC-TRAP-POOL-AUTOSCALER-NONE',
  title: 'A pool with bounds should have an autoscaler, where others have one: its size stays as it is otherwise.',
  source: `${PROVIDER}/README.md (Enabling Autoscaling), v1.36.1`,
  kinds: ['cluster.x-k8s.io/MachineDeployment', 'cluster.x-k8s.io/MachinePool'],
  trap: true,
  warning: true,
  example: {
    failing: documents(AUTOSCALER.replace(DISCOVERY, `${DISCOVERY},team=core`), ...PARTS, BOUNDED),
    corrected: documents(AUTOSCALER, ...PARTS, BOUNDED),
  },
  check: (object, index) => {
    if (!hasBounds(object) || !hasAutoscaler(index) || isFound(object, index)) return [];
    return [{
      path: ['metadata', 'annotations'],
      message: `no autoscaler that was read finds the pools of the Cluster "${stringAt(object, 'spec', 'clusterName') ?? ''}", so that nothing changes the size`,
      fix: 'run an autoscaler for this cluster, too, or give the pool a fixed size',
    }];
  },
};

/** Rules for what an autoscaler watches and scales. */
export const AUTOSCALER_CLUSTERS: readonly ManifestRule[] = [FORM, CLUSTER_NAME, SHARED, NODES, BOUNDLESS, UNSCALED];
