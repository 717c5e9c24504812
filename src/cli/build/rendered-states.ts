import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isExecutable, run } from './programs';
import { ManifestState } from '../../manifests/landscape/manifest-state';
import { Remark, remarkText } from '../../manifests/landscape/place';
import { ManifestFile, StateReader } from '../../manifests/landscape/placed-objects';
import { CommandError } from '../command';
import { Surroundings } from '../surroundings';

const MOST_SECONDS = 600;
const MOST_LINES = 10;

/** The name of the output of a command. */
const OUTPUT = 'rendered';

/** Folders that are no part of a state. */
const NO_PART: readonly string[] = ['.git', 'node_modules'];

/** A file of a state. */
export interface TreeFile {
  readonly content: Buffer;
  readonly executable: boolean;

  /** True if it is a symbolic link, and `content` the path that it leads to. */
  readonly link: boolean;
}

/** All files of a state, and what it is called. */
export interface StateTree {
  readonly name: string;
  readonly files: () => Iterable<readonly [file: string, content: TreeFile]>;
}

/**
 * Reads what a command of the user writes, which is run once for each state, in a copy of its files. Symbolic links that lead out of the files
 * are left out.
 *
 * @param command the command
 * @param trees the states
 */
export async function renderedStates(command: string, trees: readonly StateTree[], surroundings: Surroundings): Promise<readonly ManifestState[]> {
  const reader = new StateReader();
  return (await renderedFiles(command, trees, surroundings)).map((file, index) => {
    const { faults, ...read } = reader.read([file]);
    checkRendered(faults, trees[index]);
    return { ...read, root: OUTPUT };
  });
}

/**
 * The same, as files whose manifests were not read.
 *
 * @param command the command
 * @param trees the states
 */
export async function renderedFiles(command: string, trees: readonly StateTree[], surroundings: Surroundings): Promise<readonly ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const tree of trees) {
    surroundings.progress?.at('Rendering', files.length + 1, trees.length);
    files.push({ file: OUTPUT, bytes: await rendered(command, tree, surroundings) });
  }
  return files;
}

/** Throws a `CommandError` if what a command wrote cannot be read. */
export function checkRendered(faults: readonly Remark[], { name }: Pick<StateTree, 'name'>): void {
  if (faults.length > 0) throw new CommandError(faults.map((fault) => `--render, ${name}: ${remarkText(fault)}`), 'have the command write manifests, and nothing else');
}

async function rendered(command: string, { name, files }: StateTree, { env, err }: Surroundings): Promise<Buffer> {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'cdk8s-cluster-api-'));
  try {
    if (!writeTree(folder, files())) {
      err(`note: ${name} has no files: nothing is rendered for it\n`);
      return Buffer.alloc(0);
    }
    const [program, option] = process.platform === 'win32' ? [env.ComSpec ?? 'cmd.exe', '/c'] : ['/bin/sh', '-c'];
    const { output, error } = await run({ program, args: [option, command], cwd: folder, env, seconds: MOST_SECONDS });
    if (output) return output;
    const lines = error.split('\n').slice(-MOST_LINES);
    throw new CommandError([`the command of --render failed for ${name}: ${lines[0]}`, ...lines.slice(1)], 'run it in a copy of the folder: it must write manifests to standard output');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes files into a folder, links last; false if there are none. */
function writeTree(folder: string, files: Iterable<readonly [file: string, content: TreeFile]>): boolean {
  const links: (readonly [file: string, target: string])[] = [];
  let isFilled = false;
  for (const [file, { content, executable, link }] of files) {
    isFilled = true;
    if (link) {
      links.push([file, content.toString()]);
      continue;
    }
    const place = path.join(folder, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, content, { mode: executable ? 0o755 : 0o644 });
  }
  for (const [file, target] of links) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.symlinkSync(target, path.join(folder, file));
  }
  // One link may lead out by another one.
  for (const [file] of links) if (!isInside(folder, path.join(folder, file))) fs.rmSync(path.join(folder, file));
  return isFilled;
}

function isInside(folder: string, link: string): boolean {
  try {
    return !path.relative(folder, fs.realpathSync(link)).startsWith('..');
  } catch {
    return false;
  }
}

/** All files below a folder on disk, by their paths below it. */
export function *filesBelow(folder: string, below = ''): Generator<readonly [file: string, content: TreeFile]> {
  for (const entry of fs.readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const file = below === '' ? entry.name : `${below}/${entry.name}`;
    const place = path.join(folder, file);
    if (entry.isSymbolicLink()) yield [file, { content: Buffer.from(fs.readlinkSync(place)), executable: false, link: true }];
    else if (entry.isDirectory() && !NO_PART.includes(entry.name)) yield* filesBelow(folder, file);
    else if (entry.isFile()) yield [file, { content: fs.readFileSync(place), executable: isExecutable(place), link: false }];
  }
}
