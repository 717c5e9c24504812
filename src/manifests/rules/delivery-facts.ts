import { ManifestIndex } from './manifest-index';
import { ValuesLayer } from './tenant-charts';
import { ManifestObject } from '../objects/manifest-object';
import { FieldPath, Fields } from '../values/fields';

/** Name of the cluster that a delivery is for. */
export type ClusterTarget =
  // By labels of Clusters in its namespace, or in all of them, and by names of some beside, as `namespace/name`.
  | { readonly by: 'selector'; readonly selector: unknown; readonly emptySelectsNone: boolean; readonly everywhere?: true; readonly named?: readonly string[] }
  // By the name of a Cluster in its namespace, unless a label of the delivery names one.
  | { readonly by: 'name'; readonly name?: string }
  // By the address of the API server, or the name under which a controller has registered the cluster.
  | { readonly by: 'registration'; readonly server?: string; readonly name?: string };

/** Contents of an object that delivers. */
export interface Delivery {
  /** The chart; none where it may be one of several. */
  readonly chart?: string;
  readonly version?: string;

  /** Namespace that it is installed into. */
  readonly targetNamespace?: string;

  /** Folder of a source whose manifests it is. */
  readonly path?: string;

  /** Objects of its kind that it waits for. */
  readonly after?: readonly { readonly namespace?: string; readonly name?: string }[];
  readonly suspended?: boolean;

  /** True if it applies changes only when a user has it do so. */
  readonly isManual?: boolean;
}

/** Facts about the sources of a delivery. */
export interface DeliverySources {
  /** True if the values of one of its charts are known. */
  readonly hasValues: boolean;

  /** Tells if a ConfigMap of its namespace holds no values. */
  readonly isEmptyConfigMap: (name: string | undefined) => boolean;
}

/** A folder of a repository that an object applies. */
export interface DeliveredFolder {
  /** Its path in the repository; empty for the whole repository. */
  readonly path: string;

  /** Stands for the repository. */
  readonly source?: string;

  /**
   * The source, in words.
   *
   * @default - it has no name
   */
  readonly sourceName?: string;

  /**
   * True if the source may hold something else than the repository that the delivery is in, also where nothing shows that.
   *
   * @default false
   */
  readonly mayBeOther?: boolean;

  /** True if folders below it are not applied, unless a kustomization lists them. */
  readonly flat?: boolean;

  /**
   * True of the path of a file below the folder that is applied, where no kustomization lists it.
   *
   * @default - all manifests are
   */
  readonly takes?: (file: string) => boolean;
}

/** Facts about a kind whose objects deliver manifests or charts. */
export interface DeliveryFacts {
  /** `group/Kind`. */
  readonly kind: string;

  /**
   * True if each of its objects installs a chart, or may do so.
   *
   * @default - none does
   */
  readonly installsChart?: 'always' | 'maybe';

  /** Tells if an object delivers into another cluster than the one that it is in. */
  readonly isForTenant: (object: ManifestObject) => boolean;

  /** Reads the name of the cluster that an object is for. */
  readonly target: (object: ManifestObject) => ClusterTarget;

  /**
   * Reads what an object delivers.
   *
   * @default - nothing that it states itself
   */
  readonly read?: (object: ManifestObject, index: ManifestIndex) => Delivery;

  /**
   * Folders of a repository whose manifests an object applies.
   *
   * @default - none
   */
  readonly folders?: (object: ManifestObject) => readonly DeliveredFolder[];

  /**
   * ConfigMaps and Secrets that an object takes values from, of its namespace if they state none.
   *
   * @default - none
   */
  readonly values?: (object: ManifestObject) => readonly { readonly kind?: string; readonly name?: string; readonly namespace?: string }[];

  /**
   * Values of the chart that an object installs, the strongest last; undefined where it installs none.
   *
   * @default - not known
   */
  readonly layers?: (object: ManifestObject, index: ManifestIndex, cluster?: ManifestObject) => readonly ValuesLayer[] | undefined;

  /**
   * The kubeconfig that an object takes from a Secret of its namespace; undefined where it takes none.
   *
   * @default - none
   */
  readonly kubeconfig?: (object: ManifestObject) => KubeconfigReference | undefined;

  /**
   * Tells if an object applies each pack once, and none of its later changes.
   *
   * @default - it applies changes too
   */
  readonly appliesOnce?: (object: ManifestObject) => boolean;

