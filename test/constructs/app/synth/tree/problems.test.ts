import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { contents, file, inFolder, INDEX, visible } from './trees';
import { TreeError } from '../../../../../src/constructs/app/synth/tree/tree-error';
import { TreeFile, writeTree } from '../../../../../src/constructs/app/synth/tree/write-tree';
import { Call, fileSystemError, withIntercepted } from '../../../../support/intercepted-fs';

/** Problems of an output, as ids and messages; nothing of it changes. */
function problems(folder: string, files: Iterable<TreeFile>, write: (run: () => void) => void = (run) => run()): string[] {
  const before = isFolder(folder) ? contents(folder) : undefined;
  let found: TreeError | undefined;
  try {
    write(() => writeTree(folder, files));
  } catch (error) {
    found = error as TreeError;
  }
  expect(found).toBeInstanceOf(TreeError);
  if (before) expect(contents(folder)).toEqual(before);
  return found!.problems.map(({ rule, message, fix }) => {
    expect(message).not.toMatch(/undefined|\.$/);
    expect(fix).not.toBe('');
    return `${rule.id} ${message}`;
  });
}

function isFolder(folder: string): boolean {
  return fs.existsSync(folder) && fs.statSync(folder).isDirectory();
}

/** Runs something with a file system that refuses calls of one name for paths that end in a string. */
function refusing(refused: Call, end: string, code: string): (run: () => void) => void {
  return (run) => withIntercepted((call, at) => {
    if (call === refused && at.endsWith(end)) throw fileSystemError(code);
  }, run);
}

test.each([
  ['', 'without a name'],
  ['/etc/passwd', 'is absolute'],
  ['C:/a', 'is absolute'],
  ['../a', 'leaves the output'],
  ['a/../../b', 'leaves the output'],
  ['a/./b', 'without a name'],
  ['a//b', 'without a name'],
  ['a/', 'without a name'],
  ['a\\b', 'not every file system allows'],
  ['role-system:node.yaml', 'not every file system allows'],
  ['a\nb', 'not every file system allows'],
  ['a\ud800', 'not every file system allows'],
  ['a/aux.yaml', 'a device of Windows'],
  ['COM1', 'a device of Windows'],
  ['a./b', 'without its last character'],
  ['a ', 'without its last character'],
  ['.git/hooks/pre-commit', 'belongs to Git'],
  ['a/.GIT', 'belongs to Git'],
  ['.cdk8s-cluster-api/files.sha256', 'reserved for the lists'],
  ['ä'.repeat(128), 'more than 255 bytes'],
])('TC-OUTPUT-PATH: %j', (name, text) => inFolder((folder) => {
  expect(problems(folder, [file(name)])).toEqual([expect.stringMatching(/^TC-OUTPUT-PATH the path .* of a file of maker-of-/)]);
  expect(problems(folder, [file(name)])[0]).toContain(text);
}));

test.each(['.github/workflow.yaml', 'a/.cdk8s-cluster-api', 'console', 'ä'.repeat(127), 'a b', 'a@b,c', 'auxiliary.yaml'])('%j is a path', (name) => inFolder((folder) => {
  expect(writeTree(folder, [file(name)]).written).toEqual([name]);
}));

test.each([
  [['a', 'a'], 'maker-of-a writes "a", and maker-of-a writes "a"'],
  [['a/B', 'a/b'], 'maker-of-a/B writes "a/B", and maker-of-a/b writes "a/b": to some file systems they are the same name'],
  [['a/b', 'A/c'], 'maker-of-a/b writes files below "a", and maker-of-A/c writes files below "A": to some file systems they are the same name'],
  [['é', 'e\u0301'], 'to some file systems they are the same name'],
  [['a', 'a/b'], 'maker-of-a writes "a", and maker-of-a/b writes files below "a": one needs a folder'],
  [['a/b/c', 'a/b'], 'maker-of-a/b/c writes files below "a/b", and maker-of-a/b writes "a/b": one needs a folder'],
])('TC-OUTPUT-PATH-TWICE: %j', (names, text) => inFolder((folder) => {
  expect(problems(folder, names.map((name) => file(name)))).toEqual([expect.stringContaining('TC-OUTPUT-PATH-TWICE')]);
  expect(problems(folder, names.map((name) => file(name)))[0]).toContain(text);
}));

test('TC-OUTPUT-FOREIGN: files and folders of somebody else', () => inFolder((folder) => {
  fs.mkdirSync(path.join(folder, 'empty'));
  fs.mkdirSync(path.join(folder, 'folder'));
  fs.writeFileSync(path.join(folder, 'folder/mine'), 'mine');
  fs.writeFileSync(path.join(folder, 'mine'), 'mine\n');
  spawnSync('mkfifo', [path.join(folder, 'pipe')]);

  expect(problems(folder, [file('fine'), file('mine', 'more'), file('folder/mine', 'more')])).toEqual([
    'TC-OUTPUT-FOREIGN maker-of-mine writes "mine", but "mine" is a file that is on no list of written files',
    'TC-OUTPUT-FOREIGN maker-of-folder/mine writes "folder/mine", but "folder/mine" is a file that is on no list of written files',
  ]);
  expect(problems(folder, [file('mine/below'), file('folder'), file('empty'), file('pipe')])).toEqual([
    expect.stringContaining('writes "mine/below", but "mine" is a file'),
    expect.stringContaining('"folder" is a folder'),
    expect.stringContaining('"empty" is a folder'),
    expect.stringContaining('"pipe" is a special file'),
  ]);
  expect(fs.existsSync(path.join(folder, 'empty'))).toBe(true);
}));

