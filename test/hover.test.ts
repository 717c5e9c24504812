import { join } from 'node:path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '..');
const INDEX = join(ROOT, 'src/index.ts');
/** A page of a user that names every class. It is in no folder. */
const PAGE = join(ROOT, 'src/page-of-a-user.ts');

interface PublicClass {
  readonly name: string;
  readonly isAbstract: boolean;
  /** False for abstract classes, and for those that only static methods construct. */
  readonly isConstructed: boolean;
}

/** Classes that pages do not name: results, and those for authors of strategies, whose samples are in docs/strategies.md. */
const UNNAMED = /^(extension\..*|Problems|FleetCluster|hosts\.KubeadmHost|validation\.ManifestReport)$/;

/** The text that an editor shows. */
interface Hover {
  readonly text: string;
  readonly hasExample: boolean;
}

const IMPORT = 'import * as lib from \'./index\';\n';

let page = IMPORT;
const service = ts.createLanguageService(hostOf(() => page));

function hostOf(read: () => string): ts.LanguageServiceHost {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config;
  const options = { ...ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT).options, types: [] };
  const textOf = (file: string): string | undefined => (file === PAGE ? read() : ts.sys.readFile(file));
  return {
    useCaseSensitiveFileNames: () => true,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    readDirectory: ts.sys.readDirectory,
    readFile: textOf,
    fileExists: (file) => file === PAGE || ts.sys.fileExists(file),
    getScriptFileNames: () => [PAGE],
    getScriptVersion: (file) => (file === PAGE ? String(read().length) : '0'),
    getScriptSnapshot: (file) => {
      const text = textOf(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  };
}

/** The library's own classes, those of its submodules included; not the typed resources. */
function publicClasses(): PublicClass[] {
  const program = service.getProgram()!;
  const checker = program.getTypeChecker();
  const isOwn = (node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(join(ROOT, 'src/'));
  const classesIn = (module: ts.Symbol, prefix: string): PublicClass[] => checker.getExportsOfModule(module).flatMap((symbol) => {
    const node = (aliased(checker, symbol) ?? symbol).valueDeclaration;
    if (node === undefined || !isOwn(node)) return [];
    if (ts.isSourceFile(node)) return classesIn(aliased(checker, symbol)!, `${prefix}${symbol.name}.`);
    return ts.isClassDeclaration(node) ? [{ name: prefix + symbol.name, isAbstract: isAbstract(node), isConstructed: isConstructed(node) }] : [];
  });
  return classesIn(checker.getSymbolAtLocation(program.getSourceFile(INDEX)!)!, '');
}

/** The symbol that an export stands for; undefined if it is no alias. */
function aliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol | undefined {
  const declaration = symbol.declarations![0];
  return ts.isExportSpecifier(declaration) || ts.isNamespaceExport(declaration) ? checker.getAliasedSymbol(symbol) : undefined;
}

function isAbstract(node: ts.ClassDeclaration): boolean {
  return has(node, ts.SyntaxKind.AbstractKeyword);
}

function isConstructed(node: ts.ClassDeclaration): boolean {
  const constructor = node.members.find(ts.isConstructorDeclaration);
  return !isAbstract(node) && !(constructor && (has(constructor, ts.SyntaxKind.PrivateKeyword) || has(constructor, ts.SyntaxKind.ProtectedKeyword)));
}

function has(node: ts.HasModifiers, kind: ts.SyntaxKind): boolean {
  return (node.modifiers ?? []).some((modifier) => modifier.kind === kind);
}

/** The text that an editor shows at the end of each of the lines. */
function hovers(lines: readonly string[]): Hover[] {
  page = IMPORT + lines.map((line) => `${line};\n`).join('');
  let end = IMPORT.length - 1;
  return lines.map((line) => {
    end += line.length + 2;
    const info = service.getQuickInfoAtPosition(PAGE, end - 2);
    const text = ts.displayPartsToString(info?.documentation);
    return { text, hasExample: text.includes('```') || (info?.tags ?? []).some(({ name }) => name === 'example') };
  });
}

const classes = publicClasses();
const constructed = classes.filter((one) => one.isConstructed);
const shown = hovers([...classes.map(({ name }) => `lib.${name}`), ...constructed.map(({ name }) => `new lib.${name}`)]);

test('editors explain each class at its name, with an example', () => {
  const hasAll = ({ name, isAbstract: isContract }: PublicClass, index: number): boolean => (
    shown[index].text !== '' && (shown[index].hasExample || isContract || UNNAMED.test(name)));

  expect(classes.length).toBeGreaterThan(140);
  expect(classes.filter((one, index) => !hasAll(one, index)).map(({ name }) => name)).toEqual([]);
});

test('editors show the text and the example of a class at `new`', () => {
  const differs = (one: PublicClass, index: number): boolean => {
    const { text, hasExample } = shown[classes.length + index];
    return text !== shown[classes.indexOf(one)].text || !hasExample;
  };

  expect(constructed.length).toBeGreaterThan(60);
  expect(constructed.filter(differs).map(({ name }) => name)).toEqual([]);
});
