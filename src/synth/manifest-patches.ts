import { JsonPatch } from 'cdk8s';

/** An operation as RFC 6902 describes it. */
interface Operation {
  readonly op: 'add' | 'copy' | 'move' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/**
 * Applies patches one after the other. A patch that would have no effect is an error.
 *
 * @param manifest the object to patch
 * @param patches the patches in their order
 * @param writeValue how the value of a patch is written for the API
 */
export function applyPatches(manifest: object, patches: readonly JsonPatch[], writeValue: (value: unknown) => unknown): object {
  return patches.reduce((document, patch) => {
    const operation = operationOf(patch);
    if (!operation) { return JsonPatch.apply(document, patch); }
    try {
      return JsonPatch.apply(document, checked(operation, patch, document, writeValue));
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      throw new Error(`the patch '${operation.op} ${operation.path}' cannot be applied: ${reason}`, { cause: error });
    }
  }, manifest);
}

function checked(operation: Operation, patch: JsonPatch, document: object, writeValue: (value: unknown) => unknown): JsonPatch {
  const { op, path, from, value } = operation;
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      requirePlace(document, parentOf(path));
      // cdk8s copies values as JSON, which would keep the shell of an int-or-string object.
      const written = writeValue(value);
      if (written === undefined) { throw new Error('it has no value; use JsonPatch.remove() to remove a field'); }
      return JsonPatch[op](path, written);
    }
    case 'copy':
    case 'move':
      requirePlace(document, from ?? '');
      requirePlace(document, parentOf(path));
      return patch;
    case 'remove':
      requirePlace(document, path);
      return patch;
  }
}

/** `JsonPatch` offers no way to read its operation back. */
function operationOf(patch: JsonPatch): Operation | undefined {
  const operation: unknown = Reflect.get(patch, 'operation');
  return typeof operation === 'object' && operation !== null && 'op' in operation ? operation as Operation : undefined;
}

function requirePlace(document: object, pointer: string): void {
  let place: unknown = document;
  let found = '';
  for (const segment of pointer.split('/').slice(1).map(part => part.replace(/~1/g, '/').replace(/~0/g, '~'))) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, segment)) {
      const fields = typeof place === 'object' && place !== null ? Object.keys(place) : [];
      throw new Error(`'${pointer}' does not exist; ${found === '' ? 'the manifest' : `'${found}'`} has ${fields.length > 0 ? fields.join(', ') : 'no fields'}`);
    }
    place = Reflect.get(place, segment);
    found += `/${segment}`;
  }
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}
