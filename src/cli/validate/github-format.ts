import { FileReport, LocatedFinding } from './check-files';
import { findingWords } from './finding-words';
import { ManifestSeverity } from '../../manifests/validation/reported-finding';

/**
 * The findings as commands of GitHub's workflows, which show them beside the lines
 * (docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands).
 */
export function githubFormat({ findings }: FileReport): string {
  return findings.map(commandOf).join('');
}

function commandOf(finding: LocatedFinding): string {
  const { place, severity, rule } = finding;
  const properties = {
    ...(place === undefined || place.file === '-' ? {} : { file: place.file, ...(place.line === undefined ? {} : { line: `${place.line}` }) }),
    title: rule,
  };
  return githubCommand(severity === ManifestSeverity.WARNING ? 'warning' : 'error', properties, findingWords(finding));
}

/** An annotation of a workflow. */
export function githubCommand(level: 'warning' | 'error', properties: { readonly [name: string]: string }, message: string): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(value)}`).join(',');
  return `::${level} ${list}::${escaped(message)}\n`;
}

/** As actions/toolkit packages/core/src/command.ts does it. */
function escaped(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapedProperty(text: string): string {
  return escaped(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
