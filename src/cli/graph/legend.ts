import { BoxRole, CHANGE_SIGNS, CHANGE_WORDS, Group, PlannedChange, ROLE_WORDS } from './picture';

/** What a color, line or arrow means. */
export interface LegendEntry {
  /** What is explained: boxes of a role, boxes with a planned change, or a kind of arrow. */
  readonly sample: { readonly role: BoxRole } | { readonly change: PlannedChange } | { readonly isOrder: boolean };
  readonly text: string;
}

/** The roles of the boxes in groups, in the order of legends. */
export function rolesIn(groups: readonly Group[]): BoxRole[] {
  const found = new Set(groups.flatMap(({ boxes }) => boxes.map(({ role }) => role)));
  return Object.values(BoxRole).filter((role) => found.has(role));
}

/** What becomes of the boxes in groups, in the order of legends; nothing if the picture shows no plan. */
export function changesIn(groups: readonly Group[]): PlannedChange[] {
  const found = new Set(groups.flatMap(({ boxes }) => boxes.map(({ planned }) => planned?.change)));
  return Object.values(PlannedChange).filter((change) => found.has(change));
}

/** A change as legends explain it, with its sign. */
export function changeText(change: PlannedChange): string {
  return `${CHANGE_SIGNS[change]} ${CHANGE_WORDS[change]}`.trim();
}

/** Explains what is in the groups: where a plan is shown, colors stand for changes, else for roles. */
export function legendOf(groups: readonly Group[]): LegendEntry[] {
  const arrows = groups.flatMap((group) => group.arrows);
  const changes = changesIn(groups);
  return [
    ...(changes.length > 0 ? changes.map((change) => ({ sample: { change }, text: changeText(change) }))
      : rolesIn(groups).map((role) => ({ sample: { role }, text: ROLE_WORDS[role] }))),
    ...(arrows.some(({ isOrder }) => !isOrder) ? [{ sample: { isOrder: false }, text: 'leads to what belongs to it, or what it works on' }] : []),
    ...(arrows.some(({ isOrder }) => isOrder) ? [{ sample: { isOrder: true }, text: 'leads to what waits until it is ready' }] : []),
  ];
}
