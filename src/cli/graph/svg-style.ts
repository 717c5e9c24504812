import { BoxRole, PlannedChange } from './picture';

/** Colours of one ground. */
interface Palette {
  readonly ground: string;
  readonly group: string;
  readonly groupEdge: string;
  readonly box: string;
  readonly boxEdge: string;
  readonly title: string;
  readonly line: string;
  readonly arrow: string;
  readonly roles: Readonly<Record<BoxRole, string>>;
  readonly changes: Readonly<Record<PlannedChange, string>>;
}

const LIGHT: Palette = {
  ground: '#ffffff',
  group: '#f6f8fa',
  groupEdge: '#d0d7de',
  box: '#ffffff',
  boxEdge: '#c2cad3',
  title: '#1f2328',
  line: '#4b535d',
  arrow: '#6e7781',
  roles: {
    [BoxRole.CLUSTER]: '#334155',
    [BoxRole.CONTROL_PLANE]: '#2563eb',
    [BoxRole.INFRASTRUCTURE]: '#64748b',
    [BoxRole.POOL]: '#15803d',
    [BoxRole.CONTROLLER]: '#b45309',
    [BoxRole.DELIVERY]: '#0f766e',
    [BoxRole.ADDON]: '#7c3aed',
    [BoxRole.WAVE]: '#94a3b8',
    [BoxRole.OTHER]: '#94a3b8',
  },
  changes: {
    [PlannedChange.CREATED]: '#1a7f37',
    [PlannedChange.CHANGED]: '#9a6700',
    [PlannedChange.REPLACED]: '#cf222e',
    [PlannedChange.DELETED]: '#82071e',
    [PlannedChange.UNKNOWN]: '#8250df',
    [PlannedChange.UNCHANGED]: '#c2cad3',
  },
};

const DARK: Palette = {
  ground: '#0d1117',
  group: '#161b22',
  groupEdge: '#30363d',
  box: '#21262d',
  boxEdge: '#444c56',
  title: '#f0f3f6',
  line: '#b6bfc9',
  arrow: '#8b949e',
  roles: {
    [BoxRole.CLUSTER]: '#cbd5e1',
    [BoxRole.CONTROL_PLANE]: '#60a5fa',
    [BoxRole.INFRASTRUCTURE]: '#94a3b8',
    [BoxRole.POOL]: '#4ade80',
    [BoxRole.CONTROLLER]: '#fbbf24',
    [BoxRole.DELIVERY]: '#2dd4bf',
    [BoxRole.ADDON]: '#c4b5fd',
    [BoxRole.WAVE]: '#64748b',
    [BoxRole.OTHER]: '#64748b',
  },
  changes: {
    [PlannedChange.CREATED]: '#3fb950',
    [PlannedChange.CHANGED]: '#d29922',
    [PlannedChange.REPLACED]: '#ff7b72',
    [PlannedChange.DELETED]: '#ffa198',
    [PlannedChange.UNKNOWN]: '#bc8cff',
    [PlannedChange.UNCHANGED]: '#444c56',
  },
};

/** Style of pictures, for a light ground, and for a dark one where the viewer asks for it. */
export const SVG_STYLE = styleOf(`
.cg { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.cg-heading { font-size: 16px; font-weight: 600; }
.cg-group-title, .cg-title { font-size: 13px; font-weight: 600; }
.cg-line { font-size: 11px; }
.cg-arrow { fill: none; stroke-width: 1.4; }
.cg-order { stroke-dasharray: 5 4; }
`, rules);

/** Style of what a plan adds to pictures. */
export const PLAN_STYLE = styleOf(`.cg-box.cg-now-created, .cg-box.cg-now-replaced { stroke-width: 2; }
.cg-box.cg-now-deleted { stroke-width: 2; stroke-dasharray: 7 4; }
.cg-box.cg-now-unknown { stroke-width: 2; stroke-dasharray: 2 3; }
`, planRules);

function styleOf(common: string, rulesOf: (palette: Palette) => string): string {
  return `${common}${rulesOf(LIGHT)}@media (prefers-color-scheme: dark) {\n${rulesOf(DARK)}}\n`;
}

function rules({ ground, group, groupEdge, box, boxEdge, title, line, arrow, roles }: Palette): string {
  return `.cg-ground { fill: ${ground}; }
.cg-group { fill: ${group}; stroke: ${groupEdge}; }
.cg-box { fill: ${box}; stroke: ${boxEdge}; }
.cg-heading, .cg-group-title, .cg-title { fill: ${title}; }
.cg-line { fill: ${line}; }
.cg-arrow { stroke: ${arrow}; }
.cg-head { fill: ${arrow}; }
${Object.entries(roles).map(([role, color]) => `.cg-is-${role} { fill: ${color}; }\n`).join('')}`;
}

function planRules({ title, changes }: Palette): string {
  return `.cg-plan { fill: ${title}; }\n${Object.entries(changes).map(([change, color]) => (
    `.cg-box.cg-now-${change} { stroke: ${color}; }\n.cg-bar.cg-now-${change} { fill: ${color}; }\n`)).join('')}`;
}
