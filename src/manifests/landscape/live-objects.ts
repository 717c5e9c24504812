import { Cluster, MachineCount, Pool } from './cluster-model';
import { ManifestState } from './manifest-state';
import { poolName } from './pools';
import { groupKind, ManifestObject, namespaceOf, objectName } from '../objects/manifest-object';
import { MACHINE, MACHINE_SET, POOL_KINDS } from '../rules/cluster-api/cluster-api-kinds';
import { DeliveryFacts } from '../rules/delivery-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { storedObject } from '../stored/stored-objects';
import { providers } from '../systems/providers';
import { fieldAt, isFields, isSet, numberAt, sameValue, stringAt } from '../values/fields';

/** Objects of a management cluster, as `kubectl get --output json` prints them. */
export class LiveObjects {
  private readonly index: ManifestIndex;

  /** Kinds with their namespaces of which there are objects. */
  private readonly listed: ReadonlySet<string>;

  private pools?: ReadonlyMap<string, ManifestObject>;

  /** @param objects the objects */
  public constructor(objects: readonly ManifestObject[]) {
    this.index = new ManifestIndex(objects);
    this.listed = new Set(objects.map(placeOf));
  }

  /** The same object, if it is there. */
  public find(object: ManifestObject): ManifestObject | undefined {
    return this.index.find(groupKind(object), namespaceOf(object), stringAt(object, 'metadata', 'name'));
  }

  /** True if an object is not there, and others of its kind in its namespace are: those were asked for. */
  public lacks(object: ManifestObject): boolean {
    return !this.find(object) && this.listed.has(placeOf(object));
  }

  /**
   * A cluster with the numbers of machines that it has now.
   *
   * @param cluster the cluster as manifests tell
   * @param isLater true for the state that will be applied: an autoscaler brings a pool up to its minimum, and does not bring it down
   */
  public sized(cluster: Cluster, isLater: boolean): Cluster {
    return { ...cluster, pools: cluster.pools.map((pool) => ({ ...pool, size: this.sizeOf(pool, cluster, isLater) })) };
  }

  /**
   * The number of Machines of a pool or control plane of which something is true; undefined if no Machine of it is there. The MachineSets of a
   * pool decide for their Machines: one that is not there is at least as old as each of them.
   *
   * @param cluster the cluster
   * @param pool name of the MachineDeployment; undefined for the control plane
   * @param isConcerned true of a Machine or MachineSet that is concerned
   */
  public count(cluster: Cluster, pool: string | undefined, isConcerned: (object: ManifestObject) => boolean): MachineCount | undefined {
    const label = (machine: ManifestObject, name: string) => stringAt(machine, 'metadata', 'labels', `cluster.x-k8s.io/${name}`);
    const isOfPart = (machine: ManifestObject) => (
      pool === undefined ? isSet(machine, 'metadata', 'labels', 'cluster.x-k8s.io/control-plane') : label(machine, 'deployment-name') === pool);
    const machines = this.index.all(MACHINE).filter((machine) => (
      namespaceOf(machine) === cluster.namespace && label(machine, 'cluster-name') === cluster.name && isOfPart(machine)));
    if (machines.length === 0) return undefined;
    if (pool === undefined) {
      const { length } = machines.filter(isConcerned);
      return { minimum: length, maximum: length };
    }
    const concerned = machines.map((machine) => {
      const set = this.index.find(MACHINE_SET, cluster.namespace, label(machine, 'set-name'));
      return set ? isConcerned(set) : isConcerned(machine) || undefined;
    });
    return { minimum: concerned.filter((is) => is).length, maximum: concerned.filter((is) => is !== false).length };
  }

  /**
   * Outcome of an object that the later manifests do not have, by what has marked it in the cluster; undefined where that does not tell.
   *
   * @param object the object
   */
  public fateOf(object: ManifestObject): { readonly because: string; readonly stays?: boolean } | undefined {
    const found = this.find(object);
    if (!found || !isSet(found, 'metadata', 'uid')) return undefined;
    const marking = markingOf(found);
    if (marking) {
      const { facts: { kind, keepsRemoved }, namespace, name } = marking;
      const delivery = this.index.find(kind, namespace, name);
      const words = `${kind.slice(kind.indexOf('/') + 1)} ${name}, which applied it,`;
      if (!delivery) return undefined;
      return keepsRemoved?.(delivery, delivery) ? { because: `${words} does not prune`, stays: true } : { because: `${words} deletes it` };
    }
    const metadata = (place: string, key: string) => stringAt(found, 'metadata', place, key) !== undefined;
    // Others that delete what they have applied: releases of Helm, and kubectl apply with --applyset or --prune.
    if (metadata('annotations', 'meta.helm.sh/release-name') || metadata('labels', 'applyset.kubernetes.io/part-of')) return undefined;
    if (metadata('annotations', 'kubectl.kubernetes.io/last-applied-configuration')) return { because: 'kubectl has applied it: it stays unless --prune is given' };
    return { because: 'nothing that deletes it has marked it in the cluster', stays: true };
  }