  /**
   * Tells if what an object delivered stays where it is when it delivers that no longer. `after` is the object as it is then; it is undefined
   * where it is removed itself.
   *
   * @default - it is removed
   */
  readonly keepsRemoved?: (object: ManifestObject, after?: ManifestObject) => boolean;

  /**
   * Tells if a delivery leaves an object that it applied, because of marks on the object or options of the delivery. `after` is the delivery as it
   * is then; it is undefined where it is removed itself.
   *
   * @default - the marks of all tools count
   */
  readonly leaves?: (applied: ManifestObject, delivery: ManifestObject, after: ManifestObject | undefined) => boolean;

  /**
   * Tells if a delivery asks a user before it deletes an object that it applied; `after` is as in `leaves`.
   *
   * @default - it does not ask
   */
  readonly asks?: (applied: ManifestObject, delivery: ManifestObject, after: ManifestObject | undefined) => boolean;

  /**
   * Tells if an object prunes no manifest with an owner, as pools have one in their Cluster.
   *
   * @default false
   */
  readonly leavesOwned?: boolean;

  /**
   * The change with which an object neither applies anything nor removes what it has applied when it is deleted, for a merge patch.
   *
   * @default - not known
   */
  readonly stopped?: Fields;

  /**
   * Tells if an object deletes nothing while its sources have no manifest at all.
   *
   * @default - it deletes what it applied
   */
  readonly keepsWithoutManifests?: (object: ManifestObject) => boolean;

  /**
   * True if an object fails while its folder is not in its source: it applies nothing, and deletes nothing.
   *
   * @default - a folder that is not there is one without manifests
   */
  readonly failsWithoutFolder?: true;

  /**
   * Reason that an object applies and deletes nothing, where other objects forbid that, in words that follow its name.
   *
   * @default - nothing forbids it
   */
  readonly stops?: (object: ManifestObject, index: ManifestIndex, applied: readonly ManifestObject[]) => string | undefined;

  /**
   * Fields of a kustomization that an object adds to that of its folder, before kustomize builds it; undefined where it adds none.
   *
   * @default - none
   */
  readonly kustomizes?: (object: ManifestObject) => Fields | undefined;

  /**
   * The delivery of this kind that has applied an object, by the marks that it leaves; undefined where there are none.
   *
   * @default - it leaves none
   */
  readonly marks?: (applied: ManifestObject) => { readonly namespace?: string; readonly name: string } | undefined;

  /**
   * Tells if a delivery removes fields that another program has added to what it applies, by the name of the program in managed fields.
   *
   * @default - such fields stay
   */
  readonly removesFieldsOf?: (manager: string) => boolean;

  /**
   * Tells if a delivery applies its manifests again and again, so that a changed field is set back soon.
   *
   * @default - it does so when the manifests change
   */
  readonly setsBack?: (delivery: ManifestObject) => boolean;

  /**
   * Tells if an object does not apply a manifest, or does not prune it, as long as the server refuses another one. What holds back the refused
   * manifest itself holds back everything.
   *
   * @default - it applies the others
   */
  readonly holds?: (refused: ManifestObject, delivery: ManifestObject) => (manifest: ManifestObject, isPruned: boolean) => boolean;

  /**
   * Tells if a delivery deletes an object, waits until it is gone, and creates it anew when it applies it. `former` is the object as it was;
   * `differs` is false of one that is the same, and that the delivery applies together with others that are not.
   *
   * @default - it changes the object
   */
  readonly recreates?: (delivery: ManifestObject, manifest: ManifestObject, former: ManifestObject, differs: boolean) => boolean;

  /**
   * The form in which a delivery applies a manifest, where that is not the manifest: marks or options keep changes out. `former` is the object
   * as it was.
   *
   * @default - it applies the manifest
   */
  readonly keepsOut?: (delivery: ManifestObject, manifest: ManifestObject, former: ManifestObject) => KeptChanges | undefined;

  /**
   * Tells if a delivery deletes an object and creates it anew where a server refuses to change it. `former` is the object as it was.
   *
   * @default - the change fails
   */
  readonly forces?: (delivery: ManifestObject, manifest: ManifestObject, former: ManifestObject) => boolean;

  /**
   * True if a delivery does that only where the server refuses the change in a dry run, too.
   *
   * @default false
   */
  readonly forcesByDryRun?: boolean;

