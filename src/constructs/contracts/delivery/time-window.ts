import { Duration } from 'cdk8s';
import { Problem, Rule } from '../../../manifests/values/problem';
import { isTimeZone } from '../../../manifests/values/time-zones';
import { WEEK, WeeklyHours, weekOf } from '../../../manifests/values/weekly-hours';

/** A day of the week. */
export enum Weekday {
  /** Monday. */
  MONDAY = 'monday',

  /** Tuesday. */
  TUESDAY = 'tuesday',

  /** Wednesday. */
  WEDNESDAY = 'wednesday',

  /** Thursday. */
  THURSDAY = 'thursday',

  /** Friday. */
  FRIDAY = 'friday',

  /** Saturday. */
  SATURDAY = 'saturday',

  /** Sunday. */
  SUNDAY = 'sunday',
}

/** Days in the numbers of cron, from 0 for Sunday. */
const DAYS: readonly Weekday[] = [
  Weekday.SUNDAY, Weekday.MONDAY, Weekday.TUESDAY, Weekday.WEDNESDAY, Weekday.THURSDAY, Weekday.FRIDAY, Weekday.SATURDAY,
];

/** A time that comes every week. */
export interface WeeklyWindowOptions {
  /**
   * Days on which it begins. It may last into the day after.
   *
   * Rule: `TC-WINDOW-DAYS`.
   *
   * @default - every day
   */
  readonly days?: Weekday[];

  /** Time at which it begins, on clocks of the time zone: `22:00` (`TC-WINDOW-TIME`). */
  readonly from: string;

  /** Time that it lasts, in whole hours: at least one, and less than a week (`TC-WINDOW-DURATION`). */
  readonly duration: Duration;

  /** Name of the time zone, such as `Europe/Zurich` or `UTC` (`TC-WINDOW-TIME-ZONE`). */
  readonly timeZone: string;
}

/**
 * A time that comes every week, on clocks of a time zone: when a cluster may change (`changeWindows` of a `TenantCluster`), or when it is awake
 * (`HibernationSchedule`).
 *
 * Begin and end follow the clocks: in the nights in which these change, a window is an hour longer or shorter.
 *
 * @example
 * TimeWindow.weekly({ days: [Weekday.SATURDAY], from: '22:00', duration: Duration.hours(6), timeZone: 'Europe/Zurich' });
 */
export class TimeWindow {
  /**
   * A time on some days of every week.
   *
   * @param options days, begin, duration and time zone
   */
  public static weekly(options: WeeklyWindowOptions): TimeWindow {
    return new TimeWindow(options.days ?? [...DAYS], options.from, options.duration, options.timeZone);
  }

  private constructor(
    /** Days on which it begins. */
    public readonly days: Weekday[],
    /** Time at which it begins, such as `22:00`. */
    public readonly from: string,
    /** Time that it lasts. */
    public readonly duration: Duration,
    /** Name of the time zone. */
    public readonly timeZone: string,
  ) {}
}

/** Windows that belong together, in numbers. */
export interface WindowHours {
  readonly timeZone: string;

  /** The minute at which every hour of them begins. */
  readonly minute: number;
  readonly times: readonly WeeklyHours[];
}

/** Windows in numbers, in an order that does not depend on that of the list. What `checkWindows` refuses counts as 0. */
export function windowHours(windows: readonly TimeWindow[]): WindowHours {
  const times = windows.map(({ days, from, duration }): WeeklyHours => ({
    days: [...new Set(days.map((day) => DAYS.indexOf(day)))].sort(), hour: clockOf(from)?.[0] ?? 0, hours: duration.toHours({ integral: false }),
  }));
  const unique = new Map(times.map((time) => [JSON.stringify(time), time]));
  return {
    timeZone: windows[0]?.timeZone ?? '',
    minute: clockOf(windows[0]?.from ?? '')?.[1] ?? 0,
    times: [...unique.keys()].sort().map((key) => unique.get(key)!),
  };
}

function clockOf(text: string): readonly [hour: number, minute: number] | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined ? undefined : [Number(hour), Number(minute)];
}

