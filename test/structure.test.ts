import * as fs from 'node:fs';
import * as path from 'node:path';
import * as ts from 'typescript';
import { PROVIDER_TABLES } from '../src/manifests/systems/tables';

const SOURCES = path.join(__dirname, '../src');
const BRAND = /kamaji|kubevirt|vultr|nifcloud|flux|argo(?!n)/i;

/** Names of providers with a table that mean other things as well: of those, only the kinds count. */
const AMBIGUOUS: readonly string[] = ['dev', 'oci', 'packet'];
const TABLES = PROVIDER_TABLES.map(({ name }) => name).filter((name) => !AMBIGUOUS.includes(name));
const KINDS = new Set(PROVIDER_TABLES.flatMap(({ kinds, olderVersions = [] }) => [
  ...Object.keys(kinds), ...olderVersions.flatMap((version) => Object.keys(version.kinds).map((kind) => `${version.group}/${kind}`)),
]));

/** True if a text has the name of a provider with a table, at the beginning of a word. */
function namesTable(text: string): boolean {
  return KINDS.has(text) || text.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).some((word) => TABLES.some((name) => word.toLowerCase().startsWith(name)));
}

/** Folders of systems, and those that install, list or choose systems. */
const OWN_FOLDERS = /^(manifests\/systems|constructs\/(control-planes|infrastructures|deliveries|hosts\/nifcloud|blueprints|management))\//;

/** Texts for people: rules cite, explain and show what they are about. */
const PROSE: readonly string[] = ['accepted', 'corrected', 'example', 'failing', 'fix', 'message', 'reason', 'source', 'title'];

/** Public names of properties that state the configuration of a system in a cluster, and of the type of one of them. */
const PUBLIC_NAMES: readonly string[] = ['kamajiVersion', 'kubevirtFeatureGates', 'kubevirtSizing', 'KubevirtPodSizing'];

/** Files that may name systems, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'index.ts': 'exports everything',
  'l1.ts': 'exports the typed resources of every system',
  'manifests/objects/prune-annotations.ts': 'each object has the marks of every delivery, since any may apply it',
  'constructs/addons/catalog/velero.ts': 'has the names that Velero gives kinds of storage',
  'constructs/tenant/isolation/capability-checks.ts': 'checks properties that state what runs in a cluster',
  'manifests/objects/other-files.ts': 'lists tools whose files are no manifests',
  'manifests/values/versions.ts': 'pins the versions of everything',
};

/** Modules of examples: manifests of any system. */
const EXAMPLES = /(^|\/)(examples?|example-[\w-]+)$/;

/** Names in the code of a file: identifiers, imports and strings, prose aside. */
function namesIn(file: string): string[] {
  const found: string[] = [];
  const isHelp = file.startsWith(path.join(SOURCES, 'cli/'));
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && PROSE.includes(node.name.getText().replace(/'/g, ''))) return;
    if (ts.isImportDeclaration(node) && EXAMPLES.test((node.moduleSpecifier as ts.StringLiteral).text)) return;
    const named = ts.isIdentifier(node) || ts.isTemplateHead(node) || ts.isStringLiteralLike(node) ? node.text : '';
    // A string with spaces is a sentence, or a manifest of an example. Those of the command line are help.
    const isText = /\s/.test(named);
    if ((BRAND.test(named) && !isText && !PUBLIC_NAMES.includes(named)) || (namesTable(named) && (!isText || isHelp))) found.push(named);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

test('general code names no system', () => {
  const files = fs.readdirSync(SOURCES, { recursive: true }).map(String).filter((file) => file.endsWith('.ts'))
    .filter((file) => !OWN_FOLDERS.test(file) && !EXAMPLES.test(file.replace(/\.ts$/, '')));
  const naming = files.map((file) => [file, namesIn(path.join(SOURCES, file))] as const).filter(([, names]) => names.length > 0);

  expect(files.length).toBeGreaterThan(300);
  expect(naming.filter(([file]) => !(file in EXCEPTIONS)).map(([file, names]) => `${file}: ${[...new Set(names)].join(', ')}`)).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((file) => !naming.some(([other]) => other === file))).toEqual([]);
});

test('names of providers are found in identifiers, kinds and sentences, and in no other words', () => {
  const namings = ['AWSCluster', 'isTalosFile', 'k0sctl', 'infrastructure.cluster.x-k8s.io/OCICluster', 'the configuration of a Talos machine'];

  expect([...namings, 'oci://registry', 'laws', 'packetSize', 'cluster.x-k8s.io/Cluster'].filter(namesTable)).toEqual(namings);
});

test('each folder of the two halves is on a floor, and in the table of CONTRIBUTING.md', () => {
  const root = path.join(SOURCES, '..');
  const folders = ['manifests', 'constructs'].flatMap((half) => fs.readdirSync(path.join(SOURCES, half), { withFileTypes: true })
    .filter((entry) => entry.isDirectory()).map(({ name }) => `src/${half}/${name}`));
  const rules = JSON.parse(fs.readFileSync(path.join(root, '.eslintrc.json'), 'utf8').replace(/^\/\/.*$/gm, '')).rules;
  const zones: readonly { readonly target: string; readonly from: readonly string[] }[] = rules['import/no-restricted-paths'][1].zones;
  const floors = zones.flatMap(({ target, from }) => [target, ...from]);
  const contributing = fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

  expect(folders.length).toBeGreaterThan(30);
  expect(folders.filter((folder) => !floors.some((floor) => floor === `./${folder}` || floor.startsWith(`./${folder}/`)))).toEqual([]);
  expect(folders.filter((folder) => !contributing.includes(`\`${folder}/\``))).toEqual([]);
});
