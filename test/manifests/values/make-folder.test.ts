import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { makeFolder } from '../../../src/manifests/values/make-folder';

let folder: string;
beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'make-folder-')); });
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test('a folder is made with those around it, and one that exists is left alone', () => {
  const deep = path.join(folder, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);

  expect(fs.statSync(deep).isDirectory()).toBe(true);
});

test('a file in the way is an error', () => {
  fs.writeFileSync(path.join(folder, 'a'), '');

  expect(() => makeFolder(path.join(folder, 'a'))).toThrow('EEXIST');
  expect(() => makeFolder(path.join(folder, 'a', 'b'))).toThrow(/EEXIST|ENOTDIR/);
});

// The folders of processes take none of others, and say so with ENOENT.
(fs.existsSync('/proc/self') ? test : test.skip)('a file system that takes no folders is an error, and not waited for', () => {
  expect(() => makeFolder('/proc/own/folder')).toThrow('ENOENT');
});
