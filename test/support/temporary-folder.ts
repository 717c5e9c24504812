import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** Jest's global setup: tests, and the programs that they run, write into a temporary folder of their own, which goes with the run. */
export default function useTemporaryFolder(): void {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'jest-'));
  process.env.TMPDIR = folder;
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
}
