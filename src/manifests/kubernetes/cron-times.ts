import { cronDays } from './cron-intervals';
import { checkSchedule } from './workloads';
import { instantsAt, wallTime } from '../values/time-zones';

const DAY = 24 * 60 * 60 * 1000;

/** A schedule that is not due within so many days counts as never due: from one 29 February to the next it can be eight years. */
const MOST_DAYS = 8 * 366;

/** Times at which a cron schedule is due on clocks of one zone: in milliseconds, as if they were UTC. */
export class CronTimes {
  /**
   * Reads a schedule.
   *
   * @param schedule the schedule; undefined is returned for one that is not valid, and for `@every`
   */
  public static of(schedule: string): CronTimes | undefined {
    const days = checkSchedule(schedule) === undefined ? cronDays(schedule) : undefined;
    return days && new CronTimes(days);
  }

  /** Result of the last search in each direction, for times that are searched one after another. */
  private readonly last = new Map<number, { readonly wall: number; readonly found: number | undefined }>();
  private readonly descending: readonly number[];

  private constructor(private readonly days: NonNullable<ReturnType<typeof cronDays>>) {
    this.descending = [...days.times].reverse();
  }

  /** The first time after another. */
  public after(wall: number): number | undefined {
    return this.search(wall, 1, (time) => time > wall);
  }

  /** The last time at another, or before it. */
  public until(wall: number): number | undefined {
    return this.search(wall, -1, (time) => time <= wall);
  }

  private search(wall: number, step: 1 | -1, isSought: (time: number) => boolean): number | undefined {
    const last = this.last.get(step);
    // A schedule that is never due is searched once.
    if (last && (last.found === undefined || ((wall - last.wall) * step >= 0 && isSought(last.found) && (last.found - wall) * step >= 0))) {
      return last.found;
    }
    const found = this.searchDays(wall, step, isSought);
    this.last.set(step, { wall, found });
    return found;
  }

  private searchDays(wall: number, step: 1 | -1, isSought: (time: number) => boolean): number | undefined {
    const ordered = step > 0 ? this.days.times : this.descending;
    let day = Math.floor(wall / DAY) * DAY;
    for (let count = 0; count <= MOST_DAYS; count += 1, day += step * DAY) {
      if (!this.days.isDue(new Date(day))) continue;
      const seconds = ordered.find((time) => isSought(day + time * 1000));
      if (seconds !== undefined) return day + seconds * 1000;
    }
    return undefined;
  }
}

/** Clocks are set back by two hours at most. */
const FOLD = 2 * 60 * 60 * 1000;

/**
 * Instants at which a CronJob starts a Job. A time that clocks skip is none, and one that they show twice is two.
 *
 * Source: robfig/cron spec.go (Next), v3.0.1.
 */
export class CronInstants {
  /**
   * Reads the schedule of a CronJob.
   *
   * @param schedule the schedule; undefined is returned for one that is not valid, and for `@every`
   * @param timeZone name of the time zone
   */
  public static of(schedule: string, timeZone: string): CronInstants | undefined {
    const times = CronTimes.of(schedule);
    return times && new CronInstants(times, timeZone);
  }

  private constructor(private readonly times: CronTimes, private readonly timeZone: string) {}

  /** The first instant after another, in milliseconds. */
  public after(instant: number): number | undefined {
    const wall = wallTime(instant, this.timeZone);
    const folded = this.isFolded(instant) ? FOLD : 0;
    let best: number | undefined;
    for (let time = this.times.after(wall - folded); time !== undefined; time = this.times.after(time)) {
      const found = instantsAt(time, this.timeZone).find((one) => one > instant);
      if (found !== undefined) best = Math.min(found, best ?? found);
      if (best !== undefined && time >= wall + folded) return best;
    }
    return best;
  }

  /** The last instant at another, or before it, in milliseconds. */
  public until(instant: number): number | undefined {
    const wall = wallTime(instant, this.timeZone);
    const folded = this.isFolded(instant) ? FOLD : 0;
    let best: number | undefined;
    for (let time = this.times.until(wall + folded); time !== undefined; time = this.times.until(time - 1)) {
      const found = instantsAt(time, this.timeZone).filter((one) => one <= instant).at(-1);
      if (found !== undefined) best = Math.max(found, best ?? found);
      if (best !== undefined && time <= wall - folded) return best;
    }
    return best;
  }

  /** True near an instant at which clocks change. */
  private isFolded(instant: number): boolean {
    const [before, after] = [-2 * FOLD, 2 * FOLD].map((difference) => wallTime(instant + difference, this.timeZone) - difference);
    return before !== after;
  }
}
