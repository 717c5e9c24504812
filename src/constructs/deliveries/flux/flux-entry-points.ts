import { Duration } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { DELIVERY_NAMESPACE } from '../delivery-namespace';
import { setAppSource } from './app-source';
import { FluxSourceKind } from './flux-delivery-props';
import { STEP_INTERVAL, STEP_TIMEOUT, stepSpec, turnDependencies } from './flux-step';
import { SOURCE_KINDS } from './kustomization';
import { addWindowedSources, checkWindowedSource, FluxWindowedSource, windowedSourceName } from './windowed-source';
import { Kustomization, KustomizationSpec, KustomizationSpecDeletionPolicy } from '../../../../imports/kustomize.toolkit.fluxcd.io';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { goDuration } from '../../../manifests/values/go-duration';
import { Problem } from '../../../manifests/values/problem';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { checkDuration } from '../../contracts/delivery/durations';
import { EntryCluster } from '../../contracts/delivery/entry-cluster';
import { EntryPoints, EntryTarget, GITOPS_ENTRY_RULE } from '../../contracts/delivery/entry-points';
import { EntryStep } from '../../contracts/delivery/entry-step';
import { checkPath, pathInSource } from '../../contracts/delivery/manifest-folder';
import { TimeWindow } from '../../contracts/delivery/time-window';

const PROPERTY = 'entryPoints';

/** Options of the entry points of Flux. Durations are whole seconds (`TC-DELIVERY-DURATION`). */
export interface FluxEntryPointsProps {
  /** Name of the source object that the output of the app is in, e.g. `flux-system` (`TC-GITOPS-ENTRY`). */
  readonly sourceName: string;

  /**
   * Kind of the source object.
   *
   * @default FluxSourceKind.GIT_REPOSITORY
   */
  readonly sourceKind?: FluxSourceKind;

  /**
   * Namespace of the source object, and of the Kustomizations (`TC-GITOPS-ENTRY`).
   *
   * @default flux-system
   */
  readonly namespace?: string;

  /**
   * Folder of the source that the output of the app is in, e.g. `dist`. In Git it is the path of the output folder from the top of the
   * repository, and another one is an error.
   *
   * Rules: `TC-GITOPS-ENTRY`, `TC-GITOPS-PATH`.
   *
   * @default - the top of the source
   */
  readonly path?: string;

  /**
   * The same repository, for clusters with `changeWindows`: each list of windows gets a source object of its own, which is suspended
   * outside of them.
   *
   * Rule: `TC-WINDOW-SOURCE`.
   *
   * @default - none: a cluster with windows is refused
   */
  readonly windowedSource?: FluxWindowedSource;

  /**
   * Interval at which the objects in the cluster are compared with the repository. Commits do not wait for it.
   *
   * @default Duration.minutes(10)
   */
  readonly interval?: Duration;

  /**
   * Time between a failure and the next try of an apply.
   *
   * @default Duration.minutes(1)
   */
  readonly retryInterval?: Duration;

  /**
   * Time that the wait for a control plane, or for what other folders need, may take before it fails and is tried again. A cluster whose
   * control plane does not come takes a worker of the kustomize-controller for so long, each time that it is tried: raise `--concurrent`
   * before you raise this.
   *
   * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (checkHealth), v1.9.4.
   *
   * @default Duration.seconds(30)
   */
  readonly timeout?: Duration;

  /**
   * Name of the ServiceAccount, in the namespace of the Kustomizations, that Flux applies the folders as. With `--default-service-account`
   * one is needed that may make everything in the folders: `kustomize-controller` is bound to `cluster-admin` by the installation of Flux.
   *
   * Rule: `TC-GITOPS-ENTRY`.
   *
   * @default - none: the rights of the kustomize-controller
   */
  readonly serviceAccountName?: string;

  /**
   * True if addons come only when the control plane of their cluster is available. Without it they come at once, fail as long as there is
   * no API server, and are tried again.
   *
   * Changing it moves the addons of living clusters from one Kustomization to another: suspend the one that loses them until the other has
   * applied them, or it may prune, and so uninstall, them first.
   *
   * @default true
   */
  readonly waitForControlPlane?: boolean;

  /**
   * Name of the Kustomization that applies the entry points, in their namespace. Clusters of rings with gates wait until it has applied
   * their Kustomizations, so it must not wait for these (`wait`, `healthChecks`).
   *
   * Rule: `TC-GITOPS-ENTRY`.
   *
   * @default - the namespace: `flux bootstrap` names it so
   */
  readonly bootstrapName?: string;
}

