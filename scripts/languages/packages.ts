import * as fs from 'node:fs';
import * as path from 'node:path';
import { run } from './run';

const ROOT = path.join(__dirname, '..', '..');
const PACMAK = path.join(ROOT, 'node_modules', '.bin', 'jsii-pacmak');

/** Peers whose Go modules are generated too, so that a program needs no module of them but those installed here. */
const PEERS = ['cdk8s', 'cdk8s-plus-28'].map((name) => path.join(ROOT, 'node_modules', name));

/**
 * Generates the packages of both languages, without building them: pip and Go do that.
 *
 * @param outdir gets the folders `python` and `go`; what they hold is removed
 */
export async function generatePackages(outdir: string): Promise<void> {
  for (const language of ['python', 'go']) fs.rmSync(path.join(outdir, language), { recursive: true, force: true });
  const generate = (language: string, ...packages: string[]) => (
    run(PACMAK, ['--code-only', '--target', language, '--outdir', outdir, ...packages], ROOT, { JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '20' }));
  await Promise.all([generate('python', ROOT), generate('go', ROOT, ...PEERS)]);
}
