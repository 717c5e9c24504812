import { Arrow, Box, BoxRole, BY_URGENCY, Names, PlannedBox, PlannedChange } from './picture';
import { Addon, NamedObject } from '../../manifests/landscape/cluster-model';
import { ChangeKind, PartKind, PlannedCluster, PlannedPart } from '../../manifests/plan/plan-model';
import { partLines } from '../../manifests/plan/plan-words';
import { Effect } from '../../manifests/rules/changes/effects';
import { chartText } from '../inventory/inventory-rows';

const REPLACING: readonly Effect[] = [Effect.MACHINES, Effect.PODS, Effect.MOVED, Effect.REDIRECTED, Effect.DELETED];

interface Named {
  readonly kind: string;
  readonly name?: string;
}

/** Changes of the parts of a cluster, or of the management cluster, for the boxes of a picture. */
export class PlannedBoxes {
  private readonly drawn = new Set<PlannedPart>();

  /**
   * @param parts the parts that change
   * @param cluster the cluster, if it changes by itself
   */
  public constructor(private readonly parts: readonly PlannedPart[], private readonly cluster?: PlannedCluster) {}

  /** Change of the whole. */
  public get change(): PlannedChange {
    if (this.cluster?.change === ChangeKind.CREATED) return PlannedChange.CREATED;
    if (this.cluster?.change === ChangeKind.REMOVED) return PlannedChange.DELETED;
    // A cluster that stays changes, even where parts of it come and go.
    const [first = PlannedChange.UNCHANGED] = byUrgency(this.parts.map(effectOfPart));
    return first;
  }

  /** The Cluster, with what is noted of the whole. */
  public head(): PlannedBox {
    const { change, lines } = this.of(({ part }) => part === PartKind.CLUSTER);
    const notes = this.cluster?.notes ?? [];
    return { change: change === PlannedChange.UNCHANGED && notes.length > 0 ? PlannedChange.CHANGED : change, lines: [...notes, ...lines] };
  }

  public controlPlane(controlPlane: Named): PlannedBox {
    return this.ofObject(({ part }) => part === PartKind.CONTROL_PLANE, controlPlane);
  }

  public pool(pool: Named): PlannedBox {
    return this.ofObject(({ part, name }) => part === PartKind.POOL && name === pool.name, pool);
  }

  /** A controller or a delivery: a part of its own. */
  public object({ managementCluster, kind, namespace, name }: NamedObject & { readonly managementCluster?: string }): PlannedBox {
    const isHere = (part: PlannedPart) => part.managementCluster === undefined || part.managementCluster === managementCluster;
    return this.of((part) => [PartKind.CONTROLLER, PartKind.ADDON, PartKind.DELIVERY].includes(part.part) && part.name === name && isHere(part)
      && part.objects.some((object) => object.kind === kind && object.name === name && object.namespace === namespace));
  }

  /** An object that is no part of its own: what happens is told of the part that holds it. */
  public inner({ kind, name }: Named): PlannedBox {
    const found = this.parts.flatMap(({ objects }) => objects).find((object) => object.kind === kind && object.name === name);
    if (!found) return { change: PlannedChange.UNCHANGED, lines: [] };
    const { change, stays } = found;
    if (change === ChangeKind.CREATED) return { change: PlannedChange.CREATED, lines: [] };
    return { change: change === ChangeKind.REMOVED && !stays ? PlannedChange.DELETED : PlannedChange.CHANGED, lines: [] };
  }

  /** The parts that no box was asked for. */
  public others(): { readonly part: PlannedPart; readonly planned: PlannedBox }[] {
    return this.parts.filter((part) => !this.drawn.has(part)).map((part) => ({ part, planned: this.of((other) => other === part) }));
  }

  /** Of parts with one name, those that hold the object: one of another kind may have taken its name. A part can also change without it. */
  private ofObject(isMeant: (part: PlannedPart) => boolean, { kind, name }: Named): PlannedBox {
    const holds = ({ objects }: PlannedPart): boolean => objects.some((object) => object.kind === kind && object.name === name);
    const isHeld = this.parts.some((part) => isMeant(part) && holds(part));
    return this.of((part) => isMeant(part) && (!isHeld || holds(part)));
  }

  private of(isMeant: (part: PlannedPart) => boolean): PlannedBox {
    const parts = this.parts.filter(isMeant);
    parts.forEach((part) => this.drawn.add(part));
    const [change = PlannedChange.UNCHANGED] = byUrgency(parts.map(changeOfPart));
    return { change, lines: parts.flatMap(partLines) };
  }
}

function byUrgency(changes: readonly PlannedChange[]): PlannedChange[] {
  return [...changes].sort((one, other) => BY_URGENCY.indexOf(one) - BY_URGENCY.indexOf(other));
}

function changeOfPart(part: PlannedPart): PlannedChange {
  if (part.change === ChangeKind.CREATED) return PlannedChange.CREATED;
  const isDeleted = part.change === ChangeKind.REMOVED && part.effects.some(({ effect }) => effect === Effect.DELETED);
  return isDeleted ? PlannedChange.DELETED : effectOfPart(part);
}

function effectOfPart({ effects }: PlannedPart): PlannedChange {
  if (effects.some(({ effect }) => REPLACING.includes(effect))) return PlannedChange.REPLACED;
  return effects.some(({ effect }) => effect === Effect.UNKNOWN) ? PlannedChange.UNKNOWN : PlannedChange.CHANGED;
}

