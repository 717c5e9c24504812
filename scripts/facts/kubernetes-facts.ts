import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProgramFlag } from './reference';
import { goFault } from '../conformance/go-program';

/** A feature gate, as the program prints it. */
export interface Gate {
  readonly stage: string;
  readonly default: boolean;
  readonly locked?: boolean;
}

/** A kind of one API version, the first release that serves it, and the first one that no longer does. */
export interface ApiLifecycle {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly introduced: string;
  readonly removed?: string;
}

/** Flags, gates and APIs of one release of Kubernetes, as `components/main.go` prints them. */
export interface KubernetesFacts {
  readonly flags: Readonly<Record<string, readonly ProgramFlag[]>>;
  readonly gates: Readonly<Record<string, Gate>>;
  readonly kubeadmGates: Readonly<Record<string, Gate>>;
  readonly admissionPlugins: readonly { readonly name: string; readonly on: boolean }[];

  /** Types of the fields of KubeletConfiguration by their path. */
  readonly kubelet: Readonly<Record<string, string>>;
  readonly apis: readonly ApiLifecycle[];
}

const COMPONENTS: readonly string[] = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet'];
const LONGEST_ANSWER = 64 * 1024 * 1024;
const MODULE = 'k8s.io/kubernetes';
const PROGRAM = join(__dirname, 'components/main.go');

/**
 * Asks the components of a release: builds the program against the release's own Go modules, which the Go module proxy has, and runs it. This
 * takes a minute, and some where nothing is in Go's cache.
 *
 * @param release such as `v1.36.3`
 * @throws if there is no Go, or it cannot build the release
 */
export function kubernetesFacts(release: string): KubernetesFacts {
  const { stdout, error } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' });
  if (error) throw new Error(goFault(undefined, ''));
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-cluster-api-facts-'));
  try {
    const upstream = upstreamModule(folder, release);
    const fault = goFault(stdout, upstream);
    if (fault !== undefined) throw new Error(fault);
    copyFileSync(PROGRAM, join(folder, 'main.go'));
    writeFileSync(join(folder, 'go.mod'), moduleText('facts', upstream, release));
    execFileSync('go', ['build', '-mod=mod', '-o', 'facts', '.'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    const ask = (...args: string[]): unknown => JSON.parse(execFileSync(join(folder, 'facts'), args, { encoding: 'utf8', maxBuffer: LONGEST_ANSWER }));
    return { ...ask() as KubernetesFacts, flags: Object.fromEntries(COMPONENTS.map((name) => [name, ask(name) as ProgramFlag[]])) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The text of Kubernetes' own go.mod, from the Go module proxy.
 *
 * @param folder where Go runs
 * @param release such as `v1.36.3`
 */
export function upstreamModule(folder: string, release: string): string {
  const answer = JSON.parse(execFileSync('go', ['mod', 'download', '-json', `${MODULE}@${release}`], { cwd: folder, encoding: 'utf8' })) as { GoMod: string };
  return readFileSync(answer.GoMod, 'utf8');
}

/**
 * The text of go.mod of a module that is built with a release of Kubernetes. Kubernetes replaces its libraries by folders of its repository, which
 * are released as modules of their own: v0.36.3 for v1.36.3.
 *
 * @param name name of the module
 * @param upstream the text of Kubernetes' own go.mod
 * @param release such as `v1.36.3`
 */
export function moduleText(name: string, upstream: string, release: string): string {
  const libraries = [...upstream.matchAll(/^\s*(?:replace\s+)?(\S+) => \.\/staging\//gm)].map(([, library]) => library);
  const version = release.replace(/^v1\./, 'v0.');
  return [
    `module ${name}`, '', /^go .*/m.exec(upstream)![0], '', `require ${MODULE} ${release}`, '',
    ...libraries.map((library) => `replace ${library} => ${library} ${version}`), '',
  ].join('\n');
}
