import { checkFiles, FileReport, isRefused } from './check-files';
import { githubFormat } from './github-format';
import { JSON_SHAPE, jsonFormat } from './json-format';
import { listRules } from './list-rules';
import { rulePage } from './rule-page';
import { sarifFormat } from './sarif-format';
import { summary, textFormat, TextOptions } from './text-format';
import { Remark, remarkText } from '../../manifests/landscape/place';
import { SILENCE_ANNOTATION } from '../../manifests/validation/silences';
import { choice, readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';
import { STANDARD_INPUT } from '../manifests/manifest-files';
import { Paint } from '../paint';

const NAME = 'validate';
const DEFAULT_FOLDER = 'dist';
const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

const OPTIONS = {
  'against': { type: 'string' },
  'all': { type: 'boolean', default: false },
  'format': { type: 'string', default: 'text' },
  'silence': { type: 'string', multiple: true, default: [] as string[] },
  'warnings-as-errors': { type: 'boolean', default: false },
  'strict': { type: 'boolean', default: false },
  'list-rules': { type: 'boolean', default: false },
} as const;

const HELP = `cdk8s-cluster-api validate: checks manifests against the rules of API servers and webhooks

Usage: npx cdk8s-cluster-api validate [OPTION…] [FILE or FOLDER…]

Reads the .yaml, .yml and .json files of the folders (default: ${DEFAULT_FOLDER}), and of their subfolders, from any tool. "-" is standard
input. Looks into lists, into ConfigMaps and Secrets of a ClusterResourceSet, and into static pods of machines. No cluster is asked.

Finds errors, which a server refuses: unknown fields, values out of bounds, what the webhooks of Cluster API, Kamaji, KubeVirt and Flux
reject; traps, which a server accepts and which fail later; and warnings, which may be intended.

  --against OLD         check the changes since the manifests in this file or folder, too: immutable fields, skipped minor versions,
                        machines that are not replaced or that are deleted, missing objects that are still needed. Problems in OLD
                        itself are not reported
  --silence ID=REASON   ignore findings of this rule, with the reason; may be repeated
  --warnings-as-errors  fail for warnings, too
  --strict              fail for kinds whose fields are not known, and for documents that are not manifests
  --list-rules          print every rule, and read nothing

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
  ${rulePage('ID')}

Exit codes: 0 no errors and no traps, 1 errors or traps, 2 usage error or unreadable manifest.

Examples:
  npx cdk8s-cluster-api validate
  npx cdk8s-cluster-api validate --strict --format sarif clusters/ > validate.sarif
  kustomize build clusters/acme | npx cdk8s-cluster-api validate -

  git worktree add ../old "$(git merge-base origin/main HEAD)"
  npx cdk8s-cluster-api validate --against ../old/dist dist

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
      const given = [...values.against === undefined ? [] : ['--against'], ...positionals];
      if (given.length > 0) throw new CommandError(['--list-rules reads nothing'], `leave out ${given.join(' ')}`);
      out(listRules(format));
      return ExitCode.OK;
    }
    if (values.against === STANDARD_INPUT) throw new CommandError(['--against reads no standard input'], 'name a file or a folder');
    const report = await checkFiles(positionals.length > 0 ? positionals : [DEFAULT_FOLDER], {
      silences: values.silence.map(silenceOf), strict: values.strict, warningsAsErrors: values['warnings-as-errors'], against: values.against,
    }, surroundings);
    out(PRINTERS[format](report, { all: values.all, paint: new Paint(colors) }), format === 'github');
    if (!values.strict && format !== 'json') err(notes(report.notRead.filter(({ isRefused: refused }) => !refused)));
    if (format !== 'text') err(`${summary(report)}\n`);
    if (report.isIncomplete) return ExitCode.FAILED;
    return isRefused(report) ? ExitCode.FINDINGS : ExitCode.OK;
  },
};

/** What was not looked at, each reason once. */
function notes(remarks: readonly Remark[]): string {
  const reasons = new Map<string, Remark[]>();
  for (const remark of remarks) {
    const same = reasons.get(remark.message);
    if (same) same.push(remark);
    else reasons.set(remark.message, [remark]);
  }
  return [...reasons.values()].map(([first, ...others]) => (
    `note: ${remarkText(first)}${others.length === 0 ? '' : `; and ${others.length} more`}\n`)).join('');
}

function silenceOf(text: string): { readonly rule: string; readonly reason: string } {
  const sign = text.indexOf('=');
  return sign < 0 ? { rule: text, reason: '' } : { rule: text.slice(0, sign), reason: text.slice(sign + 1) };
}
