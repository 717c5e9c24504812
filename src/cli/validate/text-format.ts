import { FileReport, LocatedFinding } from './check-files';
import { faultWords, whereWords } from './finding-words';
import { ManifestSeverity } from '../../manifests/validation/reported-finding';
import { printable } from '../../manifests/values/printable';
import { fixSentence } from '../../manifests/values/problem';
import { Paint } from '../paint';

const NO_FILE = 'about the options';
const INDENT = ' '.repeat(17);
const MOST_KINDS = 5;

/** So many findings of a rule are shown: what is wrong with a template is wrong with all that was made from it. */
const MOST_SHOWN = 20;

/** How findings are printed. */
export interface TextOptions {
  /** True if all of them are shown. */
  readonly all: boolean;
  readonly paint: Paint;
}

/** The findings as people read them, by file, and a summary. */
export function textFormat(report: FileReport, { all, paint }: TextOptions): string {
  const files = new Map<string, LocatedFinding[]>();
  const counts = new Map<string, number>();
  for (const finding of report.findings) {
    const counted = (counts.get(finding.rule) ?? 0) + 1;
    counts.set(finding.rule, counted);
    if (!all && counted > MOST_SHOWN) continue;
    const file = fileText(finding);
    const others = files.get(file);
    if (others) others.push(finding);
    else files.set(file, [finding]);
  }
  const more = [...counts].filter(([, number]) => !all && number > MOST_SHOWN).sort(([, one], [, other]) => other - one)
    .map(([rule, number]) => `${number - MOST_SHOWN} more of ${rule}, ${number} in all, which --all shows\n`);
  return [
    ...[...files].map(([file, findings]) => `${paint.bold(file)}\n${findings.map((finding) => findingText(finding, paint)).join('')}\n`), ...more, more.length > 0 ? '\n' : '', `${summary(report)}\n`,
  ].join('');
}

/** How much was found, in a sentence. */
export function summary({ findings, silenced, objectCount, unknownKinds }: FileReport): string {
  const counts = Object.values(ManifestSeverity)
    .map((severity) => [findings.filter((finding) => finding.severity === severity).length, severity] as const)
    .filter(([number]) => number > 0).map(([number, severity]) => count(number, severity));
  const unknown = [...unknownKinds.values()].reduce((sum, number) => sum + number, 0);
  return [
    `${counts.length === 0 ? 'nothing wrong' : counts.join(', ')} in ${count(objectCount, 'object')}`,
    ...(silenced.length === 0 ? [] : [`${silenced.length} silenced`]),
    ...(unknown === 0 ? [] : [`the fields of ${count(unknown, 'object')} not looked at, of kinds that are not known: ${kindsText([...unknownKinds.keys()])}`]),
  ].join('; ');
}

function kindsText(kinds: readonly string[]): string {
  const more = kinds.length - MOST_KINDS;
  return `${kinds.slice(0, MOST_KINDS).map(printable).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function findingText(finding: LocatedFinding, paint: Paint): string {
  const { place, severity, rule, fix } = finding;
  const head = `${String(place?.line ?? '').padStart(6)}  ${paint.severity(severity, severity.padEnd(7))}  ${rule}  ${printable(whereWords(finding))}`;
  const body = [faultWords(finding), fixSentence(fix)].map((line) => `${INDENT}${printable(line)}`);
  return [head.trimEnd(), ...body].map((line) => `${line}\n`).join('');
}

function fileText({ place }: LocatedFinding): string {
  if (place === undefined) return NO_FILE;
  return place.file === '-' ? 'standard input' : printable(place.file);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
