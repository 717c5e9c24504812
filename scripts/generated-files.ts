import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');

/** A table as JSON whose entries have a line each, down to a depth. */
export function jsonTable(value: unknown, depth: number, indent = ''): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent} `;
  const lines = Array.isArray(value) ? value.map((item) => `${inner}${jsonTable(item, depth - 1, inner)}`)
    : Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${jsonTable(item, depth - 1, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${indent}${close}${indent === '' ? '\n' : ''}`;
}

/** A folder, with the files in it that a generator owns. */
export interface GeneratedFolder {
  /** Path from the root of the repository. */
  readonly path: string;
  /**
   * Names of files that stay as they are.
   *
   * @default - none: files that are not generated are removed
   */
  readonly kept?: readonly string[];
}

/**
 * Writes generated files and removes superfluous ones. With the argument `--check` it writes nothing, and the process fails if a file differs.
 *
 * @param command the npm script that writes the files
 * @param files text by path from the root of the repository
 * @param folders the folders that hold only such files
 */
export function writeGeneratedFiles(command: string, files: ReadonlyMap<string, string>, folders: readonly GeneratedFolder[] = []): void {
  const different = [...files].filter(([file, text]) => textOf(file) !== text).map(([file]) => file);
  const superfluous = folders.flatMap(({ path, kept = [] }) => namesIn(path).filter((name) => !kept.includes(name)).map((name) => `${path}/${name}`))
    .filter((file) => !files.has(file));
  if (process.argv.includes('--check')) {
    for (const file of [...different, ...superfluous].sort()) {
      console.error(`${file} is not up to date; run 'npm run ${command}' and commit the result`);
      process.exitCode = 1;
    }
    return;
  }
  for (const file of different) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), files.get(file)!);
  }
  for (const file of superfluous) rmSync(join(ROOT, file));
  console.log(`npm run ${command}: ${files.size} files, ${different.length} written, ${superfluous.length} removed`);
}

function textOf(file: string): string | undefined {
  const path = join(ROOT, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function namesIn(folder: string): string[] {
  const path = join(ROOT, folder);
  return existsSync(path) ? readdirSync(path) : [];
}
