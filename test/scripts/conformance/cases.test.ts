import { caseFile } from '../../../scripts/conformance/case-file';
import { mutationCases } from '../../../scripts/conformance/mutation-cases';
import { mutate } from '../../../scripts/conformance/mutations/mutate';
import { ExampleKinds } from '../../../scripts/conformance/provider-definitions';
import { Random } from '../../../scripts/conformance/random';
import { rawJson } from '../../../scripts/conformance/raw-json';
import { ruleCases } from '../../../scripts/conformance/rule-cases';
import { transitionCases } from '../../../scripts/conformance/transition-cases';
import { goldenManifests } from '../../../scripts/golden/golden-manifests';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { TransitionRule } from '../../../src/manifests/rules/changes/transition-rule';
import { ManifestRule } from '../../../src/manifests/rules/manifest-rule';
import { parse } from '../../support/outputs';
import { sample } from '../../support/sample';

const OPTIONS = { seed: 1, mutations: 40 };

/** As many as every run has at least, of some scenarios. */
const MUTANTS = new Map(sample(goldenManifests(), 10).map(([name, text]) => [name, mutationCases(name, text, { seed: 1, mutations: 200 })]));

const POOL: ManifestObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { name: 'acme-general', namespace: 'tenant-acme', labels: { team: 'a' } },
  spec: { clusterName: 'acme', replicas: 3, template: { spec: { version: 'v1.35.4', infrastructureRef: { apiGroup: 'x.example.com', kind: 'X', name: 'x' } } } },
};

describe('mutants', () => {
  test('are the same for the same seed, byte for byte, and others for another', () => {
    const [[name, manifests]] = goldenManifests();
    const mutants = mutationCases(name, manifests, OPTIONS);
    expect(mutationCases(name, manifests, OPTIONS)).toEqual(mutants);
    expect(mutationCases(name, manifests, { ...OPTIONS, seed: 2 }).map(({ text }) => text)).not.toEqual(mutants.map(({ text }) => text));
  });

  test('stay the same when there are more of them', () => {
    const [[name, manifests]] = goldenManifests();
    expect(mutationCases(name, manifests, { ...OPTIONS, mutations: 60 }).slice(0, 40)).toEqual(mutationCases(name, manifests, OPTIONS));
  });

  test.each([...MUTANTS])('%s gives as many as are asked for, of every kind that the library writes, none of which is its origin', (_, cases) => {
    const written = new Set(cases.flatMap(({ around }) => around).map((object) => JSON.stringify(object)));
    const kinds = new Set(cases.flatMap(({ around }) => around).map(({ kind }) => String(kind)).filter((kind) => kind !== 'CustomResourceDefinition' && kind !== 'Foo'));

    expect(cases).toHaveLength(200);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(200);
    expect(cases.filter(({ text }) => written.has(text))).toEqual([]);
    expect(new Set(cases.map(({ words }) => words.split(' ')[0]))).toEqual(kinds);
  });

  test('differ from their origin, which stays as it is', () => {
    const before = structuredClone(POOL);
    for (let number = 0; number < 500; number++) expect(rawJson(mutate(POOL, [], new Random(`${number}`)).object)).not.toBe(JSON.stringify(POOL));
    expect(POOL).toEqual(before);
  });

  test('are of every sort', () => {
    const sorts = [...MUTANTS.values()].flat().map(({ words }) => words.replace(/^\S+ \S+: /, '').split(':')[0]);
    const counts = new Map<string, number>();
    for (const sort of sorts) counts.set(sort, (counts.get(sort) ?? 0) + 1);

    expect([...counts.keys()].sort()).toEqual([
      'annotation', 'entry written twice', 'field added', 'field added with an odd value', 'field moved out', 'field removed', 'field renamed', 'key written twice', 'label', 'list for a map',
      'list with many entries', 'list without entries', 'map for a list', 'metadata', 'odd number', 'odd text', 'odd value', 'other block of addresses', 'other choice', 'other duration',
      'other host', 'other name', 'other version', 'other version or kind', 'reference broken', 'second of exclusive fields', 'value beyond the limits', 'value of another field',
      'value of another type', 'value within the limits',
    ]);
    expect(Math.min(...counts.values())).toBeGreaterThan(0);
  });

  test('may hold what JavaScript cannot: keys that are there twice, and numbers as they are written', () => {
    const texts = [...MUTANTS.values()].flat().map(({ text }) => text);
    const changed = texts.filter((text) => JSON.stringify(JSON.parse(text)) !== text);

    expect(changed.length).toBeGreaterThan(20);
    expect(texts.filter((text) => /[\ue000-\uf8ff]/.test(text))).toEqual([]);
    expect(changed.some((text) => text.includes(':9223372036854775807'))).toBe(true);
  });
});

