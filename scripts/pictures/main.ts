/*
 * Writes docs/pictures/, which the pages show: the actors, and what `cdk8s-cluster-api graph` draws of an example and of a change.
 *
 * With `--check` it writes nothing and fails if a picture is not what the program draws.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ACTORS } from './actors';
import { tenant } from './tenant';
import { svgFormat } from '../../src/cli/graph/svg-format';
import { main } from '../../src/cli/main';
import { processSurroundings } from '../../src/cli/surroundings';
import { writeGeneratedFiles } from '../generated-files';
import { writeSorted } from '../golden/write-sorted';

const ROOT = resolve(__dirname, '..', '..');
const FOLDER = 'docs/pictures';

/** Output of `graph`. */
async function graph(...args: string[]): Promise<string> {
  let text = '';
  const code = await main(['graph', ...args], { ...processSurroundings(), cwd: ROOT, progress: undefined, out: (more) => { text += more; } });
  if (code !== 0) throw new Error(`graph ${args.join(' ')} ended with ${code}`);
  return text;
}

async function pictures(): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  try {
    const [old, now] = [false, true].map((isLater) => {
      const file = join(folder, isLater ? 'now.yaml' : 'old.yaml');
      writeFileSync(file, tenant(isLater));
      return file;
    });
    return new Map([
      [`${FOLDER}/actors.svg`, svgFormat(ACTORS)],
      [`${FOLDER}/tenant.svg`, await graph('--format', 'svg', '--cluster', 'tenant-acme/acme', join(writeSorted(folder), 'example-diy-cloud.yaml'))],
      [`${FOLDER}/plan.svg`, await graph('--format', 'svg', '--plan', old, now)],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void pictures().then((files) => writeGeneratedFiles('pictures', files, [{ path: FOLDER }]));
