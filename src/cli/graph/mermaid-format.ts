import { Arrow, Box, BoxRole, Group, Picture } from './picture';

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

/** The picture as a flowchart of Mermaid. */
export function mermaidFormat({ title, description, groups, between }: Picture): string {
  const roles = [...new Set(groups.flatMap(({ boxes }) => boxes.map(({ role }) => role)))].sort();
  return [
    'flowchart LR',
    `  accTitle: ${plainText(title)}`,
    `  accDescr: ${plainText(description)}`,
    ...groups.flatMap(groupLines),
    ...(groups.length === 2 ? [`  ${nodeId(groups[0].id)} -->|"${escaped(between ?? '')}"| ${nodeId(groups[1].id)}`] : []),
    ...roles.map((role) => `  classDef ${className(role)} ${CLASSES[role]}`),
    '',
  ].join('\n');
}

function groupLines({ id, title, boxes, arrows }: Group): string[] {
  return [
    `  subgraph ${nodeId(id)} ["${escaped(title)}"]`,
    ...boxes.map((box) => `    ${nodeId(box.id)}["${[box.title, ...box.lines].map(escaped).join('<br/>')}"]:::${className(box.role)}`),
    ...arrows.map((arrow) => `    ${arrowText(arrow)}`),
    '  end',
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
  return text.replace(/[^\p{L}\p{N} .,:/()_-]/gu, ' ');
}
