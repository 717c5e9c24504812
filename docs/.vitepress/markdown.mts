import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

export const REPOSITORY = 'https://github.com/cdk8s-cluster-api/cdk8s-cluster-api';

/** The pages that API.md is the index of. */
const REFERENCE = '/reference/';

/** The anchor that GitHub gives a heading, so that a link works in both places. */
export function githubSlug(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, '').replaceAll(' ', '-');
}

/**
 * Shows two braces as they are: pages are plain Markdown, without expressions of Vue.
 *
 * @param md the renderer
 */
export function plainBraces(md: MarkdownRenderer): void {
  for (const kind of ['text', 'code_inline'] as const) {
    const rule = md.renderer.rules[kind]!;
    md.renderer.rules[kind] = (...args) => rule(...args).replaceAll('{{', '&#123;&#123;');
  }
}

/**
 * Points links to files that are not pages of the site to the repository, and fails on one that does not exist.
 *
 * @param md the renderer
 * @param docs the folder of the site
 */
export function linksOutside(md: MarkdownRenderer, docs: string): void {
  const root = dirname(resolve(docs));
  md.core.ruler.push('links-outside', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (token.type !== 'link_open' || href === null) continue;
      if (href === `${REPOSITORY}/blob/main/API.md`) token.attrSet('href', REFERENCE);
      else if (!/^(\w+:|#|\/)/.test(href)) token.attrSet('href', addressOf(href, env.realPath ?? env.path));
    }
  });

  function addressOf(href: string, page: string): string {
    const [path, anchor] = href.split('#');
    const target = resolve(dirname(page), decodeURI(path));
    const isPage = target.startsWith(resolve(docs) + sep) && /(\.md|\.html)$/.test(target);
    // The site has it as index.md: see `rewrites`.
    if (isPage) return href.replace(/(?<=^|\/)README\.md/, 'index.md');
    if (!existsSync(target)) throw new Error(`${relative(root, page)}: the link ${href} has no target. Fix: correct the path.`);
    if (target === resolve(root, 'API.md')) return REFERENCE;
    return `${REPOSITORY}/blob/main/${relative(root, target).replaceAll(sep, '/')}${anchor ? `#${anchor}` : ''}`;
  }
}
