import * as fs from 'node:fs';
import * as path from 'node:path';

/** The folder of this package: that of the nearest package.json above, compiled or not. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(fs.readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}
