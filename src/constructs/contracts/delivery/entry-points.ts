import { Construct, IConstruct } from 'constructs';
import { EntryCluster } from './entry-cluster';
import { EntryStep, EntryTurn } from './entry-step';
import { TimeWindow } from './time-window';
import { Problem, Rule } from '../../../manifests/values/problem';

/** A folder of the output that a GitOps tool is to apply. */
export interface EntryTarget {
  /** Name of the objects that have it applied: a DNS subdomain of at most 63 characters, unique in the app. */
  readonly name: string;

  /** The folder, below the app's output. */
  readonly folder: string;

  /** Names of the entries that come before this one. */
  readonly after: string[];

  /**
   * The `Cluster` whose control plane has to be there before what comes after the entry begins.
   *
   * @default - nothing is waited for
   */
  readonly waitFor?: EntryCluster;

  /**
   * True if the entry counts as applied only when everything in it is ready: other entries bring objects of kinds that it installs.
   *
   * @default false
   */
  readonly wait?: boolean;

  /**
   * True if deleting the entry deletes what it applied, as for a cluster that is being decommissioned. For other clusters nothing is
   * deleted, so that deleting an entry by mistake does not delete machines.
   *
   * @default false
   */
  readonly leaving?: boolean;

  /**
   * The turn of the cluster in a rollout by rings with gates.
   *
   * @default - changes are applied at once
   */
  readonly turn?: EntryTurn;

  /** Kinds of infrastructure objects in the folder whose endpoint controllers fill in, e.g. `KubevirtCluster`. */
  readonly infrastructureKinds: string[];

  /**
   * The times at which changes of the folder may be applied. Only entry points with `holdsChangeWindows` get them.
   *
   * @default - changes are applied at once
   */
  readonly changeWindows?: TimeWindow[];

  /**
   * True if the entry applies nothing for now: its cluster moves to another management cluster. Only entry points with `stopsEntries` get it.
   *
   * @default false
   */
  readonly stopped?: boolean;
}

/**
 * Objects by which a GitOps tool finds the folders that a `GitOpsApp` writes: the contract of `FluxEntryPoints`, `ArgoCdEntryPoints` and
 * `ArgoCdApplicationSet`. A class for another tool extends it.
 *
 * An instance is plain data.
 */
export abstract class EntryPoints {
  /** Folder of the entry points, below the app's output, which the user applies once by hand. A single name. */
  public abstract readonly folder: string;

  /**
   * True if the addons of a cluster are an entry of their own, so that they can come after its control plane.
   */
  public abstract readonly addonsApart: boolean;

  /**
   * True if changes of a folder with `changeWindows` wait for one of them. Otherwise a cluster with windows is refused
   * (`TC-WINDOW-ENTRY-POINTS`).
   */
  public get holdsChangeWindows(): boolean {
    return false;
  }

  /**
   * True if an entry can be stopped, for a cluster that moves to another management cluster. Otherwise such a cluster is refused
   * (`TC-GITOPS-MOVING`).
   *
   * @default false
   */
  public get stopsEntries(): boolean {
    return false;
  }

  /**
   * Makes the objects that have one folder applied. They get a file of their own.
   *
   * @param scope where to put the objects
   * @param target the folder
   */
  public abstract addEntry(scope: Construct, target: EntryTarget): void;

  /**
   * Makes the objects that exist once for all folders. They get a file of their own.
   *
   * @param scope where to put the objects
   * @param targets all folders
   */
  public addShared(scope: Construct, targets: EntryTarget[]): void {
    void [scope, targets];
  }

  /**
   * True if changes of a folder can wait for a step of a rollout (`EntryTarget.turn`): a fleet may have gates.
   *
   * Rule: `TC-FLEET-RING-GATE`.
   *
   * @default false
   */
  public get holdsSteps(): boolean {
    return false;
  }

  /**
   * Makes the objects that tell when a step of a rollout is done. They get a file of their own.
   *
   * @param scope where to put the objects
   * @param applied where to put what is applied from the folder of the step
   * @param step the step
   */
  public addStep(scope: Construct, applied: Construct, step: EntryStep): void {
    void [scope, applied, step];
  }

  /**
   * Content of the marker of a cluster.
   *
   * @internal
   */
  public _markerData(turn: EntryTurn): { [key: string]: string } | undefined {
    void turn;
    return undefined;
  }

  /**
   * Records in an app what its deliveries can derive from the entry points.
   *
   * @internal
   */
  public _attach(app: IConstruct): void {
    void app;
  }

  /**
   * Path of the output in the Git repository that the tool reads.
   *
   * @default - not known, or the tool reads no Git repository
   *
   * @internal
   */
  public get _path(): string | undefined {
    return undefined;
  }

  /**
   * Problems of the properties.
   *
   * @internal
   */
  public _check(): Problem[] {
    return [];
  }
}

/** Rule for the source of the output. */
export const GITOPS_ENTRY_RULE: Rule = {
  id: 'TC-GITOPS-ENTRY',
  title: 'The source of the output must have a name, a namespace, a path and an address that the GitOps tool accepts.',
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md, argoproj/argo-cd docs/operator-manual/application.yaml',
};
