import { checkKind } from './check-kind';
import { STRUCTURE_RULES } from './structure-rules';
import { groupOf, ManifestObject } from '../../objects/manifest-object';
import { RuleFinding } from '../manifest-rule';

/** What is wrong with the kind of an object; nothing for one that is known, or of which nothing can be said. */
export function kindFindings(object: ManifestObject): readonly RuleFinding[] {
  if (typeof object.kind !== 'string') return [];
  const finding = checkKind(groupOf(object), object.kind);
  return finding ? [{ rule: STRUCTURE_RULES.kind, ...finding }] : [];
}
