import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

const CONFORMANCE = path.resolve(__dirname, '..', '..', 'conformance');
const SHARED = path.resolve(CONFORMANCE, '..', '..', 'shared', 'sources');
const MARK = '.commit';

/** An entry of `conformance/sources.json`: sources that the Go module proxy does not have. The Go program reads how they are built. */
export interface UpstreamSource {
  readonly name: string;
  readonly project: string;
  readonly version: string;
  readonly commit: string;

  /** File name of an archive of the commit. */
  readonly archive: string;
  readonly sha256: string;

  /** Texts in their files that others replace. */
  readonly changes?: readonly { readonly file: string; readonly from: string; readonly to: string }[];

  /** A file of `conformance/` that the sources get, and its path there. */
  readonly added?: { readonly from: string; readonly to: string };

  /** Names of the sources that these are built with. */
  readonly needs?: readonly string[];
}

/** All sources that the Go module proxy does not have. */
export function upstreamSources(): UpstreamSource[] {
  return JSON.parse(fs.readFileSync(path.join(CONFORMANCE, 'sources.json'), 'utf8')) as UpstreamSource[];
}

/**
 * Unpacks sources, and those that they need, to `conformance/upstream/NAME`: an archive in SOURCES_DIR or in `../shared/sources`, or else the
 * pinned commit from upstream. Does nothing for what is unpacked.
 *
 * @param name name in `conformance/sources.json`
 * @param folder where sources are unpacked
 * @throws if an archive cannot be had
 */
export async function prepareUpstream(name: string, folder = path.join(CONFORMANCE, 'upstream')): Promise<void> {
  const known = upstreamSources();
  const source = known.find((one) => one.name === name);
  if (source === undefined) throw new Error(`conformance/sources.json has no sources "${name}": it has ${known.map((one) => one.name).join(', ')}`);
  for (const needed of source.needs ?? []) await prepareUpstream(needed, folder);

  fs.mkdirSync(folder, { recursive: true });
  // Not all folders of all archives lie in a module: without this they would be packages of the module around them.
  fs.writeFileSync(path.join(folder, 'go.mod'), 'module upstream\n');
  const target = path.join(folder, name);
  const mark = path.join(target, MARK);
  if (!fs.existsSync(mark) || fs.readFileSync(mark, 'utf8') !== source.commit) {
    fs.rmSync(target, { recursive: true, force: true });
    await unpack(source, target);
    fs.writeFileSync(mark, source.commit);
  }
  (source.changes ?? []).forEach((change) => applyChange(target, change));
  if (source.added === undefined) return;
  const added = path.join(target, source.added.to);
  fs.mkdirSync(path.dirname(added), { recursive: true });
  fs.copyFileSync(path.join(CONFORMANCE, source.added.from), added);
}

function applyChange(folder: string, { file, from, to }: NonNullable<UpstreamSource['changes']>[number]): void {
  const changed = path.join(folder, file);
  const text = fs.readFileSync(changed, 'utf8');
  if (text.includes(to)) return;
  if (!text.includes(from)) throw new Error(`${changed} does not have ${JSON.stringify(from)} any more, which conformance/sources.json replaces`);
  fs.writeFileSync(changed, text.replaceAll(from, to));
}

async function unpack(source: UpstreamSource, target: string): Promise<void> {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'sources-'));
  try {
    const archive = foundArchive(source) ?? await downloaded(source, path.join(temporary, 'archive.tar.gz'));
    fs.mkdirSync(target);
    // An archive holds one folder, whose name its maker chose.
    execFileSync('tar', ['-xf', archive, '-C', target, '--strip-components=1'], { stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

function foundArchive({ archive, sha256 }: UpstreamSource): string | undefined {
  const file = path.resolve(process.env.SOURCES_DIR ?? SHARED, archive);
  if (!fs.existsSync(file)) return undefined;
  const found = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  if (found === sha256) return file;
  throw new Error(`${file} has the SHA-256 checksum ${found}, and conformance/sources.json expects ${sha256}. Replace the archive, or remove it: `
    + 'then the sources are downloaded.');
}

async function downloaded({ project, commit, archive }: UpstreamSource, file: string): Promise<string> {
  const url = `https://codeload.github.com/${project}/tar.gz/${commit}`;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    fs.writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    return file;
  } catch (error) {
    throw new Error(`${url} cannot be downloaded: ${error instanceof Error ? error.message : String(error)}. `
      + `Set SOURCES_DIR to a directory that has ${archive}, or allow network access.`, { cause: error });
  }
}
