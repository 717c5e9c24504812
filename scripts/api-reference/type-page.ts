import { Callable, ClassType, EnumType, InterfaceType, isClassType, isEnumType, isInterfaceType, Parameter, Property, Type } from '@jsii/spec';
import { fileOf, Library, membersOf, shortName } from './library';
import { typeScript, Words } from './words';
import { importsOf } from '../samples/samples';

const REPOSITORY = 'https://github.com/cdk8s-cluster-api/cdk8s-cluster-api';

/** The page of a type, with the structs and enums that only it uses. */
export function typePage(library: Library, name: string): string {
  const words = new Words(library, name);
  const type = library.types.get(name)!;
  const beside = library.beside(name);
  // Props come before members: they are what most readers look for.
  const props = beside.filter((other) => isProps(name, other));
  const lines = [
    `# ${shortName(name)}`, '',
    ...words.docs({ summary: type.docs?.summary }),
    ...sample(library, name, type),
    ...words.docs({ ...type.docs, summary: undefined }),
    ...inherited(type, words),
    ...props.flatMap((other) => section(library, other, words)),
    ...body(library, type, words),
    ...beside.filter((other) => !props.includes(other)).flatMap((other) => section(library, other, words)),
    `Source: [${fileOf(type)}](${REPOSITORY}/blob/main/${fileOf(type)})`,
  ];
  return `${lines.join('\n')}\n`;
}

function isProps(name: string, other: string): boolean {
  return other === `${name}Props` || other === `${name}Options`;
}

/** The example of a type with its imports, or how a program comes by the type. */
function sample(library: Library, name: string, type: Type): string[] {
  const [, imported] = name.split('.');
  const prefix = imported === shortName(name) ? '' : `${imported}.`;
  const call = isClassType(type) && !type.abstract && type.initializer ? [`new ${prefix}${shortName(name)}(${parameterList(type.initializer)})`] : [];
  const example = type.docs?.example?.trimEnd();
  const imports = example === undefined ? [] : importsOf(example, library);
  const lines = example === undefined ? call : [example];
  return ['```ts', ...(imports.length > 0 ? imports : [`import { ${imported} } from 'cdk8s-cluster-api';`]), ...(lines.length > 0 ? ['', ...lines] : []), '```', ''];
}

function inherited(type: Type, words: Words): string[] {
  const extended = isEnumType(type) ? [] : [...isClassType(type) && type.base ? [type.base] : [], ...type.interfaces ?? []];
  return [
    ...(extended.length > 0 ? [`Extends ${extended.map((fqn) => words.type({ fqn })).join(', ')}.`, ''] : []),
    ...(isClassType(type) && !type.abstract && type.initializer ? parameters(type.initializer, words) : []),
  ];
}

function section(library: Library, name: string, words: Words): string[] {
  const type = library.types.get(name)!;
  const bases = isInterfaceType(type) ? type.interfaces ?? [] : [];
  return [
    `## ${shortName(name)}`, '',
    ...words.docs(type.docs),
    ...(bases.length > 0 ? [`Also has the properties of ${bases.map((fqn) => words.type({ fqn })).join(', ')}.`, ''] : []),
    ...words.example(type.docs),
    ...(isEnumType(type)
      ? enumMembers(type, words)
      : ((type as InterfaceType).properties ?? []).flatMap((property) => propertyEntry(property, words))),
  ];
}

function body(library: Library, type: Type, words: Words): string[] {
  if (isEnumType(type)) return ['## Members', '', ...enumMembers(type, words)];
  const { methods, properties } = membersOf(type as ClassType | InterfaceType);
  const statics = <T extends { readonly static?: boolean }>(members: readonly T[], isStatic: boolean): T[] => (
    members.filter((member) => Boolean(member.static) === isStatic));
  const made = statics(methods, true);
  const called = statics(methods, false);
  return [
    ...titled('Made by', made.flatMap((method) => methodEntry(`${shortName(typeName(library, type))}.${method.name}`, method, words))),
    ...titled('Constants', statics(properties, true).flatMap((property) => propertyEntry(property, words))),
    ...titled('Properties', statics(properties, false).flatMap((property) => propertyEntry(property, words))),
    ...titled('Methods', called.flatMap((method) => methodEntry(method.name, method, words))),
  ];
}

function typeName(library: Library, type: Type): string {
  return [...library.types].find(([, one]) => one === type)![0];
}

function titled(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines];
}

function enumMembers({ members }: EnumType, words: Words): string[] {
  return members.flatMap(({ name, docs }) => [`### ${name}`, '', ...words.docs(docs)]);
}

function propertyEntry({ name, type, optional, docs, static: isStatic }: Property, words: Words): string[] {
  const facts = [words.type(type), ...(isStatic ? [] : optional ? ['optional'] : [])];
  const by = docs?.default;
  return [`### ${name}`, '', facts.join(', '), '', ...words.docs(docs), ...(by === undefined ? [] : [`Default: ${defaultText(by, words)}`, '']), ...words.example(docs)];
}

/** `- text` is prose; anything else is code. */
function defaultText(text: string, words: Words): string {
  if (text.startsWith('-')) return words.prose(text.replace(/^-\s*/, ''));
  return text.includes('`') ? words.prose(text) : `\`${text}\``;
}

function methodEntry(title: string, method: NonNullable<ClassType['methods']>[number], words: Words): string[] {
  const returned = method.returns ? typeScript(method.returns.type) : 'void';
  return [
    `### ${title}`, '', '```ts', `${method.static ? 'static ' : ''}${method.name}(${parameterList(method)}): ${returned}`, '```', '',
    ...words.docs(method.docs), ...parameters(method, words), ...words.example(method.docs),
  ];
}

function parameterList({ parameters: list = [] }: Callable): string {
  return list.map(({ name, type, optional, variadic }) => `${variadic ? '...' : ''}${name}${optional ? '?' : ''}: ${typeScript(type)}${variadic ? '[]' : ''}`).join(', ');
}

function parameters({ parameters: list = [] }: Callable, words: Words): string[] {
  const line = ({ name, type, docs }: Parameter): string => `- \`${name}\`: ${[words.type(type), ...words.docs(docs).filter((text) => text !== '')].join(' — ').replaceAll('\n', ' ')}`;
  return list.length === 0 ? [] : [...list.map(line), ''];
}