const TIME_ZONE_RULE: Rule = {
  id: 'TC-WINDOW-TIME-ZONE',
  title: 'A window must have a time zone of the IANA database, in its spelling.',
  source: 'kubernetes/kubernetes pkg/apis/batch/validation/validation.go (validateTimeZone), golang/go src/time/zoneinfo.go (LoadLocation)',
};

const TIME_RULE: Rule = {
  id: 'TC-WINDOW-TIME',
  title: 'A window must begin at a time between 00:00 and 23:59.',
};

const DURATION_RULE: Rule = {
  id: 'TC-WINDOW-DURATION',
  title: 'A window must last whole hours, at least one, and less than a week.',
};

const DAYS_RULE: Rule = {
  id: 'TC-WINDOW-DAYS',
  title: 'A window must begin on at least one day, and a list of windows must have at least one: otherwise it never opens.',
};

const DIFFERENT_RULE: Rule = {
  id: 'TC-WINDOW-DIFFERENT',
  title: 'Windows of one cluster must have the same time zone, and begin at the same minute of an hour.',
};

const ALWAYS_RULE: Rule = {
  id: 'TC-WINDOW-ALWAYS',
  title: 'Windows of one cluster must leave an hour of the week: otherwise they are always open.',
};

/**
 * Checks windows that belong together.
 *
 * @param windows the windows
 * @param property the property that holds them
 */
export function checkWindows(windows: readonly TimeWindow[], property: string): Problem[] {
  if (windows.length === 0) {
    return [{ rule: DAYS_RULE, property, message: 'the list is empty, so that no window ever opens', fix: 'add a window, or remove the property' }];
  }
  const faults = windows.flatMap((window, index) => checkWindow(window, `${property}[${index}]`));
  if (faults.length > 0) return faults;
  const [{ timeZone, from }, ...others] = windows;
  const minute = from.slice(3);
  const different = others.findIndex((window) => window.timeZone !== timeZone || window.from.slice(3) !== minute);
  if (different >= 0) {
    const other = others[different];
    return [{
      rule: DIFFERENT_RULE,
      property: `${property}[${different + 1}]`,
      message: `it begins at ${other.from} in ${other.timeZone}, and ${property}[0] at ${from} in ${timeZone}`,
      fix: 'give all windows of the cluster the time zone and the minute of the first one',
    }];
  }
  if (weekOf(windowHours(windows).times).filter(Boolean).length < WEEK) return [];
  return [{ rule: ALWAYS_RULE, property, message: 'there is no hour of the week outside of them', fix: 'shorten a window, or remove the property' }];
}

function checkWindow({ days, from, duration, timeZone }: TimeWindow, property: string): Problem[] {
  const hours = duration.toHours({ integral: false });
  const minutes = duration.toMinutes({ integral: false });
  const problems: Problem[] = [];
  if (days.length === 0) {
    problems.push({ rule: DAYS_RULE, property: `${property}.days`, message: 'no day is given, so that it never opens', fix: 'name days, or leave it out for every day' });
  }
  if (!clockOf(from)) {
    problems.push({
      rule: TIME_RULE, property: `${property}.from`, message: `${JSON.stringify(from)} is not a time of the day`, accepted: '00:00 to 23:59', fix: 'write it like "22:00"',
    });
  }
  if (minutes <= 0 || !Number.isInteger(hours) || hours >= WEEK) {
    problems.push({
      rule: DURATION_RULE,
      property: `${property}.duration`,
      message: `${minutes} minutes are not a duration of a window`,
      accepted: `1 to ${WEEK - 1} whole hours`,
      fix: 'write it in hours, e.g. Duration.hours(6)',
    });
  }
  if (!isTimeZone(timeZone)) {
    problems.push({
      rule: TIME_ZONE_RULE,
      property: `${property}.timeZone`,
      message: `${JSON.stringify(timeZone)} is no time zone`,
      fix: 'write a name of the IANA database with its case, such as "Europe/Zurich" or "UTC"',
    });
  }
  return problems;
}
