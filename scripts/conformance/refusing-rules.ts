import { ExplainedRule } from '../../src/manifests/rules/manifest-rule';

/**
 * Whether a rule says that a server refuses what breaks it. One that only warns may be meant, unless it warns of a gate that is off: that
 * is what the server says, too.
 */
export function refuses({ id, trap = false, warning = false }: Pick<ExplainedRule, 'id' | 'trap' | 'warning'>): boolean {
  return !trap && (!warning || id.endsWith('-GATE'));
}
