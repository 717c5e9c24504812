import * as path from 'node:path';

const REQUIRE = /^(?:var|const) (\w+) = require\("([^"]+)"\);$/;
const GETTER = /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+)\.(\w+); \} \}\);$/;
const NAMESPACE = /^exports\.(\w+) = __importStar\(require\("([^"]+)"\)\);$/;
const DECLARATION = /^exports\.\w+ = (?:exports\.\w+ = )*void 0;$/;
const LAZY = /^lazy\("(\w+)", \(\) => load\("[^"]+", "([^"]+)"\)(?:\.(\w+))?\);$/;
const LOAD = /^const load = require\("[^"]+"\);$/;
const DEFINE = 'const lazy = (name, get) => Object.defineProperty(exports, name, { enumerable: true, get });';
const ANNOTATION = /^0 && \(module\.exports = \{ [\w, ]* \}\);$/;
const MARKER = 'Object.defineProperty(exports, "__esModule", { value: true });';

/** A name that an entry exports. */
export interface EntryExport {
  readonly name: string;

  /** The module that it comes from. */
  readonly module: string;

  /**
   * Its name there.
   *
   * @default - it is the module itself
   */
  readonly member?: string;
}

/**
 * What a compiled entry exports: as tsc wrote it, or as `entryText` did.
 *
 * tsc writes `var x_1 = require('./x')` and getters that read `x_1`, or assigns a whole module for `export * as`. Anything else is an
 * error: it would run at once, or change its meaning by running late.
 *
 * @param name path of the entry below the folder of compiled files, without extension
 */
export function readEntry(name: string, source: string): EntryExport[] {
  const modules = new Map<string, string>();
  const moduleAt = (required: string): string => path.posix.join(path.posix.dirname(name), required);
  return source.slice(headerEnd(name, source)).split('\n').flatMap((line) => {
    const [, variable, required] = REQUIRE.exec(line) ?? [];
    if (variable && variable !== 'load') {
      modules.set(variable, moduleAt(required));
      return [];
    }
    const getter = GETTER.exec(line);
    if (getter) {
      const module = modules.get(getter[2]);
      if (module === undefined) throw new Error(`the compiled ${name} reads "${getter[1]}" from a module that it does not require`);
      return [{ name: getter[1], module, member: getter[3] }];
    }
    const namespace = NAMESPACE.exec(line);
    if (namespace) return [{ name: namespace[1], module: moduleAt(namespace[2]) }];
    const lazy = LAZY.exec(line);
    if (lazy) return [{ name: lazy[1], module: lazy[2], member: lazy[3] }];
    const isIdle = line === '' || line === MARKER || line === DEFINE || line.startsWith('//') || [DECLARATION, LOAD, ANNOTATION].some((idle) => idle.test(line));
    if (!isIdle) throw new Error(`${name} may only re-export; this line of it, compiled, cannot wait: ${line.slice(0, 120)}`);
    return [];
  });
}

/**
 * An entry that loads a module when one of its names is first used.
 *
 * @param name path of the entry below the folder of compiled files, without extension
 * @param exported what it exports
 * @param chunkOf name of the chunk that a module is in
 */
export function entryText(name: string, exported: readonly EntryExport[], chunkOf: (module: string) => string): string {
  return [
    '"use strict";',
    MARKER,
    `const load = require("${path.posix.relative(path.posix.dirname(name), 'chunks/load.js')}");`,
    DEFINE,
    ...exported.map(({ name: own, module, member }) => `lazy("${own}", () => load("${chunkOf(module)}", "${module}")${member === undefined ? '' : `.${member}`});`),
    // Never runs. Node.js reads from it what names an ECMAScript module can import; it would not trust getters, were they written one by one.
    `0 && (module.exports = { ${exported.map((one) => one.name).join(', ')} });`,
    '',
  ].join('\n');
}

/** tsc's helpers for `export * as` come first and are not needed. */
function headerEnd(name: string, source: string): number {
  const at = source.indexOf(MARKER);
  if (at < 0) throw new Error(`the compiled ${name} is not a CommonJS module`);
  return at;
}
