import { Duration } from 'cdk8s';
import { checkWindows, TimeWindow, Weekday, WeeklyWindowOptions, windowHours } from '../../../../src/constructs/contracts/delivery/time-window';

const NIGHT: WeeklyWindowOptions = { days: [Weekday.SATURDAY], from: '22:00', duration: Duration.hours(6), timeZone: 'Europe/Zurich' };

function faults(...windows: WeeklyWindowOptions[]): string[] {
  return checkWindows(windows.map((options) => TimeWindow.weekly(options)), 'changeWindows').map(({ rule, property }) => `${rule.id} ${property}`);
}

test('a night of the week is a window', () => {
  expect(faults(NIGHT)).toEqual([]);
});

test('a window without days begins every day', () => {
  expect(windowHours([TimeWindow.weekly({ ...NIGHT, days: undefined })]).times).toEqual([{ days: [0, 1, 2, 3, 4, 5, 6], hour: 22, hours: 6 }]);
});

test('windows in another order are the same', () => {
  const [one, other] = [TimeWindow.weekly(NIGHT), TimeWindow.weekly({ ...NIGHT, days: [Weekday.WEDNESDAY, Weekday.MONDAY] })];
  expect(windowHours([one, other])).toEqual(windowHours([other, one, one]));
});

test.each<[string, WeeklyWindowOptions[], string]>([
  ['no window', [], 'TC-WINDOW-DAYS changeWindows'],
  ['no day', [{ ...NIGHT, days: [] }], 'TC-WINDOW-DAYS changeWindows[0].days'],
  ['no time', [{ ...NIGHT, from: '24:00' }], 'TC-WINDOW-TIME changeWindows[0].from'],
  ['a time of one digit', [{ ...NIGHT, from: '9:00' }], 'TC-WINDOW-TIME changeWindows[0].from'],
  ['no duration', [{ ...NIGHT, duration: Duration.hours(0) }], 'TC-WINDOW-DURATION changeWindows[0].duration'],
  ['half an hour', [{ ...NIGHT, duration: Duration.minutes(30) }], 'TC-WINDOW-DURATION changeWindows[0].duration'],
  ['a week', [{ ...NIGHT, duration: Duration.days(7) }], 'TC-WINDOW-DURATION changeWindows[0].duration'],
  ['an unknown time zone', [{ ...NIGHT, timeZone: 'Europe/Zurch' }], 'TC-WINDOW-TIME-ZONE changeWindows[0].timeZone'],
  ['an offset', [{ ...NIGHT, timeZone: '+01:00' }], 'TC-WINDOW-TIME-ZONE changeWindows[0].timeZone'],
  ['two time zones', [NIGHT, { ...NIGHT, timeZone: 'UTC' }], 'TC-WINDOW-DIFFERENT changeWindows[1]'],
  ['two minutes', [NIGHT, { ...NIGHT, from: '23:30' }], 'TC-WINDOW-DIFFERENT changeWindows[1]'],
  ['24 hours of every day', [{ ...NIGHT, days: undefined, duration: Duration.hours(24) }], 'TC-WINDOW-ALWAYS changeWindows'],
  ['windows that overlap to a week', [
    { ...NIGHT, days: undefined, from: '00:00', duration: Duration.hours(13) }, { ...NIGHT, days: undefined, from: '12:00', duration: Duration.hours(12) },
  ], 'TC-WINDOW-ALWAYS changeWindows'],
])('%s is refused', (_, windows, fault) => {
  expect(faults(...windows)).toEqual([fault]);
});
