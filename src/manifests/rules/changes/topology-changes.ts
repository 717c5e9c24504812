import { changedText, documents } from '../example-text';
import { Lookup } from '../manifest-index';
import { TransitionRule } from './transition-rule';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, isFilled, isSet, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { parseSemanticVersion } from '../../values/semantic-version';
import { CLUSTER, CLUSTER_CLASS, CORE_WEBHOOKS } from '../cluster-api/cluster-api-kinds';
import { classNameOf, classOf } from '../cluster-api/cluster-classes';
import { CLUSTER_PARTS, clusterClassYaml, clusterYaml, topologyYaml, workerClassYaml } from '../cluster-api/example-manifests';
import { definesElsewhere } from '../cluster-api/variables';
import { objectReference } from '../references/object-references';

const UNSAFE_VERSION = 'unsafe.topology.cluster.x-k8s.io/disable-update-version-check';
const UNSAFE_CLASS = 'unsafe.topology.cluster.x-k8s.io/disable-update-class-name-check';
const COMPATIBILITY = 'kubernetes-sigs/cluster-api internal/topology/check/compatibility.go';
const VERSION: readonly string[] = ['spec', 'topology', 'version'];
const POOLS = ['machineDeployments', 'machinePools'] as const;

const PLAIN = clusterClassYaml('');
const WORKERS = clusterClassYaml(workerClassYaml());
const WITH_WORKER = topologyYaml('workers:\n  machineDeployments:\n    - class: worker\n      name: general');

const ADDED: TransitionRule = {
  id: 'TC-CHANGE-TOPOLOGY-ADDED',
  title: 'A topology cannot be added to an existing Cluster.',
  source: `${CORE_WEBHOOKS}/cluster.go`,
  kinds: [CLUSTER],
  example: {
    before: clusterYaml(CLUSTER_PARTS),
    failing: clusterYaml(`${CLUSTER_PARTS}\ntopology:\n  classRef:\n    name: small\n  version: v1.35.4`),
    corrected: clusterYaml(CLUSTER_PARTS, 'annotations:\n  example.com/team: core'),
  },
  check: ({ before, after }) => (!before || !after || isFilled(before, 'spec', 'topology') || !isFilled(after, 'spec', 'topology') || escapes(after, UNSAFE_CLASS) ? [] : [{
    path: ['spec', 'topology'],
    message: 'it was not there before',
    fix: 'make a new Cluster with the topology and move what runs',
  }]),
};

const TOPOLOGY_VERSION: TransitionRule = {
  id: 'TC-CHANGE-TOPOLOGY-VERSION',
  title: 'The version of a topology must not go down, and must rise by one minor version at a time unless its class lists the upgrade path.',
  source: `${CORE_WEBHOOKS}/cluster.go`,
  kinds: [CLUSTER],
  example: changedText(topologyYaml(''), { 'v1.35.4': 'v1.34.8' }, { 'v1.35.4': 'v1.36.1' }),
  check: ({ before, after, now }) => {
    const [old, text] = [stringAt(before, ...VERSION), stringAt(after, ...VERSION)];
    const [from, to] = [old, text].map((version) => (version === undefined ? undefined : parseSemanticVersion(version)));
    if (!after || !from || !to || escapes(after, UNSAFE_VERSION)) return [];
    const steps = [to.major - from.major, to.minor - from.minor, to.patch - from.patch];
    if (steps.find((step) => step !== 0)! < 0) return [versionFinding(`it was ${old}, and is ${text} now: it does not go back`, `write ${old}`)];
    const cluster = classOf(after, now);
    if (!cluster || isSet(cluster, 'spec', 'kubernetesVersions') || isSet(cluster, 'spec', 'upgrade', 'external')) return [];
    return steps[0] > 0 || steps[1] > 1 ? [versionFinding(`it was ${old}, and is ${text} now: that leaves out a minor`, 'raise it by one minor, and by the next one when that is done')] : [];
  },
};

