/**
 * Rewrites the compiled index so that it loads a module when one of its names is first used, not when the package is required.
 *
 * tsc writes `var x_1 = require('./x')` and getters that read `x_1`, or assigns a whole module for `export * as`. Both become
 * getters that require. Anything else in the index is an error: it would load at once, or change its meaning by loading late.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';

const INDEX = path.join(__dirname, '..', 'lib', 'src', 'index.js');

const REQUIRE = /^(?:var|const) (\w+) = require\("([^"]+)"\);$/;
const GETTER = /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+)\.(\w+); \} \}\);$/;
const NAMESPACE = /^exports\.(\w+) = __importStar\(require\("([^"]+)"\)\);$/;
const DECLARATION = /^exports\.\w+ = (?:exports\.\w+ = )*void 0;$/;
const LAZY = /^Object\.defineProperty\(exports, "\w+", \{ enumerable: true, get: \(\) => require\(/;

/** Rewrites the text of a compiled index. */
export function lazyIndex(source: string): string {
  const body = source.slice(headerEnd(source)).split('\n');
  const modules = new Map<string, string>();
  const getters = body.flatMap((line) => {
    const [, variable, required] = REQUIRE.exec(line) ?? [];
    if (variable) {
      modules.set(variable, required);
      return [];
    }
    const getter = GETTER.exec(line);
    if (getter) return [property(getter[1], modules.get(getter[2]), `.${getter[3]}`)];
    const namespace = NAMESPACE.exec(line);
    if (namespace) return [property(namespace[1], namespace[2], '')];
    if (LAZY.test(line)) return [line];
    if (line === '' || line.startsWith('//') || DECLARATION.test(line) || line.startsWith('Object.defineProperty(exports, "__esModule"')) return [];
    throw new Error(`src/index.ts may only re-export; this line of the compiled index cannot wait: ${line.slice(0, 120)}`);
  });
  return ['"use strict";', 'Object.defineProperty(exports, "__esModule", { value: true });', ...getters, ''].join('\n');
}

/** tsc's helpers for `export * as` come first and are no longer needed. */
function headerEnd(source: string): number {
  const marker = 'Object.defineProperty(exports, "__esModule", { value: true });';
  const at = source.indexOf(marker);
  if (at < 0) throw new Error('the compiled index is not a CommonJS module');
  return at;
}

function property(name: string, required: string | undefined, member: string): string {
  if (!required) throw new Error(`the compiled index reads "${name}" from a module that it does not require`);
  return `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => require("${required}")${member} });`;
}

if (require.main === module) fs.writeFileSync(INDEX, lazyIndex(fs.readFileSync(INDEX, 'utf8')));
