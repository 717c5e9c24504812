import * as fs from 'node:fs';
import * as path from 'node:path';
import { Files, objectsIn, Report, runAdopt, silentObjects } from './adopting';
import * as inputs from './inputs';
import { readGolden } from '../../../scripts/golden/golden-store';
import { inputObjects, InputObjects } from '../../../src/manifests/adopt/input-objects';
import { prove, provenObject } from '../../../src/manifests/adopt/proof';
import { fileOf, placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { groupKind, ManifestObject, nameOf, objectName } from '../../../src/manifests/objects/manifest-object';
import { registerProviders } from '../../../src/manifests/systems/providers';
import { fieldAt, FieldPath, fieldText } from '../../../src/manifests/values/fields';
import { removablePaths, withoutPath } from '../../support/removed-fields';
import { ALL, amount, sample } from '../../support/sample';
import { Workplace } from '../run';

registerProviders();

const EXAMPLES = Object.entries(readGolden()).filter(([name]) => name.startsWith('example-'));
const WRITTEN = Object.entries(inputs).map(([name, text]): [string, Files] => [name.toLowerCase(), { 'all.yaml': text }]);

/** Manifests of others, such as templates and rendered charts: each folder in the folder that `ADOPT_INPUTS` names. */
const OTHERS = process.env.ADOPT_INPUTS === undefined ? [] : foldersIn(process.env.ADOPT_INPUTS);
const INPUTS: readonly [string, Files][] = [...OTHERS, ...WRITTEN, ...EXAMPLES];

function foldersIn(folder: string): [string, Files][] {
  return fs.readdirSync(folder).map((name): [string, Files] => {
    const files = fs.readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file));
    return [name, Object.fromEntries(files.map((file) => [file, fs.readFileSync(path.join(folder, name, file), 'utf8')]))];
  });
}

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

async function reported(files: Files): Promise<Report> {
  workplace.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [`old/${file}`, text])));
  return JSON.parse((await runAdopt(workplace, ['old', '--format', 'json'])).out) as Report;
}

// Those of the examples are in examples.test.ts, which adopts them all.
test.each(sample([...OTHERS, ...WRITTEN], 3))('each object of %s has an outcome', async (_, files) => {
  expect(silentObjects(files, await reported(files))).toEqual([]);
});

/** The input of `--prove`. */
function inputOf(objects: readonly ManifestObject[]): InputObjects {
  return inputObjects(placedObjects([fileOf(objects)]), undefined);
}

/** So many objects of an input are left out one at a time, with a plan of all others each. */
const LEFT_OUT = 8;

/** So many values are spread evenly over all. */
function spread<T>(values: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.ceil(values.length / count));
  return values.filter((_, index) => index % step === 0);
}

test.each(sample(INPUTS, 3))('each object of %s is reported that the output lacks', (_, files) => {
  const input = inputOf(objectsIn(files));
  const all = input.objects.map(({ object }) => object);
  const silent = spread(all, LEFT_OUT).filter((object) => {
    const { objects, isEmpty } = prove(input, all.filter((other) => other !== object));
    const missing = objects.filter(({ result }) => result === 'missing');
    return isEmpty || missing.length !== 1 || missing[0].read.object !== object;
  });

  expect(silent.map(objectName)).toEqual([]);
  // An object is looked for by its own name alone, so that the others do not matter.
  expect(prove(input, []).objects.map(({ result }) => result)).toEqual(all.map(() => 'missing'));
});

/** A field of an object. */
interface Field {
  readonly object: ManifestObject;
  readonly path: FieldPath;
}

/** Places and values that were tried: many objects have the same ones. */
const tried = new Set<string>();

/** Fields that were not tried yet, by what they are. */
function fresh(fields: readonly Field[], keyOf: (field: Field) => unknown): Field[] {
  return fields.filter((field) => {
    const key = JSON.stringify(keyOf(field));
    return !tried.has(key) && tried.add(key) !== undefined;
  });
}

const placeOf = ({ object, path: field }: Field) => [groupKind(object), ...field.map((part) => (typeof part === 'number' ? '*' : part))];

/** Fields whose absence changes nothing: the server writes them, or takes them for granted. A new one is read before it is added. */
const SERVER_FIELDS: ReadonlySet<string> = new Set(JSON.parse(fs.readFileSync(path.join(__dirname, 'server-fields.json'), 'utf8')) as string[]);

/** A field as the list has it. Values that are the name of the object, or of its cluster, stand for all of these. */
function serverField({ object, path: field }: Field): string {
  const value = fieldAt(object, ...field);
  const isGroup = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  const text = value === nameOf(object) ? 'its name' : value === fieldAt(object, 'spec', 'clusterName') ? 'its cluster' : JSON.stringify(value);
  return `${placeOf({ object, path: field }).join(' ')}${isGroup ? '' : `: ${text}`}`;
}

const found = new Set<string>();

// A field of an object is compared with the same object alone: its neighbors do not matter.
test.each(sample(INPUTS, 3))('each field of %s is reported that the output lacks, unless the server writes it', (name, files) => {
  const reads = inputOf(objectsIn(files)).objects;
  const fields = reads.flatMap(({ object }) => removablePaths(object).map((field) => ({ object, path: field })));
  const values = fresh(fields, (field) => [placeOf(field), fieldAt(field.object, ...field.path)]);
  const results = spread(values, amount(values.length, 100)).map((field) => (
    { field, proven: provenObject(reads.find((read) => read.object === field.object)!, withoutPath(field.object, field.path)) }));
  const silent = results.filter(({ proven: { result, differences } }) => result !== 'stored' && !(result === 'different' && differences.length > 0));
  const stored = results.filter(({ proven: { result } }) => result === 'stored').map(({ field }) => serverField(field));
  const isOwn = !OTHERS.some(([other]) => other === name);

  expect(silent.map(({ field: { object, path: field } }) => `${objectName(object)} ${fieldText(field)}`)).toEqual([]);
  expect(isOwn ? stored.filter((field) => !SERVER_FIELDS.has(field)) : []).toEqual([]);
  if (isOwn) stored.forEach((field) => found.add(field));

  // Each place once in a plan as well, which agrees.
  const places = fresh(fields, (field) => ['place', placeOf(field)]);
  const disagreed = spread(places, amount(places.length, 50)).filter(({ object, path: field }) => {
    const { objects: [{ result }], isEmpty } = prove(inputOf([object]), [withoutPath(object, field)]);
    return isEmpty !== (result === 'stored');
  });

  expect(disagreed.map(({ object, path: field }) => `${objectName(object)} ${fieldText(field)}`)).toEqual([]);
});

test('the list of fields that the server writes has no other ones', () => {
  expect(ALL ? [...SERVER_FIELDS].filter((field) => !found.has(field)) : []).toEqual([]);
});
