import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

const EXAMPLES = path.join(__dirname, '..', '..', 'examples');

/** The examples, by the name of their folder. */
export function exampleNames(): string[] {
  return fs.readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
}

/** What an example writes, by file name. */
export function runExample(name: string): { [file: string]: string } {
  const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'example-'));
  const previous = process.env.CDK8S_OUTDIR;
  process.env.CDK8S_OUTDIR = outdir;
  try {
    jest.isolateModules(() => {
      jest.requireActual(path.join(EXAMPLES, name, 'main.ts'));
    });
    return Object.fromEntries(fs.readdirSync(outdir).sort().map((file) => [file, fs.readFileSync(path.join(outdir, file), 'utf8')]));
  } finally {
    if (previous === undefined) delete process.env.CDK8S_OUTDIR;
    else process.env.CDK8S_OUTDIR = previous;
    fs.rmSync(outdir, { recursive: true, force: true });
  }
}