  /**
   * Files of a repository with values of charts that an object takes, by their paths in it.
   *
   * @default - none
   */
  readonly valuesFiles?: (object: ManifestObject) => readonly string[];

  /**
   * The chart in a folder of a repository that an object installs; undefined where it installs none.
   *
   * @default - none
   */
  readonly renders?: (object: ManifestObject, index: ManifestIndex) => ChartRender | undefined;

  /**
   * Changes manifests that an object delivers as it does before they are applied; undefined where they stay as they are.
   *
   * @default - they stay as they are
   */
  readonly rewrites?: (object: ManifestObject, index: ManifestIndex) => ((manifest: ManifestObject) => ManifestObject) | undefined;

  /**
   * The times at which an object applies changes, where it does so at stated times only. `before` has the objects of the state before the change.
   *
   * @default - it applies them at once
   */
  readonly openings?: (object: ManifestObject, index: ManifestIndex, before: ManifestIndex) => Openings | undefined;

  /**
   * The times at which a change of the object itself has an effect, after it has been applied. `before` has the objects of the state before the change.
   *
   * @default - it has one at once
   */
  readonly ownOpenings?: (object: ManifestObject, index: ManifestIndex, before: ManifestIndex) => Openings | undefined;
}

/** A manifest without changes that its delivery does not apply. */
export interface KeptChanges {
  /** The object that is applied; the former one if nothing is. */
  readonly applied: ManifestObject;

  /** Reason, in words that follow the name of the delivery. */
  readonly because: string;

  /**
   * True if the delivery applies the whole manifest nevertheless when anything else that it applies differs.
   *
   * @default false
   */
  readonly unlessOthersDiffer?: boolean;
}

/** The times at which a delivery applies changes. Instants are in milliseconds since 1970. */
export interface Openings {
  /** Name of the time zone that they are stated in. */
  readonly timeZone: string;

  /** The first instant at which changes are applied: the given one itself, or a later one; undefined if there is none. */
  readonly next: (instant: number) => number | undefined;

  /** The first instant at which no changes are applied; undefined if there is none. */
  readonly end: (instant: number) => number | undefined;
}

/** The times at which a change has passed two deliveries, one after the other. The zone is that of the second one. */
export function inTurn(first: Openings, second: Openings): Openings {
  return {
    timeZone: second.timeZone,
    next: (instant) => {
      const passed = first.next(instant);
      return passed === undefined ? undefined : second.next(passed);
    },
    end: (instant) => {
      const ends = [first, second].flatMap((one) => one.end(instant) ?? []);
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
  };
}

/** A key of a Secret with a kubeconfig, and where it is named. */
export interface KubeconfigReference {
  readonly path: FieldPath;
  readonly secret: string;

  /** The key, or those of which the first that is there counts. */
  readonly keys: readonly string[];
}

/** Values of a chart: as text, or in a file of the source or of the chart. */
export type ChartValues = { readonly text: string } | { readonly file: string; readonly ofSource?: boolean; readonly isOptional?: boolean };

/** A chart of a repository as it is installed. */
export interface ChartRender extends DeliveredFolder {
  readonly release: string;
  readonly namespace?: string;

  /** Values, those of the last one over those before. */
  readonly values: readonly ChartValues[];

  /** Single values in the syntax of `helm --set`, over all others. */
  readonly set: readonly { readonly value: string; readonly isString?: boolean }[];

  /** True if the values are there in place of those in the chart. */
  readonly replacesValues?: boolean;

  /** True if the definitions of the chart are not installed. */
  readonly skipsDefinitions?: boolean;

  /**
   * Stands for the settings with which the chart is packed, where it is packed anew only when they, or its version, change.
   *
   * @default - each change of its files counts
   */
  readonly packedFor?: string;

  /** Reason that what is installed is not known. */
  readonly fault?: string;
}

/** Work of the controllers that deliver as long as nothing changes. */
export interface DeliveryLoad {
  /** Objects that they work on. */
  readonly objects: number;

  /** Requests to repositories and registries in an hour. */
  readonly fetchesAnHour: number;

  /** Times in an hour that an object is compared with its cluster. */
  readonly comparisonsAnHour: number;

  /** Workers that wait, on average, if nothing that is waited for gets ready. */
  readonly waitingWorkers: number;
}
