import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileReport, LocatedFinding } from './check-files';
import { findingWords } from './finding-words';
import { rulePage } from './rule-page';
import { compareTexts } from '../../manifests/landscape/place';
import { reportedRules } from '../../manifests/validation/manifest-rules';
import { ManifestSeverity, severityOf } from '../../manifests/validation/reported-finding';
import { ownVersion } from '../../manifests/values/package-root';

/** The findings in SARIF 2.1.0, which platforms for code and security read (docs.oasis-open.org/sarif/sarif/v2.1.0). */
export function sarifFormat({ findings, silenced, unknownKinds }: FileReport): string {
  const results = [...findings, ...silenced];
  const broken = new Set(results.map(({ rule }) => rule));
  const rules = reportedRules().filter(({ id }) => broken.has(id)).sort(({ id: one }, { id: other }) => compareTexts(one, other));
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  return `${JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: {
        driver: {
          name: 'cdk8s-cluster-api',
          version: ownVersion(),
          rules: rules.map((rule) => ({
            id: rule.id,
            shortDescription: { text: rule.title },
            help: { text: `Source: ${rule.source}` },
            helpUri: rulePage(rule.id),
            defaultConfiguration: { level: levelOf(severityOf(rule)) },
          })),
        },
      },
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: [...unknownKinds].map(notLookedAt) }],
      columnKind: 'utf16CodeUnits',
      results: results.map((finding) => resultOf(finding, indices.get(finding.rule)!)),
    }],
  }, undefined, 2)}\n`;
}

function notLookedAt([kind, count]: readonly [string, number]) {
  return { level: 'note', message: { text: `The fields of ${count} ${count === 1 ? 'object' : 'objects'} were not looked at, for nothing is known of ${kind}.` } };
}

function resultOf(finding: LocatedFinding, ruleIndex: number) {
  const { rule: ruleId, severity, silencedBecause, silencedByObject } = finding;
  return {
    ruleId,
    ruleIndex,
    level: levelOf(severity),
    message: { text: findingWords(finding) },
    locations: locationsOf(finding),
    ...(silencedBecause === undefined ? {} : {
      suppressions: [{ kind: silencedByObject ? 'inSource' : 'external', justification: silencedBecause }],
    }),
  };
}

function locationsOf({ place, field }: LocatedFinding) {
  if (place === undefined) return [];
  const { file, line } = place;
  const physicalLocation = file === '-' ? undefined : { artifactLocation: { uri: uriOf(file) }, ...(line === undefined ? {} : { region: { startLine: line } }) };
  return [{ physicalLocation, ...(field === '' ? {} : { logicalLocations: [{ fullyQualifiedName: field }] }) }];
}

/** Relative to where the program runs, which for platforms is the repository. */
function uriOf(file: string): string {
  if (path.isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(path.sep).map(encodeURIComponent).join('/');
}

function levelOf(severity: ManifestSeverity): string {
  return severity === ManifestSeverity.WARNING ? 'warning' : 'error';
}
