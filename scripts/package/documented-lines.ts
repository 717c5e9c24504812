import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const BLOCK = /^```(?:sh|bash|shell)\n([\s\S]*?)^```$/gm;

/** Programs that an app of `init` has: the lines of a page that begin with them must run there. */
const RUN = /^(npx (cdk8s-cluster-api|cdk8s|tsx|tsc)|npm run synth) /;

/** Lines that need a registry of images, the API of a cluster, machines that are bare metal hosts, or a name that the reader fills in. */
const NOT_RUN = /\b(images lock|baremetalhosts|kubectl|kustomize|git|init)\b|\b[A-Z]{3,}-?[A-Z]*\b|\.\.\//;

/** Folder that a page has a new app written to. */
const NEW_APP = /--output app\b/;

/** Paths by which pages name the output. */
const OUTPUT = /examples\/[\w-]+\/dist|\bapp\/dist\b|\bclusters\/(?![\w.])|\bdist\/hall-[ab]\b/g;

/** A command of the docs, and where it is. */
export interface DocumentedLine {
  readonly page: string;
  readonly text: string;
}

/** Every command in the blocks of shell of the README and the pages below docs/, as one line. */
export function documentedLines(): DocumentedLine[] {
  const docs = fs.readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(addons|construct-rules|node_modules|reference|rules)\//.test(name)).sort().map((name) => path.join('docs', name));
  return ['README.md', ...docs].flatMap((page) => [...fs.readFileSync(path.join(ROOT, page), 'utf8').matchAll(BLOCK)].flatMap(([, block]) => (
    block.replace(/\\\n\s*/g, '').split('\n').map((line) => line.replace(/\s+#.*$/, '').trim()).filter((line) => line !== '').map((text) => ({ page, text })))));
}

/** Writes the former state, the objects of the management cluster, its hosts and their prices, by the names that pages give them. */
function writeInputs(app: string): void {
  fs.cpSync(path.join(app, 'dist'), path.join(app, 'old'), { recursive: true });
  const list = (...items: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'host-1' }, status: { allocatable: { cpu: '64', memory: '256Gi', pods: '110' } } };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'dns', namespace: 'kube-system' }, spec: { nodeName: 'host-1', containers: [{ name: 'dns' }] } };
  const files = {
    'live.json': list({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant-acme' } }),
    'hosts.json': list(node, pod),
    'nodes.json': list(node),
    'kube-system.json': list(pod),
    'hosts.yaml': 'hosts:\n  - {name: general, count: 3, cpu: 64, memory: 256Gi}\n',
    'prices.yaml': 'currency: EUR\nper: month\nhosts: {general: 410}\n',
  };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(app, name), text);
}

/**
 * Runs the documented commands of the package in an app. Findings are no failures: a command fails if it cannot run.
 *
 * @param app folder of an app that has been synthesized and committed
 * @returns how many were run
 */
export function checkDocumentedLines(app: string): string {
  const lines = documentedLines();
  const tried = lines.filter(({ text }) => RUN.test(`${text} `) && !NOT_RUN.test(text));
  writeInputs(app);
  const written = fs.mkdtempSync(path.join(os.tmpdir(), 'documented-lines-'));
  const faults = tried.flatMap(({ page, text }, index) => {
    const line = text.replace(OUTPUT, 'dist').replace(NEW_APP, `--output ${path.join(written, String(index))}`);
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: app, encoding: 'utf8' });
    const isChange = text.includes('--exit-code') && !/^error: /m.test(stderr);
    return status === 0 || status === 1 || isChange ? [] : [`${page}: ${text}\n${stderr}`];
  });
  fs.rmSync(written, { recursive: true });
  if (faults.length > 0) throw new Error(`documented commands do not run:\n${faults.join('\n')}`);
  if (tried.length === 0) throw new Error('no documented command was found');
  return `${tried.length} of ${lines.length} documented shell lines run`;
}
