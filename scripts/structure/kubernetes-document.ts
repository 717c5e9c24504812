import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OpenApiSchema } from '../crds/definition';

const ROOT = resolve(__dirname, '../..');
const PROJECT = 'kubernetes/kubernetes';
const VERSION = 'v1.37.2';
const SHA256 = '465276aedf437726de5a6ed23a41b86d78bb0d347edf251a755ae26a93cdd8a6';
const FILE = 'api/openapi-spec/swagger.json';
const LOCAL_FILE = `kubernetes-${VERSION}-swagger.json`;
const URL = `https://raw.githubusercontent.com/${PROJECT}/${VERSION}/${FILE}`;
const LONGEST_DOWNLOAD_MS = 60_000;

/** Project and release that the structure of Kubernetes' own kinds is from; `conformance/servers/go.mod` pins the same one. */
export const KUBERNETES_RELEASE = `${PROJECT} ${VERSION}`;

/** An operation of the API, as far as it is read here. */
interface Operation {
  readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind;
  readonly 'parameters'?: readonly { readonly in: string; readonly schema?: OpenApiSchema }[];
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The OpenAPI document of a server, as far as it is read here. */
export interface OpenApiDocument {
  readonly definitions: Readonly<Record<string, OpenApiSchema>>;
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
}

/**
 * The OpenAPI document of the pinned release: from the directory CRDS_DIR, `../shared/crds`, `.crds-cache`, which a download fills, or the Go
 * module of Kubernetes, which holds the same file.
 *
 * @throws if it cannot be had, or differs from the pinned one
 */
export async function kubernetesDocument(): Promise<OpenApiDocument> {
  const { text, origin } = await documentText();
  const actual = createHash('sha256').update(text).digest('hex');
  if (actual !== SHA256) throw new Error(`${origin} differs from ${FILE} of ${PROJECT} ${VERSION}: expected sha256 ${SHA256}, found ${actual}`);
  return JSON.parse(text) as OpenApiDocument;
}

async function documentText(): Promise<{ readonly text: string; readonly origin: string }> {
  const cached = join(ROOT, '.crds-cache', LOCAL_FILE);
  const candidates = [process.env.CRDS_DIR ?? join(ROOT, '../shared/crds')].map((directory) => resolve(directory, LOCAL_FILE));
  const present = [...candidates, cached].find((path) => existsSync(path));
  if (present !== undefined) return { text: readFileSync(present, 'utf8'), origin: present };
  const faults: string[] = [];
  for (const source of [fromUpstream, fromGoModule]) {
    try {
      const found = await source();
      if (found.keep) keep(cached, found.text);
      return found;
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`the OpenAPI document of ${PROJECT} ${VERSION} cannot be had:\n${faults.map((fault) => `  - ${fault}\n`).join('')}`
    + `Set CRDS_DIR to a directory that has it as ${LOCAL_FILE}, or allow network access, or install Go.`);
}

/** Upstream publishes the file a second time, in its Go module. */
async function fromGoModule() {
  const name = `k8s.io/kubernetes@${VERSION}`;
  try {
    const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', name], {
      cwd: ROOT, encoding: 'utf8', env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=mod' }, stdio: ['ignore', 'pipe', 'pipe'],
    })) as { Dir: string };
    const origin = join(Dir, FILE);
    return { text: readFileSync(origin, 'utf8'), origin, keep: false };
  } catch (error) {
    throw new Error(`the Go module ${name} cannot be downloaded: ${firstLine(error)}`, { cause: error });
  }
}

async function fromUpstream() {
  try {
    const response = await fetch(URL, { signal: AbortSignal.timeout(LONGEST_DOWNLOAD_MS) });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return { text: await response.text(), origin: URL, keep: true };
  } catch (error) {
    throw new Error(`${URL} cannot be downloaded: ${firstLine(error)}`, { cause: error });
  }
}

/** Tests download in parallel processes, and none may read half a file. */
function keep(path: string, text: string): void {
  mkdirSync(resolve(path, '..'), { recursive: true });
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, path);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0];
}