const CLASS_CHANGED: TransitionRule = {
  id: 'TC-CHANGE-TOPOLOGY-CLASS',
  title: 'The class of a Cluster can only change to a class whose control plane and infrastructure have the same kinds.',
  source: COMPATIBILITY,
  kinds: [CLUSTER],
  example: changedText(documents(topologyYaml(''), PLAIN, PLAIN.replace('  name: small', '  name: large').replace('kind: KubevirtClusterTemplate', 'kind: VultrClusterTemplate'), PLAIN.replace('  name: small', '  name: medium')),
    { 'classRef:\n      name: small': 'classRef:\n      name: large' }, { 'classRef:\n      name: small': 'classRef:\n      name: medium' }),
  check: ({ before, after, old, now }) => {
    const [from, to] = [before && classOf(before, old), after && classOf(after, now)];
    if (!from || !to || nameOf(from) === nameOf(to)) return [];
    return otherKinds(from, to).filter(({ path }) => path[1] !== 'workers').map(({ message }) => ({
      path: ['spec', 'topology'], message: `its class is ${JSON.stringify(nameOf(to))} now, in which ${message}`, fix: 'choose a class of the same kinds, or make a new Cluster',
    }));
  },
};

const AUDIT = `variables:
  - name: audit
    required: false
    schema:
      openAPIV3Schema:
        type: boolean
        default: false`;

const VARIABLE_REMOVED: TransitionRule = {
  id: 'TC-CHANGE-TOPOLOGY-VARIABLE',
  title: 'A variable with a default must stay in a ClusterClass: the server has stored the default in each Cluster that does not set it, and refuses the Cluster without the variable.',
  source: `${CORE_WEBHOOKS}/cluster.go (DefaultAndValidateVariables), internal/topology/variables/cluster_variable_validation.go, v1.14.2`,
  kinds: [CLUSTER],
  example: {
    before: documents(clusterClassYaml(AUDIT), topologyYaml('')),
    failing: documents(PLAIN, topologyYaml('')),
    corrected: documents(clusterClassYaml(AUDIT.replace('default: false', 'default: true')), topologyYaml('')),
  },
  check: ({ before, after, old, now }) => {
    const [from, to] = [before && classOf(before, old), after && classOf(after, now)];
    if (!from || !to || definesElsewhere(to)) return [];
    const [defined, ...stated] = [fieldAt(to, 'spec'), ...[before, after].map((cluster) => fieldAt(cluster, 'spec', 'topology'))]
      .map((holder) => new Set(objectsAt(holder, 'variables').map(([{ name }]) => name)));
    return objectsAt(from, 'spec', 'variables').map(([variable]) => variable)
      .filter(({ name, schema }) => typeof name === 'string' && isSet(schema, 'openAPIV3Schema', 'default') && ![defined, ...stated].some((names) => names.has(name)))
      .map(({ name }) => ({
        path: ['spec', 'topology', 'variables'],
        message: `its ClusterClass had the variable ${JSON.stringify(name)} with a default, which is stored here, and has it no more`,
        fix: 'keep the variable in the ClusterClass, without patches that read it',
      }));
  },
};

const CLASS_KINDS: TransitionRule = {
  id: 'TC-CHANGE-CLASS-KINDS',
  title: 'The kinds of templates in a ClusterClass cannot be changed, except those of bootstrap.',
  source: COMPATIBILITY,
  kinds: [CLUSTER_CLASS],
  example: changedText(PLAIN, { 'kind: KubevirtClusterTemplate': 'kind: VultrClusterTemplate' }, { 'name: small\n  controlPlane': 'name: small-2\n  controlPlane' }),
  check: ({ before, after }) => (!before || !after ? [] : otherKinds(before, after).map(({ path, message }) => ({
    path, message, fix: 'keep the kind, and make a new ClusterClass for the other one',
  }))),
};

const CLASS_IN_USE: TransitionRule = {
  id: 'TC-CHANGE-CLASS-IN-USE',
  title: 'A ClusterClass must keep what Clusters use: the class itself, its worker classes and the version.',
  source: `${CORE_WEBHOOKS}/clusterclass.go`,
  kinds: [CLUSTER_CLASS],
  example: {
    before: documents(WITH_WORKER, WORKERS),
    failing: documents(WITH_WORKER, WORKERS.replace('class: worker', 'class: compute')),
    corrected: documents(WITH_WORKER, WORKERS.replace('name: small\n  controlPlane', 'name: small-2\n  controlPlane')),
  },
  check: ({ before, after, now }) => (before === undefined ? []
    : USERS.find(now, namespaceOf(before), nameOf(before)).flatMap((cluster) => lost(before, after, cluster))),
};

