import * as path from 'node:path';
import { SchemaValidator } from './manifests/schema/validate';
import { Manifest } from './support/clusters';
import { OUTPUTS, parse } from './support/outputs';
import { Files, Outputs, readGolden, staleGolden, writeGolden } from '../scripts/golden/golden-store';

const validator = SchemaValidator.loadWithExamples();

/** The files that examples and scenarios write now. */
const written: { [name: string]: Files } = {};

let golden: Outputs;

beforeAll(() => {
  if (process.env.WRITE_GOLDEN) writeGolden(written);
  golden = readGolden();
});

describe.each(Object.keys(OUTPUTS))('%s', (name) => {
  const { management, hosts, files } = OUTPUTS[name]();
  const paths = Object.keys(files);
  const objects = parse(management);
  written[name] = files;

  test('is what it was', () => {
    expect(Object.entries(files)).toEqual(Object.entries(golden[name] ?? {}));
  });

  test('GitOps tools find manifests wherever they are told to read', () => {
    const folders = new Set(paths.filter((file) => /\/(kustomization|manifests)\.yaml$/.test(file)).map((file) => `dist/${path.posix.dirname(file)}`));
    const readPaths = objects.flatMap(pathsOf);

    // Scenarios do not write to the folder that their paths name.
    if (name.startsWith('example-')) expect(readPaths.filter((read) => !folders.has(read))).toEqual([]);
    if (paths.some((file) => /^(flux|argocd)\//.test(file))) expect(readPaths.length).toBeGreaterThan(0);
  });

  test('is accepted by the schemas', () => {
    expect(objects.length + Object.keys(hosts).length).toBeGreaterThan(3);
    expect(objects.flatMap((object) => validator.validate(object).map((fault) => `${object.kind} ${object.metadata.name} ${fault}`))).toEqual([]);
  });

  test('gets nothing added by the server\'s defaults', () => {
    expect(objects.flatMap((object) => validator.missingDefaults(object).map((fault) => `${object.kind} ${object.metadata.name} ${fault}`))).toEqual([]);
  });

  test('has each object once, and each reference resolves', () => {
    const keys = objects.map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
    for (const deployment of objects.filter(({ kind }) => kind === 'MachineDeployment')) {
      const { bootstrap, infrastructureRef } = deployment.spec.template.spec;
      for (const reference of [bootstrap.configRef, infrastructureRef]) {
        expect(keys).toContain(`${reference.apiGroup} ${reference.kind} ${deployment.metadata.namespace}/${reference.name}`);
      }
      expect(deployment.spec.template.metadata.labels).toMatchObject(deployment.spec.selector.matchLabels);
    }
  });
});

test('golden files keep each document once, and none is left over', () => {
  expect(staleGolden(written)).toEqual([]);
});

/** Folders of its own repository that an object of Flux or Argo CD reads. */
function pathsOf({ apiVersion, kind, spec }: Manifest): string[] {
  if (kind === 'Kustomization' && apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') && spec.sourceRef.name === 'flux-system') {
    return [path.posix.normalize(spec.path)];
  }
  return kind === 'Application' && spec.source.path !== undefined && spec.source.chart === undefined ? [path.posix.normalize(spec.source.path)] : [];
}

function keyOf({ apiVersion, kind, metadata }: Manifest): string {
  return `${apiVersion.split('/')[0]} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
