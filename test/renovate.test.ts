import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manager {
  readonly matchStrings: readonly string[];
  readonly depNameTemplate?: string;
}

interface Configuration {
  readonly extends?: readonly string[];
  readonly description?: string;
  readonly customManagers: readonly Manager[];
}

const ROOT = join(__dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const PRESET = JSON.parse(read('default.json')) as Configuration;

/** Dependencies that Renovate updates in a file (`npm run check:renovate` asks Renovate itself). */
function found(text: string): string[] {
  return PRESET.customManagers.flatMap(({ matchStrings, depNameTemplate }) => matchStrings.flatMap((pattern) => (
    [...text.matchAll(new RegExp(pattern, 'g'))].map(({ groups = {} }) => `${groups.depName ?? depNameTemplate} ${groups.currentValue}`)))).sort();
}

test('init writes the preset', () => {
  const { extends: _, ...written } = JSON.parse(read('templates/app/renovate.json').replace('__OUTPUT__', 'dist')) as Configuration;
  const { description, ...preset } = PRESET;
  expect(description).toBeDefined();
  expect(written).toEqual(preset);
});

test('no pattern has what RE2 does not know', () => {
  for (const pattern of PRESET.customManagers.flatMap(({ matchStrings }) => matchStrings)) expect(pattern).not.toMatch(/\(\?(?:[=!]|<[=!])|\\[1-9k]/);
});

describe('a blueprint of init', () => {
  test.each(readdirSync(join(ROOT, 'templates/blueprints')))('%s: Kubernetes and the node image are found', (name) => {
    const text = read(`templates/blueprints/${name}`);
    const [, version] = /kubernetesVersion: '([^']+)'/.exec(text)!;
    const nodeImage = /nodeImage: '([^']+):([^':]+)'/.exec(text);
    expect(found(text)).toEqual([`kubernetes/kubernetes ${version}`, ...nodeImage === null ? [] : [`${nodeImage[1]} ${nodeImage[2]}`]].sort());
  });
});

describe('examples', () => {
  test('have every image with a version in the list', () => {
    const text = read('examples/air-gap/main.ts');
    expect(found(text)).toEqual([
      'ghcr.io/stefanprodan/podinfo 6.9.0', 'ghcr.io/team-a/web 2.3.1', 'kubernetes/kubernetes 1.34.1', 'podinfo 6.9.0',
      'quay.io/capk/ubuntu-2404-container-disk v1.34.1',
    ]);
  });

  test('have the images of all root disks', () => {
    expect(found(read('examples/diy-cloud/main.ts'))).toEqual(expect.arrayContaining(Array(2).fill('quay.io/capk/ubuntu-2404-container-disk v1.34.1')));
    expect(found(read('examples/diy-cloud/main.ts')).filter((line) => line.startsWith('quay.io/capk/'))).toHaveLength(2);
  });

  test('have rings that are left to people', () => {
    expect(found(read('examples/fleet/main.ts')).filter((line) => line.startsWith('kubernetes/'))).toEqual([]);
  });
});

test.each([
  ['// renovate: datasource=docker depName=a/b\n  tag: \'v1.2.3\',', ['a/b v1.2.3']],
  ['// renovate: datasource=helm depName=c registryUrl=https://charts.example.com\n  chartVersion: "1.2.3",', ['c 1.2.3']],
  ['image: \'registry:5000/a/b:1.2.3@sha256:' + 'a'.repeat(64) + '\'', ['registry:5000/a/b 1.2.3']],
  ['image: \'registry:5000/a/b\'', []],
  ['image: \'a/b:27b52aa2\'', []],
  ['image: nodeImage', []],
  ['url: \'docker://quay.io/capk/a:v1.34.1\'', ['quay.io/capk/a v1.34.1']],
  ['url: \'https://example.com:8443.1/a.qcow2\'', []],
  ['\n  kubernetesVersion: \'v1.35.4\',', ['kubernetes/kubernetes 1.35.4']],
  ['chart: \'c\',\n  repository: \'https://charts.example.com\',\n  chartVersion: \'1.2.3\',', ['c 1.2.3']],
])('%s', (text, expected) => {
  expect(found(text)).toEqual(expected);
});
