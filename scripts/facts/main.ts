/*
 * Writes src/kubernetes/component-facts.generated.ts from the reference lists of flags, feature gates and configuration fields.
 *
 *   node -r ts-node/register/transpile-only scripts/facts/main.ts            writes the file
 *   node -r ts-node/register/transpile-only scripts/facts/main.ts --check    fails if the file is not what would be written
 *
 * The reference is no part of the repository: REFERENCE_DIR names its folder. Without it the committed file is taken as it is.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { readReference, referencePath } from './reference';
import { render } from './render';

const TARGET = resolve(__dirname, '../../src/kubernetes/component-facts.generated.ts');

function main(check: boolean): number {
  const target = relative(process.cwd(), TARGET);
  const reference = readReference();
  if (!reference) {
    process.stderr.write(`note: ${referencePath()} is not there; ${target} is taken as it is (REFERENCE_DIR names another folder)\n`);
    return 0;
  }
  const text = render(reference);
  if (!check) {
    writeFileSync(TARGET, text);
    return 0;
  }
  if (existsSync(TARGET) && readFileSync(TARGET, 'utf8') === text) {
    return 0;
  }
  process.stderr.write(`${target} is not what the reference gives; run scripts/facts/main.ts without --check\n`);
  return 1;
}

process.exitCode = main(process.argv.includes('--check'));
