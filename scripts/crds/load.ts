import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { CRD_SOURCES, CrdSource } from './crd-source';
import { CustomResourceDefinition } from './definition';
import { download } from './download';

const ROOT = resolve(__dirname, '../..');

/** Options of `loadCrds`. */
export interface LoadOptions {
  /**
   * A directory with the files that `sources.json` names. Nothing is downloaded.
   *
   * @default - environment variable CRDS_DIR; without it `../shared/crds` and `../shared/provider-crds`, then `.crds-cache`, which downloads fill
   */
  readonly directory?: string;
  /**
   * Sources to load.
   *
   * @default - all
   */
  readonly sources?: readonly CrdSource[];
}

/**
 * Loads the pinned definitions, sorted by name, and checks that each one is the pinned one.
 *
 * @throws one error about all definitions that are missing or differ
 */
export async function loadCrds(options: LoadOptions = {}): Promise<CustomResourceDefinition[]> {
  const directory = options.directory ?? process.env.CRDS_DIR;
  const problems: string[] = [];
  const crds: CustomResourceDefinition[] = [];
  for (const source of options.sources ?? CRD_SOURCES) {
    const path = await fileOf(source, directory);
    const found = readDefinitions(path, source);
    for (const { name, sha256 } of source.crds) {
      const crd = found.get(name);
      if (!crd) {
        problems.push(`${name} is missing in ${path}`);
        continue;
      }
      const actual = specHash(crd);
      if (actual === sha256) {
        crds.push(crd);
      } else {
        problems.push(`${name} in ${path} differs from ${source.project} ${source.version}: expected sha256 ${sha256}, found ${actual}`);
      }
    }
  }
  if (problems.length > 0) {
    throw new Error(`custom resource definitions cannot be used:\n${problems.map(problem => `  - ${problem}`).join('\n')}\n`
      + `The pins are in ${relative(ROOT, join(__dirname, 'sources.json'))}; CRDS_DIR names another directory to read from.`);
  }
  return crds.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Path of the file of a source that need not be downloaded: in the first of several folders that has it. */
export function localFile(source: CrdSource): string {
  const folders = process.env.CRDS_DIR === undefined ? ['crds', 'provider-crds'].map((name) => join(ROOT, '../shared', name)) : [process.env.CRDS_DIR];
  const files = folders.map((folder) => resolve(folder, source.file));
  return files.find((file) => existsSync(file)) ?? files[0];
}

/** SHA-256 over a definition's `spec` as JSON with sorted keys and without white space. */
export function specHash(crd: CustomResourceDefinition): string {
  return createHash('sha256').update(canonicalJson(crd.spec)).digest('hex');
}

async function fileOf(source: CrdSource, directory: string | undefined): Promise<string> {
  if (directory !== undefined) {
    const path = resolve(directory, source.file);
    if (!existsSync(path)) {
      throw new Error(`${path} is missing; it should hold ${source.crds.map(crd => crd.name).join(', ')} of ${source.project} ${source.version}. `
        + 'Set CRDS_DIR to a directory that has the file, or unset it to download what is missing.');
    }
    return path;
  }
  const local = localFile(source);
  return existsSync(local) ? local : download(source, join(ROOT, '.crds-cache'));
}

/** Parses only what the source names: one file can hold the definitions of several projects, and parsing is slow. */
function readDefinitions(path: string, source: CrdSource): Map<string, CustomResourceDefinition> {
  const wanted = new Set(source.crds.map(crd => crd.name));
  const found = new Map<string, CustomResourceDefinition>();
  for (const document of readFileSync(path, 'utf8').split(/^---.*$/m)) {
    const name = /^ {2}name: (\S+)\s*$/m.exec(document)?.[1];
    if (name === undefined || !wanted.has(name)) { continue; }
    found.set(name, parse(document, { uniqueKeys: false }) as CustomResourceDefinition);
  }
  return found;
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) { return `[${value.map(canonicalJson).join(',')}]`; }
  if (typeof value !== 'object' || value === null) { return JSON.stringify(value); }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`).join(',')}}`;
}
