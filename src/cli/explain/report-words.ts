import { fixSentence } from '../../manifests/values/problem';

/** A report of a rule as the code words it, with `…` in place of values. */
export interface ReportWords {
  readonly message?: string;
  readonly accepted?: string;
  readonly fix?: string;
}

/** A report in sentences: the fact with what is accepted, and the fix. */
export function reportSentences({ message, accepted, fix }: ReportWords): string[] {
  const fact = [...message === undefined ? [] : [`${message}.`], ...accepted === undefined ? [] : [`Accepted: ${accepted}.`]].join(' ');
  return [...fact === '' ? [] : [fact], ...fix === undefined ? [] : [fixSentence(fix)]];
}
