import { KindRole, ProviderIdForm } from '../../objects/known-kinds';
import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, isFields, isSet, sameValue } from '../../values/fields';
import { FieldChange, isGroup, membersOf } from '../changes/field-changes';
import { StorageDriver } from '../storage-parameters';

/** Effect of a changed field, in the words of the tables. */
export type TableEffect =
  // The API server refuses the change.
  | 'refused'
  // It refuses the change of a value that is set.
  | 'refused once set'
  // It refuses another value, and accepts that the value is set for the first time or removed, as rules of definitions do.
  | 'refused while set'
  // It refuses only to remove the value.
  | 'refused to unset'
  // Machines are replaced by new ones.
  | 'machines'
  // Pods of a hosted control plane are replaced by new ones.
  | 'pods'
  // The server accepts it, and the controller fails from then on.
  | 'fails later'
  // The number of machines changes.
  | 'scaled'
  // Nothing is replaced.
  | 'in place'
  // Machines that exist stay as they are.
  | 'new only'
  // It depends on more than the manifests.
  | 'unknown';

/** Values of fields, by path: `null` for a field that is not set, `"set"` for any value. */
export type TableCondition = Readonly<Record<string, readonly unknown[]>>;

/** Fields whose changes have one effect. The entry with the longest path that holds a changed field counts, and of those the first one whose condition is true. */
export interface TableChange {
  readonly effect: TableEffect;

  /**
   * Paths such as `spec.region`, in which `*` stands for the name of an item of a list. Of a machine pool also `machinePool.version`, `machinePool.bootstrap` (another name),
   * `machinePool.bootstrapContent` and `machinePool.failureDomains`, which are fields of the MachinePool and of its bootstrap configuration.
   */
  readonly fields: readonly string[];

  /** File and line in the project of the provider, or another project's with its name. */
  readonly source: string;

  /** Note of the plan beside the change. */
  readonly says?: string;

  /** The values that other fields of the object must have. */
  readonly when?: TableCondition;

  /** The values that no other field of the object may have. */
  readonly unless?: TableCondition;
}

/**
 * Number of machines of a pool that are replaced at a time: fields with a number or a percentage, in which a `%` at the end of the
 * path says that a number is one, and the default.
 */
export interface TableTurn {
  readonly surge?: readonly (string | number)[];
  readonly unavailable?: readonly (string | number)[];

  /** Percentage of machines that stay healthy. */
  readonly healthy?: readonly (string | number)[];
  readonly source: string;
}

/** The fields of a template that refer to pools of addresses. */
export interface TableAddressPools {
  /** Paths of references with group, kind and name; `*` stands for an item of a list. */
  readonly fields: readonly string[];

  /** Group and kind of a pool that a reference has no group and kind of, as `group/Kind`. */
  readonly kind?: string;

  /** True if a machine takes one address from a pool, however many fields name it. Without it, one for each field. */
  readonly once?: boolean;

  /** Path of the name of an object in the namespace of the template that has these fields, and its kind. */
  readonly of?: { readonly name: string; readonly kind: string };
  readonly source: string;
}

/** The failure domains that a cluster offers. */
export interface TableFailureDomains {
  /** Paths of their names in its object; `*` stands for an item of a list. None if the provider reads no failure domain. */
  readonly fields: readonly string[];

  /** Hosts whose label decides, and not its object: their kind, as `group/Kind`, and the label. */
  readonly hosts?: { readonly kind: string; readonly label: string };
  readonly source: string;
}

/** The names of regions and zones of a cloud. */
export interface TableZones {
  /** Pattern of the name of a region; that of a zone begins with its region, and has more behind it. */
  readonly region: string;

  /** Kinds with a region in `spec.region`, as `group/Kind`. */
  readonly regions: readonly string[];

  /** Paths of zones by kind; `*` stands for an item of a list. */
  readonly fields: Readonly<Record<string, readonly string[]>>;

  /** A region, a zone of it, and other required fields of the object of the first path. */
  readonly example: readonly [region: string, zone: string, spec?: object];
  readonly source: string;
}

/** The Secret with credentials of a provider that an object refers to. */
export interface TableCredentials {
  /** Path of its name. It is in the namespace beside that, or in that of the object. */
  readonly name: string;

  /** Field that is `Secret` where the name is that of a Secret, and its value where it is not set. */
  readonly kind?: { readonly field: string; readonly usual?: string };

  /** Keys that the Secret must have. */
  readonly keys: readonly string[];
  readonly source: string;
}

/** Facts of a kind. */
export interface KindTable {
  readonly role?: KindRole;

  /** Form of the provider IDs of machines of a template, and where the provider writes it. */
  readonly providerId?: ProviderIdForm & { readonly source: string };
  readonly clusterScoped?: boolean;

