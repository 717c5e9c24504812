import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { contents, file, GIT_FILES, inFolder, INDEX, visible } from './trees';
import { WARNINGS } from '../../../../../src/constructs/app/problems/warnings';
import { listPath } from '../../../../../src/constructs/app/synth/tree/file-lists';
import { writeTree } from '../../../../../src/constructs/app/synth/tree/write-tree';

const NOTHING = { written: [], unchanged: [], removed: [], adopted: [], changedByHand: [] };

let warnings: jest.SpyInstance;

beforeEach(() => {
  warnings = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
});

afterEach(() => {
  warnings.mockRestore();
});

/** Inode and time of change of everything below a folder. */
function marks(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== '.cdk8s-cluster-api').sort().map((name) => {
    const { ino, mtimeMs, ctimeMs } = fs.statSync(path.join(folder, name));
    return `${name} ${ino} ${mtimeMs} ${ctimeMs}`;
  });
}

describe('a tree', () => {
  test('is written with a list of its files, which sha256sum can check', () => inFolder((folder) => {
    const outdir = path.join(folder, 'new', 'dist');
    const summary = writeTree(outdir, [file('b/c/d.yaml', 'd: 1\n'), file('a.yaml', 'ä: 1\n'), file('b/e.sh', '#!/bin/sh\n', true)]);

    expect(summary).toEqual({ ...NOTHING, written: ['a.yaml', 'b/c/d.yaml', 'b/e.sh'] });
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(contents(outdir)).toEqual({
      [INDEX]: `${hash('ä: 1\n')}  a.yaml\n${hash('d: 1\n')}  b/c/d.yaml\n${hash('#!/bin/sh\n')}  b/e.sh\n`,
      'a.yaml': 'ä: 1\n',
      'b/c/d.yaml': 'd: 1\n',
      'b/e.sh': '#!/bin/sh\n',
      ...GIT_FILES,
    });
    // eslint-disable-next-line no-bitwise
    const mode = (name: string) => fs.statSync(path.join(outdir, name)).mode & 0o777;
    expect([mode('a.yaml'), mode('b/e.sh')]).toEqual([0o644, 0o755]);
    expect(execFileSync('sha256sum', ['-c', INDEX], { cwd: outdir, encoding: 'utf8' })).toContain('b/e.sh: OK');
  }));

  test('leaves what a running process has written aside, and removes what others left', () => inFolder((folder) => {
    const aside = (pid: number) => path.join(folder, '.cdk8s-cluster-api', `tmp-${pid}`);
    // No process has the largest number that Linux gives.
    for (const pid of [process.ppid, 4194304]) fs.mkdirSync(aside(pid), { recursive: true });
    writeTree(folder, [file('a')]);

    expect([process.ppid, 4194304].map((pid) => fs.existsSync(aside(pid)))).toEqual([true, false]);
  }));

  test('is the same in whatever order its files come', () => inFolder((folder) => {
    const files = [file('b'), file('a/b'), file('a/a'), file('é')];
    writeTree(path.join(folder, 'one'), files);
    writeTree(path.join(folder, 'two'), [...files].reverse());
    expect(contents(path.join(folder, 'two'))).toEqual(contents(path.join(folder, 'one')));
  }));

  test('that is as wanted is not touched', () => inFolder((folder) => {
    const files = [file('a/b'), file('c', 'c', true)];
    writeTree(folder, files);
    const before = marks(folder);
    expect(writeTree(folder, files)).toEqual({ ...NOTHING, unchanged: ['a/b', 'c'] });
    expect(marks(folder)).toEqual(before);
  }));

  test('changes where its files change only', () => inFolder((folder) => {
    writeTree(folder, [file('a/same'), file('a/other', 'old'), file('a/gone'), file('b/c/gone'), file('mode', 'm')]);
    const same = fs.statSync(path.join(folder, 'a/same')).ino;

    expect(writeTree(folder, [file('a/same'), file('a/other', 'new'), file('mode', 'm', true), file('d')])).toEqual({
      ...NOTHING, written: ['a/other', 'd', 'mode'], unchanged: ['a/same'], removed: ['a/gone', 'b/c/gone'],
    });
    expect(visible(folder)).toEqual({ 'a/same': 'a/same\n', 'a/other': 'new', 'd': 'd\n', 'mode': 'm' });
    expect(fs.existsSync(path.join(folder, 'b'))).toBe(false);
    expect(fs.statSync(path.join(folder, 'a/same')).ino).toBe(same);
    expect(warnings).not.toHaveBeenCalled();
  }));

  test('of no files is an empty folder again', () => inFolder((folder) => {
    writeTree(folder, [file('a/b')]);
    expect(writeTree(folder, []).removed).toEqual(['a/b']);
    expect(contents(folder)).toEqual(GIT_FILES);
  }));

  test('may be where a link leads', () => inFolder((folder) => {
    fs.mkdirSync(path.join(folder, 'real'));
    fs.symlinkSync('real', path.join(folder, 'link'));
    writeTree(path.join(folder, 'link'), [file('a')]);
    expect(visible(path.join(folder, 'real'))).toEqual({ a: 'a\n' });
  }));
});

