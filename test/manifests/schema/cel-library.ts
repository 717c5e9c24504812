import { runInThisContext } from 'node:vm';
import type * as CelJs from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };

/** The classes by which the CEL library tells lists and timestamps from other objects. */
interface Host {
  readonly Array: ArrayConstructor;
  readonly Date: DateConstructor;
  readonly process: { getBuiltinModule(name: 'module'): { createRequire(path: string): (name: string) => unknown } };
}

/*
 * The library is an ES module, which jest cannot load below Node 24.9. Node's own `require` can (from 20.19 on),
 * so the library lives outside of the context that jest makes for tests, and values for it need the classes out there.
 */
const host = runInThisContext('({ Array, Date, process })') as Host;

/** The CEL library. */
export const cel = host.process.getBuiltinModule('module').createRequire(__filename)('@marcbachmann/cel-js') as typeof CelJs;

/** A list that the CEL library takes for one. */
export function celList(items: Iterable<unknown>): unknown[] {
  return host.Array.from(items);
}

/** A map that the CEL library takes for one. */
export function celMap(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

/** A timestamp that the CEL library takes for one. */
export function celTimestamp(text: string): Date {
  return new host.Date(text);
}
