import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import * as cdk8s from 'cdk8s';
import * as jsYaml from 'js-yaml';
import * as ts from 'typescript';
import { ALL } from './support/sample';
import { readGolden } from '../scripts/golden/golden-store';
import { sortFiles } from '../scripts/golden/sort-files';
import { COMMANDS } from '../src/cli/main';
import { WARNINGS } from '../src/constructs/app/problems/warnings';

// By name of a file alone: with an import, the compiler would read the index as one of isolated modules, which re-export no types.
const library = jest.requireActual<Record<string, unknown>>('../src');

const ROOT = join(__dirname, '..');
const DOCS = join(ROOT, 'docs');

const FOLDERS = ['blueprints', 'guides', 'troubleshooting'];

/** The pages for users, by path from the root of the repository. */
const PAGES = new Map([
  ...['index.md', 'getting-started.md', 'concepts.md', 'faq.md', 'go.md', 'python.md', 'versions.md'],
  ...FOLDERS.flatMap((folder) => readdirSync(join(DOCS, folder)).filter((name) => name.endsWith('.md')).sort().map((name) => join(folder, name))),
].map((name) => [join('docs', name), readFileSync(join(DOCS, name), 'utf8')]));

/** Declarations that a part of a page may use: the rest of the user's page, except those that the part declares itself. */
const SURROUNDINGS: { readonly [name: string]: string } = {
  app: 'new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: \'flux-system\', path: \'dist\' }) });',
  hall: `new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'], serviceCidrs: ['10.96.0.0/16'], nodeCidrs: ['192.168.100.0/24'], networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});`,
  nodeImage: '\'registry.example.com/nodes/ubuntu-24.04:1.35.4\';',
  rootDisk: 'RootDisk.containerDisk({ image: nodeImage });',
  machine: 'new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk });',
  page: `{
  namespace: 'tenant-acme', kubernetesVersion: '1.35.4', controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
  infrastructure: new KubevirtInfrastructure(), cni: new Cilium(), delivery: new FluxDelivery(),
};`,
  acme: 'new TenantCluster(app, \'acme\', page);',
};

interface Workload {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly name: string;
          readonly resources: { readonly requests: { readonly cpu: string; readonly memory: string }; readonly limits: { readonly memory: string } };
        }[];
      };
    };
  };
}

/** Samples of whole tenants, which users copy as they are. */
const WITHOUT_WARNINGS = ['docs/getting-started.md block 1', 'docs/guides/external-infrastructure-cluster.md block 1'];

