import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { contents, file, inFolder, INDEX, visible } from './trees';
import { writeTree } from '../../../src/synth/tree/write-tree';

const NOTHING = { written: [], unchanged: [], removed: [], adopted: [], changedByHand: [] };

let warnings: jest.SpyInstance;

beforeEach(() => {
  warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});

afterEach(() => {
  warnings.mockRestore();
});

/** Inode and time of change of everything below a folder. */
function marks(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== path.dirname(INDEX)).sort().map((name) => {
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
    });
    expect(fs.readdirSync(path.join(outdir, '.cdk8s-cluster-api'))).toEqual(['files.sha256']);
    // eslint-disable-next-line no-bitwise
    const mode = (name: string) => fs.statSync(path.join(outdir, name)).mode & 0o777;
    expect([mode('a.yaml'), mode('b/e.sh')]).toEqual([0o644, 0o755]);
    expect(execFileSync('sha256sum', ['-c', INDEX], { cwd: outdir, encoding: 'utf8' })).toContain('b/e.sh: OK');
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

  test('may have a folder where a file was, and a file where folders were', () => inFolder((folder) => {
    writeTree(folder, [file('a'), file('b/c/d'), file('b/e')]);
    writeTree(folder, [file('a/x/y'), file('b')]);
    expect(visible(folder)).toEqual({ 'a/x/y': 'a/x/y\n', 'b': 'b\n' });
  }));

  test('of no files is an empty folder again', () => inFolder((folder) => {
    writeTree(folder, [file('a/b')]);
    expect(writeTree(folder, []).removed).toEqual(['a/b']);
    expect(contents(folder)).toEqual({ [INDEX]: '' });
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
  expect(contents(folder)).toEqual({ a: 'a\n', b: 'b\n', [INDEX]: right });
}));

describe('what else is told of a tree', () => {
  const RECORD = path.join(path.dirname(INDEX), 'record');
  const record = (text?: string) => ({ record: { name: 'record', text: text === undefined ? undefined : () => text } });

  test('is there when the tree is complete, until one comes of which nothing is told', () => inFolder((folder) => {
    for (const text of ['one', 'two']) {
      writeTree(folder, [file('a')], record(text));
      expect(contents(folder)[RECORD]).toBe(text);
    }
    writeTree(folder, [file('a')], record());
    expect(Object.keys(contents(folder))).toEqual([INDEX, 'a']);
  }));

  test('is not written again as long as it is the same', () => inFolder((folder) => {
    writeTree(folder, [file('a')], record('one'));
    const before = marks(folder);
    writeTree(folder, [file('a')], record('one'));
    expect(marks(folder)).toEqual(before);
  }));

  test('is told of a tree without files, too', () => inFolder((folder) => {
    writeTree(path.join(folder, 'new'), [], record('none'));
    expect(contents(folder)).toEqual({ [path.join('new', RECORD)]: 'none' });
  }));

  test('stays if the next tree cannot be written', () => inFolder((folder) => {
    writeTree(folder, [file('a')], record('one'));
    const before = marks(folder);
    fs.writeFileSync(path.join(folder, 'mine'), '');
    expect(() => writeTree(folder, [file('b'), file('mine', 'theirs')], record('two'))).toThrow('TC-OUTPUT-FOREIGN');
    fs.rmSync(path.join(folder, 'mine'));
    expect(marks(folder)).toEqual(before);
  }));
});

test('an error of whoever makes the files changes nothing', () => inFolder((folder) => {
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

test('only one file at a time is in memory', () => inFolder((folder) => {
  let held = 0;
  const files = function* () {
    for (let number = 0; number < 3; number++) {
      expect(fs.existsSync(path.join(folder, '.cdk8s-cluster-api/staging')) ? fs.readdirSync(path.join(folder, '.cdk8s-cluster-api/staging')).length : 0).toBe(held);
      held += 1;
      yield file(`${number}`);
    }
  };
  writeTree(folder, files());
  expect(held).toBe(3);
}));