describe('what synthesis has not written', () => {
  test('stays', () => inFolder((folder) => {
    fs.mkdirSync(path.join(folder, 'a/empty'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'a/README.md'), 'mine');
    fs.symlinkSync('nowhere', path.join(folder, 'link'));
    writeTree(folder, [file('a/b')]);
    writeTree(folder, []);
    expect(visible(folder)).toEqual({ 'a/README.md': 'mine', 'link': '-> nowhere' });
    expect(fs.existsSync(path.join(folder, 'a/empty'))).toBe(true);
  }));

  test('is adopted where it is just what is wanted', () => inFolder((folder) => {
    fs.writeFileSync(path.join(folder, 'a'), 'a\n');
    fs.writeFileSync(path.join(folder, 'run'), 'run\n');
    expect(writeTree(folder, [file('a'), file('run', 'run\n', true)])).toEqual({ ...NOTHING, adopted: ['a', 'run'], written: ['run'] });
    expect(writeTree(folder, []).removed).toEqual(['a', 'run']);
    expect(visible(folder)).toEqual({});
  }));
});

describe('what somebody changed by hand', () => {
  test('is overwritten with a warning', () => inFolder((folder) => {
    writeTree(folder, [file('a'), file('b'), file('c')]);
    fs.writeFileSync(path.join(folder, 'a'), 'changed');
    fs.writeFileSync(path.join(folder, 'b'), 'changed');

    expect(writeTree(folder, [file('a'), file('c')])).toEqual({
      ...NOTHING, written: ['a'], unchanged: ['c'], removed: ['b'], changedByHand: ['a', 'b'],
    });
    expect(visible(folder)).toEqual({ a: 'a\n', c: 'c\n' });
    expect(warnings).toHaveBeenCalledTimes(1);
    expect(warnings).toHaveBeenCalledWith(expect.stringMatching(/^TC-OUTPUT-CHANGED-BY-HAND .*: a, b\./), { code: 'TC-OUTPUT-CHANGED-BY-HAND' });
  }));

  test('is no change if it is what is wanted now', () => inFolder((folder) => {
    writeTree(folder, [file('a', 'old')]);
    fs.writeFileSync(path.join(folder, 'a'), 'new');
    expect(writeTree(folder, [file('a', 'new')])).toEqual({ ...NOTHING, unchanged: ['a'] });
    expect(writeTree(folder, [file('a', 'newer')]).changedByHand).toEqual([]);
  }));

  test('is not that Git writes carriage returns before line feeds', () => inFolder((folder) => {
    writeTree(folder, [file('a', 'a: ä\nb: 1\n'), file('b', 'b\n'), file('c', 'c\n')]);
    fs.writeFileSync(path.join(folder, 'a'), 'a: ä\r\nb: 1\r\n');
    fs.writeFileSync(path.join(folder, 'b'), 'b\r\n');
    fs.writeFileSync(path.join(folder, 'c'), 'd\r\n');

    expect(writeTree(folder, [file('a', 'a: ä\nb: 1\n'), file('c', 'c\n')])).toEqual({ ...NOTHING, written: ['a', 'c'], removed: ['b'], changedByHand: ['c'] });
    expect(visible(folder)).toEqual({ a: 'a: ä\nb: 1\n', c: 'c\n' });
  }));

  test('is told from a removed file, which is written again', () => inFolder((folder) => {
    writeTree(folder, [file('a/b')]);
    fs.rmSync(path.join(folder, 'a'), { recursive: true });
    expect(writeTree(folder, [file('a/b')])).toEqual({ ...NOTHING, written: ['a/b'] });
    fs.rmSync(path.join(folder, 'a'), { recursive: true });
    expect(writeTree(folder, [])).toEqual(NOTHING);
  }));
});

test('a list with both sides of a merge counts both', () => inFolder((folder) => {
  const list = path.join(folder, INDEX);
  writeTree(folder, [file('a', 'theirs'), file('only-theirs')]);
  const theirs = fs.readFileSync(list, 'utf8');
  writeTree(folder, [file('a', 'ours'), file('only-ours')]);
  const ours = fs.readFileSync(list, 'utf8');
  fs.writeFileSync(path.join(folder, 'only-theirs'), 'only-theirs\n');
  fs.writeFileSync(list, `<<<<<<< HEAD\r\n${ours}=======\n${theirs}>>>>>>> branch\n`);

  expect(writeTree(folder, [file('a', 'merged')])).toEqual({ ...NOTHING, written: ['a'], removed: ['only-ours', 'only-theirs'] });
  expect(warnings).not.toHaveBeenCalled();
}));