describe('examples of rules', () => {
  const documents = (replicas: number) => `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec: {topology: {classRef: {name: small}, version: v1.35.4, controlPlane: {replicas: ${replicas}}}}
---
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: CoreProvider
metadata: {name: cluster-api, namespace: capi-system}
`;
  const rule: ManifestRule = {
    id: 'TC-ADMIT-EXAMPLE',
    title: 'An example.',
    source: 'a test',
    kinds: ['cluster.x-k8s.io/Cluster'],
    example: { failing: documents(-1), corrected: documents(1) },
    check: (object) => (JSON.stringify(object).includes('-1') ? [{ path: ['spec'], message: 'wrong', fix: 'correct it' }] : []),
  };

  test('are a case for each side, with the class that a webhook looks up and without what turns gates on', () => {
    const cases = ruleCases(rule);
    expect(cases.map(({ id, expected }) => `${id} ${expected}`)).toEqual(['TC-ADMIT-EXAMPLE:failing refused', 'TC-ADMIT-EXAMPLE:corrected accepted']);
    for (const { set, around } of cases) {
      expect(set).toMatchObject([{ kind: 'ClusterClass', metadata: { name: 'small', namespace: 'tenant-acme' }, status: { observedGeneration: 1 } }]);
      expect(around).toEqual([]);
    }
  });

  test('are taken by the server, if it is a trap or only a warning, unless that is about a gate', () => {
    const failing = (more: Partial<ManifestRule>) => ruleCases({ ...rule, ...more })[0].expected;
    expect(failing({ trap: true })).toBe('accepted');
    expect(failing({ warning: true })).toBe('accepted');
    expect(failing({ warning: true, id: 'TC-ADMIT-EXAMPLE-GATE' })).toBe('refused');
  });

  test('of changes are updates of what is there, and new objects; what is only removed is none', () => {
    const object = (name: string, size: number) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {size: "${size}"}\n`;
    const transition: TransitionRule = {
      ...rule,
      id: 'TC-CHANGE-EXAMPLE',
      kinds: ['/ConfigMap'],
      example: { before: `${object('a', 1)}---\n${object('b', 1)}---\n${object('gone', 1)}`, failing: `${object('a', 2)}---\n${object('b', 1)}`, corrected: object('c', 1) },
      check: ({ before, after }) => (before && after && JSON.stringify(before) !== JSON.stringify(after) ? [{ path: [], message: 'changed', fix: 'do not' }] : []),
    };
    expect(transitionCases(transition)).toMatchObject([
      { id: 'TC-CHANGE-EXAMPLE:failing', expected: 'refused', before: expect.stringContaining('"size":"1"') as string, text: expect.stringContaining('"size":"2"') as string },
      { id: 'TC-CHANGE-EXAMPLE:corrected', expected: 'accepted', before: undefined, text: expect.stringContaining('"name":"c"') as string },
    ]);
  });
});

test('the file of cases names what has to be there before the cases that need it', () => {
  const one = { origin: 'rule' as const, row: 'r', words: '', around: [] };
  const [lookedUp] = parse('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n') as unknown as ManifestObject[];
  const lines = caseFile([
    { ...one, id: 'a', set: [lookedUp], text: '{}' }, { ...one, id: 'b', set: [], text: '{"a":1,"a":2}' }, { ...one, id: 'c', set: [lookedUp], before: '{}', text: '1' },
  ]).trimEnd().split('\n').map((line) => JSON.parse(line) as unknown);

  expect(lines).toEqual([
    { id: 'b', operation: 'create', text: '{"a":1,"a":2}' },
    { set: 'a', objects: [lookedUp] },
    { id: 'a', operation: 'create', text: '{}' },
    { id: 'c', operation: 'update', before: '{}', text: '1' },
  ]);
});

test('an output with kinds that neither the package nor a definition has is left out, and named', () => {
  const kinds = new ExampleKinds([]);

  expect([kinds.isServed('example-own-strategies'), kinds.isServed('example-vultr'), kinds.isServed('example-sample-controller')]).toEqual([false, true, true]);
  expect(kinds.unproved).toContainEqual(expect.stringMatching(/^no definitions of .*bootstrap\.cluster\.x-k8s\.io\/TalosConfigTemplate.* are there for example-own-strategies$/));
});
