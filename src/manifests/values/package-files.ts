import * as fs from 'node:fs';
import * as path from 'node:path';

// scripts/single-file.ts writes another module in place of this one, whose files are in the program.

/** The folder of this package: that of the nearest package.json above, compiled or not. Undefined for the program in a single file. */
export function packageFolder(): string | undefined {
  return root();
}

/**
 * The text of a file of this package.
 *
 * @param file path in the package, with `/` between its parts
 */
export function packageFile(file: string): string {
  return fs.readFileSync(path.join(root(), file), 'utf8');
}

/**
 * The files below a folder of this package, by their paths below it, with `/` between their parts.
 *
 * @param folder path in the package
 */
export function packageFilesIn(folder: string): string[] {
  const at = path.join(root(), folder);
  const files = fs.readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((file) => fs.statSync(path.join(at, file)).isFile());
  return files.map((file) => file.split(path.sep).join('/')).sort();
}

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(packageFile('package.json')) as { version: string }).version;
}

let found: string | undefined;

function root(): string {
  if (found !== undefined) return found;
  let folder = __dirname;
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return found = folder;
}
