import { Duration } from 'cdk8s';
import { CronTimes } from '../../manifests/kubernetes/cron-times';
import { formatProblem, Problem, Rule } from '../../manifests/values/problem';
import { instantFrom, wallTime } from '../../manifests/values/time-zones';
import { beginnings, WEEK, weekOf, weeklySchedules } from '../../manifests/values/weekly-hours';
import { Hibernation } from '../contracts/cluster-context';
import { checkWindows, TimeWindow, windowHours } from '../contracts/delivery/time-window';

/** When clusters are awake. */
export interface HibernationScheduleOptions {
  /**
   * Times at which the clusters are awake, such as the hours of work.
   *
   * Rules: those of `changeWindows` of a `TenantCluster`.
   */
  readonly awake: TimeWindow[];

  /**
   * Time between the two steps of falling asleep, in whole hours: longer than the drain and deletion of all machines takes. It must end an hour
   * before the clusters wake.
   *
   * Rule: `TC-HIBERNATION-SCHEDULE`.
   *
   * @default Duration.hours(2)
   */
  readonly drain?: Duration;

  /**
   * True if the control plane is stopped as well. That of a `KubeadmControlPlane` cannot be.
   *
   * @default true
   */
  readonly stopControlPlane?: boolean;
}

/**
 * The state of clusters that sleep at stated hours, such as at night. No clock is read: the instant that counts is committed, so that a page is
 * the same each time, and each step is a commit that is reviewed and planned as any other. A pipeline moves it on with `advance`.
 *
 * @example
 * const schedule = HibernationSchedule.of({
 *   awake: [TimeWindow.weekly({ days: [Weekday.MONDAY, Weekday.TUESDAY], from: '07:00', duration: Duration.hours(12), timeZone: 'Europe/Zurich' })],
 * });
 * const hibernation = schedule.stateAt('2026-11-27T20:00:00Z');
 */
export class HibernationSchedule {
  /**
   * A schedule by the times at which clusters are awake.
   *
   * @param options these times, and the time between the steps
   */
  public static of(options: HibernationScheduleOptions): HibernationSchedule {
    return new HibernationSchedule(options);
  }

  private readonly timeZone: string;
  private readonly wakes: readonly CronTimes[];
  private readonly sleeps: readonly CronTimes[];
  private readonly drain: number;

  private constructor(private readonly options: HibernationScheduleOptions) {
    demand(checkSchedule(options));
    const { timeZone, minute, times } = windowHours(options.awake);
    const week = weekOf(times);
    this.timeZone = timeZone;
    this.drain = drainHours(options);
    this.wakes = timesOf(weeklySchedules(beginnings(week), minute));
    this.sleeps = timesOf(weeklySchedules(beginnings(week.map((isAwake) => !isAwake)), minute));
  }

  /**
   * The state of the clusters at an instant: `hibernation` of a `TenantCluster`. Undefined if they are awake. An error is thrown if it is no
   * instant (`TC-HIBERNATION-INSTANT`).
   *
   * @param instant the instant in ISO 8601, with `Z` or an offset, such as `2026-11-27T20:00:00Z`; spaces around it do not count
   */
  public stateAt(instant: string): Hibernation | undefined {
    const { slept } = this.asleepAt(instantOf(instant));
    if (slept === undefined) return undefined;
    return slept >= this.drain * HOUR && (this.options.stopControlPlane ?? true) ? Hibernation.FULL : Hibernation.POOLS;
  }

  /**
   * The instant to commit next, or the committed one if there is no step. The pools are emptied first, at the present time, and the control
   * plane is stopped once `drain` has passed since then, however late the first step was. A first step that is later than `drain` is the only
   * one until the clusters wake. An error is thrown if one of both is no instant (`TC-HIBERNATION-INSTANT`).
   *
   * @param committed the instant that is committed, in ISO 8601
   * @param now the present time, in ISO 8601
   */
  public advance(committed: string, now: string): string {
    const [from, to] = [committed, now].map(instantOf);
    const { last, slept } = this.asleepAt(to);
    if (last === undefined || to <= from) return committed.trim();
    const step = slept === undefined ? last : this.stepInNight(from, to, last);
    return step > from ? new Date(step).toISOString() : committed.trim();
  }

