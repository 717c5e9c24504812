import { MAX_SIZE, MIN_SIZE } from './autoscaler-annotations';
import { CLUSTER, CLUSTER_CLASS, CORE_WEBHOOKS, isV1beta1, KUBEADM_CONTROL_PLANE_TEMPLATE } from './cluster-api-kinds';
import { classMetadata, classOf, healthCheckOf, saysWhen, workersOf } from './cluster-classes';
import { clusterClassYaml, gateYaml, topologyYaml, workerClassYaml } from './example-manifests';
import { isGateOff, turnOn } from './feature-gates';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, isFields, isSet, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { prefixedVersion } from '../../values/semantic-version';
import { indented } from '../example-text';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';

const CONCURRENCY = 'topology.cluster.x-k8s.io/upgrade-concurrency';
const GATE = 'ClusterTopology';
const LISTS = ['machineDeployments', 'machinePools'] as const;
const COMPATIBILITY = 'kubernetes-sigs/cluster-api internal/topology/check/compatibility.go';
const GATE_ON = gateYaml(GATE);

const GATED: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-GATE',
  title: `Topologies and ClusterClasses require Cluster API's feature gate ${GATE}, which is off by default.`,
  source: `${CORE_WEBHOOKS}/{cluster,clusterclass}.go, controlplane/kubeadm/webhooks/admission/kubeadmcontrolplanetemplate.go, feature/feature.go`,
  kinds: [CLUSTER, CLUSTER_CLASS, KUBEADM_CONTROL_PLANE_TEMPLATE],
  example: { failing: topologyYaml('') + gateYaml('RuntimeSDK'), corrected: topologyYaml('') + GATE_ON },
  // Alone, each ClusterClass is a sign that the gate is on.
  check: (object, index) => {
    const path = groupKind(object) === CLUSTER ? ['spec', 'topology'] : ['spec'];
    return !isFields(fieldAt(object, ...path)) || !isGateOff(GATE, gatedBy(object), index) || isTold(object, index) ? [] : [{
      path, message: `the providers have the feature gate ${GATE} off, and refuse it`, fix: `${turnOn(GATE)}; or write the objects of the cluster one by one`,
    }];
  },
};

function gatedBy(object: ManifestObject): 'CoreProvider' | 'ControlPlaneProvider' {
  return groupKind(object) === KUBEADM_CONTROL_PLANE_TEMPLATE ? 'ControlPlaneProvider' : 'CoreProvider';
}

/** True of what a topology needs: the Cluster says it, and of a template its class. */
function isTold(object: ManifestObject, index: ManifestIndex): boolean {
  const tellers = { [CLUSTER_CLASS]: [CLUSTER], [KUBEADM_CONTROL_PLANE_TEMPLATE]: [CLUSTER, CLUSTER_CLASS] }[groupKind(object)] ?? [];
  return tellers.flatMap((kind) => index.all(kind)).some((other) => groupKind(other) === CLUSTER_CLASS || isSet(other, 'spec', 'topology'));
}

const UPGRADES: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-CONCURRENCY',
  title: 'The number of pools that are upgraded at the same time must be a whole number from 1.',
  source: `${CORE_WEBHOOKS}/cluster.go`,
  kinds: [CLUSTER],
  example: {
    failing: topologyYaml('', `annotations:\n  ${CONCURRENCY}: all`) + GATE_ON, corrected: topologyYaml('', `annotations:\n  ${CONCURRENCY}: "2"`) + GATE_ON,
  },
  check: (object) => {
    const path = ['metadata', 'annotations', CONCURRENCY];
    const text = fieldAt(object, ...path);
    if (!isFields(fieldAt(object, 'spec', 'topology')) || typeof text !== 'string' || (/^[+-]?\d+$/.test(text) && Number(text) >= 1)) return [];
    return [{ path, message: `${JSON.stringify(text)} is not a number of pools`, accepted: 'whole numbers from 1', fix: 'write a number, such as "1"' }];
  },
};

