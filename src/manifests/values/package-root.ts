import * as fs from 'node:fs';
import * as path from 'node:path';

/** The folder of this package: that of the nearest package.json above, compiled or not. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}
