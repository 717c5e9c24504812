import { historyTable } from './history-table';
import { minorOf, ProgramFlags } from './reference';

/** Flags by component and the history of their types, from the releases of each component, oldest first; `!` behind a type: deprecated. */
export function flagTables(components: ReadonlyMap<string, readonly ProgramFlags[]>): Record<string, string[]> {
  return Object.fromEntries([...components].map(([component, releases]) => [component, flagTable(releases)]));
}

/** One line for each flag of any release, sorted. */
export function flagTable(releases: readonly ProgramFlags[]): string[] {
  const words = releases.map(({ flags }) => Object.fromEntries(flags.map(({ name, type, deprecated }) => [name, `${type.replace(/ .*/, '')}${deprecated ? '!' : ''}`])));
  return historyTable(words, releases.map(({ version }) => minorOf(version)));
}
