import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { githubSlug, linksOutside, plainBraces, REPOSITORY } from './markdown.mts';
import { nav, sidebar } from './navigation.mts';
import { linkRules } from './rule-links.mts';
import { boostDocument, extractField, FIELDS, processTerm, renderForSearch } from './search.mts';

const DOCS = fileURLToPath(new URL('..', import.meta.url));
const TITLE = 'cdk8s-cluster-api';
const DESCRIPTION = 'Tenant Kubernetes clusters, declared in TypeScript';
const BASE = process.env.DOCS_BASE ?? '/';

/** Pages that a generator writes: an edit of the page would get lost. */
const GENERATED = /^(addons|construct-rules|reference|rules)\/|^command-line\.md$/;

export default defineConfig({
  title: TITLE,
  description: DESCRIPTION,
  lang: 'en-US',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}logo.svg` }]],
  transformHead: ({ title, description }) => Object.entries({ title, description, type: 'website', site_name: TITLE })
    .map(([property, content]) => ['meta', { property: `og:${property}`, content }]),
  transformPageData: (page) => (GENERATED.test(page.relativePath) ? { frontmatter: { ...page.frontmatter, editLink: false } } : {}),
  // One file has the list of pages, in place of every page.
  metaChunk: true,
  // The largest is the index of the search, which is loaded at the first search.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  // Of a site that is not at the top of its host: "/cdk8s-cluster-api/".
  base: BASE,
  markdown: {
    anchor: { slugify: githubSlug },
    config: (md) => {
      plainBraces(md);
      linksOutside(md, DOCS);
      linkRules(md, DOCS);
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: nav(DOCS),
    sidebar: sidebar(DOCS),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
    search: {
      provider: 'local',
      options: {
        _render: renderForSearch,
        miniSearch: {
          options: { fields: Object.keys(FIELDS), extractField, processTerm },
          searchOptions: { fuzzy: 0.1, prefix: true, boost: FIELDS, boostDocument },
        },
      },
    },
  },
});
