import TOPICS from '../../../data/construct-rules.json';
import { fixSentence, Rule } from '../../manifests/values/problem';

/** A report of a rule as the code words it, with `…` in place of values. */
export interface ReportWords {
  readonly message?: string;
  readonly accepted?: string;
  readonly fix?: string;
}

/** The rules of one file of the library. */
export interface RuleTopic {
  /** Title of their page. */
  readonly topic: string;

  /** The file, relative to the repository. */
  readonly file: string;

  /** The rules, in the order of the file. */
  readonly rules: readonly (Rule & { readonly report?: ReportWords })[];
}

/** The rules that synthesis checks the input of constructs by, which the command line knows from a table. */
export const RULE_TOPICS: readonly RuleTopic[] = TOPICS;

/** A report in sentences: the fact with what is accepted, and the fix. */
export function reportSentences({ message, accepted, fix }: ReportWords): string[] {
  const fact = [...message === undefined ? [] : [`${message}.`], ...accepted === undefined ? [] : [`Accepted: ${accepted}.`]].join(' ');
  return [...fact === '' ? [] : [fact], ...fix === undefined ? [] : [fixSentence(fix)]];
}
