import { ManifestObject } from '../objects/manifest-object';
import { Fields } from '../values/fields';

/** A validation run, and what it keeps. */
interface Run {
  /** Called at its end. */
  readonly onEnd: (() => void)[];
}

/** The current validation run; undefined outside of one, where objects may change at any time. */
let running: Run | undefined;

/**
 * Validates objects, none of which changes meanwhile.
 *
 * @param validate what does so
 */
export function whileUnchanged<T>(validate: () => T): T {
  if (running) return validate();
  running = { onEnd: [] };
  try {
    return validate();
  } finally {
    running.onEnd.forEach((end) => end());
    running = undefined;
  }
}

/**
 * Keeps what is made of an object for as long as the same one is asked for, or one other in turn, such as its earlier state: several rules look at it,
 * one after the other.
 *
 * @param make makes it, of nothing but the object
 */
export function ofOneObject<O extends object, T>(make: (object: O) => T): (object: O) => T {
  let last: { readonly object: O; readonly run: object; readonly made: T } | undefined;
  let other: typeof last;
  return (object) => {
    if (running === undefined) return make(object);
    if (last?.object === object && last.run === running) return last.made;
    [last, other] = [other, last];
    if (last?.object !== object || last.run !== running) last = { object, run: running, made: make(object) };
    return last.made;
  };
}

/**
 * Keeps what is made of each object of a validation run.
 *
 * @param make makes it, of nothing but the object and what is the same in the whole run
 */
export function ofEachObject<O extends object, T>(make: (object: O) => T): (object: O) => T {
  // Garbage collection goes over a weak map again and again.
  const known = new Map<O, { readonly made: T }>();
  return (object) => {
    if (running === undefined) return make(object);
    if (known.size === 0) running.onEnd.push(() => known.clear());
    const kept = known.get(object);
    if (kept) return kept.made;
    const made = make(object);
    known.set(object, { made });
    return made;
  };
}

/** Contents that most objects have nowhere. */
export interface ObjectContents {
  /** True if a text, or the name of a field, has what variables begin with: `${`. */
  readonly dollar: boolean;

  /** True if a value is null. */
  readonly null: boolean;
}

/** Searches an object once, so that rules need not search objects in vain. */
export const contentsOf = ofOneObject((object: ManifestObject): ObjectContents => {
  const found = { dollar: false, null: false };
  lookAt(object, found);
  return found;
});

function lookAt(value: unknown, found: { dollar: boolean; null: boolean }): void {
  if (typeof value === 'string') {
    found.dollar ||= value.includes('${');
  } else if (value === null) {
    found.null = true;
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) lookAt(value[index], found);
  } else if (typeof value === 'object') {
    const map = value as Fields;
    for (const name of Object.keys(map)) {
      lookAt(map[name], found);
      found.dollar ||= name.includes('${');
    }
  }
}
