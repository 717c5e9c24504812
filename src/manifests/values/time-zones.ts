const NAME = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

const FORMATS = new Map<string, Intl.DateTimeFormat | undefined>();

/**
 * True if a name is that of a time zone, such as `Europe/Zurich` or `UTC`. Go looks it up with its case, unlike `Intl`, and knows no offsets.
 *
 * Source: golang/go src/time/zoneinfo.go (LoadLocation).
 */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  const known = formatOf(name)?.resolvedOptions().timeZone;
  return known !== undefined && (known === name || known.toLowerCase() !== name.toLowerCase());
}

/**
 * The time that clocks of a zone show, as if it were UTC, in milliseconds.
 *
 * @param instant a time, in milliseconds since 1970 in UTC
 * @param timeZone name of the zone, which `isTimeZone` accepts; another one counts as UTC
 */
export function wallTime(instant: number, timeZone: string): number {
  const parts = new Map(formatOf(timeZone)?.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  if (parts.size === 0) return instant;
  const [year, month, day, hour, minute, second] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((type) => parts.get(type)!);
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
}

/**
 * The instants at which clocks of a zone show a time, in ascending order: none if they skip it, two if they are set back over it.
 *
 * @param wall the time, as if it were UTC, in milliseconds
 * @param timeZone name of the zone
 */
export function instantsAt(wall: number, timeZone: string): number[] {
  // Offsets of all zones are between -12 and +14 hours, and change at most once within that time.
  const offsets = new Set([-15, 0, 15].map((hours) => wallTime(wall + hours * 3_600_000, timeZone) - (wall + hours * 3_600_000)));
  return [...offsets].map((offset) => wall - offset).filter((instant) => wallTime(instant, timeZone) === wall).sort((one, other) => one - other);
}

/** The first instant at which clocks of a zone show a time; undefined if they skip it. */
export function instantAt(wall: number, timeZone: string): number | undefined {
  return instantsAt(wall, timeZone).at(0);
}

const HALF_HOUR = 30 * 60_000;

/** The first instant at which clocks of a zone show a time; if they skip it, that at which they go on, at a half or full hour. */
export function instantFrom(wall: number, timeZone: string): number {
  return instantAt(wall, timeZone) ?? instantFrom((Math.floor(wall / HALF_HOUR) + 1) * HALF_HOUR, timeZone);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** An instant as clocks of a zone show it: `Sat 2026-11-28 22:00 Europe/Zurich`. */
export function zonedText(instant: number, timeZone: string): string {
  const wall = new Date(wallTime(instant, timeZone));
  return `${WEEKDAYS[wall.getUTCDay()]} ${wall.toISOString().slice(0, 16).replace('T', ' ')} ${timeZone}`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!FORMATS.has(timeZone)) FORMATS.set(timeZone, newFormat(timeZone));
  return FORMATS.get(timeZone);
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
    });
  } catch {
    return undefined;
  }
}
