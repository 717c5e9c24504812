import { types } from 'node:util';
import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { EXPORTS, sample, sampleValues } from './samples';
import { API, argumentType, Shape, TypeText } from '../../../../src/constructs/app/arguments/argument-type';
import { creatable, factories } from '../../../../src/constructs/app/arguments/check-arguments';
import { sample as some } from '../../../support/sample';

/** Something that users call. */
interface Callable {
  readonly name: string;
  readonly takes: Shape;
  readonly call: (scope: Construct, values: readonly unknown[]) => unknown;
}

const CALLABLES: readonly Callable[] = Object.entries(API.classes).flatMap(([name, { abstract, takes, statics = {}, methods = {} }]) => [
  ...(takes && !abstract ? [{ name: `new ${name}`, takes, call: (_: Construct, values: readonly unknown[]) => new EXPORTS[name](...values) as unknown }] : []),
  ...Object.entries(statics).map(([method, shape]) => ({
    name: `${name}.${method}`, takes: shape.takes, call: (_: Construct, values: readonly unknown[]) => EXPORTS[name][method](...values) as unknown,
  })),
  // Objects of other classes are made by the library alone.
  ...Object.entries(creatable(name).length + factories(name).length > 0 ? methods : {}).map(([method, shape]) => ({
    name: `${name}#${method}`, takes: shape.takes, call: (scope: Construct, values: readonly unknown[]) => (sample(name, scope) as any)[method](...values) as unknown,
  })),
]);

/** The id and property of each fault in the error that a call throws. */
function faultsOf({ takes, call }: Callable, change: (values: unknown[], scope: Construct) => void): string[] {
  const scope = new Chart(new App(), 'chart');
  const values = sampleValues(takes, scope);
  change(values, scope);
  try {
    call(scope, values);
    return [];
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
    return (error as Error).message.split('\n').flatMap((line) => /TC-ARGUMENT\S+ [^:]*(?=: )/.exec(line) ?? []);
  }
}

/** A value or property of an argument. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly type: TypeText;

  /** The struct that it is a property of. */
  readonly struct?: string;
}

/** Everything that can be given to a call: arguments, their properties, and the properties of these. */
function placesOf(takes: Shape): Place[] {
  return Object.values(takes).flatMap((type, index): Place[] => (
    argumentType(type).variadic ? [] : [{ path: [index], type }, ...propertiesOf(type, [index], [])]));
}

function propertiesOf(type: TypeText, path: Place['path'], around: readonly string[]): Place[] {
  const { kind, name } = argumentType(type);
  if (kind !== 'named' || !API.structs[name] || around.includes(name)) return [];
  return Object.entries(API.structs[name]).flatMap(([property, inner]) => [
    { path: [...path, property], type: inner, struct: name }, ...propertiesOf(inner, [...path, property], [...around, name]),
  ]);
}

/** Puts a value at a place; what is around it and not there has what it needs. */
function put(values: unknown[], { path }: Place, takes: Shape, scope: Construct, value: unknown): void {
  let holder: any = values;
  let type = Object.values(takes)[path[0] as number];
  for (const part of path.slice(0, -1)) {
    if (holder !== values) type = API.structs[argumentType(type).name][part];
    holder = holder[part] ??= sample(type.replace('?', ''), scope, String(part));
  }
  const [last] = path.slice(-1);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
}

const WRONG: Readonly<Record<string, unknown>> = { string: 5, number: 'x', boolean: 'false' };

function wrongValue(type: TypeText): unknown {
  const { kind, name } = argumentType(type);
  return kind === 'named' ? WRONG[name] ?? 5 : 5;
}

test('there is a lot to call, and to give', () => {
  expect(CALLABLES.length).toBeGreaterThan(250);
  expect(CALLABLES.flatMap(({ takes }) => placesOf(takes)).length).toBeGreaterThan(1500);
});

test('every public class is checked', () => {
  const classes = Object.keys(API.classes).filter((name) => API.classes[name].takes);
  expect(classes.filter((name) => !types.isProxy(EXPORTS[name]))).toEqual([]);
});

describe.each(CALLABLES.map((callable) => [callable.name, callable] as const))('%s', (_, callable) => {
  const { takes } = callable;
  const places = placesOf(takes).filter(({ type }) => !['any', 'object'].includes(argumentType(type).name));

  test('says nothing of the arguments that it needs', () => {
    expect(faultsOf(callable, () => undefined)).toEqual([]);
  });

  test('names what has a wrong type', () => {
    for (const place of some(places, 4)) {
      const said = faultsOf(callable, (values, scope) => put(values, place, takes, scope, wrongValue(place.type)));
      expect([place.path, said]).toEqual([place.path, [expect.stringMatching(/^TC-ARGUMENT-TYPE/)]]);
      if (place.struct) expect(said[0]).toContain(place.path.at(-1));
    }
  });

  test('names what is missing', () => {
    for (const place of some(places.filter(({ type }) => !argumentType(type).optional), 4)) {
      const said = faultsOf(callable, (values, scope) => put(values, place, takes, scope, undefined));
      expect([place.path, said]).toEqual([place.path, [expect.stringMatching(/^TC-ARGUMENT-MISSING/)]]);
      if (place.struct) expect(said[0]).toContain(place.path.at(-1));
    }
  });

  test('names properties that there are not', () => {
    for (const place of some(places.filter(({ struct }) => struct !== undefined), 2)) {
      const misspelled = { ...place, path: [...place.path.slice(0, -1), `${place.path.at(-1)}x`] };
      const said = faultsOf(callable, (values, scope) => put(values, misspelled, takes, scope, sample(place.type.replace('?', ''), scope, String(place.path.at(-1)))));
      expect([misspelled.path, said]).toEqual([misspelled.path, [expect.stringMatching(/^TC-ARGUMENT-UNKNOWN/)]]);
      expect(said[0]).toContain(misspelled.path.at(-1));
    }
  });
});
