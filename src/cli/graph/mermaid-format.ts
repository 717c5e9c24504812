import { Arrow, Box, BoxRole, Group, Picture, ROLE_WORDS } from './picture';

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
};

/** Characters that Mermaid or a browser may read as syntax: all but letters, digits, and a few punctuation marks. */
const NOT_PLAIN = /[^\p{L}\p{N} .,:/_-]/gu;

/** The picture as a flowchart of Mermaid: groups from top to bottom, so that a page of GitHub shows it in a legible size, and each from left to right. */
export function mermaidFormat({ title, description, groups, between }: Picture): string {
  const roles = Object.values(BoxRole).filter((role) => groups.some(({ boxes }) => boxes.some((box) => box.role === role)));
  return [
    'flowchart TB',
    `  accTitle: ${plainText(title)}`,
    `  accDescr: ${plainText(description)}`,
    ...groups.flatMap(groupLines),
    ...(groups.length === 2 ? [`  ${nodeId(groups[0].id)} -->|"${escaped(between ?? '')}"| ${nodeId(groups[1].id)}`] : []),
    ...legendLines(groups, roles),
    ...roles.map((role) => `  classDef ${className(role)} ${CLASSES[role]}`),
    '',
  ].join('\n');
}

function groupLines({ id, title, boxes, arrows }: Group): string[] {
  return [
    `  subgraph ${nodeId(id)} ["${escaped(title)}"]`,
    '    direction LR',
    ...boxes.map((box) => `    ${nodeId(box.id)}["${[box.title, ...box.lines].map(escaped).join('<br/>')}"]:::${className(box.role)}`),
    ...arrows.map((arrow) => `    ${arrowText(arrow)}`),
    '  end',
  ];
}

/** Boxes of the legend beside each other. */
const LEGEND_ROW = 4;

function rowsOf(roles: readonly BoxRole[]): BoxRole[][] {
  return Array.from({ length: Math.ceil(roles.length / LEGEND_ROW) }, (_, row) => roles.slice(row * LEGEND_ROW, (row + 1) * LEGEND_ROW));
}

/** What colors and arrows mean, below the last group. */
function legendLines(groups: readonly Group[], roles: readonly BoxRole[]): string[] {
  const last = groups.at(-1);
  if (last === undefined) return [];
  const isOrdered = groups.some(({ arrows }) => arrows.some(({ isOrder }) => isOrder));
  return [
    '  subgraph legend ["Legend"]',
    '    direction LR',
    // Linked without a line, boxes stand beside each other.
    ...rowsOf(roles).map((row) => `    ${row.map((role) => `legend_${role.replaceAll('-', '_')}["${ROLE_WORDS[role]}"]:::${className(role)}`).join(' ~~~ ')}`),
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

function className(role: BoxRole): string {
  return `is_${role.replaceAll('-', '_')}`;
}

/** A string inside quotes, with special characters as the character codes of Mermaid. */
function escaped(text: string): string {
  return text.replace(NOT_PLAIN, (character) => `#${character.codePointAt(0)};`);
}

/** A string outside of quotes, where Mermaid has no escape for special characters. */
function plainText(text: string): string {
  return text.replaceAll(/\s*[;\n]\s*/g, ', ').replace(/[^\p{L}\p{N} .,:/()_-]/gu, ' ');
}
