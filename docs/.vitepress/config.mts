import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { boostDocument } from './search.mts';
import { githubSlug, linksOutside, plainBraces, REPOSITORY } from './markdown.mts';
import { nav, sidebar } from './navigation.mts';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  title: 'cdk8s-cluster-api',
  description: 'Tenant Kubernetes clusters, declared in TypeScript',
  lang: 'en-US',
  // Browsers ask for an icon otherwise.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // One file has the list of pages, in place of every page.
  metaChunk: true,
  // The largest is the index of the search, which is loaded at the first search.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  // Of a site that is not at the top of its host: "/cdk8s-cluster-api/".
  base: process.env.DOCS_BASE ?? '/',
  // GitHub shows README.md of a folder; the site needs an index.
  rewrites: { 'rules/README.md': 'rules/index.md' },
  markdown: {
    anchor: { slugify: githubSlug },
    config: (md) => {
      plainBraces(md);
      linksOutside(md, DOCS);
    },
  },
  themeConfig: {
    nav: nav(DOCS),
    sidebar: sidebar(DOCS),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    search: { provider: 'local', options: { miniSearch: { searchOptions: { fuzzy: 0.1, prefix: true, boost: { title: 6, titles: 2, text: 1 }, boostDocument } } } },
  },
});