/**
 * Flux finds each folder by a `Kustomization`, in the folder `flux`: `flux bootstrap git --path=<path>/flux` applies it from then on. No
 * `kustomization.yaml` is in it, so that Flux applies every file of it, its own `flux-system` too, and a cluster that is added adds a file
 * and changes none.
 *
 * A folder with an object that depends on one in another folder (`addDependency`) has a Kustomization that comes after that of the other
 * folder, and after the objects of a chart that it depends on are ready: definitions are there before their objects. Of a cluster, it comes
 * after the control plane. Folders that depend on each other have no such order.
 *
 * A tenant waits for the kinds of its own objects, and for nothing else of its management cluster: Flux tries all objects on the server
 * before it applies one (definitions, namespaces and cluster roles apart), so that a Kustomization fails as a whole while the API server
 * does not serve a kind in it or its webhook does not answer, and is tried again after `retryInterval`. A release of the management
 * cluster that is not ready holds back no change of a tenant. To wait for all of it, make the tenant depend on it:
 * `acme.addDependency(hall)`.
 *
 * `FluxDelivery` reads the manifests of tenants from the same source, unless it has a `manifestSource` of its own.
 *
 * A Kustomization of a living cluster leaves everything as it is when it is deleted (`deletionPolicy: Orphan`); what a commit takes out of
 * the folder is pruned. The control plane counts as available by the condition `ControlPlaneAvailable` of the `Cluster`. The condition
 * `Available` would wait for nodes, and these for the pod network, which is an addon.
 *
 * With `windowedSource`, commits reach clusters with `changeWindows` in these only. Outside of them the last revision stays applied, and
 * changes by hand are undone. The Kustomizations themselves do not wait: one that is deleted or moved is so at once.
 *
 * Sources: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md, fluxcd/pkg ssa/manager_apply.go (ApplyAllStaged),
 * kubernetes-sigs/cluster-api api/core/v1beta2/cluster_types.go.
 *
 * Rule: `TC-GITOPS-ORDER`.
 *
 * @example
 * new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });
 */
export class FluxEntryPoints extends EntryPoints {
  /** Folder of the entry points. */
  public readonly folder = 'flux';

  /** True if addons wait for the control plane. */
  public readonly addonsApart: boolean;

  public constructor(private readonly props: FluxEntryPointsProps) {
    super();
    this.addonsApart = props.waitForControlPlane ?? true;
  }

  /** The Kustomizations of a cluster that moves are suspended. */
  public override get stopsEntries(): boolean {
    return true;
  }

  /** True if there is a `windowedSource`. */
  public override get holdsChangeWindows(): boolean {
    return this.props.windowedSource !== undefined;
  }

  /**
   * Makes the Kustomization of a folder.
   *
   * @param scope where to put it
   * @param target the folder
   */
  public addEntry(scope: Construct, target: EntryTarget): void {
    const { namespace = DELIVERY_NAMESPACE } = this.props;
    const dependsOn = [...target.after.map((name) => ({ name })), ...turnDependencies(target.turn, this.bootstrapName)];
    new Kustomization(scope, `Kustomization ${target.name}`, {
      metadata: { name: target.name, namespace },
      spec: {
        ...this.sourceSpec(target.folder, target.changeWindows),
        deletionPolicy: target.leaving ? KustomizationSpecDeletionPolicy.MIRROR_PRUNE : KustomizationSpecDeletionPolicy.ORPHAN,
        ...(dependsOn.length > 0 && { dependsOn }),
        ...(target.waitFor && healthChecks(target.waitFor)),
        interval: goDuration(this.props.interval ?? Duration.minutes(10)),
        ...(target.stopped && { suspend: true }),
        timeout: goDuration(this.props.timeout ?? Duration.seconds(30)),
        ...(target.wait && { wait: true }),
      },
    });
  }

  /**
   * Makes the sources of clusters with `changeWindows`, and what opens and closes them.
   *
   * @param scope where to put them
   * @param targets all folders
   */
  public override addShared(scope: Construct, targets: EntryTarget[]): void {
    const { sourceName, sourceKind: kind = FluxSourceKind.GIT_REPOSITORY, namespace = DELIVERY_NAMESPACE, windowedSource: source } = this.props;
    const windows = targets.flatMap(({ changeWindows }) => (changeWindows ? [changeWindows] : []));
    if (source) addWindowedSources(scope, { sourceName, kind, namespace, source }, windows);
  }

  /** True: Flux 2.7 and newer can look at what another Kustomization has applied, and for how long. */
  public override get holdsSteps(): boolean {
    return true;
  }

