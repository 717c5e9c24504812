import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { githubSlug } from './markdown.mts';

/** The page of each rule, by id: a page of its own, or a section of the page of a topic. */
function pagesOfRules(docs: string): ReadonlyMap<string, string> {
  const own = readdirSync(join(docs, 'rules')).filter((name) => name.startsWith('TC-')).map((name) => [name.slice(0, -'.md'.length), `/rules/${name}`] as const);
  const sections = readdirSync(join(docs, 'construct-rules')).flatMap((name) => (
    [...readFileSync(join(docs, 'construct-rules', name), 'utf8').matchAll(/^## (TC-\S+)$/gm)].map(([, id]) => [id, `/construct-rules/${name}#${githubSlug(id)}`] as const)));
  return new Map([...own, ...sections]);
}

/**
 * Links the ids of rules in prose to the rules.
 *
 * @param md the renderer
 * @param docs the folder of the site
 */
export function linkRules(md: MarkdownRenderer, docs: string): void {
  const pages = pagesOfRules(docs);
  md.core.ruler.push('link-rules', ({ tokens, Token }) => {
    tokens.forEach((block, index) => {
      if (block.type !== 'inline' || tokens[index - 1]?.type === 'heading_open') return;
      let links = 0;
      block.children = block.children!.flatMap((token) => {
        if (token.type === 'link_open') links++;
        if (token.type === 'link_close') links--;
        const page = token.type === 'code_inline' && links === 0 ? pages.get(token.content) : undefined;
        if (page === undefined) return [token];
        const open = new Token('link_open', 'a', 1);
        open.attrSet('href', page);
        return [open, token, new Token('link_close', 'a', -1)];
      });
    });
  });
}
