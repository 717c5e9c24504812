import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';

/** Words of users that a page does not have itself: `<!-- keywords: proxy, http_proxy -->` below its title. */
const KEYWORDS = /^<!-- keywords: (.*) -->$/m;

/**
 * Renders a page for the index of the search: with its keywords at the beginning of its text, where `extractField` finds them.
 *
 * @param source the page as Markdown
 * @param env what the renderer tells of the page
 * @param md the renderer
 */
export function renderForSearch(source: string, env: MarkdownEnv, md: MarkdownRenderer): string {
  const keywords = KEYWORDS.exec(source)?.[1];
  const html = md.render(source, env);
  return keywords === undefined ? html : html.replace('</h1>', `</h1>[keywords: ${keywords}]`);
}

/*
 * The site runs the functions below in the browser from their text, so they must not use anything outside.
 */

/** The fields of a section of a page. */
export function extractField(section: { readonly [field: string]: string }, field: string): string {
  const [marked, keywords] = /^\s*\[keywords: ([^\]]*)\]/.exec(section.text ?? '') ?? ['', ''];
  if (field === 'keywords') return keywords;
  return field === 'text' ? section.text.slice(marked.length) : section[field];
}

/** A word as the index has it; articles and the like are not searched for. */
export function processTerm(term: string): string | null {
  return /^(a|an|and|for|from|in|into|is|my|of|on|or|the|to|with)$/i.test(term) ? null : term.toLowerCase();
}

/**
 * The weight of a page in the search: a task before a rule, and a rule before a class of the reference, which has more words than both.
 */
export function boostDocument(page: string): number {
  if (/\/(guides|troubleshooting)\/|\/(getting-started|concepts|faq|versions)\.html/.test(page)) return 3;
  if (/\/(addons|blueprints)\//.test(page)) return 3;
  return /\/(reference|construct-rules)\//.test(page) ? 0.5 : 1;
}

/** The weight of a field: words of users first, then titles. */
export const FIELDS = { keywords: 8, title: 6, titles: 2, text: 1 };
