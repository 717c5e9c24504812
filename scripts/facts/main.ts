/*
 * Writes the tables of flags, feature gates and configuration fields, and for the tests the list of programs, from the reference.
 *
 *   node -r ts-node/register/transpile-only scripts/facts/main.ts            writes the files
 *   node -r ts-node/register/transpile-only scripts/facts/main.ts --check    fails if a file is not what would be written
 *
 * The reference is no part of the repository: REFERENCE_DIR names its folder. Without it the committed files are taken as they are.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readReference, referencePath } from './reference';
import { render } from './render';
import { renderPrograms } from './render-programs';

const ROOT = resolve(__dirname, '../..');
const FACTS = 'src/kubernetes/component-facts.generated.ts';
const PROGRAMS = 'test/output/programs.generated.json';

function main(check: boolean): number {
  const reference = readReference();
  if (!reference) {
    process.stderr.write(`note: ${referencePath()} is not there; ${FACTS} and ${PROGRAMS} are taken as they are (REFERENCE_DIR names another folder)\n`);
    return 0;
  }
  const texts = { [FACTS]: render(reference), [PROGRAMS]: renderPrograms(reference.programs) };
  const stale = Object.entries(texts).filter(([file, text]) => {
    const path = resolve(ROOT, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  for (const [file, text] of stale) {
    if (check) process.stderr.write(`${file} is not what the reference gives; run scripts/facts/main.ts without --check\n`);
    else writeFileSync(resolve(ROOT, file), text);
  }
  return check && stale.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.includes('--check'));
