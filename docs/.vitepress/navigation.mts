import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

/** Folders whose pages have a section of the sidebar. */
const SECTIONS: readonly { readonly text: string; readonly folder: string; readonly collapsed?: boolean }[] = [
  { text: 'Guides', folder: 'guides' },
  { text: 'Troubleshooting', folder: 'troubleshooting' },
  { text: 'Blueprints', folder: 'blueprints' },
  { text: 'Addons', folder: 'addons', collapsed: true },
];

/** Pages at the top of the folder, by the section that they are in; any other is in "More". */
const START = ['getting-started', 'concepts', 'tenant-page', 'python', 'go', 'features', 'manifests', 'command-line'];
const LOOK_UP = ['faq', 'versions', 'rules'];

/** The first heading of a page, which names it. */
function titleOf(file: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (title === undefined) throw new Error(`${file}: a page needs a heading of the first level`);
  return title.replaceAll('`', '');
}

/** The pages of a folder, by title; its index comes first. */
function pagesOf(docs: string, folder: string): Item[] {
  const path = join(docs, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -'.md'.length));
  return names.map((name) => ({ text: titleOf(join(path, `${name}.md`)), link: name === 'index' ? `/${folder}/` : `/${folder}/${name}` }))
    .sort((a, b) => Number(b.link.endsWith('/')) - Number(a.link.endsWith('/')) || a.text.localeCompare(b.text));
}

function topPages(docs: string): Map<string, Item> {
  const names = readdirSync(docs).filter((name) => name.endsWith('.md') && name !== 'index.md').map((name) => name.slice(0, -'.md'.length));
  return new Map(names.map((name) => [name, { text: titleOf(join(docs, `${name}.md`)), link: `/${name}` }]));
}

/** The sections of the reference, a module each. */
function referenceOf(docs: string): Item[] {
  const path = join(docs, 'reference');
  const modules = existsSync(path) ? readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : [];
  return modules.map(({ name }) => ({ text: name, link: `/reference/${name}/`, collapsed: true, items: pagesOf(docs, `reference/${name}`).slice(1) }));
}

/** The bar at the top of every page. */
export function nav(docs: string): DefaultTheme.NavItem[] {
  const has = (path: string): boolean => existsSync(join(docs, path));
  return [
    ...(has('getting-started.md') ? [{ text: 'Start', link: '/getting-started' }] : []),
    ...SECTIONS.flatMap(({ text, folder }) => {
      const [first] = pagesOf(docs, folder);
      return first ? [{ text, link: first.link!, activeMatch: `^/${folder}/` }] : [];
    }),
    { text: 'Rules', link: '/rules/', activeMatch: '^/rules' },
    ...(has('reference/index.md') ? [{ text: 'Reference', link: '/reference/', activeMatch: '^/reference/' }] : []),
  ];
}

/** The pages beside every page. The reference has its own. */
export function sidebar(docs: string): DefaultTheme.SidebarMulti {
  const top = topPages(docs);
  const named = (names: readonly string[]): Item[] => names.flatMap((name) => top.get(name) ?? []);
  const more = [...top].filter(([name]) => ![...START, ...LOOK_UP].includes(name)).map(([, item]) => item);
  return {
    '/reference/': [{ text: 'Reference', link: '/reference/', items: referenceOf(docs) }],
    '/': [
      { text: 'Start', items: named(START) },
      ...SECTIONS.map(({ text, folder, collapsed }) => ({ text, collapsed, items: pagesOf(docs, folder) })),
      { text: 'More', items: more },
      {
        text: 'Look up',
        items: [
          ...named(LOOK_UP), { text: 'Rules for constructs', link: '/construct-rules/' }, { text: 'Rules for manifests', link: '/rules/' },
          { text: 'API reference', link: '/reference/' },
        ],
      },
    ].filter(({ items }) => items.length > 0),
  };
}
