import * as fs from 'node:fs';
import * as path from 'node:path';
import { LIVE_MUTANTS } from '../../../scripts/conformance/live/mutants';

const GOLDEN = ['golden', 'golden-tenants'].map((folder) => fs.readFileSync(path.join(__dirname, '../..', folder, 'example-diy-cloud.yaml'), 'utf8')).join('');

test('every mistake is about something that the example has, and makes something else of it', () => {
  expect(LIVE_MUTANTS.length).toBeGreaterThanOrEqual(20);
  expect(LIVE_MUTANTS.filter(({ from, to }) => !GOLDEN.includes(from) || from === to)).toEqual([]);
  expect(new Set(LIVE_MUTANTS.map(({ name }) => name)).size).toBe(LIVE_MUTANTS.length);
});
