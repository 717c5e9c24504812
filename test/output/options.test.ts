import * as fs from 'node:fs';
import * as path from 'node:path';
import { defaultValue, DocumentedOption, optionsIn } from './documented-options';
import { addons, documented, expectNoLeaks, leaks, library, USERS } from './option-leaks';
import { OptionUser } from './option-users';

/** Interfaces whose users are of different kinds; the slow test has all. */
const SAMPLE = ['NodePoolProps', 'KamajiControlPlaneProps', 'CertManagerProps', 'FluxDeliveryProps'];

test.each(SAMPLE)('%s: options that are off, or at their default, leave no trace', expectNoLeaks);

/** Exported properties that nobody uses here, and why. */
const UNUSED: Readonly<Record<string, string>> = {
  BundledAddonProps: 'part of the properties of every addon of the library',
  ManifestAddonProps: 'of a class to extend; whoever extends it gives them',
  CustomResourceProps: 'what an object says of itself, not how it is made',
  CustomResourceTypeProps: 'fields of a definition: each shows',
  ManifestPartProps: 'part of the properties of every class for objects of any kind',
  GitOpsAppProps: 'of an app: how its objects are validated and written, not what they are',
  ManifestValidationPluginProps: 'of a plug-in that looks at manifests, and makes none',
};

test('the properties of every class are used', () => {
  const sources = path.join(__dirname, '../../src');
  const files = fs.readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => path.basename(file) === 'index.ts');
  const indexes = files.map((file) => fs.readFileSync(path.join(sources, file), 'utf8')).join();
  const exported = [...new Set(indexes.match(/\b\w+Props\b/g))].filter((name) => (documented.get(name)?.length ?? 0) > 0);
  expect(exported.filter((name) => !(name in USERS))).toEqual(exported.filter((name) => name in UNUSED));
});

test('addons and defaults are found', () => {
  expect(addons.length).toBeGreaterThan(20);
  expect(documented.get('CiliumProps')!.map(({ name }) => name)).toEqual(expect.arrayContaining(['name', 'chartVersion', 'tunnelPort']));
  const values = [...documented].flatMap(([, options]) => options).filter(({ documented: text }) => defaultValue(text, library) !== undefined);
  expect(values.length).toBeGreaterThan(80);
});

describe('says which options leave a trace', () => {
  const options: DocumentedOption[] = [{ name: 'count', documented: '3' }, { name: 'mode', documented: '- none' }];

  test.each<[string, OptionUser['write'], string[]]>([
    ['none', (given) => `count ${(given as { count?: number }).count ?? 3}`, []],
    ['one that is written though it is undefined', (given) => Object.keys(given).join(), ['count as undefined', 'mode as undefined', 'count as its default']],
    ['one whose default is another', (given) => `count ${(given as { count?: number }).count ?? 4}`, ['count as its default']],
  ])('%s', (_what, write, expected) => {
    expect(leaks({ needs: {}, write }, options)).toEqual(expected);
  });

  test('but not of those that are given in any case', () => {
    expect(leaks({ needs: { count: 7 }, write: (given) => `${(given as { count?: number }).count}` }, options)).toEqual([]);
  });

  test('options are those of the interface and of those that it extends', () => {
    const found = optionsIn([
      'export interface A {\n/** @default 1 */\nreadonly one?: number; readonly two: string }',
      'export interface B extends A {\n/**\n * @default - none\n */\nreadonly three?: string; readonly one?: 2 }',
    ]);
    expect(found.get('B')).toEqual([{ name: 'three', documented: '- none' }, { name: 'one', documented: undefined }]);
    expect(found.get('A')).toEqual([{ name: 'one', documented: '1' }]);
  });

  test.each<[string, unknown]>([
    ['true', true], ['0.5', 0.5], ['cluster.local', 'cluster.local'], ['\'a b\', as in the docs', 'a b'], ['1 (some source)', 1], ['10d', '10d'], ['Colour.RED', 'red'],
  ])('the default %s is a value', (text, value) => {
    expect(defaultValue(text, { Colour: { RED: 'red' } })).toEqual({ value });
  });

  test.each([undefined, '- none', 'true, false where there is a webhook', '2 in mode Deployment', '3; 30 for the start'])('the default %s is told in words', (text) => {
    expect(defaultValue(text, {})).toBeUndefined();
  });
});
