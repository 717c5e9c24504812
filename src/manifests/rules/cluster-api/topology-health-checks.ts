import { CLUSTER, CLUSTER_CLASS, CORE_WEBHOOKS, isV1beta1 } from './cluster-api-kinds';
import { classOf, healthCheckOf, saysWhen, workersOf } from './cluster-classes';
import { clusterClassYaml, gateYaml, topologyYaml, workerClassYaml } from './example-manifests';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath } from '../../values/fields';
import { Finding } from '../../values/finding';
import { indented } from '../example-text';
import { ManifestRule } from '../manifest-rule';

const GATE_ON = gateYaml('ClusterTopology');
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

export const TOPOLOGY_HEALTH_CHECKS: readonly ManifestRule[] = [CONTROL_PLANE, UNDEFINED];

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
