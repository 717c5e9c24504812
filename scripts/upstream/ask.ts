import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { Pin } from './pins';

/** Versions or tags of a pin, and who named them; or why nobody did. */
export type Answer =
  | { readonly asked: string; readonly known: string; readonly versions: readonly string[] }
  | { readonly faults: readonly string[] };

const run = promisify(execFile);
const PATIENCE_MS = 30_000;

/** Asks who can be asked, until somebody answers. */
export async function ask(pin: Pin): Promise<Answer> {
  const { git, goModule, npmPackage, helmRepository, version } = pin;
  const sources: readonly (readonly [asked: string | undefined, known: string, versions: () => Promise<readonly string[]>])[] = [
    [npmPackage && `npm ${npmPackage}`, version, () => npmVersions(npmPackage!)],
    [helmRepository, version, () => chartVersions(helmRepository!, pin.name.replace(/^chart /, ''))],
    [git && `github.com/${git.repository}`, git?.tag ?? '', () => gitTags(git!.repository)],
    [goModule && `Go module ${goModule}`, git?.tag ?? '', () => moduleVersions(goModule!)],
  ];
  const faults: string[] = [];
  for (const [asked, known, versions] of sources) {
    if (asked === undefined) continue;
    try {
      return { asked, known, versions: await versions() };
    } catch (error) {
      faults.push(`${asked}: ${firstLine(error)}`);
    }
  }
  return { faults: faults.length > 0 ? faults : ['nobody is known who could be asked'] };
}

async function gitTags(repository: string): Promise<string[]> {
  const { stdout } = await run('git', ['ls-remote', '--tags', '--refs', `https://github.com/${repository}`], {
    timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  return stdout.split('\n').flatMap((line) => line.split('refs/tags/')[1] ?? []);
}

async function moduleVersions(name: string): Promise<string[]> {
  const { stdout } = await run('go', ['list', '-m', '-versions', '-json', name], { timeout: PATIENCE_MS, env: { ...process.env, GOFLAGS: '-mod=mod' } });
  const { Versions: versions } = JSON.parse(stdout) as { readonly Versions?: readonly string[] };
  if (!versions) throw new Error('it names no versions');
  return [...versions];
}

async function npmVersions(name: string): Promise<string[]> {
  const { stdout } = await run('npm', ['view', name, 'versions', '--json'], { timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as string[];
}

async function chartVersions(repository: string, chart: string): Promise<string[]> {
  const response = await fetch(`${repository}/index.yaml`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  const { entries } = load(await response.text()) as { readonly entries: Readonly<Record<string, readonly { readonly version: string }[]>> };
  if (!entries[chart]) throw new Error(`it has no chart ${chart}`);
  return entries[chart].map(({ version }) => version);
}

function firstLine(error: unknown): string {
  const { stderr, message, cause } = error as { readonly stderr?: string; readonly message: string; readonly cause?: Error };
  return (stderr?.trim().split('\n').filter((line) => !line.startsWith('npm warn')).at(-1) || cause?.message || message).split('\n')[0];
}
