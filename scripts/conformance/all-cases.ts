import * as path from 'node:path';
import { ConformanceCase } from './conformance-case';
import { fixedCases } from './fixed-cases';
import { goldenFiles, mutationCases, MutationOptions } from './mutation-cases';
import { ruleCases, structureCases } from './rule-cases';
import { transitionCases } from './transition-cases';
import { MANIFEST_RULES } from '../../src/validation/manifests/manifest-rules';
import { STRUCTURE_RULES } from '../../src/validation/manifests/structure/structure-rules';
import { TRANSITION_RULES } from '../../src/validation/manifests/transitions/transition-rules';

/** The folder with what examples and scenarios write. */
export const GOLDEN = path.resolve(__dirname, '..', '..', 'test', 'golden');

/** All cases: the examples of all rules, and mutants of everything that examples and scenarios write. */
export function allCases(options: MutationOptions): ConformanceCase[] {
  return [
    ...MANIFEST_RULES.flatMap(ruleCases),
    ...Object.values(STRUCTURE_RULES).flatMap(structureCases),
    ...TRANSITION_RULES.flatMap(transitionCases),
    ...fixedCases(),
    ...goldenFiles(GOLDEN).flatMap((file) => mutationCases(file, options)),
  ];
}
