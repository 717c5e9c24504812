import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { RunOptions } from './arguments';
import { GoProgram } from './go-program';
import { prepareUpstream, upstreamSources } from './upstream';
import { loadCrds } from '../crds/load';
import { obtainableSources } from '../crds/obtainable';
import { EXAMPLES, runExample } from '../examples/run-example';

/** Examples whose tenants can live: their machines are played, and everything else runs. */
export const LIVING = ['diy-cloud', 'argo-cd'];

/**
 * Synthesizes examples, and lets their tenants live.
 *
 * @returns the exit code of the program in conformance/
 */
export async function live(program: GoProgram, { examples, passedOn }: RunOptions): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-live-'));
  try {
    const pages = (examples.length > 0 ? examples : LIVING).map((example) => synthesize(example, path.join(folder, example)));
    await loadCrds({ sources: obtainableSources() });
    for (const { name } of upstreamSources()) {
      try {
        await prepareUpstream(name);
      } catch (error) {
        // What needs it fails by name; everything else is still shown.
        console.error(error instanceof Error ? error.message : error);
      }
    }
    return await program.run([...passedOn, ...pages.map((page) => `--alive=${page}`)]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the manifests of an example. */
function synthesize(example: string, outdir: string): string {
  if (!fs.existsSync(path.join(EXAMPLES, example, 'main.ts'))) throw new Error(`there is no example ${example}: name a folder of examples/, such as ${LIVING[0]}`);
  if (runExample(example, outdir) !== 0) throw new Error(`the example ${example} cannot be run; "npx projen compile" makes the library that it uses`);
  return outdir;
}
