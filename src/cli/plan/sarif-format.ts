import { PlannedChanges } from '../../manifests/plan/plan-objects';
import { unreadLine } from '../../manifests/plan/plan-words';
import { planVerdict, VerdictEntry } from '../../manifests/plan/verdict';
import { reportedRules } from '../../manifests/validation/manifest-rules';
import { fieldText } from '../../manifests/values/fields';
import { fixSentence } from '../../manifests/values/problem';
import { sarifLog, SarifResult, SarifRule } from '../sarif';
import { siteAddress } from '../validate/rule-page';
import { sarifRule } from '../validate/sarif-format';

/** Rules of what no server refuses. */
const VERDICTS = [
  { id: 'PLAN-LOST', title: 'A change loses something that a revert does not bring back.', level: 'error' },
  { id: 'PLAN-DOWN', title: 'A change makes something unavailable, for a time or from then on.', level: 'warning' },
] as const;

/** Refusals, losses and outages of a plan, in SARIF. */
export function sarifFormat(plan: PlannedChanges): string {
  const { refused, lost, down } = planVerdict(plan);
  const rules = VERDICTS.map((rule): SarifRule => ({ ...rule, help: 'It is in the verdict of the plan.', page: `${siteAddress()}manifests.html` }));
  const [ofLost, ofDown] = [lost, down].map((entries, index) => entries.map((entry) => resultOf(entry, rules[index])));
  return sarifLog([...reportedRules().map(sarifRule), ...rules], [...refused.map(refusedResult), ...ofLost, ...ofDown], plan.unread.map(unreadLine));
}

function refusedResult({ text, refusal }: VerdictEntry): SarifResult {
  const { rule, fix, object, path } = refusal!;
  return { rule, level: 'error', text: `${text}. ${fixSentence(fix)}`, place: object.place, field: fieldText(path) };
}

function resultOf({ cluster, text, object }: VerdictEntry, { id, level }: SarifRule): SarifResult {
  return { rule: id, level, text: cluster === undefined ? text : `${cluster}: ${text}`, place: object?.place };
}
