import * as fs from 'node:fs';
import * as path from 'node:path';
import { treeOf } from './rounds';
import { contents, file, GIT_FILES, inFolder, INDEX, visible } from './trees';
import { WARNINGS } from '../../../../../src/constructs/app/problems/warnings';
import { TreeFile, writeTree } from '../../../../../src/constructs/app/synth/tree/write-tree';
import { fileSystemError, withIntercepted } from '../../../../support/intercepted-fs';

const OLD = [file('same'), file('changed', 'old'), file('gone/gone'), file('folder/inside')];
const NEW = [file('same'), file('changed', 'new'), file('added/added', 'added', true), file('folder/beside')];

/** Writes a tree with a file system that refuses everything after a number of calls, as if the process had ended. Returns the calls. */
function writeUntil(folder: string, files: readonly TreeFile[], last: number): number {
  let calls = 0;
  try {
    withIntercepted(() => {
      calls += 1;
      if (calls > last) throw fileSystemError('EIO');
    }, () => writeTree(folder, files));
  } catch (error) {
    expect(String(error)).toContain('EIO');
  }
  return calls;
}

function byPath(files: readonly TreeFile[]): { [file: string]: string } {
  return Object.fromEntries(files.map(({ path: name, content }) => [name, content.toString()]));
}

/** The visible files of a tree, and one that synthesis has not written. */
function withMine(files: readonly TreeFile[]): { [file: string]: string } {
  return { ...byPath(files), 'gone/mine': 'mine' };
}

/** A tree that was interrupted after a number of calls, while it became another one; whether it is neither. */
function interrupt(folder: string, calls: number): boolean {
  fs.mkdirSync(path.join(folder, 'gone'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'gone/mine'), 'mine');
  writeTree(folder, OLD);
  writeUntil(folder, NEW, calls);
  const files = JSON.stringify(visible(folder));
  return ![OLD, NEW].some((tree) => JSON.stringify(Object.fromEntries(Object.entries(withMine(tree)).sort())) === files);
}

const CALLS = inFolder((folder) => {
  writeTree(folder, OLD);
  return writeUntil(folder, NEW, Infinity);
});

const POINTS = Array.from({ length: CALLS }, (_, number) => number);

test('the calls of a synthesis are counted', () => {
  expect(CALLS).toBeGreaterThan(50);
});

describe.each([
  ['which wants the same', NEW],
  ['which wants the former tree', OLD],
  ['which wants another tree', [file('changed', 'newest'), file('same', 'new')]],
])('after an end at any call, the next synthesis, %s,', (_, wanted) => {
  test('makes the tree as wanted', () => {
    let mixed = 0;
    for (const calls of POINTS) {
      inFolder((folder) => {
        if (interrupt(folder, calls)) mixed += 1;
        for (const [name, content] of Object.entries(visible(folder))) expect([byPath(OLD)[name], byPath(NEW)[name], 'mine']).toContain(content);
        expect(writeTree(folder, wanted).changedByHand).toEqual([]);
        expect(visible(folder)).toEqual(withMine(wanted));
        expect(Object.keys(contents(folder)).filter((name) => name.startsWith('.cdk8s'))).toEqual([...Object.keys(GIT_FILES), INDEX]);
      });
    }
    expect(mixed).toBeGreaterThan(5);
  });
});

test('a second end while the tree is completed is repaired, too', () => {
  const first = POINTS.find((calls) => inFolder((folder) => interrupt(folder, calls)))!;
  for (const second of POINTS) {
    inFolder((folder) => {
      interrupt(folder, first + 3);
      writeUntil(folder, OLD, second);
      expect(writeTree(folder, NEW).changedByHand).toEqual([]);
      expect(visible(folder)).toEqual(withMine(NEW));
    });
  }
});

test('changes by hand between an end and the next synthesis are reported', () => {
  const warnings = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  inFolder((folder) => {
    interrupt(folder, POINTS.find((calls) => inFolder((other) => interrupt(other, calls)))!);
    fs.writeFileSync(path.join(folder, 'changed'), 'by hand');
    fs.mkdirSync(path.join(folder, 'added'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'added/added'), 'by hand');
    expect(writeTree(folder, NEW).changedByHand).toEqual(['added/added', 'changed']);
    expect(visible(folder)).toEqual(withMine(NEW));
  });
  expect(warnings).toHaveBeenCalledTimes(1);
  warnings.mockRestore();
});

test('a tree of many rounds is the same as a new one', () => inFolder((folder) => {
  for (let round = 0; round < 12; round++) writeTree(path.join(folder, 'one'), treeOf(round));
  writeTree(path.join(folder, 'other'), treeOf(11));
  expect(contents(path.join(folder, 'one'))).toEqual(contents(path.join(folder, 'other')));
}));
