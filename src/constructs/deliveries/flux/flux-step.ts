import { Duration } from 'cdk8s';
import { KustomizationSpec, KustomizationSpecDependsOn } from '../../../../imports/kustomize.toolkit.fluxcd.io';
import { EntryCluster } from '../../contracts/delivery/entry-cluster';
import { EntryStep, EntryTurn } from '../../contracts/delivery/entry-step';

/** Interval at which a step looks at its clusters, and the exactness of a soak. */
export const STEP_INTERVAL = Duration.minutes(1);

/** Time for which a cluster of a step may lack machines without a rollout, as when it is scaled up. */
export const STEP_TIMEOUT = Duration.minutes(5);

/** Annotation with the hash of all earlier steps: a step has to succeed anew when one of them changes, though its own content is the same. */
const EARLIER = 'content-of-earlier-steps';

/**
 * Dependencies of the Kustomization of a cluster on the step before.
 *
 * A Kustomization that waits for a dependency repairs no drift. So it waits only for content that it has not applied yet, by the marker in its
 * own inventory. A new cluster has no machines that a change could harm, and does not wait. The first dependency makes sure that Flux has
 * applied the Kustomization of this revision, whose marker is the new one.
 *
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (checkDependencies, evalReadyExpr), v1.9.4.
 *
 * @param turn the turn of the cluster
 * @param root name of the Kustomization that applies the entry points
 */
export function turnDependencies(turn: EntryTurn | undefined, root: string): KustomizationSpecDependsOn[] {
  if (!turn?.after) return [];
  const { cluster, marker, after } = turn;
  return [{ name: root }, { name: after.name, readyExpr: `!has(self.status.inventory) || ${hasMarker('self', cluster, marker)} || (${isDone(after)})` }];
}

/**
 * The fields of the Kustomization of a step that make it succeed when all clusters have applied their content, the steps before are done, and
 * no cluster rolls out.
 *
 * `WorkersAvailable` alone says nothing of a rollout, in which old machines stay until new ones are there. What fails at once ends the soak;
 * what is only not available has until the timeout, for a pool that scales up is not available either.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller_status.go, v1.14.2.
 *
 * @param step the step
 * @param root name of the Kustomization that applies the entry points
 */
export function stepSpec({ clusters, previous }: EntryStep, root: string): Pick<KustomizationSpec, 'dependsOn' | 'commonMetadata' | 'healthChecks' | 'healthCheckExprs'> {
  const kind = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster' };
  return {
    ...(previous && { commonMetadata: { annotations: { [EARLIER]: previous.content } } }),
    dependsOn: [
      { name: root },
      ...(previous ? [{ name: previous.name, readyExpr: isDone(previous) }] : []),
      ...clusters.map(({ entry, cluster, marker }) => ({ name: entry, readyExpr: `has(dep.status.inventory) && ${hasMarker('dep', cluster, marker)}` })),
    ],
    healthChecks: clusters.map(({ cluster: { name, namespace } }) => ({ ...kind, name, namespace })),
    healthCheckExprs: [{
      ...kind,
      failed: `has(status.conditions) && status.conditions.exists(c, (c.type in ["RollingOut", "Remediating"] && c.status == "True") || ${
        '(c.type in ["ControlPlaneMachinesUpToDate", "WorkerMachinesUpToDate"] && c.status == "False"))'}`,
      current: [
        'has(status.conditions)',
        '["ControlPlaneAvailable", "WorkersAvailable"].all(t, status.conditions.exists(c, c.type == t && c.status == "True"))',
        '["RollingOut", "Remediating"].all(t, status.conditions.exists(c, c.type == t && c.status == "False"))',
        '["ControlPlaneMachinesUpToDate", "WorkerMachinesUpToDate", "TopologyReconciled"].all(t, !status.conditions.exists(c, c.type == t && c.status != "True"))',
      ].join(' && '),
    }],
  };
}

/** True in CEL if a Kustomization has applied a folder with a marker. */
function hasMarker(kustomization: 'self' | 'dep', { namespace }: EntryCluster, marker: string): string {
  return `${kustomization}.status.inventory.entries.exists(e, e.id == "${namespace}_${marker}__ConfigMap")`;
}

/**
 * True in CEL if the Kustomization of a step has succeeded with what it is now, and has done so for the time of the soak: since it first did with
 * this content, and since it last did not.
 *
 * Source: fluxcd/pkg apis/meta/history.go (Upsert, newest first), v1.30.1.
 */
function isDone({ soak }: EntryStep): string {
  const time = `duration("${soak.toSeconds()}s")`;
  const last = 'timestamp(dep.status.history[0].lastReconciled)';
  return [
    'dep.metadata.generation == dep.status.observedGeneration',
    'dep.status.conditions.exists(c, c.type == "Ready" && c.status == "True")',
    `${last} - timestamp(dep.status.history[0].firstReconciled) >= ${time}`,
    `(size(dep.status.history) == 1 || ${last} - timestamp(dep.status.history[1].lastReconciled) >= ${time})`,
  ].join(' && ');
}
