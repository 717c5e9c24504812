import { JsonPatch } from 'cdk8s';

/** An operation as RFC 6902 describes it. */
interface Operation {
  readonly op: 'add' | 'copy' | 'move' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/**
 * Applies patches one after the other. A patch that has no effect is an error: cdk8s skips it.
 *
 * @param manifest the object to patch
 * @param patches the patches in their order
 * @param writeValue how the value of a patch is written for the API
 */
export function applyPatches(manifest: object, patches: readonly JsonPatch[], writeValue: (value: unknown) => unknown): object {
  return patches.reduce((document, patch) => {
    // `JsonPatch` has no public way to read its operation.
    const { operation } = patch as unknown as { readonly operation: Operation };
    try {
      return JsonPatch.apply(document, checked(operation, patch, document, writeValue));
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      throw new Error(`the patch '${operation.op} ${operation.path}' cannot be applied: ${reason}`, { cause: error });
    }
  }, manifest);
}

function checked({ op, path, from, value }: Operation, patch: JsonPatch, document: object, writeValue: (value: unknown) => unknown): JsonPatch {
  if (op === 'remove') requireField(document, path);
  else requirePlace(document, path);
  if (op === 'copy' || op === 'move') requireField(document, from ?? '');
  if (op !== 'add' && op !== 'replace' && op !== 'test') return patch;
  // cdk8s copies values as JSON, which would keep the shell of an int-or-string object.
  const written = writeValue(value);
  if (written === undefined) throw new Error('it has no value; use JsonPatch.remove() to remove a field');
  return JsonPatch[op](path, written);
}

/** Requires that a value can be set at a pointer. */
function requirePlace(document: object, pointer: string): void {
  if (pointer === '') return;
  const end = pointer.lastIndexOf('/');
  if (end < 0) throw new Error(`'${pointer}' must begin with '/'`);
  const [parent, key] = [pointer.slice(0, end), pointer.slice(end + 1)];
  const holder = requireField(document, parent);
  if (typeof holder !== 'object' || holder === null) throw new Error(`'${parent}' is neither an object nor a list`);
  if (Array.isArray(holder) && key !== '-' && !(/^\d+$/.test(key) && Number(key) <= holder.length)) {
    throw new Error(`'${parent}' is a list of ${holder.length}; '${key}' is neither an index in it nor '-', its end`);
  }
}

/** Requires that a field exists, and returns its value. */
function requireField(document: object, pointer: string): unknown {
  if (pointer !== '' && !pointer.startsWith('/')) throw new Error(`'${pointer}' must begin with '/'`);
  let place: unknown = document;
  let found = '';
  for (const segment of pointer.split('/').slice(1).map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))) {
    const fields = typeof place === 'object' && place !== null ? Object.keys(place) : [];
    if (!fields.includes(segment)) {
      throw new Error(`'${pointer}' does not exist; ${found === '' ? 'the manifest' : `'${found}'`} has ${fields.length > 0 ? fields.join(', ') : 'no fields'}`);
    }
    place = (place as Record<string, unknown>)[segment];
    found += `/${segment}`;
  }
  return place;
}