const MOST_KINDS = 2;

/** More than that many steps are not worth a tidier picture. */
const MOST_STEPS = 200_000;

/** Boxes and arrows. */
export interface Drawn {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/**
 * Deliveries, and their order.
 *
 * @param addons what is delivered, in the order of the boxes
 * @param role what the boxes stand for
 * @param names gives ids
 * @param prefixes beginnings of names that all of them have
 * @param planned what becomes of them, if a plan is drawn
 */
export function addonBoxes(addons: readonly Addon[], role: BoxRole, names: Names, prefixes: readonly string[] = [], planned?: PlannedBoxes): Drawn {
  const ids = new Map(addons.map((addon) => [addon.id, names.of(addon.name)]));
  const boxes = addons.map((addon) => ({
    id: ids.get(addon.id)!, role, title: shortName(addon.name, prefixes), lines: linesOf(addon), ...(planned && { planned: planned.object(addon) }),
  }));
  const dependencies = addons.flatMap((addon) => addon.after.filter((id) => ids.has(id) && id !== addon.id)
    .map((id) => ({ from: ids.get(id)!, to: ids.get(addon.id)!, isOrder: true })));
  const waves = waveArrows(addons, ids, names);
  return { boxes: [...boxes, ...waves.boxes], arrows: [...withoutImplied(dependencies), ...waves.arrows] };
}

/** The name of an object, without that of the cluster. */
export function shortName(name: string, prefixes: readonly string[]): string {
  const prefix = prefixes.find((beginning) => name.startsWith(beginning) && name.length > beginning.length);
  return prefix === undefined ? name : name.slice(prefix.length);
}

function linesOf(addon: Addon): string[] {
  const { kind, chart, version, targetNamespace, path, suspended, contents, wave, name } = addon;
  return [
    ...(chart === undefined ? [] : [`${chart} ${version ?? ''}`.trim()]),
    ...(contents.size === 0 ? [] : [contentsText(contents)]),
    ...(path === undefined || contents.size > 0 ? [] : [chartText(addon)]),
    ...(targetNamespace === undefined ? [] : [`into namespace ${targetNamespace}`]),
    `${kind} ${name}`,
    ...(wave === undefined ? [] : [`sync wave ${wave}`]),
    ...(suspended ? ['suspended'] : []),
  ];
}

function contentsText(contents: ReadonlyMap<string, number>): string {
  const objects = [...contents.values()].reduce((one, other) => one + other);
  const kinds = [...contents.keys()];
  return `${objects} ${objects === 1 ? 'object' : 'objects'}: ${kinds.slice(0, MOST_KINDS).join(', ')}${kinds.length > MOST_KINDS ? ',\u00a0…' : ''}`;
}

/** A wave is applied when the one before it is healthy. Without the annotation, it is 0 (argoproj/argo-cd docs/user-guide/sync-waves.md). */
function waveArrows(addons: readonly Addon[], ids: ReadonlyMap<string, string>, names: Names): Drawn {
  const applications = addons.filter(({ kind }) => kind === 'Application');
  if (applications.every(({ wave }) => wave === undefined)) return { boxes: [], arrows: [] };
  const waves = new Map<number, string[]>();
  for (const { wave = 0, id } of applications) {
    const same = waves.get(wave);
    if (same) same.push(ids.get(id)!);
    else waves.set(wave, [ids.get(id)!]);
  }
  const sorted = [...waves].sort(([one], [other]) => one - other);
  const between = sorted.slice(1).map(([wave, after], index) => ({
    box: { id: names.of(`wave ${wave}`), role: BoxRole.WAVE, title: `then wave ${wave}`, lines: [] }, after, before: sorted[index][1],
  }));
  return {
    boxes: between.map(({ box }) => box),
    arrows: between.flatMap(({ box, before, after }) => [
      ...before.map((from) => ({ from, to: box.id, isOrder: true })),
      ...after.map((to) => ({ from: box.id, to, isOrder: true })),
    ]),
  };
}

/** Removes arrows that follow from others: if C waits for B and B waits for A, C waits for A. */
export function withoutImplied(arrows: readonly Arrow[]): Arrow[] {
  const unique = [...new Map(arrows.map((arrow) => [JSON.stringify([arrow.from, arrow.to]), arrow])).values()];
  if (unique.length ** 2 > MOST_STEPS) return unique;
  const next = new Map<string, string[]>();
  for (const { from, to } of unique) {
    const steps = next.get(from);
    if (steps) steps.push(to);
    else next.set(from, [to]);
  }
  const reachable = new Map([...next.keys()].map((start) => [start, reachedFrom(start, next)]));
  // In a cycle, each arrow follows from the others: arrows from and to its boxes all stay.
  const circles = new Set([...reachable].filter(([start, reached]) => reached.has(start)).map(([start]) => start));
  return unique.filter(({ from, to }) => circles.has(from) || circles.has(to)
    || !next.get(from)!.some((step) => step !== to && !circles.has(step) && reachable.get(step)?.has(to)));
}

function reachedFrom(start: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  while (open.length > 0) {
    for (const step of next.get(open.pop()!) ?? []) {
      if (reached.has(step)) continue;
      reached.add(step);
      open.push(step);
    }
  }
  return reached;
}
