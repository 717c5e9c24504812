import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImageLock } from '../../../src/constructs/images/image-lock';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;

describe('a file', () => {
  let directory: string;
  beforeEach(() => { directory = mkdtempSync(join(tmpdir(), 'lock-')); });
  afterEach(() => rmSync(directory, { recursive: true }));

  const lockOf = (text: string): ImageLock => {
    writeFileSync(join(directory, 'images.lock.json'), text);
    return ImageLock.fromFile(join(directory, 'images.lock.json'));
  };
  const faults = (text: string) => lockOf(text)._check('images.lock').map(({ message }) => message);

  test('gives digests, by long and short names', () => {
    const lock = lockOf(JSON.stringify({ version: 1, images: { 'busybox:1.37.0': DIGEST, 'quay.io/x/y:v1': OTHER } }));
    expect(lock._check('images.lock')).toEqual([]);
    expect(lock._digestOf('docker.io/library/busybox', '1.37.0')).toBe(DIGEST);
    expect(lock._digestOf('quay.io/x/y', 'v1')).toBe(OTHER);
    expect(lock._digestOf('quay.io/x/y', 'v2')).toBeUndefined();
  });

  test.each<[what: string, text: string, fault: string]>([
    ['no JSON', '{', 'cannot be read: it is not JSON'],
    ['a list', '[]', 'holds no JSON object'],
    ['no version', '{ "images": {} }', 'version undefined'],
    ['a version to come', '{ "version": 2, "images": {} }', 'version 2'],
    ['no images', '{ "version": 1 }', 'has no "images"'],
    ['an unknown field', '{ "version": 1, "images": {}, "image": {} }', 'a field "image"'],
    ['charts that are a list', '{ "version": 1, "images": {}, "charts": [] }', '"charts"'],
    ['a malformed name', `{ "version": 1, "images": { "Quay.io/X:v1": "${DIGEST}" } }`, '"Quay.io/X:v1"'],
    ['a name without tag', `{ "version": 1, "images": { "quay.io/x/y": "${DIGEST}" } }`, 'a name with a tag'],
    ['a name with digest', `{ "version": 1, "images": { "quay.io/x/y:v1@${DIGEST}": "${DIGEST}" } }`, 'a name with a tag'],
    ['a short digest', '{ "version": 1, "images": { "quay.io/x/y:v1": "sha256:abc" } }', '"sha256:abc"'],
    ['no digest', '{ "version": 1, "images": { "quay.io/x/y:v1": null } }', 'null'],
    ['two digests', `{ "version": 1, "images": { "busybox:1": "${DIGEST}", "docker.io/library/busybox:1": "${OTHER}" } }`, 'twice'],
  ])('TC-IMAGE-LOCK: %s', (_, text, fault) => {
    expect(faults(text)).toEqual([expect.stringContaining(fault)]);
  });

  test('TC-IMAGE-LOCK: a device, and a file of another kind, whose content is not shown', () => {
    expect(ImageLock.fromFile('/dev/zero')._check('images.lock')).toMatchObject([{ message: expect.stringContaining('it is not a regular file') }]);
    expect(faults('password hunter2').join()).not.toContain('hunter2');
  });

  test('TC-IMAGE-LOCK: no file', () => {
    expect(ImageLock.fromFile(join(directory, 'none.json'))._check('images.lock')).toMatchObject([
      { rule: { id: 'TC-IMAGE-LOCK' }, property: 'images.lock', message: expect.stringContaining('none.json'), fix: expect.stringContaining('images lock') },
    ]);
  });
});

test('digests in the program', () => {
  expect(ImageLock.of({ 'quay.io/x/y:v1': DIGEST })._digestOf('quay.io/x/y', 'v1')).toBe(DIGEST);
  expect(ImageLock.of({ 'quay.io/x/y:v1': 'v1' })._check('images.lock')).toHaveLength(1);
});