test.each<[string, (list: string) => string]>([
  ['both sides of a merge', (list) => `<<<<<<< HEAD\n${list}=======\n${list}>>>>>>> branch\n`],
  ['lines of Windows', (list) => list.replaceAll('\n', '\r\n')],
  ['lines in another order', (list) => list.split('\n').reverse().join('\n')],
])('a list with %s is written as it has to be, though no file changes', (_, change) => inFolder((folder) => {
  const list = path.join(folder, INDEX);
  writeTree(folder, [file('a'), file('b')]);
  const right = fs.readFileSync(list, 'utf8');
  fs.writeFileSync(list, change(right));

  expect(writeTree(folder, [file('a'), file('b')])).toEqual({ ...NOTHING, unchanged: ['a', 'b'] });
  expect(contents(folder)).toEqual({ a: 'a\n', b: 'b\n', [INDEX]: right, ...GIT_FILES });
}));

describe('lists', () => {
  const inList = (list: string, name: string, content?: string) => ({ ...file(name, content), list });

  test('record the files that name them, in folders as their names say', () => inFolder((folder) => {
    writeTree(folder, [inList('clusters/a/b', 'clusters/a/b/c'), inList('clusters/a/b', 'flux/a.b'), inList('clusters/a', 'clusters/a/list')]);
    const paths = (list: string) => contents(folder)[listPath(list)].split('\n').map((line) => line.slice(66));
    expect(paths('clusters/a/b')).toEqual(['clusters/a/b/c', 'flux/a.b', '']);
    expect(paths('clusters/a')).toEqual(['clusters/a/list', '']);
  }));

  test('of a cluster do not change with another one, and go with its last file', () => inFolder((folder) => {
    const write = (...lists: string[]) => {
      writeTree(folder, lists.map((list) => inList(list, `${list}/file`)));
      return contents(folder);
    };
    const first = write('a', 'b');
    expect(write('b', 'c')).toMatchObject({ [listPath('b')]: first[listPath('b')] });
    expect(Object.keys(write('b')).filter((name) => name.startsWith('.cdk8s-cluster-api/files/'))).toEqual([listPath('b')]);
  }));

  test('that are kept stay with their files, whatever is on disk', () => inFolder((folder) => {
    writeTree(folder, [inList('a', 'a/1'), inList('b', 'b/1')]);
    fs.writeFileSync(path.join(folder, 'a/1'), 'changed');
    const before = contents(folder);
    expect(writeTree(folder, [inList('b', 'b/1')], { keeps: (list) => list === 'a' })).toEqual({ ...NOTHING, unchanged: ['b/1'] });
    expect(contents(folder)).toEqual(before);
  }));

  test('have no hash of files that many branches change: any content is replaced in silence', () => inFolder((folder) => {
    const shared = (content: string) => ({ ...file('shared', content), hashed: false });
    writeTree(folder, [shared('one')]);
    expect(contents(folder)[INDEX]).toBe('-  shared\n');
    fs.writeFileSync(path.join(folder, 'shared'), 'merged');
    expect(writeTree(folder, [shared('two')])).toEqual({ ...NOTHING, written: ['shared'] });
    expect(writeTree(folder, [])).toEqual({ ...NOTHING, removed: ['shared'] });
  }));
});

test('a file whose path changes in case only stays where a file system ignores case', () => inFolder((folder) => {
  writeTree(folder, [file('Name', 'same')]);
  // A link stands for the second name that such a file system shows.
  fs.linkSync(path.join(folder, 'Name'), path.join(folder, 'name'));
  expect(writeTree(folder, [file('name', 'same')])).toEqual({ ...NOTHING, adopted: ['name'] });
  expect(visible(folder)).toMatchObject({ name: 'same' });
}));

test('an error while the files are made changes nothing', () => inFolder((folder) => {
  writeTree(folder, [file('a'), file('b')]);
  const before = marks(folder);
  const broken = function* () {
    yield file('a', 'new');
    yield file('c');
    throw new Error('no more');
  };
  expect(() => writeTree(folder, broken())).toThrow('no more');
  expect(marks(folder)).toEqual(before);

  const missing = path.join(folder, 'missing');
  expect(() => writeTree(missing, broken())).toThrow('no more');
  expect(fs.existsSync(missing)).toBe(false);
}));
