import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runAdopt } from './adopting';
import * as inputs from './inputs';
import { readGolden } from '../../../scripts/golden/golden-store';
import { inputObjects, InputObjects } from '../../../src/manifests/adopt/input-objects';
import { prove, Proof } from '../../../src/manifests/adopt/proof';
import { fileOf, placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../../../src/manifests/objects/manifest-object';
import { registerProviders } from '../../../src/manifests/systems/providers';
import { fieldAt, FieldPath, fieldText } from '../../../src/manifests/values/fields';
import { removablePaths, withoutPath } from '../../support/removed-fields';
import { amount, sample } from '../../support/sample';
import { Workplace } from '../run';

registerProviders();

type Files = Readonly<Record<string, string>>;

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

/** The objects of files, as another parser reads them. */
function objectsIn(files: Files): ManifestObject[] {
  const documents = Object.entries(files).filter(([file]) => /\.ya?ml$/.test(path.basename(file)))
    .flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as unknown));
  return documents.filter((value): value is ManifestObject => typeof value === 'object' && value !== null && 'apiVersion' in value && 'metadata' in value);
}

const idOf = (kind: unknown, namespace: string | undefined, name: string | undefined) => `${String(kind)} ${namespace ?? ''}/${name ?? '-'}`;

interface Report {
  readonly objects: readonly { readonly outcome: string; readonly kind: string; readonly namespace?: string; readonly name: string }[];
  readonly notRead: readonly string[];
}

async function reported(files: Files): Promise<Report> {
  workplace.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [`old/${file}`, text])));
  return JSON.parse((await runAdopt(workplace, ['old', '--format', 'json'])).out) as Report;
}

test.each(sample(INPUTS, 3))('each object of %s has an outcome', async (_, files) => {
  const { objects, notRead } = await reported(files);
  const known = new Set(objects.map(({ kind, namespace, name }) => idOf(kind, namespace, name)));
  const silent = objectsIn(files).filter((object) => !known.has(idOf(object.kind, namespaceOf(object), nameOf(object))));

  expect(silent.map(objectName).filter((name) => !notRead.some((remark) => remark.includes(name)))).toEqual([]);
});

/** The input of `--prove`. */
function inputOf(objects: readonly ManifestObject[]): InputObjects {
  return inputObjects(placedObjects([fileOf(objects)]), undefined);
}

test.each(sample(INPUTS, 3))('each object of %s is reported that the output lacks', (_, files) => {
  const input = inputOf(objectsIn(files));
  const all = input.objects.map(({ object }) => object);
  const silent = all.filter((object) => {
    const { objects, isEmpty } = prove(input, all.filter((other) => other !== object));
    const missing = objects.filter(({ result }) => result === 'missing');
    return isEmpty || missing.length !== 1 || missing[0].read.object !== object;
  });

  expect(silent.map(objectName)).toEqual([]);
});

/** True if a proof names a change, or the server stores the same. */
function isNamed({ objects: [{ result, differences }], isEmpty }: Proof): boolean {
  return result === 'stored' ? isEmpty : result === 'different' && differences.length > 0 && !isEmpty;
}

/** Fields that were tried: many objects have the same ones. */
const tried = new Set<string>();

/** True for the first field of this place and value, in objects of a kind. */
function isNew(object: ManifestObject, field: FieldPath): boolean {
  const place = field.map((part) => (typeof part === 'number' ? '*' : part));
  const key = JSON.stringify([groupKind(object), place, fieldAt(object, ...field)]);
  return !tried.has(key) && tried.add(key) !== undefined;
}

// A field of an object is compared with the same object alone: its neighbors do not matter.
test.each(sample(INPUTS, 3))('each field of %s is reported that the output lacks, unless the server writes it', (_, files) => {
  const objects = inputOf(objectsIn(files)).objects.map(({ object }) => object);
  const fields = objects.flatMap((object) => removablePaths(object).filter((field) => isNew(object, field)).map((field) => ({ object, field })));
  const step = Math.ceil(fields.length / amount(fields.length, 100));
  const silent = fields.filter((__, index) => index % step === 0)
    .filter(({ object, field }) => !isNamed(prove(inputOf([object]), [withoutPath(object, field)])));

  expect(silent.map(({ object, field }) => `${objectName(object)} ${fieldText(field)}`)).toEqual([]);
});
