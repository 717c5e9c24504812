import { FileReport, LocatedFinding } from './check-files';
import { findingWords } from './finding-words';
import { rulePage } from './rule-page';
import { ExplainedRule } from '../../manifests/rules/manifest-rule';
import { reportedRules } from '../../manifests/validation/manifest-rules';
import { ManifestSeverity, severityOf } from '../../manifests/validation/reported-finding';
import { SarifLevel, sarifLog, SarifResult, SarifRule } from '../sarif';

/** The findings in SARIF. */
export function sarifFormat({ findings, silenced, unknownKinds }: FileReport): string {
  return sarifLog(reportedRules().map(sarifRule), [...findings, ...silenced].map(resultOf), [...unknownKinds].map(notLookedAt));
}

/** A rule over manifests in SARIF. */
export function sarifRule(rule: ExplainedRule): SarifRule {
  return { id: rule.id, title: rule.title, help: `Source: ${rule.source}`, page: rulePage(rule.id), level: levelOf(severityOf(rule)) };
}

function notLookedAt([kind, count]: readonly [string, number]): string {
  return `The fields of ${count} ${count === 1 ? 'object' : 'objects'} were not looked at, for nothing is known of ${kind}.`;
}

function resultOf(finding: LocatedFinding): SarifResult {
  const { rule, severity, place, field, silencedBecause: reason, silencedByObject: isInSource = false } = finding;
  const suppression = reason === undefined ? undefined : { reason, isInSource };
  return { rule, level: levelOf(severity), text: findingWords(finding), place, field, suppression };
}

function levelOf(severity: ManifestSeverity): SarifLevel {
  return severity === ManifestSeverity.WARNING ? 'warning' : 'error';
}