  private sizeOf({ kind, name, size, autoscaled }: Pool, { namespace, name: cluster }: Cluster, isLater: boolean): MachineCount | undefined {
    if (size && !autoscaled) return size;
    this.pools ??= new Map(POOL_KINDS.flatMap((poolKind) => this.index.all(poolKind)).map((pool) => [poolKey(pool), pool]));
    const replicas = numberAt(this.pools.get(JSON.stringify([kind, namespace, cluster, name])), 'spec', 'replicas');
    if (replicas === undefined) return size;
    return { minimum: replicas, maximum: isLater ? Math.max(replicas, size?.minimum ?? 0) : replicas };
  }
}

/** The delivery that has marked an object, by its name. */
export interface DeliveryMark {
  readonly facts: DeliveryFacts;
  readonly namespace?: string;
  readonly name: string;
}

/** The delivery that has marked an object of a cluster; undefined if none has. */
export function markingOf(found: ManifestObject): DeliveryMark | undefined {
  return providers().flatMap(({ deliveries = [] }) => deliveries).flatMap((facts) => {
    const mark = facts.marks?.(found);
    return mark ? [{ facts, ...mark }] : [];
  })[0];
}

/** Pools of a topology have other names than their objects. */
function poolKey(pool: ManifestObject): string {
  return JSON.stringify([pool.kind, namespaceOf(pool), stringAt(pool, 'spec', 'clusterName'), poolName(pool)]);
}

function placeOf(object: ManifestObject): string {
  return JSON.stringify([groupKind(object), namespaceOf(object)]);
}

/** A state of manifests in which the cluster is now, and where it is not as they say. */
export interface PresentState {
  readonly state: ManifestState;

  /** Objects that are other than in the manifests. */
  readonly drifted: readonly string[];

  /** Objects of the manifests that are not there. */
  readonly missing: readonly string[];
}

/**
 * The state that a change is applied to: fields that manifests of one of both states write, with the values that they have in the cluster. All
 * other fields are those of controllers and servers.
 *
 * @param before the manifests that are said to be applied
 * @param after the manifests that will be applied
 * @param live what is in the cluster
 */
export function presentState(before: ManifestState, after: ManifestState, live: LiveObjects): PresentState {
  const [drifted, missing]: string[][] = [[], []];
  const later = new ManifestIndex(after.objects.filter(({ pack }) => !pack).map(({ object }) => object));
  const written = new ManifestIndex(before.objects.filter(({ pack }) => !pack).map(({ object }) => object));
  const same = (index: ManifestIndex, object: ManifestObject) => index.find(groupKind(object), namespaceOf(object), stringAt(object, 'metadata', 'name'));
  const objects = before.objects.flatMap((read) => {
    if (read.pack) return [read];
    if (live.lacks(read.object)) {
      missing.push(objectName(read.object));
      return [];
    }
    const found = live.find(read.object);
    if (!found || hidesText(read.object)) return [read];
    const object = presentObject(found, read.object, same(later, read.object));
    if (sameValue(object, presentObject(storedObject(read.object), read.object, undefined))) return [read];
    drifted.push(objectName(read.object));
    return [{ ...read, object }];
  });
  const adopted = after.objects.flatMap((read) => {
    const found = read.pack || same(written, read.object) ? undefined : live.find(read.object);
    if (!found || hidesText(read.object)) return [];
    drifted.push(objectName(read.object));
    return [{ ...read, object: presentObject(found, undefined, read.object) }];
  });
  return { state: { ...before, objects: [...objects, ...adopted] }, drifted, missing };
}

/** True if the server keeps the content under another name than the manifest has it. */
function hidesText(object: ManifestObject): boolean {
  return fieldAt(object, 'stringData') !== undefined;
}

/** An object of a cluster with the fields alone that one of two manifests writes. */
function presentObject(live: ManifestObject, before: ManifestObject | undefined, after: ManifestObject | undefined): ManifestObject {
  const [stored, old, now] = [live, before, after].map((object) => object && storedObject(object));
  return shared(stored, [old, now].filter((object) => object !== undefined)) as ManifestObject;
}

function shared(live: unknown, written: readonly unknown[]): unknown {
  if (Array.isArray(live)) {
    const lists = written.filter((value): value is unknown[] => Array.isArray(value));
    // Additional items of a list of named items are of others, such as containers that are injected.
    const names = lists.flatMap((list) => (isNamed(list) ? list.map(({ name }) => name) : []));
    const items = isNamed(live) && lists.every(isNamed) ? live.filter(({ name }) => names.includes(name)) : live;
    return items.map((item: unknown, index) => shared(item, lists.map((list) => (
      isNamed(list) && isFields(item) ? list.find(({ name }) => name === item.name) : list[index])).filter((value) => value !== undefined)));
  }
  const maps = written.filter(isFields);
  if (!isFields(live) || maps.length === 0) return live;
  const fields = [...new Set(maps.flatMap((map) => Object.keys(map)))].filter((field) => field in live);
  const writtenAt = (field: string) => maps.map((map) => map[field]).filter((value) => value !== undefined);
  return Object.fromEntries(fields.map((field) => [field, shared(live[field], writtenAt(field))]));
}

function isNamed(list: readonly unknown[]): list is { readonly name: string }[] {
  return list.length > 0 && list.every((item) => isFields(item) && typeof item.name === 'string');
}
