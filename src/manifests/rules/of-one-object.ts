/** The current validation run; undefined outside of one, where objects may change at any time. */
let running: object | undefined;

/**
 * Validates objects, none of which changes meanwhile.
 *
 * @param validate what does so
 */
export function whileUnchanged<T>(validate: () => T): T {
  const around = running;
  running = {};
  try {
    return validate();
  } finally {
    running = around;
  }
}

/**
 * Keeps what is made of an object for as long as the same one is asked for: several rules look at it, one after the other.
 *
 * @param make makes it, of nothing but the object
 */
export function ofOneObject<O extends object, T>(make: (object: O) => T): (object: O) => T {
  let last: { readonly object: O; readonly run: object; readonly made: T } | undefined;
  return (object) => {
    if (running === undefined) return make(object);
    if (last?.object !== object || last.run !== running) last = { object, run: running, made: make(object) };
    return last.made;
  };
}
