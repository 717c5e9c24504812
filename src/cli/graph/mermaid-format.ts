import { titleOf } from './box-text';
import { changesIn, changeText, rolesIn } from './layout';
import { Arrow, Box, BoxRole, Group, Picture, PlannedChange, ROLE_WORDS } from './picture';

/** Colours that are legible on light and dark ground, as they bring their own. */
const CLASSES: Readonly<Record<BoxRole, string>> = {
  [BoxRole.CLUSTER]: 'fill:#e2e8f0,stroke:#475569,color:#0f172a',
  [BoxRole.CONTROL_PLANE]: 'fill:#dbeafe,stroke:#2563eb,color:#0f172a',
  [BoxRole.INFRASTRUCTURE]: 'fill:#f1f5f9,stroke:#64748b,color:#0f172a',
  [BoxRole.POOL]: 'fill:#dcfce7,stroke:#16a34a,color:#0f172a',
  [BoxRole.CONTROLLER]: 'fill:#fef3c7,stroke:#d97706,color:#0f172a',
  [BoxRole.DELIVERY]: 'fill:#ccfbf1,stroke:#0d9488,color:#0f172a',
  [BoxRole.ADDON]: 'fill:#ede9fe,stroke:#7c3aed,color:#0f172a',
  [BoxRole.WAVE]: 'fill:#f8fafc,stroke:#94a3b8,color:#0f172a',
  [BoxRole.OTHER]: 'fill:#f8fafc,stroke:#94a3b8,color:#0f172a',
};

/** The same for what becomes of boxes. */
const CHANGE_CLASSES: Readonly<Record<PlannedChange, string>> = {
  [PlannedChange.CREATED]: 'fill:#dafbe1,stroke:#1a7f37,stroke-width:2px,color:#0f172a',
  [PlannedChange.CHANGED]: 'fill:#fff8c5,stroke:#9a6700,color:#0f172a',
  [PlannedChange.REPLACED]: 'fill:#ffebe9,stroke:#cf222e,stroke-width:3px,color:#0f172a',
  [PlannedChange.DELETED]: 'fill:#ffcecb,stroke:#82071e,stroke-width:2px,stroke-dasharray:7 4,color:#0f172a',
  [PlannedChange.UNKNOWN]: 'fill:#fbefff,stroke:#8250df,stroke-width:2px,stroke-dasharray:2 3,color:#0f172a',
  [PlannedChange.UNCHANGED]: 'fill:#f6f8fa,stroke:#8c959f,color:#0f172a',
};

/** Boxes that look alike. */
interface Look {
  readonly name: string;
  readonly text: string;
  readonly style: string;
}

/** Characters that Mermaid or a browser may read as syntax: all but letters, digits, and a few punctuation marks. */
const NOT_PLAIN = /[^\p{L}\p{N} .,:/_-]/gu;

/** The picture as a flowchart of Mermaid: groups from top to bottom, so that a page of GitHub shows it in a legible size, and each from left to right. */
export function mermaidFormat({ title, description, groups, between = [] }: Picture): string {
  const looks = looksOf(groups);
  return [
    'flowchart TB',
    `  accTitle: ${plainText(title)}`,
    `  accDescr: ${plainText(description)}`,
    ...groups.flatMap(groupLines),
    ...groups.slice(1).map(({ id }, index) => `  ${nodeId(groups[index].id)} -->|"${escaped(between[index] ?? '')}"| ${nodeId(id)}`),
    ...legendLines(groups, looks),
    ...looks.map(({ name, style }) => `  classDef is_${name} ${style}`),
    '',
  ].join('\n');
}

function groupLines({ id, title, boxes, arrows }: Group): string[] {
  return [
    `  subgraph ${nodeId(id)} ["${escaped(title)}"]`,
    '    direction LR',
    ...boxes.map((box) => `    ${nodeId(box.id)}["${[titleOf(box), ...box.lines, ...box.planned?.lines ?? []].map(escaped).join('<br/>')}"]:::is_${lookName(box)}`),
    ...arrows.map((arrow) => `    ${arrowText(arrow)}`),
    '  end',
  ];
}

/** Boxes of the legend beside each other. */
const LEGEND_ROW = 4;

function rowsOf(looks: readonly Look[]): Look[][] {
  return Array.from({ length: Math.ceil(looks.length / LEGEND_ROW) }, (_, row) => looks.slice(row * LEGEND_ROW, (row + 1) * LEGEND_ROW));
}

/** The looks of boxes, as legends explain them: by what becomes of them where a plan is shown, else by their roles. */
function looksOf(groups: readonly Group[]): Look[] {
  const changes = changesIn(groups);
  return [
    ...changes.map((change) => ({ name: nameOf(change), text: changeText(change), style: CHANGE_CLASSES[change] })),
    ...rolesIn(changes.length > 0 ? groups.map((group) => ({ ...group, boxes: group.boxes.filter(({ planned }) => !planned) })) : groups)
      .map((role) => ({ name: nameOf(role), text: ROLE_WORDS[role], style: CLASSES[role] })),
  ];
}

function lookName({ role, planned }: Box): string {
  return nameOf(planned?.change ?? role);
}

/** Legend of colors and arrows, below the last group. */
function legendLines(groups: readonly Group[], looks: readonly Look[]): string[] {
  const last = groups.at(-1);
  if (last === undefined) return [];
  const isOrdered = groups.some(({ arrows }) => arrows.some(({ isOrder }) => isOrder));
  return [
    '  subgraph legend ["Legend"]',
    '    direction LR',
    // Linked without a line, boxes stand beside each other.
    ...rowsOf(looks).map((row) => `    ${row.map(({ name, text }) => `legend_${name}["${escaped(text)}"]:::is_${name}`).join(' ~~~ ')}`),
    ...(isOrdered ? ['    legend_first["first"] -.-> legend_then["then"]'] : []),
    '  end',
    `  ${nodeId(last.id)} ~~~ legend`,
  ];
}

function arrowText({ from, to, isOrder }: Arrow): string {
  return `${nodeId(from)} ${isOrder ? '-.->' : '-->'} ${nodeId(to)}`;
}

/** No word of Mermaid, such as "end", is a name then. */
function nodeId(id: Box['id']): string {
  return `n_${id.replaceAll('-', '_')}`;
}

function nameOf(look: BoxRole | PlannedChange): string {
  return look.replaceAll('-', '_');
}

/** A string inside quotes, with special characters as the character codes of Mermaid. */
function escaped(text: string): string {
  return text.replace(NOT_PLAIN, (character) => `#${character.codePointAt(0)};`);
}

/** A string outside of quotes, where Mermaid has no escape for special characters. */
function plainText(text: string): string {
  return text.split(/[;\n]/).map((part) => part.trim()).join(', ').replace(/[^\p{L}\p{N} .,:/()_-]/gu, ' ');
}
