import { parseGoDuration } from '../values/go-duration';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *', '@annually': '0 0 1 1 *', '@monthly': '0 0 1 * *', '@weekly': '0 0 * * 0', '@daily': '0 0 * * *', '@midnight': '0 0 * * *', '@hourly': '0 * * * *',
};

const BOUNDS: readonly (readonly [least: number, most: number])[] = [[0, 59], [0, 23], [1, 31], [1, 12], [0, 6]];
const NAMES: readonly (readonly string[])[] = [
  [], [], [], ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'], ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
];

/**
 * The longest time between two runs of a schedule of a CronJob, in seconds; undefined of a schedule that is not valid, or never due. Days are
 * those of eight years from a leap year on.
 *
 * @param schedule the schedule, which `checkSchedule` accepts
 */
export function longestInterval(schedule: string): number | undefined {
  const every = /^@every (\S+)$/.exec(schedule);
  if (every) {
    const nanoseconds = parseGoDuration(every[1]);
    return nanoseconds === undefined ? undefined : Number(nanoseconds / 1_000_000_000n);
  }
  const days = cronDays(schedule);
  return days && longestGap(days.times, days.isDue);
}

/** The days on which a schedule is due, and its times on each. */
interface CronDays {
  /** Times of the day in ascending order, in seconds; one at least. */
  readonly times: readonly number[];

  /** True if the schedule is due on a day, that of the date in UTC. */
  readonly isDue: (date: Date) => boolean;
}

/**
 * The days and times of a schedule of a CronJob; undefined of one that is not valid, and of `@every`, which depends on the last run.
 *
 * @param schedule the schedule, which `checkSchedule` accepts
 */
export function cronDays(schedule: string): CronDays | undefined {
  const texts = (MACROS[schedule] ?? schedule).trim().split(/\s+/);
  if (texts.length !== BOUNDS.length) return undefined;
  const [minutes, hours, days, months, weekdays] = texts.map((text, index) => valuesOf(text, index));
  const times = [...hours].flatMap((hour) => [...minutes].map((minute) => hour * HOUR + minute * MINUTE)).sort((a, b) => a - b);
  const starred = [texts[2], texts[4]].some((text) => text.split(',').some(isStar));
  const isDue = (date: Date) => {
    const [byDay, byWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    // Of two restricted fields, either is enough (robfig/cron spec.go, dayMatches).
    return months.has(date.getUTCMonth() + 1) && (starred ? byDay && byWeekday : byDay || byWeekday);
  };
  return times.length === 0 ? undefined : { times, isDue };
}

/** True if a part of a field leaves it open: with a step it restricts the field (robfig/cron parser.go, getRange, v3.0.1). */
function isStar(part: string): boolean {
  const [range, step = '1'] = part.split('/');
  return (range === '*' || range === '?') && Number(step) <= 1;
}

const YEARS = 8;

function longestGap(times: readonly number[], isDue: (date: Date) => boolean): number | undefined {
  const within = times.slice(1).reduce((longest, time, index) => Math.max(longest, time - times[index]), 0);
  let last: number | undefined;
  let days = 0;
  for (let day = 0; day < YEARS * 366; day += 1) {
    if (!isDue(new Date(Date.UTC(2000, 0, 1 + day)))) continue;
    if (last !== undefined) days = Math.max(days, day - last);
    last = day;
  }
  return days === 0 ? undefined : Math.max(within, days * DAY - times[times.length - 1] + times[0]);
}

function valuesOf(text: string, index: number): ReadonlySet<number> {
  const [least, most] = BOUNDS[index];
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [range, step = '1'] = part.split('/');
    const [from, to] = range === '*' || range === '?' ? [least, most] : range.split('-').map((name) => valueOf(name, index));
    // A step after one value goes on to the end.
    const end = to ?? (part.includes('/') ? most : from);
    for (let value = from; value <= end; value += Math.max(1, Number(step))) found.add(value);
  }
  return found;
}

function valueOf(text: string, index: number): number {
  const position = NAMES[index].indexOf(text.toLowerCase());
  return position >= 0 && text !== '' ? position : Number(text);
}
