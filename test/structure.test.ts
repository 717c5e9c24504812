import * as fs from 'node:fs';
import * as path from 'node:path';
import * as ts from 'typescript';

const SOURCES = path.join(__dirname, '../src');
const BRAND = /kamaji|kubevirt|vultr|nifcloud|flux|argo(?!n)/i;

/** Folders of systems, and those that install, list or choose systems. */
const OWN_FOLDERS = /^(manifests\/systems|constructs\/(control-planes|infrastructures|deliveries|hosts\/nifcloud|blueprints|management))\//;

/** Texts for people: rules cite, explain and show what they are about. */
const PROSE: readonly string[] = ['accepted', 'corrected', 'example', 'failing', 'fix', 'message', 'reason', 'source', 'title'];

/** Files that may name systems, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'index.ts': 'exports everything',
  'cli/init/app-files.ts': 'lists the blueprints',
  'constructs/contracts/capabilities/infra-cluster-capabilities.ts': 'properties that state what runs in a cluster',
  'constructs/contracts/capabilities/management-capabilities.ts': 'properties that state what runs in a cluster',
  'manifests/objects/prune-annotations.ts': 'each object has the marks of every delivery, since any may apply it',
  'constructs/contracts/delivery/rules.ts': 'a rule that belongs to one delivery',
  'constructs/hosts/host-cluster-context.ts': 'a namespace',
  'constructs/tenant/isolation/capability-checks.ts': 'checks properties that state what runs in a cluster',
  'constructs/tenant/isolation/cluster-loads.ts': 'hands on the property kubevirtSizing',
  'constructs/tenant/isolation/management-limits.ts': 'hands on the property kubevirtSizing',
  'constructs/tenant/isolation/tenant-isolation.ts': 'has the property kubevirtSizing',
  'manifests/rules/cluster-api/example-manifests.ts': 'examples of rules',
  'manifests/rules/cluster-api/v1beta1-traps.ts': 'examples of rules',
  'manifests/validation/providers.ts': 'lists the systems',
  'manifests/rules/structure/unchecked-kinds.ts': 'files of programs that no server gets',
  'manifests/values/component-facts.ts': 'names of programs',
  'manifests/values/system-namespaces.ts': 'namespaces of everything that may run in a management cluster',
  'manifests/values/versions.ts': 'pins the versions of everything',
};

const IN_RULES = /\/rules\/(examples?|example-[\w-]+)$/;

/** What a file names in its code: identifiers, imports and strings, prose aside. */
function namesIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && PROSE.includes(node.name.getText().replace(/'/g, ''))) return;
    if (ts.isImportDeclaration(node) && IN_RULES.test((node.moduleSpecifier as ts.StringLiteral).text)) return;
    // A string with spaces is a sentence, or a manifest of an example.
    const named = ts.isIdentifier(node) || ts.isTemplateHead(node) || ts.isStringLiteralLike(node) ? node.text : '';
    if (BRAND.test(named) && !/\s/.test(named)) found.push(named);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

test('general code names no system', () => {
  const files = fs.readdirSync(SOURCES, { recursive: true }).map(String).filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts') && !OWN_FOLDERS.test(file));
  const naming = files.map((file) => [file, namesIn(path.join(SOURCES, file))] as const).filter(([, names]) => names.length > 0);

  expect(files.length).toBeGreaterThan(300);
  expect(naming.filter(([file]) => !(file in EXCEPTIONS)).map(([file, names]) => `${file}: ${[...new Set(names)].join(', ')}`)).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((file) => !naming.some(([other]) => other === file))).toEqual([]);
});
