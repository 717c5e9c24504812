import * as fs from 'node:fs';
import * as path from 'node:path';
import { treeOf } from './rounds';
import { contents, file, inFolder, INDEX, visible } from './trees';
import { FileSystem } from '../../../src/synth/tree/disk';
import { TreeFile } from '../../../src/synth/tree/tree-file';
import { writeTree } from '../../../src/synth/tree/write-tree';

const JOURNAL = '.cdk8s-cluster-api/journal';
const LOCK = '.cdk8s-cluster-api/lock';
const OLD = [file('same'), file('changed', 'old'), file('gone/gone'), file('folder/inside'), file('file')];
const NEW = [file('same'), file('changed', 'new'), file('added/added', 'added', true), file('folder'), file('file/inside')];

/** A file system of which nothing works any more after so many calls, as if the process had ended; the calls so far are counted. */
function endingAfter(calls: number): { fileSystem: FileSystem; count: () => number } {
  let count = 0;
  const fileSystem = new Proxy<FileSystem>(fs, {
    get: (target, name) => (...args: unknown[]) => {
      count += 1;
      if (count > calls) throw Object.assign(new Error('the process has ended'), { code: 'EIO' });
      return (Reflect.get(target, name) as (...given: unknown[]) => unknown)(...args);
    },
  });
  return { fileSystem, count: () => count };
}

/** The lock of this process becomes that of one that has ended. */
function endHolder(folder: string): void {
  const lock = path.join(folder, LOCK);
  if (fs.existsSync(lock)) fs.writeFileSync(lock, fs.readFileSync(lock, 'utf8').replace(/^\d+ \d*/, '1 1'));
}

function byPath(files: readonly TreeFile[]): { [file: string]: string } {
  return Object.fromEntries(files.map(({ path: name, content }) => [name, content.toString()]));
}

/** What is to be seen of a tree beside what somebody else has written. */
function withMine(files: readonly TreeFile[]): { [file: string]: string } {
  return { ...byPath(files), 'gone/mine': 'mine' };
}

/** A tree that was interrupted after so many calls, while it became another one; whether it was between the two. */
function interrupt(folder: string, calls: number): boolean {
  fs.mkdirSync(path.join(folder, 'gone'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'gone/mine'), 'mine');
  writeTree(folder, OLD);
  try {
    writeTree(folder, NEW, endingAfter(calls));
  } catch (error) {
    expect(error).toMatchObject({ code: 'EIO' });
  }
  endHolder(folder);
  return fs.existsSync(path.join(folder, JOURNAL));
}

const CALLS = inFolder((folder) => {
  writeTree(folder, OLD);
  const { fileSystem, count } = endingAfter(Infinity);
  writeTree(folder, NEW, { fileSystem });
  return count();
});

const POINTS = Array.from({ length: CALLS }, (_, number) => number);

test('the calls of a synthesis are counted', () => {
  expect(CALLS).toBeGreaterThan(60);
});

describe.each([
  ['which wants the same', NEW],
  ['which wants what was there', OLD],
  ['which wants something else', [file('changed', 'newest'), file('same', 'new')]],
])('after an end at any call, the next synthesis, %s,', (_, wanted) => {
  test('makes the tree as wanted', () => {
    let betweenTrees = 0;
    for (const calls of POINTS) {
      inFolder((folder) => {
        if (interrupt(folder, calls)) {
          betweenTrees += 1;
          for (const [name, content] of Object.entries(visible(folder))) expect([byPath(OLD)[name], byPath(NEW)[name], 'mine']).toContain(content);
        } else {
          expect([withMine(OLD), withMine(NEW)]).toContainEqual(visible(folder));
        }

        expect(writeTree(folder, wanted).changedByHand).toEqual([]);
        expect(visible(folder)).toEqual(withMine(wanted));
        expect(Object.keys(contents(folder)).filter((name) => name.startsWith('.cdk8s'))).toEqual([INDEX]);
      });
    }
    expect(betweenTrees).toBeGreaterThan(5);
  });
});

