import { PoolContext } from './pool-context';
import { POOL_RULES } from './rules';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { findingsOf } from '../../../manifests/values/finding';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import * as labels from '../../../manifests/values/labels';
import { checkNodeLabelKey } from '../../../manifests/values/node-labels';
import { Problem, problemsOf } from '../../../manifests/values/problem';
import * as taints from '../../../manifests/values/taints';
import { checkServedVersion } from '../capabilities/served-version';
import { Machine } from '../machine';

/** Cluster API appends five characters and a hyphen for the MachineSet, and the same again for the machine. */
const MACHINE_SUFFIX = 12;
const LONGEST_POOL_NAME = 63 - MACHINE_SUFFIX;

/** Checks the pool's name, and the names that are made from it. */
export function checkName(context: PoolContext, id: string): Problem[] {
  const fault = checkDnsLabel(id);
  if (fault) return [{ rule: POOL_RULES.name, message: `the name of the pool is not usable: ${fault}`, fix: 'give the pool a name of lower-case letters, digits and hyphens' }];
  const length = context.cluster.name.length + 1 + id.length;
  if (isShortEnough(context.name)) return [];
  return [{
    rule: POOL_RULES.name,
    message: `"${context.cluster.name}-${id}" has ${length} characters, and its machines get ${MACHINE_SUFFIX} more`,
    accepted: `cluster and pool name of ${LONGEST_POOL_NAME} characters together, with the hyphen`,
    fix: `shorten the name of the pool or of the cluster by ${length - LONGEST_POOL_NAME}`,
  }];
}

/** True if machines of a MachineDeployment can be named after it. */
export function isShortEnough(name: string): boolean {
  return name.length <= LONGEST_POOL_NAME;
}

/** Checks that no other pool has the name. */
export function checkNameTaken(context: PoolContext, owner: string | undefined): Problem[] {
  return owner === undefined ? [] : [{
    rule: POOL_RULES.nameTaken,
    message: `the MachineDeployment "${context.name}" in namespace "${context.cluster.namespace}" is made by ${owner} already`,
    fix: 'rename one of the two pools or clusters, or give each cluster a namespace of its own',
  }];
}

/** Checks that machines fit to the cluster's infrastructure. */
export function checkInfrastructure({ infrastructureKind }: Machine, clusterKind: string): Problem[] {
  return infrastructureKind === clusterKind ? [] : [{
    rule: POOL_RULES.infrastructure,
    property: 'machine',
    message: `the machines belong to a ${infrastructureKind}, and the cluster has a ${clusterKind}`,
    accepted: `machines of a ${clusterKind}`,
    fix: 'choose the machine class of the cluster\'s infrastructure',
  }];
}

/** Checks the pool's own Kubernetes version. */
export function checkVersion(context: PoolContext, version: string | undefined): Problem[] {
  if (version === undefined) return [];
  if (!KubernetesVersion.isValid(version)) {
    return [{
      rule: POOL_RULES.version, property: 'kubernetesVersion', message: `"${version}" is not a version`, accepted: 'X.Y.Z, with or without a leading v', fix: 'write the full version, e.g. "1.35.4"',
    }];
  }
  return checkServedVersion(KubernetesVersion.of(version), context.cluster.management?.kubernetesVersions);
}

/** Checks the labels of the pool's nodes. */
export function checkLabels(nodeLabels: { [key: string]: string }): Problem[] {
  const grammar = labels.checkLabels(nodeLabels);
  const faulty = new Set(grammar.map(({ path: [key] }) => key));
  const reserved = Object.keys(nodeLabels).filter((key) => !faulty.has(key))
    .flatMap((key) => findingsOf([key], [checkNodeLabelKey(key)], 'use a key that nodes accept'));
  return problemsOf(POOL_RULES.label, 'labels', [...grammar, ...reserved]);
}

/** Checks the taints of the pool's nodes. */
export function checkTaints(nodeTaints: taints.Taint[]): Problem[] {
  return problemsOf(POOL_RULES.taint, 'taints', taints.checkTaints(nodeTaints));
}
