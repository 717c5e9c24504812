import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vm from 'node:vm';
import * as cdk8s from 'cdk8s';
import * as ts from 'typescript';

const SOURCE = path.join(__dirname, '..', '..', 'src');

/** An optional property, as its documentation has it. */
export interface DocumentedOption {
  readonly name: string;

  /** Text of `@default`. */
  readonly documented?: string;
}

/** The optional properties of all interfaces of a string, inherited ones among them if their interface is in the text, too. */
export function optionsIn(sources: readonly string[]): Map<string, DocumentedOption[]> {
  const found = new Map(sources.flatMap((text) => ts.createSourceFile('source.ts', text, ts.ScriptTarget.ES2022, true).statements)
    .filter(ts.isInterfaceDeclaration).map((declaration) => [declaration.name.text, declaration]));
  const optionsOf = (name: string): DocumentedOption[] => {
    const declaration = found.get(name);
    if (!declaration) return [];
    const inherited = (declaration.heritageClauses ?? []).flatMap(({ types }) => types.flatMap((type) => optionsOf(type.expression.getText())));
    const own = declaration.members.filter(ts.isPropertySignature).map((member) => ({
      name: member.name.getText(), optional: member.questionToken !== undefined, documented: defaultOf(member),
    }));
    return [
      ...inherited.filter(({ name: one }) => !own.some((other) => other.name === one)),
      ...own.filter(({ optional }) => optional).map(({ name: one, documented }) => ({ name: one, documented })),
    ];
  };
  return new Map([...found.keys()].map((name) => [name, optionsOf(name)]));
}

/** The optional properties of all interfaces of the library. */
export function libraryOptions(): Map<string, DocumentedOption[]> {
  const files = fs.readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return optionsIn(files.map((file) => fs.readFileSync(path.join(SOURCE, file), 'utf8')));
}

/**
 * The value that a documented default stands for, or undefined where it is told in words: `- none`, or one that depends on something else.
 *
 * @param documented text of `@default`
 * @param library what the library exports
 */
export function defaultValue(documented: string | undefined, library: object): { readonly value: unknown } | undefined {
  if (documented === undefined || documented.startsWith('-')) return undefined;
  // A word alone may be an expression, or a string: `true`, `Duration.minutes(5)`, `cluster.local`, `10d`.
  if (/^\S+$/.test(documented)) return { value: evaluate(documented, library) ?? documented };
  const [, text, rest] = /^((?:new )?[\w.]+(?:\([^)]*\))?|'[^']*')(.*)$/s.exec(documented) ?? [];
  // Behind a value there may be its source, but no condition.
  return text !== undefined && /^(,? as | \(| - |$)/.test(rest) ? { value: evaluate(text, library) } : undefined;
}

function evaluate(text: string, library: object): unknown {
  try {
    return vm.runInNewContext(text, { ...cdk8s, ...library });
  } catch {
    return undefined;
  }
}

function defaultOf(member: ts.PropertySignature): string | undefined {
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default');
  return tag && ts.getTextOfJSDocComment(tag.comment)?.trim();
}
