import { beginnings, WEEK, weekOf, weeklySchedules } from '../../../src/manifests/values/weekly-hours';

const SATURDAY_NIGHT = weekOf([{ days: [6], hour: 22, hours: 6 }]);

test('a window may last into the next week', () => {
  expect(SATURDAY_NIGHT.flatMap((isOpen, hour) => (isOpen ? [hour] : []))).toEqual([0, 1, 2, 3, 166, 167]);
});

test('schedules are due at the first hour', () => {
  expect(weeklySchedules(beginnings(SATURDAY_NIGHT), 30)).toEqual(['30 22 * * 6']);
});

test('schedules are due at each hour outside', () => {
  expect(weeklySchedules(SATURDAY_NIGHT.map((isOpen) => !isOpen), 0)).toEqual(['0 4-23 * * 0', '0 * * * 1-5', '0 0-21 * * 6']);
});

test('windows of every day need one schedule', () => {
  const open = weekOf([{ days: [0, 1, 2, 3, 4, 5, 6], hour: 22, hours: 6 }]);
  expect(weeklySchedules(beginnings(open), 0)).toEqual(['0 22 * * *']);
  expect(weeklySchedules(open.map((isOpen) => !isOpen), 0)).toEqual(['0 4-21 * * *']);
});

test('two windows that meet are one', () => {
  const open = weekOf([{ days: [1], hour: 20, hours: 2 }, { days: [1], hour: 22, hours: 2 }]);
  expect(weeklySchedules(beginnings(open), 0)).toEqual(['0 20 * * 1']);
});

test('a week is no longer than a week', () => {
  expect(weekOf([{ days: [3], hour: 5, hours: 1000 }]).filter(Boolean)).toHaveLength(WEEK);
});
