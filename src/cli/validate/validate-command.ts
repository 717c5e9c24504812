import { rulePage, siteAddress } from './rule-page';
import { byMessage, compareTexts, Remark, remarkText } from '../../manifests/landscape/place';
import { reportedRules } from '../../manifests/validation/manifest-rules';
import { ManifestSeverity, severityOf } from '../../manifests/validation/reported-finding';
import { Command, CommandError, ExitCode } from '../command';
import { checkFiles, FileReport, isRefused, LocatedFinding } from './check-files';
import { faultWords, whereWords } from './finding-words';
import { printable } from '../../manifests/values/printable';
import { fixSentence } from '../../manifests/values/problem';
import { Paint } from '../paint';
import { githubFormat } from './github-format';
import { sarifFormat } from './sarif-format';
import { SILENCE_ANNOTATION } from '../../manifests/validation/silences';
import { choice, readArguments } from '../arguments';
import { BUILD_OPTIONS, BUILDS_HELP, BUILDS_TEXT } from '../build/kustomize';
import { STANDARD_INPUT } from '../manifests/read-files';

/** Every rule of manifests, by id. */
function listRules(format: string): string {
  const rules = [...reportedRules()].sort(({ id: one }, { id: other }) => compareTexts(one, other))
    .map((rule) => ({ id: rule.id, severity: severityOf(rule), title: rule.title, source: rule.source, page: rulePage(rule.id) }));
  switch (format) {
    case 'json': return `${JSON.stringify({ version: 1, rules }, undefined, 2)}\n`;
    case 'text': return textOf(rules);
    default: throw new CommandError([`there is no list of rules in the format ${format}`], 'choose one of text, json');
  }
}

function textOf(rules: readonly { readonly id: string; readonly severity: string; readonly title: string }[]): string {
  const width = Math.max(...rules.map(({ id }) => id.length));
  return rules.map(({ id, severity, title }) => `${id.padEnd(width)}  ${severity.padEnd(7)}  ${title}\n`).join('');
}

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `validate --help` about the shape. */
const JSON_SHAPE = `{ "version": 1, "objects": NUMBER,
    "findings": [FINDING], "silenced": [FINDING with "silencedBecause"],
    "unknownKinds": [{ "kind", "objects": NUMBER }], "notRead": [{ "message", PLACE }] }
  FINDING is { "rule", "severity": "error", "trap" or "warning", PLACE, "object"?: { "apiVersion", "kind", "namespace"?, "name"? },
    "field", "pointer", "message", "accepted"?, "fix", "source"? }, the field in words and as a JSON pointer.
  PLACE is "file", "line"?, "inside"?. Lists are sorted by place.`;

/** The findings for programs. */
function jsonFormat({ findings, silenced, objectCount, unknownKinds, notRead }: FileReport): string {
  return `${JSON.stringify({
    version: VERSION,
    objects: objectCount,
    findings: findings.map(findingOf),
    silenced: silenced.map(findingOf),
    unknownKinds: [...unknownKinds].map(([kind, objects]) => ({ kind, objects })),
    notRead: notRead.map(({ message, place: { file, line, inside } }) => ({ message, file, line, inside })),
  }, undefined, 2)}\n`;
}

function findingOf(finding: LocatedFinding) {
  const { rule, severity, place, apiVersion, kind, namespace, name, field, pointer, message, accepted, fix, source, silencedBecause } = finding;
  return {
    rule,
    severity,
    file: place?.file,
    line: place?.line,
    inside: place?.inside,
    object: kind === undefined ? undefined : { apiVersion, kind, namespace, name },
    field,
    pointer,
    message,
    accepted,
    fix,
    source,
    silencedBecause,
  };
}

const NO_FILE = 'about the options';
const INDENT = ' '.repeat(17);
const MOST_KINDS = 5;

/** So many findings of a rule are shown: what is wrong with a template is wrong with all that was made from it. */
const MOST_SHOWN = 20;

/** Options of the output as text. */
interface TextOptions {
  /** True if all of them are shown. */
  readonly all: boolean;
  readonly paint: Paint;
}

