import * as fs from 'node:fs';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { chosenPictures, picturesOf } from '../../../src/cli/graph/chosen-pictures';
import { htmlFormat } from '../../../src/cli/graph/html-format';
import { mermaidFormat } from '../../../src/cli/graph/mermaid-format';
import { svgFormat } from '../../../src/cli/graph/svg-format';
import { csvFormat, jsonFormat, tableFormat } from '../../../src/cli/inventory/inventory-command';
import { Landscape } from '../../../src/manifests/landscape/cluster-model';
import { readLandscape } from '../../../src/manifests/landscape/read-landscape';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { readText } from '../../../src/manifests/objects/manifest-text';
import { amount } from '../../support/sample';

const FLEET = readText(fs.readFileSync(path.join(__dirname, 'fleet/fleet.yaml'), 'utf8')).documents.map(({ value }) => value as ManifestObject);

function landscape(objects: readonly ManifestObject[]): Landscape {
  return readLandscape({
    objects: objects.map((object, index) => ({ object, place: { file: `clusters/a/b/${index}.yaml` }, placeOf: () => ({ file: 'x' }) })),
  });
}

/** Every field of a value, as a path. */
function pathsIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...at, key]))];
}

/** The value with another one in place of a field. */
function replaced(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  const copy = (Array.isArray(value) ? [...value as unknown[]] : { ...value as object }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, other);
  return copy;
}

const FIELDS = FLEET.flatMap((object, index) => pathsIn(object).filter((at) => at.length > 0 && !['apiVersion', 'kind'].includes(at[0])).map((at) => ({ index, at })));

test('any value in place of any field is drawn and listed without a fault', () => {
  const changed = fc.array(fc.tuple(fc.constantFrom(...FIELDS), fc.jsonValue()), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(changed, (changes) => {
    const objects = [...FLEET];
    for (const [{ index, at }, value] of changes) {
      const isThere = pathsIn(objects[index]).some((known) => JSON.stringify(known) === JSON.stringify(at));
      if (isThere) objects[index] = replaced(objects[index], at, value) as ManifestObject;
    }
    const found = landscape(objects);
    const chosen = chosenPictures(found, { management: false });
    const pictures = picturesOf(chosen).flatMap(({ picture }) => [svgFormat(picture), mermaidFormat(picture)]);
    // The script of the page has the word by right.
    const page = htmlFormat(chosen).replace(/<script>[^]*<\/script>/, '');
    const texts = [tableFormat(found), jsonFormat(found), csvFormat(found), csvFormat(found, 'pool'), page, ...pictures];
    expect(texts.join()).not.toMatch(/undefined|NaN|\[object Object\]/);
  }), { numRuns: amount(300, 50) });
});

test('names of any signs stay text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 20 }), (name, version) => {
    const found = landscape([
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name, namespace: 'n' }, spec: {} },
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineDeployment', metadata: { name: `${name}]"<x>`, namespace: 'n' }, spec: { clusterName: name, template: { spec: { version } } } },
    ]);
    for (const { picture } of picturesOf(chosenPictures(found, { management: false }))) {
      const svg = svgFormat(picture);
      // Whatever a name brings, there are as many elements as ever, and they are closed.
      expect(svg.replace(/<style>[^]*<\/style>/, '').replace(/&(amp|lt|gt|quot|#39);/g, '').replace(/<\/?[a-zA-Z][^<>]*>|<\?xml[^<>]*>/g, '')).not.toMatch(/[<>&]/);
      // eslint-disable-next-line no-control-regex
      expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\ufffe\uffff]/);
      for (const line of mermaidFormat(picture).split('\n  subgraph legend ')[0].split('\n').filter((text) => text.includes('["'))) {
        expect(line).toMatch(/^ +(subgraph )?n_[a-z0-9_]+ ?\["[^"\]<>]*(<br\/>[^"\]<>]*)*"\](:::is_[a-z_]+)?$/);
      }
    }
  }), { numRuns: amount(200, 50) });
});

test('work grows with the number of clusters, and no faster', () => {
  const work = (clusters: number, namespace: (index: number) => string, name: (index: number) => string) => {
    let reads = 0;
    const counted = (object: ManifestObject): ManifestObject => Object.defineProperty({ ...object }, 'metadata', {
      enumerable: true,
      get: () => {
        reads++;
        return object.metadata as unknown;
      },
    });
    const objects = Array.from({ length: clusters }, (_, index) => {
      const metadata = (suffix: string) => ({ name: `${name(index)}${suffix}`, namespace: namespace(index), labels: { 'cluster.x-k8s.io/cluster-name': name(index) } });
      return [
        { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: metadata(''), spec: {} },
        { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineDeployment', metadata: metadata('-pool'), spec: { clusterName: name(index), replicas: 1 } },
        { apiVersion: 'addons.cluster.x-k8s.io/v1beta2', kind: 'ClusterResourceSet', metadata: metadata('-set'), spec: { clusterSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': name(index) } } } },
        { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { ...metadata('-app'), namespace: 'argocd', name: `${index}` }, spec: { destination: { name: `${namespace(index)}-${name(index)}` } } },
      ];
    }).flat().map(counted);
    const found = landscape(objects);
    expect(found.clusters).toHaveLength(clusters);
    expect(found.clusters.every(({ pools, addons }) => pools.length === 1 && addons.length === 2)).toBe(true);
    return reads;
  };
  for (const [namespace, name] of [
    [(index: number) => `n${index}`, () => 'prod'],
    [() => 'all', (index: number) => `c${index}`],
    [(index: number) => `n${index}`, (index: number) => `c${index}`],
  ] as const) {
    expect(work(2_000, namespace, name)).toBeLessThanOrEqual(work(200, namespace, name) * 10.5);
  }
});
