import { historyTable } from './history-table';
import { minorOf, ProgramFlags } from './reference';

/** The lines of the constant `FLAGS`, from the releases of each component, oldest first. */
export function renderFlags(components: ReadonlyMap<string, readonly ProgramFlags[]>): string[] {
  return [
    '/** Flags by component and the history of their types; `!` behind a type: deprecated. */',
    'export const FLAGS = {',
    ...[...components].flatMap(([component, releases]) => [`  '${component}': \``, ...flagTable(releases), '`,']),
    '} satisfies Readonly<Record<string, string>>;',
  ];
}

/** One line for each flag of any release, sorted. */
export function flagTable(releases: readonly ProgramFlags[]): string[] {
  const words = releases.map(({ flags }) => Object.fromEntries(flags.map(({ name, type, deprecated }) => [name, `${type.replace(/ .*/, '')}${deprecated ? '!' : ''}`])));
  return historyTable(words, releases.map(({ version }) => minorOf(version)));
}