  /** Name of the service that runs a control plane, which has no machines then. */
  readonly hosted?: string;

  /** Names of the only bootstrap templates, in bootstrap.cluster.x-k8s.io, whose machines can join a control plane. */
  readonly joinedBy?: readonly string[];

  /** Paths of what an object states that is a cluster by itself, without a Cluster. */
  readonly stated?: { readonly version: string; readonly replicas?: string; readonly port?: string; readonly source: string };

  /** Effect of a version of Kubernetes that leaves out a minor, has a lower one, or differs in its patch alone. Its `path` is `spec.version` by default. */
  readonly version?: { readonly path?: string; readonly skip?: 'refused'; readonly lower?: 'refused' | 'trap'; readonly patch?: TableEffect; readonly source: string };

  /** Source of the webhook or controller to which `spec.version` is the same with and without a `v`. */
  readonly prefixesVersion?: string;

  /** Field whose value `OnDelete` makes a rollout wait until machines are deleted. */
  readonly onDelete?: string;
  readonly turn?: TableTurn;

  /** Fields that a webhook or a controller sets where they are not set: what is not written is no change. */
  readonly defaulted?: readonly string[];

  /** Fields whose content is a secret by their meaning, and that a Secret cannot stand for. */
  readonly secretFields?: readonly string[];

  /** Fields that the webhook compares as pointers: an explicit `false`, 0 or empty string is another value than none. */
  readonly pointers?: readonly string[];

  /** The pools that machines of a template take addresses from. */
  readonly addressPools?: TableAddressPools;

  /** Paths of ranges that the machines of a cluster have addresses of, in the object of the cluster; `*` stands for an item of a list. */
  readonly machineSubnets?: readonly string[];

  /** The failure domains that pools of a cluster may name. */
  readonly failureDomains?: TableFailureDomains;

  /** The Secret with credentials that it refers to. */
  readonly credentials?: TableCredentials;
  readonly changes?: readonly TableChange[];
}

/**
 * An older version of kinds that has nearly the fields of the stored one.
 *
 * Source: the definitions of the project, both versions, field by field.
 */
export interface TableOlderVersion {
  readonly group: string;
  readonly older: string;
  readonly stored: string;

  /**
   * Kinds, and the fields below `spec` that the stored version does not have, or has in another shape. The template of a kind has them below the spec of its
   * template, and needs no entry.
   */
  readonly kinds: Readonly<Record<string, readonly string[]>>;
}

/** An object of an example, and its spec before and after. */
export interface TableExample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly before: object;
  readonly after: object;

  /** Spec of a change that is accepted; without one, the object gets another name. */
  readonly corrected?: object;
}

/** Facts of a provider of Cluster API, as data. */
export interface ProviderTable {
  /** Name of its folder, and of the page of its rules. */
  readonly name: string;
  readonly title: string;

  /** Repository and release of the sources. */
  readonly project: string;
  readonly release: string;

  /** Namespace that its controllers usually run in. */
  readonly namespace: string;

  /** Changes that its rules find. */
  readonly examples: {
    readonly field?: TableExample;
    /** The object of a cluster, by its other required fields, and the build in its version, such as `+rke2r1`. */
    readonly version?: Pick<TableExample, 'apiVersion' | 'kind'> & { readonly spec?: object; readonly build?: string };

    /** The object of a cluster whose machines have addresses of 10.6.0.0/24, if its kind has `machineSubnets`. */
    readonly subnet?: Pick<TableExample, 'apiVersion' | 'kind'> & { readonly spec: object };

    /** The object of a cluster with the failure domain `rack-1`, if its kind has `failureDomains` with fields, a template of its machines, and a host of that. */
    readonly failureDomain?: Pick<TableExample, 'apiVersion' | 'kind'> & { readonly spec: object; readonly template: { readonly kind: string; readonly spec: object }; readonly host?: object };

    /** An object that refers to the Secret `acme-credentials`, if its kind has `credentials`. */
    readonly credentials?: Pick<TableExample, 'apiVersion' | 'kind'> & { readonly spec: object };
  };

  /** Drivers of volumes on its platform, and the parameters of storage classes that they read. */
  readonly storageDrivers?: readonly StorageDriver[];

  /** Older versions of its kinds that servers convert. */
  readonly olderVersions?: readonly TableOlderVersion[];

  /** Its regions and zones. */
  readonly zones?: TableZones;

  /** Its kinds, by `group/Kind`. */
  readonly kinds: Readonly<Record<string, KindTable>>;