test('without a journal, everything is as it was; with one, the next synthesis completes the tree even if it fails itself', () => {
  const failing = function* () {
    throw new Error('bad input');
  };
  for (const calls of POINTS) {
    inFolder((folder) => {
      const decided = interrupt(folder, calls);
      const complete = !decided && 'added/added' in visible(folder);
      expect(() => writeTree(folder, failing())).toThrow('bad input');
      expect(visible(folder)).toEqual(withMine(decided || complete ? NEW : OLD));
    });
  }
});

test('what is told of a tree is never there beside another one', () => {
  const told = (text: string, fileSystem?: FileSystem) => ({ fileSystem, record: { name: 'record', text: () => text } });
  const trees: { [text: string]: object } = { old: byPath(OLD), new: byPath(NEW) };
  const seen = new Set<string | undefined>();
  const calls = inFolder((folder) => {
    writeTree(folder, OLD, told('old'));
    const { fileSystem, count } = endingAfter(Infinity);
    writeTree(folder, NEW, told('new', fileSystem));
    return count();
  });
  for (let end = 0; end <= calls; end++) {
    inFolder((folder) => {
      const record = (): string | undefined => contents(folder)['.cdk8s-cluster-api/record'];
      writeTree(folder, OLD, told('old'));
      try {
        writeTree(folder, NEW, told('new', endingAfter(end).fileSystem));
      } catch (error) {
        expect(error).toMatchObject({ code: 'EIO' });
      }
      endHolder(folder);
      seen.add(record());
      if (record() !== undefined) expect(visible(folder)).toEqual(trees[record()!]);
      // Nor when the tree is completed by somebody who fails.
      expect(() => writeTree(folder, [file('..')], told('newest'))).toThrow('TC-OUTPUT-PATH');
      if (record() !== undefined) expect(visible(folder)).toEqual(trees[record()!]);
      writeTree(folder, NEW, told('new'));
      expect([visible(folder), record()]).toEqual([trees.new, 'new']);
    });
  }
  expect(seen).toEqual(new Set(['old', undefined, 'new']));
});

test('a second end while the tree is completed is mended, too', () => {
  const first = POINTS.find((calls) => inFolder((folder) => interrupt(folder, calls)))!;
  for (let second = 0; second < CALLS; second++) {
    inFolder((folder) => {
      interrupt(folder, first + 3);
      try {
        writeTree(folder, OLD, endingAfter(second));
      } catch {
        endHolder(folder);
      }
      writeTree(folder, NEW);
      expect(visible(folder)).toEqual(withMine(NEW));
    });
  }
});

test('what somebody does between an end and the next synthesis is not lost unheard', () => {
  const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const first = POINTS.find((calls) => inFolder((folder) => interrupt(folder, calls)))!;
  inFolder((folder) => {
    interrupt(folder, first);
    fs.writeFileSync(path.join(folder, 'changed'), 'by hand');
    fs.writeFileSync(path.join(folder, 'gone/gone'), 'by hand');
    expect(writeTree(folder, NEW).changedByHand).toEqual(['changed', 'gone/gone']);
    expect(visible(folder)).toEqual(withMine(NEW));
  });
  inFolder((folder) => {
    interrupt(folder, first);
    fs.mkdirSync(path.join(folder, 'added'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'added/added'), 'mine');
    expect(() => writeTree(folder, NEW)).toThrow(/TC-OUTPUT-FOREIGN .*"added\/added"/);
    expect(visible(folder)['added/added']).toBe('mine');
  });
  expect(warnings).toHaveBeenCalledTimes(1);
  warnings.mockRestore();
});

test('a tree of many rounds is what a new one would be', () => inFolder((folder) => {
  for (let round = 0; round < 12; round++) writeTree(path.join(folder, 'one'), treeOf(round));
  writeTree(path.join(folder, 'other'), treeOf(11));
  expect(contents(path.join(folder, 'one'))).toEqual(contents(path.join(folder, 'other')));
}));
