import { DefinedKind, DefinedVersion } from './defined-kind';
import { KindStructure } from './kind-structure';
import { STRUCTURE_RULES } from './structure-rules';
import { CheckedRules, hasRules, rulesOfChange, rulesOfNew } from '../../cel/broken-rules';
import { ManifestObject } from '../../objects/manifest-object';
import { checkResource } from '../../schema/check-value';
import { objectWithDefaults } from '../../schema/defaults';
import { Fields, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { RuleFinding } from '../manifest-rule';

/**
 * Checks an object without other faults against the rules in CEL of its kind's definition.
 *
 * @param object the object
 * @param structure the kind; one that no definition defines has no rules
 */
export function checkDefinitionRules(object: ManifestObject, structure: KindStructure): readonly RuleFinding[] {
  return checkRules(object, structure, (version) => rulesOfNew(version.schema, seenObject(object, version), true))
    .map((finding) => ({ rule: STRUCTURE_RULES.rule, ...finding }));
}

/** Checks an update of an object against the rules over changes of its kind's definition. Both objects are in the same version. */
export function checkChangedRules(before: ManifestObject, after: ManifestObject, structure: KindStructure): readonly Finding[] {
  return checkRules(after, structure, (version) => {
    const isJudged = hasRules(version.schema) && [before, after].every((object) => isSound(object, version));
    return isJudged ? rulesOfChange(version.schema, seenObject(before, version), seenObject(after, version)) : NOTHING;
  });
}

const NOTHING: CheckedRules = { broken: [], unjudged: [] };

/** True if an object has no other faults: servers evaluate no rules otherwise. */
function isSound(object: ManifestObject, { root }: DefinedVersion): boolean {
  return checkResource(root, object).length === 0;
}

function checkRules(object: ManifestObject, structure: KindStructure, check: (version: DefinedVersion) => CheckedRules): readonly Finding[] {
  if (!(structure instanceof DefinedKind)) return [];
  const version = structure.served.get(stringAt(object, 'apiVersion')?.split('/')[1] ?? '');
  if (!version) return [];
  const { broken, unjudged } = check(version);
  structure.leave(unjudged);
  return broken.map(({ path, message }) => ({ path, message: `it breaks a rule of ${structure.release}: ${message}`, fix: 'correct the value' }));
}

/** Returns an object as rules see it: with its defaults, and without a status that is stored apart. */
function seenObject(object: ManifestObject, { root, hasStatus }: DefinedVersion): Fields {
  const { status, ...written } = objectWithDefaults(root, object);
  return hasStatus || status === undefined ? written : { ...written, status };
}
