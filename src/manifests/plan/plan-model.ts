import { MachineCount } from '../landscape/cluster-model';
import { Effect } from '../rules/changes/effects';
import { FieldChange } from '../rules/changes/field-changes';

/** What becomes of something between two states. */
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

  /** True if it is in the tenant, and not in the management cluster. */
  readonly inTenant: boolean;

  /** Changed fields of an object that is in both. */
  readonly fields: readonly FieldChange[];

  /** True if a removed object stays in the cluster: it is marked against pruning, or nothing deletes it. */
  readonly stays: boolean;
}

/** A file whose content is not compared as objects: what happens because of it does not follow from the plan. */
export interface UnreadFile {
  /** Path below what was read. */
  readonly file: string;

  /** Undefined of a file that is the same, and decides what becomes of others that differ. */
  readonly change: ChangeKind | undefined;

  /** What it is, such as `input of kustomize`. */
  readonly what: string;

  /** Paths of the fields that differ, as far as that is known. */
  readonly fields: readonly string[];
}

/** Something that happens because of the changes of a part. */
export interface PlannedEffect {
  readonly effect: Effect;

  /** The causes, such as `cpu 4 -> 8`. */
  readonly reasons: readonly string[];

  /** How many machines or pods it concerns, if that is known. */
  readonly count?: MachineCount;

  /** How many machines or pods at a time, if they are replaced in turn. */
  readonly atATime?: number;
}

/** The parts of a cluster, in the order in which controllers act. */
export enum PartKind {
  CLUSTER = 'cluster',
  CONTROL_PLANE = 'control plane',
  POOL = 'pool',
  CONTROLLER = 'controller',
  ADDON = 'addon',
  WORKLOADS = 'workloads',
  OTHER = 'other objects',
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
  readonly effects: readonly PlannedEffect[];

  /** Of a part of several clusters: their namespaces and names. */
  readonly clusters?: readonly string[];

  /** What else the reader should know. */
  readonly notes: readonly string[];

  /** The objects of the part that differ. Each differing object is in one part. */
  readonly objects: readonly ObjectChange[];
}

/** What becomes of a cluster. */
export interface PlannedCluster {
  /** The folder or file of the management cluster, if the manifests are for several. */
  readonly managementCluster?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly change: ChangeKind;

  /** True if it is paused in the later state: Cluster API changes nothing until it is resumed. */
  readonly paused: boolean;
  readonly notes: readonly string[];
  readonly parts: readonly PlannedPart[];
}
