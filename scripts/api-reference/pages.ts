import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClassType, isEnumType, isInterfaceType, Type } from '@jsii/spec';
import { Library, pathOf, ROOT, shortName } from './library';
import { MODULES, ReferenceModule } from './modules';
import { typePage } from './type-page';
import { Words } from './words';

const TYPED = /^export \* as (\w+) from '\.\.\/(imports\/([^']+))';$/gm;

/** The pages of the reference, by path below docs/: one for each class, one for each module, and an index. */
export function referencePages(library: Library): Map<string, string> {
  const names = library.pages();
  const pages = new Map<string, string>(names.map((name) => [pathOf(library.placeOf(name)), typePage(library, name)]));
  const modules = MODULES.filter((module) => names.some((name) => library.placeOf(name).module === module));
  for (const module of modules) pages.set(`${module.name}/index.md`, modulePage(library, module, names.filter((name) => library.placeOf(name).module === module)));
  pages.set('index.md', indexPage(modules));
  return new Map([...pages].map(([path, text]) => [`reference/${path}`, text]));
}

function indexPage(modules: readonly ReferenceModule[]): string {
  return [
    '# API reference', '',
    'Every class of the library, with its options beside it. Everything is imported from `cdk8s-cluster-api`.', '',
    '| module | |', '|---|---|',
    ...modules.map(({ name, title }) => `| [${name}](${name}/index.md) | ${title} |`), '',
    ...typedResources(),
  ].join('\n');
}

function modulePage(library: Library, { name, title }: ReferenceModule, pages: readonly string[]): string {
  const kinds: readonly (readonly [string, (type: Type) => boolean])[] = [
    ['Classes', isClassType], ['Interfaces', (type) => isInterfaceType(type) && !type.datatype],
    ['Structs of several classes', (type) => isInterfaceType(type) && Boolean(type.datatype)], ['Enums of several classes', isEnumType],
  ];
  return [
    `# ${name}`, '', `${title}.`, '',
    ...kinds.flatMap(([kind, isOf]) => {
      const found = pages.filter((page) => isOf(library.types.get(page)!));
      return found.length === 0 ? [] : [`## ${kind}`, '', ...found.map((page) => entry(library, page)), ''];
    }),
  ].join('\n');
}

function entry(library: Library, name: string): string {
  const summary = new Words(library, name).prose(library.types.get(name)!.docs?.summary ?? '').replaceAll(/\[(`[^`]*`)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return `- [${shortName(name)}](${shortName(name)}.md): ${summary}`;
}

function typedResources(): string[] {
  const index = readFileSync(join(ROOT, 'src/index.ts'), 'utf8');
  return [
    '## Typed resources', '',
    'Classes for the custom resources of these API groups, a submodule each. Their fields are those of the upstream definitions; the docstring',
    'of a class links to the release that it was made from.', '',
    '| submodule | API group |', '|---|---|',
    ...[...index.matchAll(TYPED)].map(([, name, file, group]) => `| \`${name}\` | [${group}](https://github.com/cdk8s-cluster-api/cdk8s-cluster-api/blob/main/${file}.ts) |`),
    '',
  ];
}