/** Templates of a class that are of another kind than before. */
function otherKinds(before: ManifestObject, after: ManifestObject): { readonly path: readonly (string | number)[]; readonly message: string }[] {
  const places = [['infrastructure'], ['controlPlane'], ['controlPlane', 'machineInfrastructure']].map((place) => ({
    path: ['spec', ...place], from: kindAt(fieldAt(before, 'spec', ...place)), to: kindAt(fieldAt(after, 'spec', ...place)),
  }));
  const workers = POOLS.flatMap((list) => {
    const olds = new Map(objectsAt(before, 'spec', 'workers', list).map(([worker]) => [worker.class, worker]));
    return objectsAt(after, 'spec', 'workers', list).map(([worker, index]) => ({
      path: ['spec', 'workers', list, index, 'infrastructure'], from: kindAt(workerInfrastructure(olds.get(worker.class))), to: kindAt(workerInfrastructure(worker)),
    }));
  });
  return [...places, ...workers].flatMap(({ path, from, to }) => (from === undefined || to === undefined || from === to ? [] : [{
    path, message: `the template was a ${from.split('/')[1]}, and is a ${to.split('/')[1]} now`,
  }]));
}

function workerInfrastructure(worker: unknown): unknown {
  return fieldAt(worker, 'infrastructure') ?? fieldAt(worker, 'template', 'infrastructure');
}

function kindAt(part: unknown): string | undefined {
  return (objectReference(fieldAt(part, 'templateRef')) ?? objectReference(fieldAt(part, 'ref')))?.kind;
}

/** Parts that a Cluster uses of a class, and that the class does not have any more. */
function lost(before: ManifestObject, after: ManifestObject | undefined, cluster: ManifestObject): Finding[] {
  const user = `the Cluster ${JSON.stringify(nameOf(cluster) ?? '')}`;
  if (!after) return [{ path: [], message: `it is gone, and ${user} uses it`, fix: 'put it back until no Cluster uses it' }];
  const workers = POOLS.flatMap((list) => {
    const [olds, news] = [before, after].map((object) => new Set(objectsAt(object, 'spec', 'workers', list).map(([worker]) => worker.class)));
    const used = new Set(objectsAt(cluster, 'spec', 'topology', 'workers', list).map(([pool]) => pool.class));
    return [...used].filter((name) => olds.has(name) && !news.has(name)).map((name) => ({
      path: ['spec', 'workers', list], message: `there is no class ${JSON.stringify(name)} any more, and ${user} uses it`, fix: 'put the class back until no Cluster uses it',
    }));
  });
  const version = stringAt(cluster, ...VERSION);
  const [old, versions] = [before, after].map((object) => stringsAt(object, 'spec', 'kubernetesVersions').map(([text]) => text));
  const gone = version !== undefined && old.includes(version) && versions.length > 0 && !versions.includes(version);
  return [...workers, ...(gone ? [{ path: ['spec', 'kubernetesVersions'], message: `${version} is not among them any more, and ${user} runs it`, fix: `keep ${version} until no Cluster runs it` }] : [])];
}

/** Clusters by their class. */
const USERS = new Lookup([CLUSTER], (cluster) => {
  const { namespace, name } = classNameOf(cluster);
  return [namespace, name];
});

function escapes(cluster: ManifestObject, annotation: string): boolean {
  return isSet(cluster, 'metadata', 'annotations', annotation);
}

function versionFinding(message: string, fix: string): Finding {
  return { path: VERSION, message, fix };
}

/** Clusters that are made from classes, and the classes. */
export const TOPOLOGY_CHANGES: readonly TransitionRule[] = [ADDED, TOPOLOGY_VERSION, CLASS_CHANGED, VARIABLE_REMOVED, CLASS_KINDS, CLASS_IN_USE];
