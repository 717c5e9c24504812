import { longestInterval } from '../../../src/manifests/kubernetes/cron-intervals';

const HOUR = 3600;
const DAY = 24 * HOUR;

test.each([
  ['every six hours', '0 */6 * * *', 6 * HOUR],
  ['every five minutes', '*/5 * * * *', 300],
  ['every night', '30 2 * * *', DAY],
  ['twice a day, at unequal times', '0 3,5 * * *', 22 * HOUR],
  ['in working hours', '0 8-17 * * 1-5', 2 * DAY + 15 * HOUR],
  ['on Saturdays, by name', '15 3 * * sat', 7 * DAY],
  ['on the last days of long months', '0 0 31 * *', 61 * DAY],
  ['on the 29th of February', '0 0 29 2 *', (4 * 365 + 1) * DAY],
  ['on the 1st, and on Mondays', '0 0 1 * 1', 7 * DAY],
  ['a step from a value on', '0 10/6 * * *', 12 * HOUR],
  ['a macro', '@weekly', 7 * DAY],
  ['a duration', '@every 90m', 90 * 60],
  ['never', '0 0 31 2 *', undefined],
  ['of other form', '0 0 *', undefined],
])('%s', (_name, schedule, seconds) => {
  expect(longestInterval(schedule)).toBe(seconds);
});
