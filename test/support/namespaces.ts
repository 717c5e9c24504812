import * as fs from 'node:fs';
import * as path from 'node:path';

const INDEX = fs.readFileSync(path.join(__dirname, '../../src/index.ts'), 'utf8');

/** Names of the namespaces of the package, except that of the generated types. */
export const NAMESPACES: readonly string[] = [...INDEX.matchAll(/^export \* as (\w+) /gm)].map(([, name]) => name).filter((name) => name !== 'l1');
