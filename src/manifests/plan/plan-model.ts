import { MachineCount } from '../landscape/cluster-model';
import { Place } from '../landscape/place';
import { Consequence } from '../rules/changes/consequences';
import { Effect } from '../rules/changes/effects';
import { FieldChange } from '../rules/changes/field-changes';
import { FieldPath } from '../values/fields';

/** Kind of a change between two states. */
export enum ChangeKind {
  CREATED = 'created',
  REMOVED = 'removed',
  CHANGED = 'changed',

  /** Another delivery applies it from now on, and the former one deletes it if it comes first. */
  MOVED = 'moved to another owner',
}

/** An object that differs between two states. */
export interface ObjectChange {
  readonly change: ChangeKind;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;

  /** True if no manifest holds it: the topology controller makes it of a Cluster and its ClusterClass. Its name is an example. */
  readonly made?: true;

  /** True if it is in the tenant, and not in the management cluster. */
  readonly inTenant: boolean;

  /** Changed fields of an object that is in both. */
  readonly fields: readonly FieldChange[];

  /** True if a removed object stays in the cluster: it is marked against pruning, or nothing deletes it. */
  readonly stays: boolean;

  /** Its place in the later state; of a removed one, in the earlier one. */
  readonly place?: Place;
}

/** Reason that the API server or a webhook refuses a change. */
export interface Refusal {
  /** Id of the rule that the change breaks. */
  readonly rule: string;

  /** The object. */
  readonly object: ObjectChange;

  /** The field that is wrong, from the object; empty for the object as a whole. */
  readonly path: FieldPath;

  /** Changed fields at this field. */
  readonly fields: readonly FieldChange[];
  readonly message: string;
  readonly fix: string;

  /** Deliveries that apply nothing else either, such as `Kustomization acme`. */
  readonly holds: readonly string[];

  /** True if the server accepts it, and a controller refuses it, so that no change of the object takes effect. */
  readonly isLate?: true;
}

/** A file whose content is not compared as objects: what happens because of it does not follow from the plan. */
export interface UnreadFile {
  /** Path below what was read. */
  readonly file: string;

  /** Undefined of a file that is the same, and decides what becomes of others that differ. */
  readonly change: ChangeKind | undefined;

  /** Kind of the file, such as `input of kustomize`. */
  readonly what: string;

  /** Paths of the fields that differ, as far as that is known. */
  readonly fields: readonly string[];

  /** True if nothing of it is applied from now on. */
  readonly fails?: true;

  /** True if it was read, and nothing applies it: nothing happens because of it. */
  readonly isUnapplied?: true;

  /** The Clusters in it, with their kinds, if nothing applies it. The plan says nothing about them, also if they are applied by hand. */
  readonly clusters?: readonly string[];
}

/** Something that happens because of the changes of a part. */
export interface PlannedEffect {
  readonly effect: Effect;

  /** The causes, such as `cpu 4 -> 8`. */
  readonly reasons: readonly string[];

  /** Number of machines or pods that it concerns, if it is known. */
  readonly count?: MachineCount;

  /** Number of machines or pods at a time, if they are replaced in turn. */
  readonly atATime?: number;

  /** Condition without which it does not happen, such as `the control plane has Kubernetes 1.35`. */
  readonly waitsFor?: string;
}

/** A step of each turn of a part, and the time that a field gives it. */
export interface TurnStep {
  /** Such as `drain`. */
  readonly name: string;

  /** Undefined if the step has no limit. */
  readonly seconds?: number;

  /** The field that limits the step, or would limit it. */
  readonly field: string;
}

/** Time that machines of a part take, by the timeouts that manifests declare. */
export interface PlannedTime {
  /** Sum of all turns, in seconds; undefined if a step has no limit. */
  readonly seconds?: number;

  /** The number of turns; undefined if it is not known. */
  readonly turns?: number;
  readonly steps: readonly TurnStep[];
}

