import * as fs from 'node:fs';
import * as path from 'node:path';
import { CommittedFolder } from '../../../../src/manifests/objects/git/committed-folder';
import { IndexedFiles } from '../../../../src/manifests/objects/git/indexed-files';
import { placeInWorkTree } from '../../../../src/manifests/objects/git/work-tree';
import { GitRepository } from '../../../support/git-repository';

const FILE = 'dist/a.yaml';
const CONTENT = 'a: 1\n';

let repo: GitRepository;

beforeEach(() => {
  repo = new GitRepository();
  repo.commit({ [FILE]: CONTENT, 'dist/sub/grüße b.yaml': 'b: 1\n', 'other.yaml': '' });
  writtenBeforeIndex();
});

afterEach(() => repo.remove());

/** Has the index written after the files, whatever the clock of the file system. */
function writtenBeforeIndex(): void {
  const hour = new Date(Date.now() - 3600_000);
  for (const file of [FILE, 'dist/sub/grüße b.yaml', 'other.yaml']) fs.utimesSync(repo.at(file), hour, hour);
  repo.git('update-index', '--refresh');
}

function idOf(file: string, within = 'dist'): string | undefined {
  const place = repo.at(within);
  return new IndexedFiles(placeInWorkTree(place)!).idOf(file, fs.statSync(path.join(place, file)));
}

test('a file whose status is the one that Git saw has the content that Git saw', () => {
  expect(CommittedFolder.of(repo.at('dist'))!.has('a.yaml', idOf('a.yaml'))).toBe(true);
  expect(CommittedFolder.of(repo.at('dist'))!.has('sub/grüße b.yaml', idOf('sub/grüße b.yaml'))).toBe(true);
  expect(idOf('dist/a.yaml', '')).toBe(idOf('a.yaml'));
  expect(idOf('', FILE)).toBe(idOf('a.yaml'));
  fs.writeFileSync(repo.at(FILE), 'a: 2\n');
  repo.git('add', FILE);
  writtenBeforeIndex();
  expect(CommittedFolder.of(repo.at('dist'))!.has('a.yaml', idOf('a.yaml'))).toBe(false);
});

test.each<[string, () => void]>([
  ['has another content of the same size', () => fs.writeFileSync(repo.at(FILE), 'a: 2\n')],
  ['has another content of the same size, and the time that it had', () => {
    const { atime, mtime } = fs.statSync(repo.at(FILE));
    fs.writeFileSync(repo.at(FILE), 'a: 2\n');
    fs.utimesSync(repo.at(FILE), atime, mtime);
  }],
  ['is another file of the same content', () => {
    fs.copyFileSync(repo.at(FILE), repo.at('copy'));
    fs.renameSync(repo.at('copy'), repo.at(FILE));
  }],
  ['is as new as the index', () => {
    const { atime, mtime } = fs.statSync(repo.at(FILE));
    fs.utimesSync(repo.at('.git/index'), atime, mtime);
  }],
  ['is not in the index', () => repo.git('rm', '--quiet', '--cached', FILE)],
  ['is to be added', () => {
    repo.git('rm', '--quiet', '--cached', FILE);
    repo.git('add', '--intent-to-add', FILE);
  }],
  ['is said not to change', () => repo.git('update-index', '--assume-unchanged', FILE)],
])('a file must be read that %s', (_, change) => {
  change();
  expect(idOf('a.yaml')).toBeUndefined();
});

test('files must be read in a linked work tree, and without an index', () => {
  const linked = `${repo.folder}-linked`;
  repo.git('worktree', 'add', '--quiet', linked);
  try {
    const index = new IndexedFiles(placeInWorkTree(linked)!);
    expect(index.idOf(FILE, fs.statSync(path.join(linked, FILE)))).toBeUndefined();
  } finally {
    fs.rmSync(linked, { recursive: true });
  }
  fs.rmSync(repo.at('.git/index'));
  expect(idOf('a.yaml')).toBeUndefined();
});

test('no filter runs', () => {
  const proof = repo.at('.git/proof');
  repo.git('config', 'filter.proof.clean', `touch ${proof}; cat`);
  repo.write('.gitattributes', '* filter=proof\n');
  fs.utimesSync(repo.at('.git/index'), new Date(0), new Date(0));
  expect(idOf('a.yaml')).toBeUndefined();
  expect(fs.existsSync(proof)).toBe(false);
});
