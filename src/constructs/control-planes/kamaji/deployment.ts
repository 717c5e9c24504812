import type { k8s } from 'cdk8s-plus-28';
import { KamajiVolume } from './volumes';
import { Toleration } from '../../../manifests/values/tolerations';

/** Numbers of a rolling update. */
export interface KamajiRollingUpdateOptions {
  /**
   * Number of pods that may run beyond the desired number.
   *
   * @default 1
   */
  readonly maxSurge?: number;

  /**
   * Number of the desired pods that may be missing.
   *
   * @default 0
   */
  readonly maxUnavailable?: number;
}

/**
 * Replacement of the pods of the control plane.
 *
 * @example
 * new KamajiControlPlane({ deployment: { strategy: KamajiUpdateStrategy.rollingUpdate({ maxSurge: 1, maxUnavailable: 0 }) } });
 */
export class KamajiUpdateStrategy {
  /**
   * A full set of new pods comes up before the old ones go, so that clients do not meet two versions in turn. It needs room for twice
   * the pods. This is what Kamaji does by itself (clastix/kamaji internal/builders/controlplane/deployment.go).
   */
  public static blueGreen(): KamajiUpdateStrategy {
    return new KamajiUpdateStrategy({ maxSurge: '100%', maxUnavailable: 0 });
  }

  /**
   * A few pods at a time, for management clusters without room for a second set.
   *
   * @param options how many at a time; not both 0 (`TC-KAMAJI-DEPLOYMENT`)
   */
  public static rollingUpdate(options: KamajiRollingUpdateOptions = {}): KamajiUpdateStrategy {
    return new KamajiUpdateStrategy({ maxSurge: options.maxSurge ?? 1, maxUnavailable: options.maxUnavailable ?? 0 });
  }

  /** All old pods go before the new ones come. The API server is away in between. */
  public static recreate(): KamajiUpdateStrategy {
    return new KamajiUpdateStrategy(undefined);
  }

  /** @internal */
  public readonly _rolling?: { readonly maxSurge: number | string; readonly maxUnavailable: number };

  private constructor(rolling: { readonly maxSurge: number | string; readonly maxUnavailable: number } | undefined) {
    this._rolling = rolling;
  }
}

/** Placement and settings of the pods of the control plane in the management cluster. */
export interface KamajiDeployment {
  /**
   * Labels that a node must have (`TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Taints that the pods tolerate (`TC-KAMAJI-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Rules about nodes and neighbours beyond `nodeSelector`.
   *
   * @default - none
   */
  readonly affinity?: k8s.Affinity;

  /**
   * Spread of the pods. Kamaji selects the control plane's own pods where a constraint has no selector.
   *
   * Rule: `TC-KAMAJI-DEPLOYMENT`.
   *
   * @default - over host names if possible: maxSkew 1, whenUnsatisfiable ScheduleAnyway. Kamaji spreads them by no rule of its own
   */
  readonly topologySpreadConstraints?: k8s.TopologySpreadConstraint[];

  /**
   * Name of the RuntimeClass (`TC-KAMAJI-DEPLOYMENT`).
   *
   * @default - the management cluster's default
   */
  readonly runtimeClassName?: string;

  /**
   * Name of the ServiceAccount in the tenant cluster's namespace (`TC-KAMAJI-DEPLOYMENT`).
   *
   * @default - `default`
   */
  readonly serviceAccountName?: string;

  /**
   * Replacement of pods.
   *
   * @default KamajiUpdateStrategy.blueGreen()
   */
  readonly strategy?: KamajiUpdateStrategy;

  /**
   * Further labels of the pods, not with the domain `kamaji.clastix.io` (`TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Further annotations of the pods (`TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };

  /**
   * Further volumes of the pods, for `extraVolumeMounts` of the components (`TC-TRAP-KAMAJI-VOLUME`).
   *
   * @default - none
   */
  readonly volumes?: KamajiVolume[];
}
