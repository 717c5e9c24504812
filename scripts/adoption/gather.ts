import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ChartSource, Source } from './corpus';
import { fillVariables } from './fill-variables';

/** Manifests that are adopted together. */
export interface Case {
  readonly name: string;
  readonly namespace: string;

  /** Texts of files by their paths. */
  readonly files: ReadonlyMap<string, string>;
}

const BIGGEST = 2 ** 28;

/** The folder of a clone's Git data: `owner+name` or `owner/name`, with `repo` or `.git` below. */
export function cloneOf(clones: string, repository: string): string | undefined {
  const names = [repository.replace('/', '+'), repository].flatMap((name) => ['repo/.git', 'repo', '.git', ''].map((below) => join(clones, name, below)));
  return names.find((place) => existsSync(join(place, 'objects')));
}

function git(clone: string, ...args: readonly string[]): string {
  return execFileSync('git', ['--git-dir', clone, ...args], { encoding: 'utf8', maxBuffer: BIGGEST });
}

/** The commit of a clone, shortened. */
export function revisionOf(clone: string): string {
  return git(clone, 'rev-parse', '--short=8', 'HEAD').trim();
}

/** The cases of a source: its manifests, with values for their variables. */
export function casesOf(clone: string, { files, cases, namespace }: Source): Case[] {
  const names = git(clone, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n').filter((name) => files.test(name));
  const byCase = new Map<string, Map<string, string>>();
  for (const name of names) {
    const key = cases === 'each' ? name : cases === 'folder' ? dirname(name) : '.';
    const group = byCase.get(key) ?? new Map<string, string>();
    byCase.set(key, group.set(name, fillVariables(git(clone, 'show', `HEAD:${name}`))));
  }
  return [...byCase].map(([name, texts]) => ({ name, namespace, files: texts }));
}

const VALUES = join(__dirname, 'values');

/** The renders of a chart, one for each file of values. */
export function rendersOf(clone: string, { chart, beside = [], values }: ChartSource, helm: string): Case[] {
  const folder = mkdtempSync(join(tmpdir(), 'adoption-'));
  try {
    const archive = execFileSync('git', ['--git-dir', clone, 'archive', 'HEAD', chart, ...beside], { maxBuffer: BIGGEST });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    const root = join(folder, chart);
    // A chart that names others beside it has them in its own folder when it is published.
    if (/^ *repository: *"?file:/m.test(readFileSync(join(root, 'Chart.yaml'), 'utf8'))) {
      for (const other of beside) {
        execFileSync('mkdir', ['-p', join(root, 'charts')]);
        execFileSync('cp', ['-r', join(folder, other), join(root, 'charts', basename(other))]);
      }
    }
    return readdirSync(VALUES).filter((file) => file.startsWith(`${values}-`)).map((file) => ({
      name: `${values} ${file}`,
      namespace: 'tenant-acme',
      files: new Map([['all.yaml', execFileSync(helm, ['template', 'acme', root, '--namespace', 'tenant-acme', '--values', join(VALUES, file)], {
        encoding: 'utf8', maxBuffer: BIGGEST, stdio: ['ignore', 'pipe', 'pipe'],
      })]]),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