interface Sample {
  /** Path of the page, with the number of the block in it. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Its samples are tests themselves: they need a test runner around them. */
const OF_TESTS = 'docs/guides/test-your-page.md';

const SAMPLES: readonly Sample[] = [...PAGES].filter(([page]) => page !== OF_TESTS).flatMap(([page, text]) => [...text.matchAll(/^ *```ts\n([^]*?)^ *```/gm)].map(([, block], index) => ({
  name: `${page} block ${index + 1}`,
  file: join(ROOT, `${page}-${index + 1}.ts`),
  text: program(block),
})));

/** A block that ends with `app.synth()` is a whole program; any other is a part of a page, which gets its surroundings. */
function program(block: string): string {
  if (block.includes('app.synth()')) return block;
  const declared = Object.entries(SURROUNDINGS).filter(([name]) => !new RegExp(`^(const|class) ${name}\\b`, 'm').test(block));
  const usesTenant = /\bacme\b/.test(block) || block.includes('new Fleet(');
  const before = declared.filter(([name]) => name !== 'acme' || (usesTenant && !block.includes('new Fleet('))).map(([name, value]) => `const ${name} = ${value}`);
  // A tenant has a pool, which most parts do not show.
  const after = [usesTenant ? '' : `const acme = ${SURROUNDINGS.acme}`, block.includes('addNodePool(') ? '' : 'acme.addNodePool(\'general\', { machine, size: PoolSize.fixed(2) });'];
  const imports = block.match(/^import [^;]*;$/gm) ?? [];
  const body = [...before, imports.reduce((rest, line) => rest.replace(line, ''), block), ...after, 'app.synth();'].join('\n');
  return [importLine(library, 'cdk8s-cluster-api', body, imports), importLine(cdk8s, 'cdk8s', body, imports), ...imports, body].join('\n');
}

function importLine(exported: object, from: string, body: string, imports: readonly string[]): string {
  const imported = imports.join('\n');
  const isDeclared = (name: string) => new RegExp(`\\b${name}\\b`).test(imported) || new RegExp(`^const ${name}\\b`, 'm').test(body);
  const names = Object.keys(exported).filter((name) => new RegExp(`(?<![.'\\w])${name}\\b`).test(body) && !isDeclared(name));
  return `import { ${names.join(', ')} } from '${from}';`;
}

function faultsOfTypes(): string[] {
  const texts = new Map(SAMPLES.map(({ file, text }) => [file, text]));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: { 'cdk8s-cluster-api': [join(ROOT, 'src/index.ts')], 'cdk8s-cluster-api/manifests': [join(ROOT, 'src/manifests.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  const compiled = ts.createProgram([...texts.keys()], options, host);
  return SAMPLES.flatMap(({ name, file }) => {
    const source = compiled.getSourceFile(file)!;
    return [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)]
      .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  });
}

/**
 * Runs a sample in an empty output folder.
 *
 * @returns what it warns of
 */
function run(text: string): string[] {
  const outdir = mkdtempSync(join(tmpdir(), 'docs-'));
  const previous = process.env.CDK8S_OUTDIR;
  process.env.CDK8S_OUTDIR = outdir;
  const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  try {
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const code = ts.transpileModule(text, { compilerOptions }).outputText;
    new Function('require', 'exports', code)((name: string) => jest.requireActual(name), {});
    expect(readdirSync(outdir)).not.toEqual([]);
    return warn.mock.calls.map(([warning]) => String(warning));
  } finally {
    warn.mockRestore();
    if (previous === undefined) delete process.env.CDK8S_OUTDIR;
    else process.env.CDK8S_OUTDIR = previous;
    rmSync(outdir, { recursive: true, force: true });
  }
}

describe('samples', () => {
  // The compiler checks the whole library for this. The samples themselves run below, and their arguments are checked there.
  (ALL ? test : test.skip)('have no faults of types', () => {
    expect(SAMPLES.length).toBeGreaterThan(30);
    expect(faultsOfTypes()).toEqual([]);
  });

  test.each(SAMPLES.map(({ name, text }) => [name, text]))('%s synthesizes', (name, text) => {
    const warnings = run(text);
    if (WITHOUT_WARNINGS.includes(name)) expect(warnings).toEqual([]);
  });
});

describe('pages', () => {
  test('cover forty tasks', () => {
    expect([...PAGES.keys()].filter((page) => FOLDERS.some((folder) => page.includes(folder))).length).toBeGreaterThanOrEqual(40);
  });

  test('show pictures, not the source of diagrams, which the site does not draw', () => {
    expect(findings(/```mermaid/g, () => false)).toEqual([]);
  });

  test('name rules that exist', () => {
    const known = new Set(COMMANDS.find(({ name }) => name === 'explain')!.operands!());

    expect(findings(/TC-[A-Z0-9]+(?:-[A-Z0-9]+)+/g, (id) => known.has(id))).toEqual([]);
  });

  test('name commands and options that exist', () => {
    const exists = (line: string) => {
      const words = line.split(/\s+/).slice(1);
      const command = [...COMMANDS].sort((a, b) => b.name.length - a.name.length).find(({ name }) => words.join(' ').startsWith(name));
      return command !== undefined && words.filter((word) => /^--\w/.test(word)).every((word) => {
        const option = word.slice(2).split('=')[0];
        return option === 'help' || Object.hasOwn(command.options, option);
      });
    };

    expect(findings(/(?<=npx )cdk8s-cluster-api [^\n`|>]+/g, exists)).toEqual([]);
  });

  test('give the requests and limits of controllers that manifests have', () => {
    const table = PAGES.get('docs/guides/size-the-management-cluster.md')!;
    const rows = new Map([...table.matchAll(/^\| `([\w-]+)` \|.*$/gm)].map(([row, name]) => [name, row.split('|').map((cell) => cell.trim())]));
    const written = (jsYaml.loadAll(sortFiles(readGolden()['example-diy-cloud']).management) as Workload[])
      .filter(({ kind }) => kind === 'Deployment').flatMap(({ spec }) => spec.template.spec.containers);

    expect(written.length).toBeGreaterThan(6);
    expect(written.map(({ name }) => [name, rows.get(name)?.[6], rows.get(name)?.[7], rows.get(name)?.[9]]))
      .toEqual(written.map(({ name, resources: { requests, limits } }) => [name, requests.memory, limits.memory, requests.cpu]));
  });

  test('link to files and headings that exist', () => {
    const broken = [...PAGES].flatMap(([page, text]) => [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, target, heading]) => !linked(target === '' ? join(ROOT, page) : join(ROOT, dirname(page), target), heading))
      .map(([link]) => `${page}: ${link}`));

    expect(broken).toEqual([]);
  });
});

/** Matches of a pattern in the pages that are not accepted. */
function findings(pattern: RegExp, accepted: (text: string) => boolean): string[] {
  return [...PAGES].flatMap(([page, text]) => [...text.matchAll(pattern)].map(([found]) => found)
    .filter((found) => !accepted(found)).map((found) => `${page}: ${found}`));
}

function linked(target: string, heading: string | undefined): boolean {
  // Pages of the repository only: what leads out of it cannot be read on GitHub.
  if (relative(ROOT, target).startsWith('..') || !existsSync(target)) return false;
  if (heading === undefined) return true;
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text]) => text.toLowerCase().replace(/[^\w\- ]/g, '').replace(/ /g, '-'));
  return headings.includes(heading);
}
