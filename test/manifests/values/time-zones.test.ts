import { instantAt, isTimeZone, wallTime, zonedText } from '../../../src/manifests/values/time-zones';

const ZURICH = 'Europe/Zurich';

test.each(['Europe/Zurich', 'UTC', 'Etc/GMT+5', 'America/Port_of_Spain', 'Asia/Calcutta'])('%s is a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each(['', 'Local', 'europe/zurich', 'EUROPE/ZURICH', 'Europe/Zurch', '+02:00', 'Europe/Zurich ', '../etc/passwd'])('%j is no time zone', (name) => {
  expect(isTimeZone(name)).toBe(false);
});

test('clocks of a zone follow its summer time', () => {
  expect(wallTime(Date.parse('2026-03-29T00:59:59.250Z'), ZURICH)).toBe(Date.parse('2026-03-29T01:59:59.250Z'));
  expect(wallTime(Date.parse('2026-03-29T01:00:00Z'), ZURICH)).toBe(Date.parse('2026-03-29T03:00:00Z'));
});

test('of an hour that clocks show twice, the first one counts', () => {
  expect(instantAt(Date.parse('2026-10-25T02:30:00Z'), ZURICH)).toBe(Date.parse('2026-10-25T00:30:00Z'));
});

test('an hour that clocks skip is never', () => {
  expect(instantAt(Date.parse('2026-03-29T02:30:00Z'), ZURICH)).toBeUndefined();
});

test('an instant is shown with the day of the week', () => {
  expect(zonedText(Date.parse('2026-11-28T21:00:00Z'), ZURICH)).toBe('Sat 2026-11-28 22:00 Europe/Zurich');
});