  /** The step of clusters that fell asleep at an instant. Before the second step, the committed instant is the time of the first one. */
  private stepInNight(from: number, to: number, asleep: number): number {
    const second = asleep + this.drain * HOUR;
    const latest = second - MINUTE;
    if (from < asleep) return Math.min(latest, Math.floor(to / MINUTE) * MINUTE);
    return from < latest && to >= from + this.drain * HOUR ? second : from;
  }

  /**
   * The last change between awake and asleep until an instant, and the time since then of clusters that sleep. That is real time: where clocks
   * skip an hour, the drain does not.
   */
  private asleepAt(instant: number): { readonly last?: number; readonly slept?: number } {
    const wall = wallTime(instant, this.timeZone);
    const [wake, sleep] = [this.wakes, this.sleeps].map((list) => Math.max(...list.map((times) => {
      const time = times.until(wall);
      return time === undefined ? -Infinity : instantFrom(time, this.timeZone);
    })));
    const last = Math.max(wake, sleep);
    return { ...(Number.isFinite(last) && { last }), ...(sleep > wake && { slept: instant - sleep }) };
  }
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const SCHEDULE_RULE: Rule = {
  id: 'TC-HIBERNATION-SCHEDULE',
  title: 'Clusters that sleep by a schedule must sleep for at least an hour after the time between the two steps, which is whole hours.',
};

const INSTANT_RULE: Rule = {
  id: 'TC-HIBERNATION-INSTANT',
  title: 'The instant of a hibernation schedule must be in ISO 8601, with its offset from UTC.',
};

function drainHours({ drain = Duration.hours(2) }: HibernationScheduleOptions): number {
  return drain.toHours({ integral: false });
}

function checkSchedule(options: HibernationScheduleOptions): Problem[] {
  const faults = checkWindows(options.awake, 'awake');
  if (faults.length > 0) return faults;
  const drain = drainHours(options);
  if (!Number.isInteger(drain) || drain < 1) {
    return [{ rule: SCHEDULE_RULE, property: 'drain', message: `${drain} hours are not a time between the steps`, accepted: 'whole hours from 1', fix: 'write e.g. Duration.hours(2)' }];
  }
  const shortest = Math.min(...nights(weekOf(windowHours(options.awake).times)));
  return shortest > drain ? [] : [{
    rule: SCHEDULE_RULE,
    property: 'awake',
    message: `the clusters sleep for ${shortest} hours at a time, and the second step comes after ${drain}`,
    accepted: `at least ${drain + 1} hours between two times`,
    fix: 'shorten the times at which they are awake, join those that are near to each other, or shorten drain',
  }];
}

/** The lengths of all times between two windows, in hours. */
function nights(week: readonly boolean[]): number[] {
  return week.flatMap((isAwake, index) => {
    if (!isAwake || week[(index + 1) % WEEK]) return [];
    let hours = 1;
    while (!week[(index + 1 + hours) % WEEK]) hours += 1;
    return [hours];
  });
}

function timesOf(schedules: readonly string[]): CronTimes[] {
  return schedules.map((schedule) => CronTimes.of(schedule)!);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function instantOf(text: string): number {
  const instant = INSTANT.test(text.trim()) ? Date.parse(text.trim()) : NaN;
  demand(Number.isNaN(instant) ? [{ rule: INSTANT_RULE, message: `${JSON.stringify(text)} is no instant`, fix: 'write e.g. "2026-11-27T20:00:00Z"' }] : []);
  return instant;
}

/** A schedule belongs to no construct that would report a problem. */
function demand(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
}
