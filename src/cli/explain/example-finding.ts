import { readText } from '../../manifests/objects/manifest-text';
import { ExplainedRule, RuleFinding } from '../../manifests/rules/manifest-rule';
import { ManifestValidator } from '../../manifests/validation/validate-manifests';

/** The finding of validation in the failing example of a rule; undefined if the rule is about text that is not YAML, or about a change. */
export function exampleFinding({ id, example }: ExplainedRule): RuleFinding | undefined {
  const objects = readText(example.failing).documents.map(({ value }) => value);
  const { found } = new ManifestValidator().validate([objects], { silences: [], strict: true });
  return found.find(({ finding }) => finding.rule.id === id)?.finding;
}
