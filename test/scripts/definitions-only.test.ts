import * as fs from 'node:fs';
import * as path from 'node:path';
import * as ts from 'typescript';

const ROOT = path.join(__dirname, '../..');

/** Statements of a module that do something else than define when it is loaded. */
function actions(source: string): string[] {
  const { statements } = ts.createSourceFile('module.ts', source, ts.ScriptTarget.ES2022);
  return statements.filter((statement) => !(
    ts.isExportDeclaration(statement) || ts.isVariableStatement(statement) || ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)
    || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isEnumDeclaration(statement)
    || (ts.isImportDeclaration(statement) && statement.importClause !== undefined)
  )).map((statement) => source.slice(statement.pos, statement.end).trim());
}

test('what a module does, other than to define something, is found', () => {
  expect(actions("import './other';\nimport { a } from './other';\nexport const b = a();\nregister(b);\n")).toEqual(["import './other';", 'register(b);']);
});

test.each(['src', 'imports'])('modules of %s only define something, since most are loaded late', (folder) => {
  const files = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap((file) => actions(fs.readFileSync(path.join(ROOT, folder, file), 'utf8')).map((action) => `${file}: ${action}`))).toEqual([]);
});
