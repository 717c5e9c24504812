import { globPattern } from './glob-pattern';
import { CronTimes } from '../../kubernetes/cron-times';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { Openings } from '../../rules/delivery-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { Fields, fieldAt, listAt, objectsAt, stringAt } from '../../values/fields';
import { parseGoDuration } from '../../values/go-duration';
import { instantFrom, isTimeZone, wallTime } from '../../values/time-zones';

/** Permits Applications their repositories, destinations and times. */
export const APP_PROJECT = 'argoproj.io/AppProject';

/** So many beginnings and ends are looked at, to find one at which changes are applied. */
const MOST_EVENTS = 1000;

/** A window of a project. */
interface SyncWindow {
  readonly allows: boolean;
  readonly begins: CronTimes;

  /** The same times, for the ends of the window: each is searched in one direction only. */
  readonly ends: CronTimes;

  /** In milliseconds. */
  readonly duration: number;
  readonly timeZone: string;
}

/**
 * The times at which an Application syncs by itself, by the windows of its project. Windows of global projects are not known here.
 *
 * Begin and end are by the clocks of the zone: Argo CD adds the offset that the zone has now.
 *
 * Source: argoproj/argo-cd pkg/apis/application/v1alpha1/types.go (SyncWindows.Matches, CanSync, scheduleOffsetByTimeZone), v3.6.1.
 */
export function syncOpenings(application: ManifestObject, index: ManifestIndex): Openings | undefined {
  const name = stringAt(application, 'spec', 'project') ?? 'default';
  // Applications in other namespaces have a project in that of Argo CD.
  const project = index.find(APP_PROJECT, namespaceOf(application), name) ?? index.all(APP_PROJECT).find((one) => nameOf(one) === name);
  const matching = project ? objectsAt(project, 'spec', 'syncWindows').map(([window]) => window).filter((one) => matches(one, application)) : [];
  const windows = matching.flatMap((window) => windowOf(window) ?? []);
  // Argo CD syncs nothing by itself where it cannot read one of them.
  if (matching.length === 0 || windows.length < matching.length) return undefined;
  const search = (from: number, wanted: boolean) => {
    let instant: number | undefined = from;
    for (let count = 0; instant !== undefined && count < MOST_EVENTS; count += 1) {
      if (syncs(windows, instant) === wanted) return instant;
      instant = nextEvent(windows, instant);
    }
    return undefined;
  };
  const { timeZone } = windows.find(({ allows }) => allows) ?? windows[0];
  return { timeZone, next: (from) => search(from, true), end: (from) => search(from, false) };
}

function windowOf(window: Fields): SyncWindow | undefined {
  const kind = stringAt(window, 'kind');
  const [begins, ends] = [0, 1].map(() => CronTimes.of(stringAt(window, 'schedule') ?? ''));
  const nanoseconds = parseGoDuration(stringAt(window, 'duration') ?? '');
  const timeZone = stringAt(window, 'timeZone') ?? 'UTC';
  if (!begins || !ends || nanoseconds === undefined || !['allow', 'deny'].includes(kind ?? '')) return undefined;
  return { allows: kind === 'allow', begins, ends, duration: Number(nanoseconds / 1_000_000n), timeZone: isTimeZone(timeZone) ? timeZone : 'UTC' };
}

/** True if an Application syncs by itself at an instant. */
function syncs(windows: readonly SyncWindow[], instant: number): boolean {
  const active = windows.filter(({ ends, duration, timeZone }) => {
    const wall = wallTime(instant, timeZone);
    const begin = ends.after(wall - duration);
    // To Argo CD, a schedule that is never due began long ago.
    return begin === undefined || begin <= wall;
  });
  if (active.some(({ allows }) => !allows)) return false;
  return active.length > 0 || windows.every(({ allows }) => !allows);
}

/** The next begin or end of a window. */
function nextEvent(windows: readonly SyncWindow[], instant: number): number | undefined {
  const events = windows.flatMap(({ begins, ends, duration, timeZone }) => {
    const wall = wallTime(instant, timeZone);
    const begin = ends.after(wall - duration);
    return [begins.after(wall), begin === undefined ? undefined : begin + duration].filter((event) => event !== undefined)
      .map((event) => instantFrom(event, timeZone)).filter((event) => event > instant);
  });
  return events.length === 0 ? undefined : Math.min(...events);
}

function matches(window: Fields, application: ManifestObject): boolean {
  const destination = fieldAt(application, 'spec', 'destination');
  const [server, cluster, namespace] = ['server', 'name', 'namespace'].map((field) => stringAt(destination, field));
  const results = Object.entries({ applications: [nameOf(application)], clusters: [server, cluster], namespaces: [namespace ?? ''] })
    .flatMap(([field, names]) => {
      const patterns = listAt(window, field).map((pattern) => globPattern(String(pattern)));
      return patterns.length === 0 ? [] : [names.some((name) => name !== undefined && patterns.some((pattern) => pattern?.(name)))];
    });
  return results.length > 0 && (window.andOperator === true ? results.every(Boolean) : results.some(Boolean));
}
