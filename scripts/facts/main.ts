/*
 * Writes the tables of flags, feature gates and configuration fields, and for the tests the list of programs, from the reference.
 *
 *   node -r ts-node/register/transpile-only scripts/facts/main.ts            writes the files
 *   node -r ts-node/register/transpile-only scripts/facts/main.ts --check    fails if a file is not what would be written
 *
 * The reference is no part of the repository: REFERENCE_DIR names its folder. Without it the committed files are kept as they are.
 */
import { readReference, referencePath } from './reference';
import { render } from './render';
import { renderPrograms } from './render-programs';
import { writeGeneratedFiles } from '../generated-files';

const FACTS = 'src/values/component-facts.generated.ts';
const PROGRAMS = 'test/output/programs.generated.json';

function main(): void {
  const reference = readReference();
  if (reference) writeGeneratedFiles('facts', new Map([[FACTS, render(reference)], [PROGRAMS, renderPrograms(reference.programs)]]));
  else console.error(`note: ${referencePath()} is missing (REFERENCE_DIR names another folder), so ${FACTS} and ${PROGRAMS} stay`);
}

main();
