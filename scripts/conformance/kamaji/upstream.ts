import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** Sources that the Go module proxy does not have. */
interface UpstreamSource {
  readonly project: string;
  readonly version: string;
  readonly commit: string;

  /** File that is added to it, and where. */
  readonly added?: { readonly from: string; readonly to: string };
}

const SOURCES: readonly UpstreamSource[] = [
  { project: 'clastix/kamaji', version: '26.8.2-edge', commit: 'ddbabd87ed0e8d7c319414383e153c46f21733a9' },
  {
    project: 'clastix/cluster-api-control-plane-provider-kamaji',
    version: 'v0.20.0',
    commit: 'ce629592d4b2e159950c1941fa1e18dff3d2a832',
    added: { from: 'exported.go.txt', to: 'controllers/exported.go' },
  },
];

const ROOT = path.resolve(__dirname, '..', '..', '..');
const MARK = '.commit';

/**
 * Puts the sources of Kamaji and of Cluster API's provider for it to where the module in `conformance/kamaji` looks for them: out of an archive
 * in SOURCES_DIR, in `../shared/sources`, or from upstream.
 *
 * @param module folder of the module
 * @throws if an archive cannot be had
 */
export async function prepareUpstream(module: string): Promise<void> {
  for (const source of SOURCES) {
    const name = source.project.split('/')[1];
    const folder = path.join(module, 'upstream', name);
    const mark = path.join(folder, MARK);
    if (!fs.existsSync(mark) || fs.readFileSync(mark, 'utf8') !== source.commit) {
      fs.rmSync(folder, { recursive: true, force: true });
      await unpack(source, name, folder);
      fs.writeFileSync(mark, source.commit);
    }
    if (source.added) fs.copyFileSync(path.join(module, source.added.from), path.join(folder, source.added.to));
  }
}

async function unpack(source: UpstreamSource, name: string, folder: string): Promise<void> {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'sources-'));
  try {
    const archive = findArchive(`${name}-${source.version}.tar.xz`) ?? await downloaded(source, path.join(temporary, 'archive.tar.gz'));
    fs.mkdirSync(folder, { recursive: true });
    // An archive holds one folder, whose name its maker chose.
    execFileSync('tar', ['-xf', archive, '-C', folder, '--strip-components=1'], { stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

function findArchive(name: string): string | undefined {
  const folder = process.env.SOURCES_DIR ?? path.join(ROOT, '..', 'shared', 'sources');
  return [path.resolve(folder, name)].find((file) => fs.existsSync(file));
}

async function downloaded({ project, version, commit }: UpstreamSource, file: string): Promise<string> {
  const url = `https://codeload.github.com/${project}/tar.gz/${commit}`;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    fs.writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    return file;
  } catch (error) {
    throw new Error(`${url} cannot be downloaded: ${error instanceof Error ? error.message : String(error)}. `
      + `Set SOURCES_DIR to a directory that has ${project.split('/')[1]}-${version}.tar.xz, or allow network access.`, { cause: error });
  }
}