  /**
   * Makes the Kustomization that succeeds when the clusters of a step are healthy, and the ConfigMap that it applies.
   *
   * @param scope where to put the Kustomization
   * @param applied where to put the ConfigMap
   * @param step the step
   */
  public override addStep(scope: Construct, applied: Construct, step: EntryStep): void {
    const { namespace = DELIVERY_NAMESPACE } = this.props;
    new Kustomization(scope, `Kustomization ${step.name}`, {
      metadata: { name: step.name, namespace },
      spec: {
        ...this.sourceSpec(step.folder),
        ...stepSpec(step, this.bootstrapName),
        interval: goDuration(STEP_INTERVAL),
        timeout: goDuration(STEP_TIMEOUT),
      },
    });
    new TypedApiObject(applied, `ConfigMap ${step.name}`, { apiVersion: 'v1', kind: 'ConfigMap' }, {
      metadata: { name: step.name, namespace },
      data: Object.fromEntries(step.clusters.map(({ entry, marker }) => [entry, marker])),
    });
  }

  private get bootstrapName(): string {
    return this.props.bootstrapName ?? this.props.namespace ?? DELIVERY_NAMESPACE;
  }

  /** The fields by which a folder of the output is applied. */
  private sourceSpec(
    folder: string, windows?: TimeWindow[],
  ): Pick<KustomizationSpec, 'force' | 'path' | 'prune' | 'retryInterval' | 'serviceAccountName' | 'sourceRef'> {
    const { sourceName, sourceKind = FluxSourceKind.GIT_REPOSITORY, path = '', retryInterval, serviceAccountName } = this.props;
    return {
      force: false,
      path: `./${pathInSource(path, folder)}`,
      prune: true,
      retryInterval: goDuration(retryInterval ?? Duration.minutes(1)),
      ...(serviceAccountName !== undefined && { serviceAccountName }),
      sourceRef: { kind: SOURCE_KINDS[sourceKind], name: windows ? windowedSourceName(sourceName, windows) : sourceName },
    };
  }

  /** @internal */
  public override _attach(app: IConstruct): void {
    const { sourceName: name, sourceKind: kind, namespace = DELIVERY_NAMESPACE, path } = this.props;
    setAppSource(app, { kind, name, namespace, path });
  }

  /** @internal */
  public override get _path(): string | undefined {
    const { sourceKind = FluxSourceKind.GIT_REPOSITORY, path = '' } = this.props;
    return sourceKind === FluxSourceKind.GIT_REPOSITORY ? path : undefined;
  }

  /** @internal */
  public override _check(): Problem[] {
    const { sourceName, namespace = DELIVERY_NAMESPACE, path = '', serviceAccountName, bootstrapName, interval, retryInterval, timeout } = this.props;
    const { sourceKind = FluxSourceKind.GIT_REPOSITORY, windowedSource } = this.props;
    const faults = [
      { at: 'sourceName', message: checkDnsSubdomain(sourceName), fix: 'write the name of the source object' },
      { at: 'namespace', message: checkDnsLabel(namespace), fix: 'write the namespace of the source object' },
      { at: 'path', message: checkPath(path), fix: 'write a path inside the source, e.g. "dist"' },
      {
        at: 'serviceAccountName',
        message: serviceAccountName === undefined ? undefined : checkDnsSubdomain(serviceAccountName),
        fix: 'write the name of a ServiceAccount',
      },
      {
        at: 'bootstrapName',
        message: bootstrapName === undefined ? undefined : checkDnsSubdomain(bootstrapName),
        fix: 'write the name of the Kustomization that applies the entry points',
      },
    ];
    return [
      ...faults.flatMap(({ at, message, fix }) => (message === undefined ? [] : [{
        rule: GITOPS_ENTRY_RULE, property: `${PROPERTY}.${at}`, message, fix,
      }])),
      ...checkDuration(interval, `${PROPERTY}.interval`),
      ...checkDuration(retryInterval, `${PROPERTY}.retryInterval`),
      ...checkDuration(timeout, `${PROPERTY}.timeout`),
      ...windowedSource ? checkWindowedSource(windowedSource, sourceKind, `${PROPERTY}.windowedSource`) : [],
    ];
  }
}

/** A v1beta2 `Cluster` has no condition `Ready`, which Flux would look for by itself. What is not current yet counts as in progress. */
function healthChecks({ namespace, name }: EntryCluster): Pick<KustomizationSpec, 'healthChecks' | 'healthCheckExprs'> {
  const cluster = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster' };
  return {
    healthChecks: [{ ...cluster, name, namespace }],
    healthCheckExprs: [{
      ...cluster,
      current: 'has(status.conditions) && status.conditions.exists(c, c.type == "ControlPlaneAvailable" && c.status == "True")',
    }],
  };
}
