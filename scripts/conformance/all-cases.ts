import { ConformanceCase } from './conformance-case';
import { definitionCases } from './definition-cases';
import { fixedCases } from './fixed-cases';
import { mutationCases, MutationOptions } from './mutation-cases';
import { plantedCases } from './planted/planted-cases';
import { ExampleKinds } from './provider-definitions';
import { ruleCases, structureCases } from './rule-cases';
import { transitionCases } from './transition-cases';
import { STRUCTURE_RULES } from '../../src/manifests/rules/structure/structure-rules';
import { manifestRules } from '../../src/manifests/validation/manifest-rules';
import { transitionRules } from '../../src/manifests/validation/transition-rules';
import { goldenManifests } from '../golden/golden-manifests';

/** All cases: the examples of all rules, planted mistakes, and mutants of everything that examples and scenarios write. */
export function allCases(options: MutationOptions, examples = new ExampleKinds()): ConformanceCase[] {
  return [
    ...manifestRules().flatMap(ruleCases),
    ...Object.values(STRUCTURE_RULES).flatMap(structureCases),
    ...transitionRules().flatMap(transitionCases),
    ...fixedCases(),
    ...plantedCases(),
    ...definitionCases(options.seed, examples.definitions),
    ...goldenManifests().filter(([name]) => examples.isServed(name)).flatMap(([name, text]) => mutationCases(name, text, options)),
  ];
}
