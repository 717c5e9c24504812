/*
 * Proves that pages in Python and Go give what those in TypeScript give: generates the packages of both languages, installs them in a temporary
 * folder, follows docs/python.md and docs/go.md there, runs the programs of examples/python and examples/go, and compares what they write with
 * the examples in TypeScript, byte by byte.
 *
 * Needs a compiled library, Python 3.10, Go 1.25, PyPI and the Go module proxy. Without Python or Go it tries the other one, and ends with 3;
 * where CI is set, both must be there.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { followPage, Language, LANGUAGES, requireSameFiles, synthesizedExamples } from './language';
import { generatePackages } from './packages';
import { runToEnd } from './run';

const ROOT = path.join(__dirname, '..', '..');

/** Exit code if a language could not be tried. */
const NOT_TRIED = 3;

async function isInstalled({ probe: [program, ...args] }: Language): Promise<boolean> {
  return runToEnd(program, args, ROOT).then(({ code }) => code === 0, () => false);
}

async function main(): Promise<number> {
  const installed = await Promise.all(LANGUAGES.map(isInstalled));
  const missing = LANGUAGES.filter((_, index) => !installed[index]);
  for (const { name, needs } of missing) console.error(`${name} is not tried: it is not installed. Fix: install ${needs}, and put it on the PATH.`);
  if (missing.length > 0 && process.env.CI) return 1;
  if (missing.length === LANGUAGES.length) return NOT_TRIED;

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cdk8s-cluster-api-languages-'));
  try {
    const begin = Date.now();
    const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(0)} s`;
    // Programs find the packages as in a clone, from examples/go and examples/python.
    const expected = synthesizedExamples(path.join(folder, 'typescript'));
    await generatePackages(path.join(folder, 'dist'));
    console.log(`packages of Python and Go: ${seconds(begin)}`);
    // The folder is removed when both have ended.
    const tried = await Promise.allSettled(LANGUAGES.filter((_, index) => installed[index]).map(async (language) => {
      const since = Date.now();
      fs.cpSync(path.join(ROOT, language.folder), path.join(folder, language.folder), { recursive: true, filter: (file) => !/\b(dist|__pycache__|\.pytest_cache)$/.test(file) });
      const written = await followPage(language, folder);
      for (const [example, output] of written) requireSameFiles(`${language.name}, examples/${example}`, expected.get(example)!, output);
      console.log(`${language.name}: ${[...written.keys()].join(', ')} give the same files as TypeScript; ${seconds(since)}`);
    }));
    const failures = tried.flatMap((one) => one.status === 'rejected' ? [String(one.reason)] : []);
    for (const failure of failures) console.error(failure);
    if (failures.length > 0) return 1;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  return missing.length > 0 ? NOT_TRIED : 0;
}

void main().then((code) => {
  process.exitCode = code;
});