  /** Values that the definitions set where there are none, by `group/Kind` and path; `*` stands for an item of a list or an entry of a map. Generated. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The entry that counts for a changed field. */
export interface FoundChange extends TableChange {
  /** The path in it. */
  readonly path: FieldPath;
}

const SET = 'set';
const REFUSALS: readonly TableEffect[] = ['refused', 'refused once set', 'refused while set', 'refused to unset'];

/** Finds the entry of a changed field; undefined if the table does not have it. */
export function entryOf(changes: readonly TableChange[], path: FieldPath, object: ManifestObject): FoundChange | undefined {
  const names = path.filter((name) => typeof name === 'string');
  for (let end = names.length; end > 0; end--) {
    const parts = names.slice(0, end);
    const found = changes.find((change) => change.fields.some((field) => isPathOf(field, parts)) && applies(change, object));
    if (found) return { ...found, path: path.slice(0, endOf(path, end)) };
  }
  return undefined;
}

function isPathOf(field: string, parts: readonly string[]): boolean {
  if (!field.includes('*')) return field === parts.join('.');
  const names = field.split('.');
  return names.length === parts.length && names.every((name, index) => name === '*' || name === parts[index]);
}

/** The position after a number of names in a path. */
function endOf(path: FieldPath, names: number): number {
  let seen = 0;
  const index = path.findIndex((part) => typeof part === 'string' && ++seen === names);
  return index + 1;
}

function applies({ when = {}, unless = {} }: TableChange, object: ManifestObject): boolean {
  return Object.entries(when).every((entry) => hasValue(entry, object)) && !Object.entries(unless).some((entry) => hasValue(entry, object));
}

function hasValue([path, values]: [string, readonly unknown[]], object: ManifestObject): boolean {
  const value = fieldAt(object, ...path.split('.'));
  return values.some((one) => (one === SET ? isSet(value) : one === null ? !isSet(value) : sameValue(one, value)));
}

/** Changed fields, taken apart where the table says different things of the fields in a group. */
export function partsOf(changes: readonly FieldChange[], table: KindTable): FieldChange[] {
  const paths = (table.changes ?? []).flatMap(({ fields }) => fields);
  const split = (change: FieldChange): FieldChange[] => {
    const inner = `${change.path.join('.')}.`;
    return paths.some((path) => path.startsWith(inner)) && isGroup(change) ? membersOf(change).flatMap(split) : [change];
  };
  return changes.flatMap(split);
}

/**
 * Returns true if the API server refuses a change.
 *
 * @param change a changed field
 * @param entry the entry of the table that counts for it
 * @param table the kind
 * @param defaultOf the value that the definition sets at a path
 */
export function isRefused(change: FieldChange, entry: FoundChange, table: KindTable, defaultOf: (path: FieldPath) => unknown): boolean {
  const { effect } = entry;
  if (!REFUSALS.includes(effect)) return false;
  const { path, before, after } = change;
  if (isFields(before) && isFields(after)) return membersOf(change).some((member) => isRefused(member, entry, table, defaultOf));
  const [old, now] = [before, after].map((value) => value ?? defaultOf(path));
  const isPointer = table.pointers?.includes(path.filter((name) => typeof name === 'string').join('.')) ?? false;
  if (sameValue(old, now) || (!isPointer && isZero(old) && isZero(now))) return false;
  const [wasSet, staysSet] = [!isZero(before), !isZero(after)];
  if ((!wasSet || !staysSet) && isDefaulted(table, path, before ?? after)) return false;
  if (effect === 'refused once set') return wasSet;
  if (effect === 'refused while set') return path.length > entry.path.length || (isSet(old) && isSet(now));
  return effect === 'refused' || !staysSet;
}

/** True if a change of a field may be refused. */
export function isRefusal(effect: TableEffect): boolean {
  return REFUSALS.includes(effect);
}

/** Values that Go writes as if they were not set. */
function isZero(value: unknown): boolean {
  return !isSet(value) || value === false || value === 0 || value === '' || (Array.isArray(value) && value.length === 0)
    || (isFields(value) && Object.values(value).every(isZero));
}

/** True if a value that is on one side alone may have been set by the webhook on the other one. */
function isDefaulted(table: KindTable, path: FieldPath, value: unknown): boolean {
  const key = path.join('.');
  if (table.defaulted?.some((field) => key === field || key.startsWith(`${field}.`))) return true;
  return isFields(value) && Object.entries(value).every(([name, inner]) => isZero(inner) || isDefaulted(table, [...path, name], inner));
}

/** The value of a table of defaults at a path. */
export function defaultAt(defaults: Readonly<Record<string, unknown>>, path: FieldPath): unknown {
  return Object.entries(defaults).find(([key]) => {
    const names = key.split('.');
    return names.length === path.length && names.every((name, index) => name === '*' || name === path[index]);
  })?.[1];
}
