import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareTexts, Place } from '../manifests/landscape/place';
import { ownVersion } from '../manifests/values/package-files';

/** Severity of a result. */
export type SarifLevel = 'error' | 'warning';

/** Subjects of results. */
export interface SarifRule {
  readonly id: string;
  readonly title: string;

  /** Explanation in a sentence. */
  readonly help: string;

  /** Address of the page that explains it; a rule of a registered provider has none. */
  readonly page?: string;
  readonly level: SarifLevel;
}

/** Something that was found. */
export interface SarifResult {
  readonly rule: string;
  readonly level: SarifLevel;
  readonly text: string;

  /** Undefined of what is about no file. */
  readonly place?: Place;

  /** The field, if it is about one. */
  readonly field?: string;

  /** Suppression, if there is one: its reason, and true if the file itself states it. */
  readonly suppression?: { readonly reason: string; readonly isInSource: boolean };
}

/**
 * Results in SARIF 2.1.0, which platforms for code and security read (docs.oasis-open.org/sarif/sarif/v2.1.0).
 *
 * @param rules all rules that results may have
 * @param results the results
 * @param notes what was not looked at
 */
export function sarifLog(rules: readonly SarifRule[], results: readonly SarifResult[], notes: readonly string[] = []): string {
  const broken = new Set(results.map(({ rule }) => rule));
  const used = rules.filter(({ id }) => broken.has(id)).sort(({ id: one }, { id: other }) => compareTexts(one, other));
  const indices = new Map(used.map(({ id }, index) => [id, index]));
  return `${JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: {
        driver: {
          name: 'cdk8s-cluster-api',
          version: ownVersion(),
          rules: used.map(({ id, title, help, page, level }) => (
            { id, shortDescription: { text: title }, help: { text: help }, helpUri: page, defaultConfiguration: { level } })),
        },
      },
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: notes.map((text) => ({ level: 'note', message: { text } })) }],
      columnKind: 'utf16CodeUnits',
      results: results.map(({ rule, level, text, place, field, suppression }) => ({
        ruleId: rule,
        ruleIndex: indices.get(rule)!,
        level,
        message: { text },
        locations: place ? [locationOf(place, field)] : [],
        ...(suppression && { suppressions: [{ kind: suppression.isInSource ? 'inSource' : 'external', justification: suppression.reason }] }),
      })),
    }],
  }, undefined, 2)}\n`;
}

function locationOf({ file, line }: Place, field = '') {
  const physicalLocation = file === '-' ? undefined : { artifactLocation: { uri: uriOf(file) }, ...(line === undefined ? {} : { region: { startLine: line } }) };
  return { physicalLocation, ...(field === '' ? {} : { logicalLocations: [{ fullyQualifiedName: field }] }) };
}

/** Relative to where the program runs, which for platforms is the repository. */
function uriOf(file: string): string {
  if (path.isAbsolute(file)) return pathToFileURL(file).href;
  return path.normalize(file).split(path.sep).map(encodeURIComponent).join('/');
}
