import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CrdSource } from './crd-source';

/**
 * The texts of the files that the URLs of a source name, from the Go module that has them.
 *
 * @returns undefined for a source without a module, or one that cannot be downloaded
 */
export function moduleTexts(source: CrdSource): string[] | undefined {
  const directory = source.module && downloaded(source);
  const root = `https://raw.githubusercontent.com/${source.project}/${source.version}/`;
  return directory === undefined ? undefined : source.urls.map((url) => readFileSync(join(directory, url.slice(root.length)), 'utf8'));
}

function downloaded({ module, version }: CrdSource): string | undefined {
  const { path, sum } = module!;
  let answer: string;
  try {
    answer = execFileSync('go', ['mod', 'download', '-json', `${path}@${version}`], {
      encoding: 'utf8', env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=mod' }, stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
  const { Dir, Sum } = JSON.parse(answer) as { Dir: string; Sum: string };
  if (Sum !== sum) throw new Error(`the Go module ${path}@${version} has the checksum ${Sum}, not ${sum}`);
  return Dir;
}
