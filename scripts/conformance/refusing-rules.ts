import { ExplainedRule } from '../../src/manifests/rules/manifest-rule';
import { STRUCTURE_RULES } from '../../src/manifests/rules/structure/structure-rules';

/**
 * True if a rule says that a server refuses what breaks it. A warning does not, unless it warns of a gate that is off, or of what the known release
 * of a provider does not have, which a server refuses, too.
 */
export function refuses({ id, trap = false, warning = false }: Pick<ExplainedRule, 'id' | 'trap' | 'warning'>): boolean {
  return !trap && (!warning || id.endsWith('-GATE') || id === STRUCTURE_RULES.release.id);
}
