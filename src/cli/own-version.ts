import * as fs from 'node:fs';
import * as path from 'node:path';

/** The version of this package: from the nearest package.json above, which is the package's own, compiled or not. */
export function ownVersion(): string {
  let folder = __dirname;
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return (JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