/** Outcome of a revert. */
export enum Undo {
  /** It does the same in the other direction. */
  POSSIBLE = 'possible',

  /** It creates the same objects anew, without their data. */
  WITHOUT_DATA = 'without data',

  /** A server accepts it, and it does harm. */
  HARMFUL = 'harmful',

  /** A server refuses it. */
  REFUSED = 'refused',
}

/** Consequences of a changed part for the users of a cluster, beside its effects. If the part is paused, they come once it is resumed. */
export interface PlannedConsequences {
  /** Losses that a revert does not undo. */
  readonly lost: readonly Consequence[];

  /** Services that are not available meanwhile, or from then on. */
  readonly down: readonly Consequence[];

  /** Other consequences for workloads. */
  readonly felt: readonly string[];

  /** Undefined where no time is declared or missing. */
  readonly time?: PlannedTime;
  readonly undo?: { readonly revert: Undo; readonly why?: string };
}

/** When a change is applied, if its delivery applies changes at stated times only. */
export interface PlannedOpening {
  /** Name of the time zone that these times are stated in. */
  readonly timeZone: string;

  /** The next of them, as an instant in ISO 8601; undefined if it is now, or there is none. */
  readonly next?: string;

  /** The end of the present one, as an instant in ISO 8601. */
  readonly until?: string;
}

/** The parts of a cluster, in the order in which controllers act. */
export enum PartKind {
  CLUSTER = 'cluster',
  CONTROL_PLANE = 'control plane',
  POOL = 'pool',
  CONTROLLER = 'controller',
  ADDON = 'addon',

  /** A delivery of a folder to the management cluster itself, such as the Kustomization of a tenant's folder. */
  DELIVERY = 'delivery',
  WORKLOADS = 'workloads',
  OTHER = 'other objects',
}

/** The part of a cluster that an object is of. */
export interface PartOf {
  readonly part: PartKind;
  readonly name: string;

  /** `group/Kind` of the object that the part is about; empty for workloads, of any kind. */
  readonly kind: string;
}

/** A part of a cluster that changes. */
export interface PlannedPart {
  /** Of a part of no cluster, or of several: the folder or file of the management cluster, if there are several. */
  readonly managementCluster?: string;
  readonly part: PartKind;

  /** The name of a pool, a controller or an addon; the kind of other objects. */
  readonly name: string;
  readonly change: ChangeKind;

  /** True if its object is paused in the later state, so that none of this happens until it is resumed. */
  readonly paused?: boolean;

  /** True if its machines are replaced after those of the control plane. */
  readonly waits?: boolean;

  /** Deliveries, or the control plane, that have another change that a server refuses: none of it happens until they can be applied. */
  readonly heldBy?: readonly string[];

  /** When it is applied; undefined if that is at once, or not known. */
  readonly opening?: PlannedOpening;

  /** Changes that a server refuses. */
  readonly refusals?: readonly Refusal[];
  readonly effects: readonly PlannedEffect[];

  /** Undefined if users of the cluster notice nothing. */
  readonly consequences?: PlannedConsequences;

  /** Of a part of several clusters: their namespaces and names. */
  readonly clusters?: readonly string[];

  /** Further notes for the reader. */
  readonly notes: readonly string[];

  /** The objects of the part that differ. Each differing object is in one part. */
  readonly objects: readonly ObjectChange[];
}

/** Changes of a cluster. */
export interface PlannedCluster {
  /** The folder or file of the management cluster, if the manifests are for several. */
  readonly managementCluster?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly change: ChangeKind;

  /** True if it is paused in the later state: Cluster API changes nothing until it is resumed. */
  readonly paused: boolean;
  readonly notes: readonly string[];

  /** Names of its parts whose machines or pods go, in the order in which they do: those of one step at the same time. Undefined for less than two. */
  readonly order?: readonly (readonly string[])[];
  readonly parts: readonly PlannedPart[];
}
