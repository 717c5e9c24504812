import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import * as path from 'node:path';
import { contents, file, inFolder, INDEX, visible } from './trees';
import { FileSystem } from '../../../src/synth/tree/disk';
import { OUTPUT_RULES } from '../../../src/synth/tree/rules';
import { TreeError } from '../../../src/synth/tree/tree-error';
import { TreeFile } from '../../../src/synth/tree/tree-file';
import { writeTree } from '../../../src/synth/tree/write-tree';

const LOCK = '.cdk8s-cluster-api/lock';
const tested = new Set<string>();

/** What is wrong with an output, as ids and messages; nothing of it changes. */
function problems(folder: string, files: Iterable<TreeFile>, fileSystem?: FileSystem): string[] {
  const before = fs.statSync(folder).isDirectory() ? contents(folder) : undefined;
  let found: TreeError | undefined;
  try {
    writeTree(folder, files, { fileSystem });
  } catch (error) {
    found = error as TreeError;
  }
  expect(found).toBeInstanceOf(TreeError);
  if (before) expect(contents(folder)).toEqual(before);
  return found!.problems.map(({ rule, message, fix }) => {
    tested.add(rule.id);
    expect(message).not.toMatch(/undefined|\.$/);
    expect(fix).not.toBe('');
    return `${rule.id} ${message}`;
  });
}

/** A file system that refuses calls of one name, for paths that end in a text. */
function refusing(call: keyof FileSystem, end: string, code: string): FileSystem {
  return new Proxy<FileSystem>(fs, {
    get: (target, name) => (...args: unknown[]) => {
      if (name === call && String(args[0]).endsWith(end)) throw Object.assign(new Error(code), { code });
      return (Reflect.get(target, name) as (...given: unknown[]) => unknown)(...args);
    },
  });
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
  ['a\\b', 'not every file system has'],
  ['role-system:node.yaml', 'not every file system has'],
  ['a\nb', 'not every file system has'],
  ['a\ud800', 'not every file system has'],
  ['a/aux.yaml', 'a device to Windows'],
  ['COM1', 'a device to Windows'],
  ['a./b', 'without its last character'],
  ['a ', 'without its last character'],
  ['.git/hooks/pre-commit', 'belongs to Git'],
  ['a/.GIT', 'belongs to Git'],
  ['.cdk8s-cluster-api/files.sha256', 'kept for the list'],
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
    expect.stringMatching(/^TC-OUTPUT-FOREIGN maker-of-mine writes "mine", but there is another file/),
    expect.stringMatching(/^TC-OUTPUT-FOREIGN .*"folder\/mine", but there is another file/),
  ]);
  expect(problems(folder, [file('mine/below'), file('folder'), file('empty'), file('pipe')])).toEqual([
    expect.stringContaining('"mine" is a file that synthesis has not written'),
    expect.stringContaining('that is a folder with files that synthesis has not written'),
    expect.stringContaining('that is a folder with files that synthesis has not written'),
    expect.stringContaining('"pipe" is neither file nor folder'),
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
  expect(problems(other, [file('a')])).toEqual([expect.stringMatching(/^TC-OUTPUT-LINK .*cdk8s-cluster-api is a symbolic link/)]);
}));

test.each(['nonsense', `${'0'.repeat(64)}  ../outside`, `${'0'.repeat(63)}  a`])('TC-OUTPUT-INDEX: %j', (line) => inFolder((folder) => {
  fs.writeFileSync(path.join(folder, 'outside'), 'mine');
  const outdir = path.join(folder, 'dist');
  writeTree(outdir, [file('a')]);
  fs.appendFileSync(path.join(outdir, INDEX), `${line}\n`);
  expect(problems(outdir, [])).toEqual([expect.stringMatching(/^TC-OUTPUT-INDEX line 2 of .*files\.sha256/)]);
  expect(fs.existsSync(path.join(folder, 'outside'))).toBe(true);
}));

describe('TC-OUTPUT-LOCKED', () => {
  test.each([
    ['a process that writes', `${process.ppid} ${startOf(process.ppid)} ${hostname()} id\n`, `process ${process.ppid} is writing`],
    ['a process of another host', '1 1 elsewhere.example.com id\n', 'process 1 of host "elsewhere.example.com"'],
  ])('%s', (_, lock, text) => inFolder((folder) => {
    writeTree(folder, [file('a')]);
    fs.writeFileSync(path.join(folder, LOCK), lock);
    expect(problems(folder, [file('a', 'new')])).toEqual([expect.stringContaining(text)]);
  }));

  test.each([
    ['of a process that has ended', `${spawnSync('true').pid} 1 ${hostname()} id\n`],
    ['of an earlier process of the same number', `${process.ppid} 1 ${hostname()} id\n`],
    ['of a process that ended before it wrote its name', ''],
  ])('a lock %s is taken over', (_, lock) => inFolder((folder) => {
    writeTree(folder, [file('a')]);
    fs.writeFileSync(path.join(folder, LOCK), lock);
    expect(writeTree(folder, [file('b')])).toMatchObject({ written: ['b'], removed: ['a'] });
    expect(fs.existsSync(path.join(folder, LOCK))).toBe(false);
  }));

  test('a synthesis within a synthesis', () => inFolder((folder) => {
    const nested = function* () {
      yield file('a');
      writeTree(folder, [file('b')]);
    };
    expect(problems(folder, nested())).toEqual([expect.stringContaining(`process ${process.pid} is writing`)]);
  }));

  test('a lock that another process has taken over meanwhile', () => inFolder((folder) => {
    writeTree(folder, [file('a')]);
    const files = function* () {
      yield file('b');
      fs.writeFileSync(path.join(folder, LOCK), '1 1 elsewhere.example.com id\n');
    };
    expect(() => writeTree(folder, files())).toThrow(/TC-OUTPUT-LOCKED process 1 of host/);
    expect(visible(folder)).toEqual({ a: 'a\n' });
    expect(fs.readFileSync(path.join(folder, LOCK), 'utf8')).toContain('elsewhere');
  }));
});