const REPLICAS: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-REPLICAS',
  title: 'A pool of a topology must have either replicas or autoscaler bounds, set by itself or by its class.',
  source: `${CORE_WEBHOOKS}/cluster.go (validateAutoscalerAnnotationsForCluster)`,
  kinds: [CLUSTER],
  example: {
    failing: pooled('general', `replicas: 3\n${bounds()}`) + GATE_ON,
    corrected: pooled('general', bounds()) + GATE_ON,
  },
  check: (object, index) => {
    const clusterClass = classOf(object, index);
    const classes = clusterClass ? workersOf(clusterClass, 'machineDeployments') : [];
    return workersOf(object, 'machineDeployments').filter(([pool]) => isSet(pool, 'replicas')).flatMap(([pool, at]) => {
      const ofClass = clusterClass && classes.some(([known]) => known.class === pool.class && hasBounds(classMetadata(clusterClass, known)));
      return hasBounds(pool.metadata) || ofClass ? [{
        path: ['spec', 'topology', 'workers', 'machineDeployments', at, 'replicas'],
        message: `the ${hasBounds(pool.metadata) ? 'pool' : `class ${JSON.stringify(pool.class)}`} has bounds for the autoscaler`,
        fix: 'leave replicas out, or the bounds',
      }] : [];
    });
  },
};

const WORKER_CLASS: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-CLASS',
  title: 'The class of a pool in a topology must exist in its ClusterClass.',
  source: COMPATIBILITY,
  kinds: [CLUSTER],
  example: { failing: `${pooled('general', '', 'wroker')}---\n${clusterClassYaml(workerClassYaml())}${GATE_ON}`, corrected: `${pooled('general')}---\n${clusterClassYaml(workerClassYaml())}${GATE_ON}` },
  check: (object, index) => {
    const clusterClass = classOf(object, index);
    if (!clusterClass) return [];
    return LISTS.flatMap((list) => {
      const known = workersOf(clusterClass, list).flatMap(([one]) => stringAt(one, 'class') ?? []);
      return workersOf(object, list).filter(([pool]) => typeof pool.class === 'string' && !known.includes(pool.class)).map(([pool, at]) => ({
        path: ['spec', 'topology', 'workers', list, at, 'class'],
        message: `the ClusterClass has no class ${JSON.stringify(pool.class)} of ${list}`,
        accepted: known.join(', ') || undefined,
        fix: `name a class that it has, or add the class to spec.workers.${list} of the ClusterClass`,
      }));
    });
  },
};

const VERSION: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-VERSION',
  title: 'The version of a topology must be in the list of its ClusterClass, if the class has such a list.',
  source: `${CORE_WEBHOOKS}/cluster.go (ValidateClusterForClusterClass)`,
  kinds: [CLUSTER],
  example: { failing: versioned('v1.35.5'), corrected: versioned('v1.35.4') },
  check: (object, index) => {
    const known = stringsAt(classOf(object, index), 'spec', 'kubernetesVersions').map(([text]) => text);
    const path = ['spec', 'topology', 'version'];
    const version = stringAt(object, ...path);
    if (known.length === 0 || version === undefined) return [];
    // The webhook puts a missing "v" in front before it compares.
    return known.includes(prefixedVersion(version)) ? [] : [{
      path, message: `the ClusterClass does not list ${JSON.stringify(version)}`, accepted: known.join(', '), fix: 'choose one of these, or add it to kubernetesVersions of the ClusterClass',
    }];
  },
};

function pooled(name: string, fields = '', workerClass = 'worker'): string {
  return topologyYaml(`workers:\n  machineDeployments:\n    - class: ${workerClass}\n      name: ${name}\n${indented(fields, 6)}`);
}

function bounds(): string {
  return `metadata:\n  annotations:\n    ${MIN_SIZE}: "1"\n    ${MAX_SIZE}: "10"`;
}

function versioned(version: string): string {
  return `${topologyYaml('', '', version)}---\n${clusterClassYaml('kubernetesVersions: [v1.34.7, v1.35.4]')}${GATE_ON}`;
}

function hasBounds(metadata: unknown): boolean {
  return [MIN_SIZE, MAX_SIZE].some((name) => isSet(metadata, 'annotations', name));
}

