import { constructRuleText, ExplainOptions, manifestRuleText, RULE_TOPICS } from './rule-text';
import { compareTexts } from '../../manifests/landscape/place';
import { ExplainedRule } from '../../manifests/rules/manifest-rule';
import { explainedRooms, manifestRules } from '../../manifests/validation/manifest-rules';
import { transitionRules } from '../../manifests/validation/transition-rules';
import { nearNames } from '../../manifests/values/nearest-name';
import { readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';
import { Paint } from '../paint';

/** Rules for manifests of one project. */
export interface RuleChapter {
  readonly title: string;
  readonly rules: readonly ExplainedRule[];
}

/** Every rule for manifests, by project. */
export function manifestChapters(): RuleChapter[] {
  return [...explainedRooms(), { title: 'Changes of objects', rules: transitionRules() }];
}

/** The kinds that rules look at, as `group/Kind`, by id; rules without an entry look at all. */
export function kindsOfRules(): ReadonlyMap<string, readonly string[]> {
  return new Map([...manifestRules(), ...transitionRules()].map(({ id, kinds, kindSuffix }) => (
    [id, kindSuffix === undefined || kindSuffix === '' ? kinds : [...kinds, `*${kindSuffix}`]])));
}

const NAME = 'explain';
const PREFIX = 'TC-';
const DEFAULT_COLUMNS = 100;
const MOST_COLUMNS = 120;
const MOST_SUGGESTED = 5;

const OPTIONS = {} as const;

const HELP = `cdk8s-cluster-api explain: shows what rules demand, with a wrong and a right manifest

Usage: npx cdk8s-cluster-api explain ID…

Explains the rules for manifests, which "validate" and synthesis check, and the rules for the input of constructs, which synthesis checks:
what a rule demands, the kinds it looks at, its source, a manifest that breaks it, the finding, the corrected manifest. Works offline.

ID is the id of a rule, in any case; the prefix ${PREFIX} may be omitted. "validate --list-rules" lists the rules for manifests.

Exit codes: 0 explained, 2 there is no such rule.

Examples:
  npx cdk8s-cluster-api explain TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT
  npx cdk8s-cluster-api explain pool-size-whole
`;

/** Explains rules. */
export const EXPLAIN_COMMAND: Command = {
  name: NAME,
  summary: 'show what a rule demands, with a wrong and a right manifest',
  help: HELP,
  options: OPTIONS,
  operands: ruleIds,
  async run(args, { out, colors, columns = DEFAULT_COLUMNS }) {
    const { positionals } = readArguments(NAME, args, OPTIONS);
    if (positionals.length === 0) throw new CommandError(['explain needs the id of a rule'], 'name it as a finding does, such as TC-ADMIT-FIELD-UNKNOWN');
    const texts = explanations({ paint: new Paint(colors), columns: Math.min(columns, MOST_COLUMNS) });
    const known = [...texts.keys()];
    const ids = positionals.map((given) => idOf(given, known));
    const unknown = ids.filter((id) => !texts.has(id));
    if (unknown.length > 0) throw new CommandError(unknown.map((id) => unknownWords(id, known)), 'see cdk8s-cluster-api validate --list-rules');
    out(ids.map((id) => texts.get(id)!()).join('\n\n'));
    return ExitCode.OK;
  },
};

/** The ids of all rules, in their order. */
function ruleIds(): string[] {
  return [...explanations({ paint: new Paint(false), columns: DEFAULT_COLUMNS }).keys()].sort(compareTexts);
}

function explanations(options: ExplainOptions): ReadonlyMap<string, () => string> {
  const kinds = kindsOfRules();
  return new Map([
    ...RULE_TOPICS.flatMap((topic) => topic.rules.map((rule) => [rule.id, () => constructRuleText(rule, topic, options)] as const)),
    ...manifestChapters().flatMap(({ title, rules }) => rules.map((rule) => (
      [rule.id, () => manifestRuleText(rule, { chapter: title, kinds: kinds.get(rule.id) ?? [] }, options)] as const))),
  ]);
}

/** The id of a rule. Rules of registered providers have other prefixes. */
function idOf(given: string, known: readonly string[]): string {
  const id = given.toUpperCase();
  const own = known.find((other) => other.toUpperCase() === id);
  return own ?? (id.startsWith(PREFIX) ? id : `${PREFIX}${id}`);
}

function unknownWords(id: string, ids: readonly string[]): string {
  const near = nearNames(id, ids, MOST_SUGGESTED);
  // Of a rule, people remember what it is about rather than its spelling.
  const words = id.slice(PREFIX.length).split('-').filter((word) => word.length > 2);
  const about = ids.filter((known) => words.length > 0 && words.every((word) => known.includes(word)));
  const suggested = [...new Set([...near, ...about])].slice(0, MOST_SUGGESTED);
  return `there is no rule ${JSON.stringify(id)}${suggested.length === 0 ? '' : `; did you mean ${suggested.join(', ')}?`}`;
}
