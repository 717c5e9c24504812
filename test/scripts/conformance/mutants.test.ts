import { LIVE_MUTANTS } from '../../../scripts/conformance/live/mutants';
import { readGolden } from '../../../scripts/golden/golden-store';

const GOLDEN = Object.values(readGolden()['example-diy-cloud']).join('');

test('every mistake is about something that the example has, and makes something else of it', () => {
  expect(LIVE_MUTANTS.length).toBeGreaterThanOrEqual(20);
  expect(LIVE_MUTANTS.filter(({ from, to }) => !GOLDEN.includes(from) || from === to)).toEqual([]);
  expect(new Set(LIVE_MUTANTS.map(({ name }) => name)).size).toBe(LIVE_MUTANTS.length);
});
