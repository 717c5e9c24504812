import * as fs from 'node:fs';
import * as path from 'node:path';
import * as jsYaml from 'js-yaml';
import { run } from './run';
import { BLUEPRINTS } from '../../src/cli/init/app-files';

const ROOT = path.join(__dirname, '..', '..');

/** The folders of the output that a GitOps tool starts with, as the guides name them. */
const START = /(?:^|\/)(?:flux|argocd)\/[^/]+\.yaml$/;

/** A page has no scripts of its own: those of an app of `init`. */
const PAGE_PACKAGE = JSON.stringify({ private: true, scripts: { synth: 'tsx main.ts && cdk8s-cluster-api validate' } });

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly path?: string;
    readonly sourceRef?: { readonly name: string };
    readonly source?: { readonly path?: string };
  };
}

/**
 * Goes from an empty folder to a commit as the pages tell a newcomer, for the page of the README, an app of each blueprint, the page for Argo CD
 * and that for several management clusters, and checks in each commit that every path which a GitOps tool reads holds manifests.
 *
 * @param app folder of an app that has the package
 * @param starter an app of `init`, whose packages the others share
 * @returns what was tried
 */
export function checkFirstDay(app: string, starter: string): string {
  const top = path.join(app, 'first-day');
  const program = path.join(app, 'node_modules', 'cdk8s-cluster-api', 'bin', 'cdk8s-cluster-api');
  const pages: { readonly [name: string]: string } = {
    'readme': pageOf('README.md'),
    'argo-cd': fs.readFileSync(path.join(ROOT, 'examples/argo-cd/main.ts'), 'utf8'),
    'management-clusters': pageOf('docs/guides/several-management-clusters.md'),
  };
  const tried = [
    ...Object.keys(BLUEPRINTS).map((name, index) => {
      const repository = newRepository(path.join(top, name), { 'README.md': '# Platform\n' });
      // One of them is in a folder of its repository.
      const within = index === 1 ? 'platform/clusters' : '.';
      run(process.execPath, [program, 'init', '--blueprint', name, within], repository);
      return { name, repository, within };
    }),
    ...Object.entries(pages).map(([name, text]) => (
      { name, repository: newRepository(path.join(top, name), { 'main.ts': text, 'package.json': PAGE_PACKAGE }), within: '.' })),
  ];
  return tried.map(({ name, repository, within }) => `${name} ${checkCommit(repository, within, starter)}`).join(', ');
}

/** Synthesizes the program of a folder, commits everything, and checks what a GitOps tool reads. Returns how many paths that are. */
function checkCommit(repository: string, within: string, starter: string): number {
  const folder = path.join(repository, within);
  fs.symlinkSync(path.join(starter, 'node_modules'), path.join(folder, 'node_modules'));
  run('npm', ['run', 'synth'], folder);
  git(repository, 'add', '--all');
  git(repository, 'commit', '--quiet', '--message=First day');
  const output = path.posix.join(within, 'dist');
  const files = git(repository, 'ls-tree', '-r', '-z', '--name-only', 'HEAD', output).split('\0').filter((file) => file.endsWith('.yaml'));
  const folders = new Set(files.map((file) => path.posix.dirname(file)));
  const paths = files.flatMap((file) => (jsYaml.loadAll(fs.readFileSync(path.join(repository, file), 'utf8')) as (Manifest | null)[]).flatMap(pathsOf));
  const missing = paths.filter((read) => !folders.has(read));
  if (missing.length > 0) throw new Error(`${repository}: no manifests are committed at ${missing.join(', ')}`);
  if (paths.length === 0 || !files.some((file) => START.test(file))) throw new Error(`${repository}: no GitOps tool reads anything of the commit`);
  const plan = run('npx', ['--no-install', 'cdk8s-cluster-api', 'plan', 'dist'], folder);
  if (plan !== 'Nothing changes.\n') throw new Error(`${repository}: after the commit, the plan is\n${plan}`);
  return paths.length;
}

/** The paths in its own repository that an object of Flux or Argo CD reads. */
function pathsOf(manifest: Manifest | null): string[] {
  if (manifest?.spec === undefined) return [];
  const { apiVersion, kind, spec } = manifest;
  const read = (one: string | undefined) => (one === undefined ? [] : [path.posix.normalize(one)]);
  if (kind === 'Kustomization' && apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') && spec.sourceRef?.name === 'flux-system') return read(spec.path);
  return kind === 'Application' ? read(spec.source?.path) : [];
}

/** The first page of TypeScript in a document. */
function pageOf(document: string): string {
  return /^```ts\n([\s\S]*?)^```$/m.exec(fs.readFileSync(path.join(ROOT, document), 'utf8'))![1];
}

function newRepository(folder: string, files: { readonly [name: string]: string }): string {
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  fs.appendFileSync(path.join(folder, '.git/info/exclude'), 'node_modules\n');
  return folder;
}

function git(folder: string, ...args: string[]): string {
  return run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', ...args], folder);
}
