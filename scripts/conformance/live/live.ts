import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { RunOptions } from '../arguments';
import { GoProgram } from '../go-program';
import { writeLife } from './life';
import { plansAgree } from './life-plans';
import { LIVE_MUTANTS, writeMutant } from './mutants';
import { loadCrds } from '../../crds/load';
import { servedSources } from '../../crds/obtainable';
import { EXAMPLES, runExample } from '../../examples/run-example';
import { withSection } from '../../generated-section';
import { prepareUpstream, upstreamSources } from '../upstream';

/** Examples whose tenants can live: their machines are played, and everything else runs. The first one is what mistakes are made in. */
export const LIVING = ['diy-cloud', 'argo-cd', 'cluster-api-only'];

/** Name of the page that no example is, and that changes. */
const LIFE = 'life';

/** Exit code of the program in conformance/ for a tenant that is not as its page says. */
const NOT_ALIVE = 4;

/**
 * Synthesizes examples, and lets their tenants live.
 *
 * @returns the exit code
 */
export async function live(program: GoProgram, { examples, mutants, usage, passedOn }: RunOptions): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-live-'));
  try {
    await loadCrds({ sources: servedSources() });
    await prepareAll();
    if (mutants !== undefined) return await liveMutants(program, folder, mutants, passedOn);
    const pages = (examples.length > 0 ? examples : [...LIVING, LIFE]).map((example) => synthesize(example, path.join(folder, example)));
    const outcomes = path.join(folder, 'outcomes.jsonl');
    const table = path.join(folder, 'usage.md');
    const code = await program.run([
      ...passedOn, ...pages.map((states) => `--alive=${states.join(',')}`), `--outcomes=${outcomes}`, ...usage === undefined ? [] : [`--usage=${table}`],
    ]);
    if (code === 0 && usage !== undefined) {
      fs.writeFileSync(usage, withSection(fs.readFileSync(usage, 'utf8'), 'npm run conformance', 'usage', fs.readFileSync(table, 'utf8')));
    }
    return code === 0 && !await plansAgree(pages, outcomes) ? NOT_ALIVE : code;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets a tenant live with each mistake alone, and wants it to be seen. */
async function liveMutants(program: GoProgram, folder: string, words: string, passedOn: readonly string[]): Promise<number> {
  const [page] = synthesize(LIVING[0], path.join(folder, 'page'));
  const chosen = LIVE_MUTANTS.filter(({ name }) => name.includes(words));
  if (chosen.length === 0) throw new Error(`no mistake has "${words}" in its name; there are:\n${LIVE_MUTANTS.map(({ name }) => `  ${name}`).join('\n')}`);
  const unseen: string[] = [];
  for (const mutant of chosen) {
    console.log(`\n${mutant.name}`);
    const mutated = path.join(folder, 'mutant');
    writeMutant(page, mutated, mutant);
    let output = '';
    const code = await program.run([...passedOn, `--alive=${mutated}`], (text) => { output += text; });
    // It could not run, or was interrupted.
    if (code !== 0 && code !== NOT_ALIVE) return code;
    if (code === 0) unseen.push(`${mutant.name}: everything came true`);
    else if (!output.includes(`FAILED ${mutant.step}`)) unseen.push(`${mutant.name}: something else failed than "${mutant.step}"`);
    fs.rmSync(mutated, { recursive: true });
  }
  console.log(unseen.length === 0 ? `\nAll ${chosen.length} mistakes were seen.` : `\nNot seen:\n${unseen.map((text) => `  - ${text}`).join('\n')}`);
  return unseen.length === 0 ? 0 : 1;
}

/** Unpacks all sources. What cannot be had is said; what needs it fails by name, and everything else runs. */
async function prepareAll(): Promise<void> {
  for (const { name } of upstreamSources()) {
    try {
      await prepareUpstream(name);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
}

/** Writes the manifests of an example, or of the page that changes. Returns a folder for each state of the page. */
function synthesize(example: string, outdir: string): string[] {
  if (example === LIFE) return writeLife(outdir);
  if (!fs.existsSync(path.join(EXAMPLES, example, 'main.ts'))) throw new Error(`there is no example ${example}: name a folder of examples/, such as ${LIVING[0]}, or ${LIFE}`);
  if (runExample(example, outdir) !== 0) throw new Error(`the example ${example} cannot be run; "npx projen compile" makes the library that it uses`);
  return [outdir];
}
