import { Arrow, Box, BoxRole, Names } from './picture';
import { PlannedBoxes } from './planned-boxes';
import { Addon } from '../../manifests/landscape/cluster-model';
import { chartText } from '../inventory/cells';

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