/** The findings as people read them, by file, and a summary. */
function textFormat(report: FileReport, { all, paint }: TextOptions): string {
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

/** Number of findings, in a sentence. */
function summary({ findings, silenced, objectCount, unknownKinds }: FileReport): string {
  const counts = Object.values(ManifestSeverity)
    .map((severity) => [findings.filter((finding) => finding.severity === severity).length, severity] as const)
    .filter(([number]) => number > 0).map(([number, severity]) => count(number, severity));
  const unknown = [...unknownKinds.values()].reduce((sum, number) => sum + number, 0);
  return [
    `${counts.length === 0 ? 'nothing wrong' : counts.join(', ')} in ${count(objectCount, 'object')}`,
    ...(silenced.length === 0 ? [] : [`${silenced.length} silenced`]),
    ...(unknown === 0 ? [] : [`the fields of ${count(unknown, 'object')} not looked at, of kinds that are not known: ${kindsText([...unknownKinds.keys()])}; --crds names their definitions`]),
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

const NAME = 'validate';
const DEFAULT_FOLDER = 'dist';
const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

const OPTIONS = {
  'against': { type: 'string' },
  'base': { type: 'string' },
  'all': { type: 'boolean', default: false },
  'format': { type: 'string', default: 'text' },
  'crds': { type: 'string', multiple: true, default: [] as string[] },
  'silence': { type: 'string', multiple: true, default: [] as string[] },
  'warnings-as-errors': { type: 'boolean', default: false },
  'strict': { type: 'boolean', default: false },
  'list-rules': { type: 'boolean', default: false },
  ...BUILD_OPTIONS,
} as const;

const HELP = `cdk8s-cluster-api validate: checks manifests against the rules of API servers and webhooks

Usage: npx cdk8s-cluster-api validate [OPTION…] [FILE or FOLDER…]

Reads the .yaml, .yml and .json files of the folders (default: ${DEFAULT_FOLDER}), and of their subfolders, from any tool. "-" is standard
input. Reads lists, ConfigMaps and Secrets of a ClusterResourceSet, and static pods of machines, too. No cluster is asked.

Finds errors, which a server refuses: unknown fields, values out of bounds, what the webhooks of Cluster API, Kamaji, KubeVirt and Flux
reject; traps, which a server accepts and which fail later; and warnings, which may be intended.

${BUILDS_TEXT}
A finding in built manifests names the file with the field, or the kustomization or template that made it.

  --against OLD         also check the changes since the manifests in this file or folder: immutable fields, skipped minor versions,
                        machines that are not replaced or that are deleted, missing objects that are still needed. Problems in OLD
                        itself are not reported
  --base COMMIT         the same, against the files in this commit, as plan --base; of a branch such as origin/main, in the commit where
                        HEAD left it. Objects of files that the commit does not have are new
  --crds DEFINITIONS    also check objects against the CustomResourceDefinitions in this file or folder: fields, values, rules in CEL,
                        immutable fields. Definitions among the manifests are always used; may be repeated
  --silence ID=REASON   ignore findings of this rule, with the reason; may be repeated
  --warnings-as-errors  also fail for warnings
  --strict              fail for kinds whose fields are not known, and for documents that are not manifests
  --list-rules          print every rule, and read nothing
${BUILDS_HELP}

  --format text         by file, with the lines of the fields, up to twenty of each rule (default); --all shows more
  --format json         for programs; the shape is below
  --format sarif        SARIF 2.1.0, for platforms that show findings in code
  --format github       commands of GitHub's workflows, which show findings beside the lines

On a terminal, severities are in color.

An object silences rules for itself, with a line for each of them:
  metadata:
    annotations:
      ${SILENCE_ANNOTATION}: |
        ID: reason

For deleted objects, the silences in OLD apply.

"explain ID" shows what a rule demands, with a wrong and a right manifest, as does its page:
  ${siteAddress()}rules/ID.html

Exit codes: 0 no errors and no traps, 1 errors or traps, 2 usage error or unreadable manifest.

Examples:
  npx cdk8s-cluster-api validate
  npx cdk8s-cluster-api validate --strict --format sarif clusters/ > validate.sarif
  npx cdk8s-cluster-api validate --render 'helm template acme charts/cluster -n tenant-acme -f values/acme.yaml'
  kustomize build clusters/acme | npx cdk8s-cluster-api validate -

  npx cdk8s-cluster-api validate --base origin/main
  npx cdk8s-cluster-api validate --against released/ dist/

The shape of --format json:
  ${JSON_SHAPE}
`;

/** Writes a report. */
const PRINTERS: Readonly<Record<typeof FORMATS[number], (report: FileReport, options: TextOptions) => string>> = {
  text: textFormat, json: jsonFormat, sarif: sarifFormat, github: githubFormat,
};

/** Validates manifests. */
export const VALIDATE_COMMAND: Command = {
  name: NAME,
  summary: 'check manifests against the rules of API servers and webhooks',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS },
  async run(args, surroundings) {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const format = choice('format', values.format, FORMATS);
    const { out, err, colors } = surroundings;
    if (values['list-rules']) {
      const given = [...values.against === undefined ? [] : ['--against'], ...values.base === undefined ? [] : ['--base'], ...positionals];
      if (given.length > 0) throw new CommandError(['--list-rules reads nothing'], `leave out ${given.join(' ')}`);
      out(listRules(format));
      return ExitCode.OK;
    }
    if (values.against === STANDARD_INPUT) throw new CommandError(['--against reads no standard input'], 'name a file or a folder');
    if (values.against !== undefined && values.base !== undefined) {
      throw new CommandError(['--against and --base both name the former state'], 'leave out one of them');
    }
    const report = await checkFiles(positionals.length > 0 || values.render !== undefined ? positionals : [DEFAULT_FOLDER], {
      crds: values.crds,
      silences: values.silence.map(silenceOf),
      strict: values.strict,
      read: { build: !values['no-build'], render: values.render },
      warningsAsErrors: values['warnings-as-errors'],
      against: values.against,
      base: values.base,
    }, surroundings);
    out(PRINTERS[format](report, { all: values.all, paint: new Paint(colors) }), format === 'github');
    if (!values.strict && format !== 'json') err(notes(report.notRead.filter(({ isRefused: refused, isUnreadable }) => !refused && !isUnreadable)));
    if (format !== 'text') err(`${summary(report)}\n`);
    if (report.isIncomplete) return ExitCode.FAILED;
    return isRefused(report) ? ExitCode.FINDINGS : ExitCode.OK;
  },
};

/** Notes on what was not checked, each reason once. */
function notes(remarks: readonly Remark[]): string {
  return byMessage(remarks).map(([first, ...others]) => (
    `note: ${remarkText(first)}${others.length === 0 ? '' : `; and ${others.length} more`}\n`)).join('');
}

function silenceOf(text: string): { readonly rule: string; readonly reason: string } {
  const sign = text.indexOf('=');
  return sign < 0 ? { rule: text, reason: '' } : { rule: text.slice(0, sign), reason: text.slice(sign + 1) };
}
