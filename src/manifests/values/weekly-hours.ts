const DAYS = 7;
const HOURS = 24;

/** Number of hours of a week. */
export const WEEK = DAYS * HOURS;

/** A time that comes every week, in whole hours. */
export interface WeeklyHours {
  /** Days on which it begins, from 0 for Sunday. */
  readonly days: readonly number[];

  /** Hour at which it begins, 0 to 23. */
  readonly hour: number;

  /** Number of hours that it lasts. */
  readonly hours: number;
}

/** Marks the hours of a week, from Sunday 0:00, that are within one of several times. */
export function weekOf(times: readonly WeeklyHours[]): boolean[] {
  const week = new Array<boolean>(WEEK).fill(false);
  for (const { days, hour, hours } of times) {
    for (const day of days) {
      for (let index = 0; index < Math.min(hours, WEEK); index += 1) week[(day * HOURS + hour + index) % WEEK] = true;
    }
  }
  return week;
}

/**
 * The cron schedules that are due at hours of a week: one for all days with the same hours.
 *
 * @param week the hours, from Sunday 0:00
 * @param minute the minute of each
 */
export function weeklySchedules(week: readonly boolean[], minute: number): string[] {
  const byHours = new Map<string, number[]>();
  for (let day = 0; day < DAYS; day += 1) {
    const hours = ranges(week.slice(day * HOURS, (day + 1) * HOURS).flatMap((isDue, hour) => (isDue ? [hour] : [])), HOURS);
    if (hours !== '') byHours.set(hours, [...byHours.get(hours) ?? [], day]);
  }
  return [...byHours].map(([hours, days]) => `${minute} ${hours} * * ${ranges(days, DAYS)}`);
}

/** The hours of a week at which the marked ones begin, after one that is not marked. */
export function beginnings(week: readonly boolean[]): boolean[] {
  return week.map((isMarked, index) => isMarked && !week[(index + WEEK - 1) % WEEK]);
}

/** Numbers in ascending order, as a field of cron; `*` for all. */
function ranges(numbers: readonly number[], all: number): string {
  if (numbers.length === all) return '*';
  const runs: [first: number, last: number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
