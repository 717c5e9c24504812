import { Duration } from 'cdk8s';
import { TimeWindow, Weekday, WeeklyWindowOptions } from '../../../src/constructs/contracts/delivery/time-window';
import { HibernationSchedule, HibernationScheduleOptions } from '../../../src/constructs/tenant/hibernation-schedule';

const WORK: WeeklyWindowOptions = {
  days: [Weekday.MONDAY, Weekday.TUESDAY, Weekday.WEDNESDAY, Weekday.THURSDAY, Weekday.FRIDAY], from: '07:00', duration: Duration.hours(12), timeZone: 'Europe/Zurich',
};

function schedule(options: Partial<HibernationScheduleOptions> = {}): HibernationSchedule {
  return HibernationSchedule.of({ awake: [TimeWindow.weekly(WORK)], ...options });
}

test.each([
  ['2026-11-27T06:00:00Z', undefined],
  ['2026-11-27T17:59:59Z', undefined],
  ['2026-11-27T18:00:00Z', 'pools'],
  ['2026-11-27T20:59:59+01:00', 'pools'],
  ['2026-11-27T20:00:00Z\n', 'full'],
  ['2026-11-30T05:59:59Z', 'full'],
  ['2026-11-30T06:00:00Z', undefined],
])('at %j the state is %s', (instant, state) => {
  expect(schedule().stateAt(instant)).toBe(state);
});

test('a control plane that cannot stop goes on', () => {
  expect(schedule({ stopControlPlane: false }).stateAt('2026-11-28T12:00:00Z')).toBe('pools');
});

test.each([
  ['nothing happens by day', '2026-11-27T06:00:00Z', '2026-11-27T12:00:00Z', '2026-11-27T06:00:00Z'],
  ['pools are emptied first', '2026-11-27T06:00:00Z', '2026-11-27T18:07:09Z', '2026-11-27T18:07:00.000Z'],
  ['nothing happens while they are emptied', '2026-11-27T18:00:00.000Z', '2026-11-27T19:07:00Z', '2026-11-27T18:00:00.000Z'],
  ['the control plane stops after that', '2026-11-27T18:00:00.000Z', '2026-11-27T20:07:00Z', '2026-11-27T20:00:00.000Z'],
  ['a late first step has its time', '2026-11-27T06:00:00Z', '2026-11-27T19:30:00Z', '2026-11-27T19:30:00.000Z'],
  ['a second run soon after a late first step waits', '2026-11-27T19:30:00.000Z', '2026-11-27T20:07:00Z', '2026-11-27T19:30:00.000Z'],
  ['the control plane stops when the drain of a late first step is over', '2026-11-27T19:30:00.000Z', '2026-11-27T21:30:05Z', '2026-11-27T20:00:00.000Z'],
  ['pools are emptied first by a pipeline that is very late, too', '2026-11-27T06:00:00Z', '2026-11-28T03:00:00Z', '2026-11-27T19:59:00.000Z'],
  ['no second step follows in that night', '2026-11-27T19:59:00.000Z', '2026-11-29T12:00:00Z', '2026-11-27T19:59:00.000Z'],
  ['clusters wake after one step, too', '2026-11-27T19:59:00.000Z', '2026-11-30T06:07:00Z', '2026-11-30T06:00:00.000Z'],
  ['clusters wake', '2026-11-27T20:00:00.000Z', '2026-11-30T06:07:00Z', '2026-11-30T06:00:00.000Z'],
  ['a whole night is left out if no pipeline ran', '2026-11-26T06:00:00Z', '2026-11-27T09:00:00Z', '2026-11-27T06:00:00.000Z'],
  ['time does not go back', '2026-11-27T20:00:00.000Z', '2026-11-27T18:30:00Z', '2026-11-27T20:00:00.000Z'],
])('%s', (_, committed, now, next) => {
  expect(schedule().advance(committed, now)).toBe(next);
});

const NIGHTLY: Partial<HibernationScheduleOptions> = {
  awake: [TimeWindow.weekly({ from: '08:00', duration: Duration.hours(18), timeZone: 'Europe/Zurich' })], drain: Duration.hours(1),
};

test.each<[string, Partial<HibernationScheduleOptions>, string, number]>([
  ['that sleep in the evening, of a year', {}, '2026-01-01', 366],
  ['that sleep in an hour that clocks skip', NIGHTLY, '2026-03-20', 14],
  ['in a zone whose clocks skip half an hour', { ...NIGHTLY, awake: [TimeWindow.weekly({ from: '08:00', duration: Duration.hours(18), timeZone: 'Australia/Lord_Howe' })] }, '2026-09-28', 14],
])('each pipeline makes one step at most, and none between awake and stopped: clusters %s', (_, options, begin, days) => {
  const hours = schedule(options);
  let committed = `${begin}T00:00:00Z`;
  for (let index = 0; index < days * 24; index += 1) {
    const next = hours.advance(committed, new Date(Date.parse(`${begin}T00:07:00Z`) + index * 3_600_000).toISOString());
    const [was, is] = [committed, next].map((instant) => hours.stateAt(instant));
    expect([was, is]).not.toEqual([undefined, 'full']);
    committed = next;
  }
});

test('the drain takes its time in the night in which clocks skip an hour', () => {
  const hours = schedule(NIGHTLY);
  expect(hours.advance('2026-03-28T12:00:00Z', '2026-03-29T01:07:00Z')).toBe('2026-03-29T01:07:00.000Z');
  expect(['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-03-29T01:59:59Z', '2026-03-29T02:00:00Z'].map((instant) => hours.stateAt(instant)))
    .toEqual([undefined, 'pools', 'pools', 'full']);
});

test.each<[string, Partial<HibernationScheduleOptions>, string]>([
  ['clusters that never wake', { awake: [] }, 'TC-WINDOW-DAYS'],
  ['clusters that never sleep', { awake: [TimeWindow.weekly({ ...WORK, days: undefined, duration: Duration.hours(24) })] }, 'TC-WINDOW-ALWAYS'],
  ['nights without time between the steps', { awake: [TimeWindow.weekly({ ...WORK, duration: Duration.hours(22) })] }, 'TC-HIBERNATION-SCHEDULE'],
  ['half an hour between the steps', { drain: Duration.minutes(30) }, 'TC-HIBERNATION-SCHEDULE'],
])('%s are refused', (_, options, id) => {
  expect(() => schedule(options)).toThrow(id);
});

test.each(['', 'yesterday', '2026-11-27', '2026-11-27T20:00:00', '2026-13-27T20:00:00Z'])('%j is no instant', (instant) => {
  expect(() => schedule().stateAt(instant)).toThrow('TC-HIBERNATION-INSTANT');
});
