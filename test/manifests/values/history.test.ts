import * as fc from 'fast-check';
import { compareReleases, historyOf, wordAt } from '../../../src/manifests/values/component-facts';

const RELEASES = ['1.8', '1.9', '1.10', '1.11', '1.12'];

test('a history says for each release what was put in', () => {
  const words = fc.array(fc.option(fc.constantFrom('A-', 'B+', 'G+!'), { nil: undefined }), { minLength: RELEASES.length, maxLength: RELEASES.length });
  fc.assert(fc.property(words, (given) => {
    const history = historyOf(given, RELEASES);
    expect(RELEASES.map((release) => wordAt(history, release))).toEqual(given);
  }));
});

test('a history has a word for each change', () => {
  expect(historyOf(['A-', 'A-', 'B+', 'B+', undefined], RELEASES)).toEqual(['A-', '1.10:B+', '1.12:.']);
  expect(historyOf([undefined, undefined, 'A-', 'A-', 'A-'], RELEASES)).toEqual(['1.10:A-']);
  expect(historyOf(RELEASES.map(() => 'G+'), RELEASES)).toEqual(['G+']);
});

test('releases are ordered by number', () => {
  expect([...RELEASES].reverse().sort(compareReleases)).toEqual(RELEASES);
});
