import { CronInstants, CronTimes } from '../../../src/manifests/kubernetes/cron-times';

const at = (text: string) => Date.parse(text);
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

test.each([
  ['0 22 * * 6', '2026-11-27T10:00:00Z', '2026-11-28T22:00:00.000Z', '2026-11-21T22:00:00.000Z'],
  ['0 22 * * 6', '2026-11-28T22:00:00Z', '2026-12-05T22:00:00.000Z', '2026-11-28T22:00:00.000Z'],
  ['*/15 8-9 1 * *', '2026-11-27T10:00:00Z', '2026-12-01T08:00:00.000Z', '2026-11-01T09:45:00.000Z'],
  ['0 0 29 2 *', '2026-11-27T10:00:00Z', '2028-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
  ['0 0 */2 * 1', '2026-11-27T10:00:00Z', '2026-11-29T00:00:00.000Z', '2026-11-27T00:00:00.000Z'],
  ['0 0 1,* * 1', '2026-11-27T10:00:00Z', '2026-11-30T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['0 0 13 * 5', '2026-11-27T10:00:00Z', '2026-12-04T00:00:00.000Z', '2026-11-27T00:00:00.000Z'],
])('%s at %s is next due at %s, and was last due at %s', (schedule, time, next, last) => {
  const times = CronTimes.of(schedule)!;
  expect([iso(times.after(at(time))), iso(times.until(at(time)))]).toEqual([next, last]);
});

test.each(['0 24 * * *', '@every 1h', 'nonsense', '0-99999999999 * * * *', '0 0 31 2 *'])('%s is never due', (schedule) => {
  expect(CronTimes.of(schedule)?.after(at('2026-11-27T10:00:00Z'))).toBeUndefined();
});

describe('a CronJob in the zone of Zurich', () => {
  const instants = (schedule: string) => CronInstants.of(schedule, 'Europe/Zurich')!;

  test('starts by its clocks', () => {
    expect(iso(instants('0 22 * * 6').after(at('2026-11-27T10:00:00Z')))).toBe('2026-11-28T21:00:00.000Z');
    expect(iso(instants('0 22 * * 6').until(at('2026-07-05T10:00:00Z')))).toBe('2026-07-04T20:00:00.000Z');
  });

  test('does not start at a time that clocks skip', () => {
    expect(iso(instants('30 2 * * *').after(at('2026-03-28T12:00:00Z')))).toBe('2026-03-30T00:30:00.000Z');
    expect(iso(instants('30 2 * * *').until(at('2026-03-29T12:00:00Z')))).toBe('2026-03-28T01:30:00.000Z');
  });

  test('starts twice at a time that clocks show twice', () => {
    const steps = ['2026-10-25T00:00:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-26T01:30:00.000Z'];
    steps.slice(1).forEach((next, index) => expect(iso(instants('30 2 * * *').after(at(steps[index])))).toBe(next));
    steps.slice(1).forEach((last) => expect(iso(instants('30 2 * * *').until(at(last) + 1))).toBe(last));
    expect(iso(instants('30 2 * * *').until(at('2026-10-25T01:10:00Z')))).toBe('2026-10-25T00:30:00.000Z');
  });

  test('starts at quarters in the order of instants', () => {
    const found = [at('2026-10-24T23:50:00Z')];
    for (let index = 0; index < 8; index += 1) found.push(instants('*/15 * * * *').after(found.at(-1)!)!);
    expect(found.slice(1).map((time) => time - found[0])).toEqual([10, 25, 40, 55, 70, 85, 100, 115].map((minutes) => minutes * 60_000));
    for (const [index, time] of found.entries()) if (index > 0) expect(instants('*/15 * * * *').until(time + 60_000)).toBe(time);
  });
});
