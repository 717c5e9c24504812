import { PlannedCluster } from '../plan/plan-model';
import { PlanTotals } from '../plan/plan-totals';
import { ComponentUpgrade, UpgradeEffect } from '../rules/components';

/** A cluster, by the names of its plan. */
export interface RoutedCluster extends Pick<PlannedCluster, 'managementCluster' | 'namespace' | 'name'> {}

/** A component of a management cluster that goes to another release, before clusters do. */
export interface ComponentStep extends ComponentUpgrade {
  readonly step: 'component';
  readonly managementCluster?: string;

  /** Name of the component. */
  readonly title: string;

  /** The minor release of Kubernetes that needs it, e.g. `1.36`. */
  readonly neededFor: string;

  /** Effects of the release on what is running; undefined if they are not known. */
  readonly effect?: UpgradeEffect;

  /** Sentences about what comes first, each with what to do. */
  readonly first: readonly string[];
}

/** Something that rules find in the manifests as they are after a step, and not before it. */
export interface RouteFinding {
  readonly rule: string;

  /** True if it only warns. */
  readonly warning: boolean;
  readonly message: string;
  readonly fix: string;

  /** The objects, as `Kind namespace/name`. */
  readonly objects: readonly string[];

  /** Number of clusters that have it. */
  readonly clusters: number;
}

/** Clusters that go to another version of Kubernetes in one commit. */
export interface KubernetesStep {
  readonly step: 'kubernetes';

  /** The ring, if clusters are in rings. */
  readonly ring?: string;

  /** The version that the clusters have then. */
  readonly version: string;

  /** The versions that they have before, oldest first. */
  readonly from: readonly string[];
  readonly clusters: readonly RoutedCluster[];

  /** Findings that have to be resolved in the same commit, or before it. */
  readonly findings: readonly RouteFinding[];

  /** Sums over the plan of the commit, as far as the version alone decides it. */
  readonly totals: PlanTotals;

  /** The longest time that a cluster takes by declared timeouts, in seconds; undefined if a part of one has no limit, or no machines go. */
  readonly seconds?: number;
}

/** A commit of a route, which is merged when the one before has taken effect. */
export type RouteStep = ComponentStep | KubernetesStep;

/** A cluster that the route leaves as it is, or does not bring to its end. */
export interface LeftCluster extends RoutedCluster {
  /** The version that it has, or reaches. */
  readonly version?: string;

  /** A sentence without a full stop. */
  readonly why: string;
}

/** The way of clusters to a version of Kubernetes. */
export interface Route {
  /** The version or minor release that was asked for. */
  readonly target: string;

  /** The commits, in their order. */
  readonly steps: readonly RouteStep[];

  /** Clusters that need no step: they have the version already. */
  readonly arrived: readonly RoutedCluster[];

  /** Clusters that do not reach the target. */
  readonly left: readonly LeftCluster[];

  /** Facts that do not follow from the manifests, and have to be looked up. */
  readonly notes: readonly string[];
}
