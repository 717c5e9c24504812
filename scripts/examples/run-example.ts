import { spawnSync } from 'node:child_process';
import * as path from 'node:path';

/** Folder of the examples, each in a folder of its own. */
export const EXAMPLES = path.resolve(__dirname, '..', '..', 'examples');

/**
 * Runs the program of an example; the package is the compiled library of this repository. `check:types` checks the types of all examples at once.
 *
 * @param name name of its folder
 * @param outdir where it writes; by default to its own `dist/`
 * @returns its exit code
 */
export function runExample(name: string, outdir?: string): number {
  const { status } = spawnSync(process.execPath, ['-r', path.join(__dirname, '..', 'esbuild-register.js'), 'main.ts'], {
    cwd: path.join(EXAMPLES, name),
    stdio: 'inherit',
    env: {
      ...process.env,
      // This repository ignores what examples write.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --disable-warning=TC-GITOPS-IGNORED`,
      ...outdir === undefined ? {} : { CDK8S_OUTDIR: outdir },
    },
  });
  return status ?? 1;
}