const CHECK = 'healthCheck:\n  checks:\n    nodeStartupTimeoutSeconds: 1200';
const POOLS = 'workers:\n  machineDeployments:\n    - class: worker\n      name: general';

/** Control planes without machines. */
const CONTROL_PLANE: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-HEALTH-CHECK',
  title: 'A health check of the control plane requires a class with machineInfrastructure.',
  source: `${CORE_WEBHOOKS}/{cluster,clusterclass}.go`,
  kinds: [CLUSTER, CLUSTER_CLASS],
  example: {
    failing: `${topologyYaml(`controlPlane:\n${indented(CHECK, 2)}`)}---\n${clusterClassYaml('')}${GATE_ON}`,
    corrected: `${topologyYaml('controlPlane:\n  replicas: 2')}---\n${clusterClassYaml('')}${GATE_ON}`,
  },
  check: (object, index) => {
    const isClass = groupKind(object) === CLUSTER_CLASS;
    const clusterClass = isClass ? object : classOf(object, index);
    const path: FieldPath = isClass ? ['spec', 'controlPlane'] : ['spec', 'topology', 'controlPlane'];
    const hasCheck = saysWhen(healthCheckOf(object, fieldAt(object, ...path.map(String))));
    if (!hasCheck || !clusterClass || fieldAt(clusterClass, 'spec', 'controlPlane', 'machineInfrastructure') !== undefined) return [];
    return [{
      path: [...path, fieldOf(object)],
      message: 'the ClusterClass has no spec.controlPlane.machineInfrastructure, so that there are no machines to watch',
      fix: 'remove the health check of the control plane; control planes of Kamaji run without machines',
    }];
  },
};

/** Health checks that are on, and say nothing. */
const UNDEFINED: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-HEALTH-CHECK-EMPTY',
  title: 'An enabled health check must have conditions for the replacement of machines, in the topology or in its class.',
  source: `${CORE_WEBHOOKS}/cluster.go (validateMachineHealthChecks)`,
  kinds: [CLUSTER],
  example: {
    failing: `${topologyYaml(`${POOLS}\n      healthCheck:\n        enabled: true`)}---\n${clusterClassYaml(workerClassYaml())}${GATE_ON}`,
    corrected: `${topologyYaml(`${POOLS}\n      healthCheck:\n        enabled: true`)}---\n${clusterClassYaml(workerClassYaml(CHECK))}${GATE_ON}`,
  },
  check: (object, index) => {
    const clusterClass = classOf(object, index);
    if (!clusterClass) return [];
    const classes = workersOf(clusterClass, 'machineDeployments').map(([known]) => known);
    const pools = workersOf(object, 'machineDeployments').flatMap(([pool, at]) => {
      const known = classes.find(({ class: name }) => name === pool.class);
      // A missing class is reported by another rule.
      return known ? emptyCheck(object, pool, ['spec', 'topology', 'workers', 'machineDeployments', at], clusterClass, known) : [];
    });
    const controlPlane = fieldAt(object, 'spec', 'topology', 'controlPlane');
    return [...emptyCheck(object, controlPlane, ['spec', 'topology', 'controlPlane'], clusterClass, fieldAt(clusterClass, 'spec', 'controlPlane')), ...pools];
  },
};

function emptyCheck(object: ManifestObject, owner: unknown, path: FieldPath, clusterClass: ManifestObject, ownerClass: unknown): Finding[] {
  const check = healthCheckOf(object, owner);
  const switchField = isV1beta1(object) ? 'enable' : 'enabled';
  if (check?.[switchField] !== true || saysWhen(check) || saysWhen(healthCheckOf(clusterClass, ownerClass))) return [];
  return [{
    path: [...path, fieldOf(object), switchField],
    message: 'neither the topology nor the class says when machines are replaced',
    fix: 'write the checks beside it, or into the class',
  }];
}

function fieldOf(object: ManifestObject): string {
  return isV1beta1(object) ? 'machineHealthCheck' : 'healthCheck';
}

/** Rules for topologies of Clusters. */
export const TOPOLOGIES: readonly ManifestRule[] = [GATED, UPGRADES, REPLICAS, WORKER_CLASS, VERSION, CONTROL_PLANE, UNDEFINED];
