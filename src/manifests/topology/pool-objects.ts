import { Blueprint, classTemplate, either, healthCheckOf } from './blueprint';
import { timeouts } from './control-plane-object';
import { TopologyStop } from './outcome';
import { withoutUnset, WorkerList } from './stored-topology';
import {
  copyName, copyOf, generatedName, MadeFrom, marksOf, mergedMarks, objectFrom, OWNED_LABEL, POOL_LABELS, referenceTo,
} from './template-objects';
import { ManifestObject } from '../objects/manifest-object';
import { fieldAt, Fields, isFilled, stringAt } from '../values/fields';

/** A template of a ClusterClass, and what is made of it. */
export interface MadeObject {
  readonly template: ManifestObject;
  readonly object: ManifestObject;
}

/** A pool of a topology, and its templates. */
export interface TopologyPool {
  readonly list: WorkerList;

  /** Its name in the topology. */
  readonly name: string;
  readonly poolClass: string;

  /** Its entry in the topology. */
  readonly own: Fields;
  readonly object: ManifestObject;
  readonly bootstrap: MadeObject;
  readonly infrastructure: MadeObject;
  readonly healthCheck?: ManifestObject;
}

/** Annotations that are not copied to pools. */
export const HOLD_UPGRADES = 'topology.cluster.x-k8s.io/hold-upgrade-sequence';
export const DEFER_UPGRADE = 'topology.cluster.x-k8s.io/defer-upgrade';

const KINDS = { machineDeployments: 'MachineDeployment', machinePools: 'MachinePool' } as const;
const OWNERS = { machineDeployments: 'machineDeployment', machinePools: 'machinePool' } as const;

/** Names of pools that exist, by the list and the name in the topology. */
export type CurrentNames = (list: WorkerList, name: string) => string | undefined;

/**
 * The pools that the topology controller makes, before patches.
 *
 * Source: kubernetes-sigs/cluster-api exp/topology/desiredstate/desired_state.go (computeMachineDeployment, computeMachinePool), v1.14.2.
 *
 * @param blueprint the topology
 * @param currentName names of pools that exist
 * @param versionOf the version of a pool
 */
export function poolsOf(blueprint: Blueprint, currentName: CurrentNames, versionOf: (list: WorkerList, own: Fields) => unknown): TopologyPool[] {
  return (['machineDeployments', 'machinePools'] as const).flatMap((list) => (
    blueprint.topology.workers[list].map((own) => poolOf(blueprint, list, own, { currentName, version: versionOf(list, own) }))));
}

function poolOf(
  blueprint: Blueprint, list: WorkerList, own: Fields, { currentName, version }: { readonly currentName: CurrentNames; readonly version: unknown },
): TopologyPool {
  const { clusterName, namespace, clusterClass, of } = blueprint;
  const [name, poolClass] = [stringAt(own, 'name') ?? '', stringAt(own, 'class') ?? ''];
  const ofClass = clusterClass.workers[list].find((candidate) => candidate.class === poolClass);
  if (!ofClass) throw new TopologyStop(`${KINDS[list]} class ${poolClass} not found in ClusterClass ${of.name}`);
  const isDeployment = list === 'machineDeployments';
  const make = (holder: unknown): MadeObject => {
    const template = classTemplate(holder, blueprint);
    const from: MadeFrom = { template, name: copyName(clusterName, name), namespace, clusterName, labels: { [POOL_LABELS[list]]: name } };
    return { template, object: isDeployment ? copyOf(from) : objectFrom(from) };
  };
  const [bootstrap, infrastructure] = [make(ofClass.bootstrap), make(ofClass.infrastructure)];
  const naming = stringAt(ofClass, 'naming', 'template') ?? `{{ .cluster.name }}-{{ .${OWNERS[list]}.topologyName }}-{{ .random }}`;
  const owned = { 'cluster.x-k8s.io/cluster-name': clusterName, [OWNED_LABEL]: '', [POOL_LABELS[list]]: name };
  const marks = (field: string) => mergedMarks(fieldAt(own, 'metadata', field), fieldAt(ofClass, 'metadata', field));
  const { [HOLD_UPGRADES]: _, [DEFER_UPGRADE]: __, ...annotations } = marks('annotations');
  const metadata = marksOf({ ...marks('labels'), ...owned }, annotations);
  const maxInFlight = either(own, ofClass, 'healthCheck', 'remediation', 'maxInFlight');
  const order = either(own, ofClass, 'deletion', 'order');
  const object: ManifestObject = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: KINDS[list],
    metadata: {
      name: generatedName(naming, { cluster: { name: clusterName }, [OWNERS[list]]: { topologyName: name } }, currentName(list, name)),
      ...(namespace !== undefined && { namespace }),
      ...metadata,
    },
    spec: withoutUnset({
      clusterName,
      replicas: own.replicas,
      ...isDeployment ? {
        rollout: isFilled(own, 'rollout') ? own.rollout : ofClass.rollout,
        deletion: order === undefined ? undefined : { order },
        remediation: maxInFlight === undefined ? undefined : { maxInFlight },
        selector: { matchLabels: owned },
      } : { failureDomains: own.failureDomains ?? ofClass.failureDomains },
      template: {
        metadata,
        spec: withoutUnset({
          clusterName,
          version,
          bootstrap: { configRef: referenceTo(bootstrap.object) },
          infrastructureRef: referenceTo(infrastructure.object),
          deletion: timeouts(own, ofClass),
          minReadySeconds: own.minReadySeconds ?? ofClass.minReadySeconds,
          taints: own.taints ?? ofClass.taints,
          ...isDeployment && { failureDomain: either(own, ofClass, 'failureDomain'), readinessGates: own.readinessGates ?? ofClass.readinessGates },
        }),
      },
    }),
  };
  const selected = { [OWNED_LABEL]: '', [POOL_LABELS[list]]: name };
  const healthCheck = isDeployment ? healthCheckOf(object, selected, own, ofClass, clusterName) : undefined;
  return { list, name, poolClass, own, object, bootstrap, infrastructure, healthCheck };
}
