/**
 * The weight of a page in the search: a task before a rule, and a rule before a class of the reference, which has more words than both.
 *
 * The site runs it in the browser from its text, so it must not use anything outside.
 */
export function boostDocument(page: string): number {
  if (/\/(guides|troubleshooting)\/|\/(getting-started|concepts|faq)\.html/.test(page)) return 3;
  return page.includes('/reference/') ? 0.5 : 1;
}
