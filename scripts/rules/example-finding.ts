import { parseAllDocuments } from 'yaml';
import { ExplainedRule, RuleFinding } from '../../src/rules/manifest-rule';
import { ManifestValidator } from '../../src/validation/validate-manifests';

const VALIDATOR = new ManifestValidator();

/** What validation finds wrong in the failing example of a rule. */
export function exampleFinding({ id, example }: ExplainedRule): RuleFinding | undefined {
  const objects = parseAllDocuments(example.failing, { version: '1.1' }).map((document): unknown => document.toJS());
  const { found } = VALIDATOR.validate([objects], { silences: [], strict: true });
  return found.find(({ finding }) => finding.rule.id === id)?.finding;
}
