import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

export const REPOSITORY = 'https://github.com/cdk8s-cluster-api/cdk8s-cluster-api';

/** Address of the published site. Pages link to it where GitHub does not have the target. */
const SITE = 'https://cdk8s-cluster-api.github.io/cdk8s-cluster-api';

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
 * Points links to the published site to the page of this one, and those to other files to the repository; fails on a file that does not exist.
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
      if (href.startsWith(`${SITE}/`)) token.attrSet('href', href.slice(SITE.length));
      else if (!/^(\w+:|#|\/)/.test(href)) token.attrSet('href', addressOf(href, env.realPath ?? env.path));
    }
  });

  function addressOf(href: string, page: string): string {
    const [path, anchor] = href.split('#');
    const target = resolve(dirname(page), decodeURI(path));
    const isPage = target.startsWith(resolve(docs) + sep) && /(\.md|\.html)$/.test(target);
    if (isPage) return href;
    if (!existsSync(target)) throw new Error(`${relative(root, page)}: the link ${href} has no target. Fix: correct the path.`);
    return `${REPOSITORY}/blob/main/${relative(root, target).replaceAll(sep, '/')}${anchor ? `#${anchor}` : ''}`;
  }
}
