import { FieldPath, stringAt } from '../values/fields';
import { Finding } from '../values/finding';
import { parseGoDuration } from '../values/go-duration';

const NANOSECONDS = 1_000_000_000n;

/** The shortest time that a field accepts beside 0, which is the default, and words for shorter ones. */
interface ShortestDuration {
  readonly seconds: number;
  readonly message: (seconds: number) => string;
  readonly fix: string;
}

/** Checks that a string is a duration as Go reads it. */
export function checkDuration(object: object, path: FieldPath, shortest?: ShortestDuration): Finding[] {
  const text = stringAt(object, ...path);
  if (text === undefined) return [];
  const duration = parseGoDuration(text);
  if (duration === undefined) {
    return [{ path, message: `${JSON.stringify(text)} is no duration`, accepted: 'numbers with their units, such as 10m or 1m30s', fix: 'write the unit behind each number' }];
  }
  const seconds = Number(duration / NANOSECONDS);
  return !shortest || seconds === 0 || seconds >= shortest.seconds ? [] : [{
    path, message: shortest.message(seconds), accepted: `${shortest.seconds} seconds and more`, fix: shortest.fix,
  }];
}