test('TC-OUTPUT-FOLDER: the output is a file, or below one', () => inFolder((folder) => {
  fs.writeFileSync(path.join(folder, 'file'), '');
  expect(problems(path.join(folder, 'file'), [])).toEqual([expect.stringMatching(/^TC-OUTPUT-FOLDER cannot make the folder .*file: a file is where a folder has to be/)]);
  expect(() => writeTree(path.join(folder, 'file/dist'), [])).toThrow('TC-OUTPUT-FOLDER');
}));

test('TC-OUTPUT-FOLDER: the output is a link that leads nowhere, or is below one that leads to itself', () => inFolder((folder) => {
  fs.symlinkSync('missing', path.join(folder, 'nowhere'));
  fs.symlinkSync('circle', path.join(folder, 'circle'));
  expect(() => writeTree(path.join(folder, 'nowhere'), [file('a')])).toThrow(/TC-OUTPUT-FOLDER .*nowhere is a symbolic link to a folder that is not there/);
  for (const outdir of ['circle', 'circle/dist']) {
    expect(() => writeTree(path.join(folder, outdir), [file('a')])).toThrow(/TC-OUTPUT-FOLDER .*symbolic links in the path lead in a circle/);
  }
  expect(fs.readdirSync(folder).sort()).toEqual(['circle', 'nowhere']);
}));

test.each<[string, keyof FileSystem, string, string, string]>([
  ['TC-OUTPUT-ACCESS', 'writeFileSync', '/lock', 'EACCES', 'cannot write'],
  ['TC-OUTPUT-ACCESS', 'writeFileSync', '/lock', 'EROFS', 'can only be read'],
  ['TC-OUTPUT-ACCESS', 'accessSync', '/a', 'EACCES', '/a: the user that runs this may not do that'],
  ['TC-OUTPUT-ACCESS', 'readFileSync', '/a/b', 'EACCES', 'cannot read'],
  ['TC-OUTPUT-SPACE', 'writeFileSync', '/staging/1', 'ENOSPC', 'the disk is full'],
  ['TC-OUTPUT-SPACE', 'writeFileSync', '/staging/journal', 'EDQUOT', 'share of the disk is full'],
  ['TC-OUTPUT-PATH-LENGTH', 'lstatSync', '/a/c', 'ENAMETOOLONG', 'longer than the file system takes'],
  ['TC-OUTPUT-FAILED', 'writeFileSync', '/staging/0', 'EIO', 'the file system refused (EIO)'],
])('%s: %s of %s is %s', (id, call, end, code, text) => inFolder((folder) => {
  writeTree(folder, [file('a/b'), file('gone')]);
  const [found, ...others] = problems(folder, [file('a/b', 'new'), file('a/c')], refusing(call, end, code));
  expect(found).toMatch(new RegExp(`^${id} `));
  expect(found).toContain(text);
  expect(others).toEqual([]);
  expect(writeTree(folder, [file('a/b', 'new'), file('a/c')]).written).toEqual(['a/b', 'a/c']);
}));

test('TC-OUTPUT-FILE-SYSTEM: a folder of the output on another file system', () => inFolder((folder) => {
  writeTree(folder, [file('a/b')]);
  const elsewhere = new Proxy<FileSystem>(fs, {
    get: (target, name) => (name === 'lstatSync'
      ? (place: string) => Object.assign(fs.lstatSync(place), place.endsWith('/a') ? { dev: -1 } : {})
      : Reflect.get(target, name)),
  });
  expect(problems(folder, [file('a/b', 'new')], elsewhere)).toEqual([expect.stringMatching(/^TC-OUTPUT-FILE-SYSTEM cannot write .*another file system/)]);
}));

test('a refusal while files are put in place is mended by the next synthesis', () => inFolder((folder) => {
  writeTree(folder, [file('a'), file('b')]);
  expect(() => writeTree(folder, [file('a', 'new'), file('b', 'new')], { fileSystem: refusing('renameSync', '/staging/1', 'EPERM') })).toThrow('TC-OUTPUT-ACCESS');
  expect(visible(folder)).toEqual({ a: 'new', b: 'b\n' });
  expect(writeTree(folder, [file('a', 'new'), file('b', 'new')])).toMatchObject({ unchanged: ['a', 'b'], changedByHand: [] });
}));

test('all problems are said at once, not more than somebody reads', () => inFolder((folder) => {
  const files = Array.from({ length: 50 }, (_, number) => file(`${number}:`));
  expect(problems(folder, files)).toHaveLength(50);
  expect(() => writeTree(folder, files)).toThrow(/"0:"[^]*"19:"[^]*and 30 more$/);
}));

test('every rule has a negative test', () => {
  // A warning, which changes something: in the test of trees.
  tested.add(OUTPUT_RULES.changedByHand.id);
  expect([...tested].sort()).toEqual(Object.values(OUTPUT_RULES).map(({ id }) => id).sort());
});

function startOf(pid: number): string {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