test('TC-OUTPUT-LINK: nothing is written or removed through a link', () => inFolder((folder) => {
  const outdir = path.join(folder, 'dist');
  writeTree(outdir, [file('a/b'), file('c')]);
  fs.renameSync(path.join(outdir, 'a'), path.join(folder, 'outside'));
  fs.symlinkSync('../outside', path.join(outdir, 'a'));
  fs.rmSync(path.join(outdir, 'c'));
  fs.symlinkSync('../outside/b', path.join(outdir, 'c'));

  expect(problems(outdir, [file('a/b', 'new'), file('c', 'new')])).toEqual([
    expect.stringMatching(/^TC-OUTPUT-LINK maker-of-a\/b writes "a\/b", but "a" is a symbolic link/),
    expect.stringMatching(/^TC-OUTPUT-LINK .*"c" is a symbolic link/),
  ]);
  expect(writeTree(outdir, []).removed).toEqual([]);
  expect(visible(path.join(folder, 'outside'))).toEqual({ b: 'a/b\n' });

  const other = path.join(folder, 'other');
  fs.mkdirSync(other);
  fs.symlinkSync('../outside', path.join(other, '.cdk8s-cluster-api'));
  expect(problems(other, [file('a')])).toEqual([expect.stringMatching(/^TC-OUTPUT-LINK .*"\.cdk8s-cluster-api" is a symbolic link/)]);
}));

test.each(['nonsense', `${'0'.repeat(64)}  ../outside`, `${'0'.repeat(63)}  a`])('TC-OUTPUT-INDEX: %j', (line) => inFolder((folder) => {
  fs.writeFileSync(path.join(folder, 'outside'), 'mine');
  const outdir = path.join(folder, 'dist');
  writeTree(outdir, [file('a')]);
  fs.appendFileSync(path.join(outdir, INDEX), `${line}\n`);
  expect(problems(outdir, [])).toEqual([expect.stringMatching(/^TC-OUTPUT-INDEX .*all\.sha256:2: /)]);
  expect(fs.existsSync(path.join(folder, 'outside'))).toBe(true);
}));

test('TC-OUTPUT-INDEX: the one list of earlier versions', () => inFolder((folder) => {
  fs.mkdirSync(path.join(folder, '.cdk8s-cluster-api'));
  fs.writeFileSync(path.join(folder, '.cdk8s-cluster-api/files.sha256'), '');
  expect(problems(folder, [file('a')])).toEqual([expect.stringMatching(/^TC-OUTPUT-INDEX .*files\.sha256 was written by an earlier version/)]);
}));

describe('TC-OUTPUT-FAILED:', () => {
  test('the output is a file, or below one', () => inFolder((folder) => {
    fs.writeFileSync(path.join(folder, 'file'), '');
    expect(problems(path.join(folder, 'file'), [file('a')])).toEqual([expect.stringMatching(/^TC-OUTPUT-FAILED .*\/file/)]);
    expect(problems(path.join(folder, 'file/dist'), [file('a')])).toEqual([expect.stringMatching(/^TC-OUTPUT-FAILED .*\/file\/dist/)]);
    expect(fs.readFileSync(path.join(folder, 'file'), 'utf8')).toBe('');
  }));

  test('the output is a link that leads nowhere, or is below one that leads to itself', () => inFolder((folder) => {
    fs.symlinkSync('missing', path.join(folder, 'nowhere'));
    fs.symlinkSync('circle', path.join(folder, 'circle'));
    for (const outdir of ['nowhere', 'circle', 'circle/dist']) {
      expect(() => writeTree(path.join(folder, outdir), [file('a')])).toThrow(/TC-OUTPUT-FAILED E/);
    }
    expect(fs.readdirSync(folder).sort()).toEqual(['circle', 'nowhere']);
  }));

  test.each<[Call, string, string]>([
    ['mkdirSync', `/tmp-${process.pid}`, 'EROFS'],
    ['accessSync', '/a', 'EACCES'],
    ['readFileSync', '/a/b', 'EACCES'],
    ['writeFileSync', '/1', 'ENOSPC'],
    ['lstatSync', '/a/c', 'ENAMETOOLONG'],
  ])('%s of %s refused by %s leaves the output as it was', (call, end, code) => inFolder((folder) => {
    writeTree(folder, [file('a/b'), file('gone')]);
    expect(problems(folder, [file('a/b', 'new'), file('a/c')], refusing(call, end, code))).toEqual([`TC-OUTPUT-FAILED ${code}: refused`]);
    expect(writeTree(folder, [file('a/b', 'new'), file('a/c')]).written).toEqual(['a/b', 'a/c']);
  }));

  test('a refusal while files are put in place is repaired by the next synthesis', () => inFolder((folder) => {
    writeTree(folder, [file('a'), file('b')]);
    const write = () => writeTree(folder, [file('a', 'new'), file('b', 'new')]);
    expect(() => refusing('renameSync', '/1', 'EPERM')(write)).toThrow('TC-OUTPUT-FAILED EPERM');
    expect(visible(folder)).toEqual({ a: 'new', b: 'b\n' });
    expect(write()).toMatchObject({ unchanged: ['a'], written: ['b'], changedByHand: [] });
  }));
});

test('an error that is not of the file system stays as it is', () => inFolder((folder) => {
  const broken = function* (): Generator<TreeFile> {
    fs.readFileSync(path.join(folder, 'vendor.yaml'));
  };
  expect(() => writeTree(folder, broken())).toThrow(/^ENOENT/);
}));

test('all problems are in one error, which shows the first ones', () => inFolder((folder) => {
  const files = Array.from({ length: 50 }, (_, number) => file(`${number}:`));
  expect(problems(folder, files)).toHaveLength(50);
  expect(() => writeTree(folder, files)).toThrow(/"0:"[^]*"19:"[^]*and 30 more$/);
}));
