import { Progress } from '../../../src/manifests/values/progress';

function shown(isTTY: boolean, steps: readonly (readonly [at: number, step: string])[]): string[] {
  const said: string[] = [];
  let now = 0;
  const progress = new Progress({ isTTY, write: (text: string) => said.push(text) }, () => now);
  for (const [at, step] of steps) {
    now = at;
    progress.at(step, 1, 2);
  }
  progress.clear();
  return said;
}

test('a terminal shows what is done after a second, ten times a second at most, and is left clean', () => {
  expect(shown(true, [[10, 'soon'], [999, 'not yet'], [1000, 'Writing'], [1050, 'too early'], [1100, 'Still writing']]))
    .toEqual(['\r\u001b[KWriting 1/2', '\r\u001b[KStill writing 1/2', '\r\u001b[K']);
});

test('what is over soon shows nothing', () => {
  expect(shown(true, [[10, 'soon'], [500, 'done']])).toEqual([]);
});

test('a file or pipe gets nothing', () => {
  expect(shown(false, [[5000, 'late']])).toEqual([]);
});
