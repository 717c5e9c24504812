import { Chart, JsonPatch, Lazy, Testing } from 'cdk8s';
import { operatorErrors } from './built-in';
import { CERTIFICATE, definition, foo, FOO_SCHEMA, versionWith } from './definitions';
import { CrdConversion } from '../../../src/constructs/operators/custom-resource/crd-conversion';
import { CustomResourceProps } from '../../../src/constructs/operators/custom-resource/custom-resource';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { CustomResourceScope, CustomResourceTypeProps } from '../../../src/constructs/operators/custom-resource/custom-resource-type-props';
import { PrinterColumnType } from '../../../src/constructs/operators/custom-resource/custom-resource-version';
import { Schema } from '../../../src/constructs/operators/schema/schema';
import { Json, JsonSchema } from '../../../src/manifests/schema/schema-node';
import { structuralErrors } from '../../manifests/schema/structural';
import { StructuralSchema } from '../../manifests/schema/structural-schema';
import { Manifest } from '../../support/clusters';
import { problemsIn, ReportedProblem } from '../../support/problems';

const WIDE: Partial<CustomResourceTypeProps> = {
  plural: 'feet',
  singular: 'foot',
  listKind: 'Feet',
  shortNames: ['ft'],
  categories: ['all'],
  scope: CustomResourceScope.CLUSTER,
  keepOnPrune: false,
  labels: { team: 'shoes' },
  annotations: { note: 'two of them' },
  conversion: CrdConversion.service({ name: 'convert', namespace: 'shoes', caBundle: CERTIFICATE }),
  versions: [
    versionWith(FOO_SCHEMA, {
      name: 'v2',
      storage: true,
      scaleSubresource: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.availableReplicas', labelSelectorPath: '.status.selector' },
      printerColumns: [
        { name: 'Wanted', type: PrinterColumnType.INTEGER, jsonPath: '.spec.replicas', description: 'Pods to run.', format: 'int32', priority: 1 },
        { name: 'Age', type: PrinterColumnType.DATE, jsonPath: '.metadata.creationTimestamp' },
      ],
      selectableFields: ['.spec.color'],
    }),
    versionWith(FOO_SCHEMA, { name: 'v1', served: true, deprecated: true, deprecationWarning: 'use v2', statusSubresource: false }),
    versionWith(Schema.preserveUnknownFields(), { name: 'v1alpha1', served: false }),
  ],
};

test('a definition has the names that follow from its kind, and what a server would add', () => {
  expect(definition()).toEqual({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'foos.example.com',
      annotations: {
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'helm.sh/resource-policy': 'keep',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      },
    },
    spec: {
      conversion: { strategy: 'None' },
      group: 'example.com',
      names: { kind: 'Foo', listKind: 'FooList', plural: 'foos', singular: 'foo' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', schema: { openAPIV3Schema: FOO_SCHEMA._json }, served: true, storage: true, subresources: { status: {} } }],
    },
  });
});

test('everything that a definition may say', () => {
  const { metadata, spec } = definition(WIDE);

  expect(metadata).toEqual({ name: 'feet.example.com', labels: { team: 'shoes' }, annotations: { note: 'two of them' } });
  expect(spec.names).toEqual({ kind: 'Foo', listKind: 'Feet', plural: 'feet', singular: 'foot', shortNames: ['ft'], categories: ['all'] });
  expect(spec.scope).toBe('Cluster');
  expect(spec.conversion).toEqual({
    strategy: 'Webhook',
    webhook: {
      clientConfig: { service: { name: 'convert', namespace: 'shoes', path: '/convert', port: 443 }, caBundle: Buffer.from(CERTIFICATE).toString('base64') },
      conversionReviewVersions: ['v1'],
    },
  });
  expect(spec.versions).toEqual([
    {
      name: 'v2',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: FOO_SCHEMA._json },
      subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.availableReplicas', labelSelectorPath: '.status.selector' } },
      additionalPrinterColumns: [
        { name: 'Wanted', type: 'integer', jsonPath: '.spec.replicas', description: 'Pods to run.', format: 'int32', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      selectableFields: [{ jsonPath: '.spec.color' }],
    },
    { name: 'v1', served: true, storage: false, deprecated: true, deprecationWarning: 'use v2', schema: { openAPIV3Schema: FOO_SCHEMA._json } },
    { name: 'v1alpha1', served: false, storage: false, schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
  ]);
});

test.each<[string, Partial<CustomResourceTypeProps>]>([
  ['the least', {}],
  ['everything', WIDE],
  ['a webhook by address', { conversion: CrdConversion.url('https://convert.example.com/v1', { reviewVersions: ['v1', 'v1beta1'] }) }],
  ['an approved type of the community', { group: 'apps.k8s.io', apiApproved: 'https://github.com/kubernetes/kubernetes/pull/1' }],
])('a server takes %s', (_what, props) => {
  expect(operatorErrors(definition(props))).toEqual([]);
});

test.each([['Foo', 'foos'], ['Policy', 'policies'], ['Gateway', 'gateways'], ['Mesh', 'meshes'], ['Ingress', 'ingresses'], ['Box', 'boxes'], ['CronTab', 'crontabs']])('%s in the plural is %s', (kind, plural) => {
  expect(definition({ kind }).spec.names).toEqual({ kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() });
});

test('cert-manager and the approval leave their marks', () => {
  const conversion = CrdConversion.service({ name: 'convert', namespace: 'shoes', injectCaFrom: 'shoes/convert' });
  const { metadata } = definition({ conversion, group: 'foo.k8s.io', apiApproved: 'unapproved, for tests' });

  expect(metadata.annotations).toMatchObject({ 'cert-manager.io/inject-ca-from': 'shoes/convert', 'api-approved.kubernetes.io': 'unapproved, for tests' });
});

/** An instance of `Foo`, and what synthesis refuses of it. */
function instance(
  props: CustomResourceProps, type: Partial<CustomResourceTypeProps> = {}, patches: JsonPatch[] = [],
): { manifest: Manifest; problems: ReportedProblem[] } {
  let manifest: Manifest;
  const problems = problemsIn((app) => {
    const chart = new Chart(app, 'things', { namespace: 'team' });
    const object = new CustomResourceType(new Chart(app, 'types'), 'foo', foo(type)).instance(chart, 'mine', props);
    object.addJsonPatch(...patches);
    manifest = object.toJson();
  });
  return { manifest, problems };
}

describe('an instance', () => {
  const GOOD = { deploymentName: 'a', color: 'red' };

  test('is written as it was given, without defaults', () => {
    expect(instance({ spec: GOOD })).toEqual({
      manifest: { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'mine', namespace: 'team' }, spec: GOOD },
      problems: [],
    });
  });

  test('is written in the version that is stored, if it is served', () => {
    const [first, second] = [versionWith(FOO_SCHEMA, { name: 'v1', storage: true }), versionWith(FOO_SCHEMA, { name: 'v2' })];

    expect(instance({ spec: GOOD }, { versions: [second, first] }).manifest.apiVersion).toBe('example.com/v1');
    expect(instance({ spec: GOOD }, { versions: [second, { ...first, served: false }] }).manifest.apiVersion).toBe('example.com/v2');
    expect(instance({ spec: GOOD, version: 'v2' }, { versions: [second, first] })).toMatchObject({ manifest: { apiVersion: 'example.com/v2' }, problems: [] });
  });

  test('of a type without namespaces has none', () => {
    expect(instance({ spec: GOOD }, { scope: CustomResourceScope.CLUSTER })).toMatchObject({ manifest: { metadata: { name: 'mine' } }, problems: [] });
    expect(instance({ spec: GOOD }, { scope: CustomResourceScope.CLUSTER }).manifest.metadata).not.toHaveProperty('namespace');
    expect(instance({ spec: GOOD, metadata: { namespace: 'team' } }, { scope: CustomResourceScope.CLUSTER })).toMatchObject({
      manifest: { metadata: { name: 'mine' } },
      problems: [{ path: 'things/mine', id: 'TC-CRD-INSTANCE-NAME', text: expect.stringContaining('metadata.namespace: objects of Foo belong to no namespace, and this one names "team"') }],
    });
  });

  test('has fields beside the spec, and Lazy ones', () => {
    const schema = Schema.object({ properties: { data: Schema.map(Schema.integer()) } });

    expect(instance({ fields: { data: { a: 1 } } }, { versions: [versionWith(schema)] }).problems).toEqual([]);
    expect(instance({ fields: { data: Lazy.any({ produce: () => ({ a: 'b' }) }) } }, { versions: [versionWith(schema)] }).problems)
      .toMatchObject([{ id: 'TC-CRD-INSTANCE', text: expect.stringContaining('data.a: "b" is not a whole number') }]);
  });

  test.each<[string, CustomResourceProps, string[]]>([
    ['a value out of bounds', { spec: { ...GOOD, replicas: 11 } }, ['TC-CRD-INSTANCE spec.replicas: 11 is too large. Accepted: at least 1 and at most 10.']],
    ['an empty text', { spec: { deploymentName: '' } }, ['TC-CRD-INSTANCE spec.deploymentName: it is empty. Accepted: at least 1 character.']],
    ['a field that there is not', { spec: { ...GOOD, replica: 2 } }, ['TC-CRD-INSTANCE spec.replica: there is no field "replica"', 'Fix: did you mean "replicas"?']],
    ['a field that is missing', { spec: {} }, ['TC-CRD-INSTANCE spec.deploymentName: it is required']],
    ['a field beside the spec', { spec: GOOD, fields: { spek: 1 } }, ['TC-CRD-INSTANCE spek: there is no field "spek"']],
    ['a version that there is not', { spec: GOOD, version: 'v3' }, ['TC-CRD-INSTANCE-VERSION version: Foo has no version "v3" that is served. Accepted: v1.']],
    ['a status', { spec: GOOD, fields: { status: { availableReplicas: 1 } } }, ['TC-CRD-INSTANCE status: the API server drops a status']],
    ['a bad name', { spec: GOOD, metadata: { name: 'Mine' } }, ['TC-ADMIT-FIELD-METADATA metadata.name: "Mine"']],
  ])('is refused for %s', (_what, props, texts) => {
    const { problems } = instance(props);

    expect(problems).toHaveLength(1);
    expect(problems[0].path).toBe('things/mine');
    for (const text of texts) expect(`${problems[0].id} ${problems[0].text}`).toContain(text);
  });

  test('has a status where that is written with the rest', () => {
    const versions = [versionWith(FOO_SCHEMA, { statusSubresource: false })];

    expect(instance({ spec: GOOD, fields: { status: { availableReplicas: 1 } } }, { versions }).problems).toEqual([]);
  });

  test('is refused where another one of its chart is the same object', () => {
    const twice = (second: CustomResourceProps, charts = ['team', 'team']) => problemsIn((app) => {
      const type = new CustomResourceType(new Chart(app, 'types'), 'foo', foo({ versions: [versionWith(FOO_SCHEMA, { storage: true }), versionWith(FOO_SCHEMA, { name: 'v2' })] }));
      [{ metadata: { name: 'a' } }, second].forEach((props, index) => {
        const chart = (app.node.tryFindChild(charts[index]) ?? new Chart(app, charts[index], { namespace: 'team' })) as Chart;
        type.instance(chart, `${index}`, { spec: GOOD, ...props });
      });
    });

    expect(twice({ metadata: { name: 'a' }, version: 'v2' })).toMatchObject([
      { path: 'team/1', id: 'TC-CRD-INSTANCE-NAME', text: expect.stringContaining('metadata.name: "team/a" is team/0 already') },
    ]);
    expect(twice({ metadata: { name: 'b' } })).toEqual([]);
    expect(twice({ metadata: { name: 'a', namespace: 'other' } })).toEqual([]);
    expect(twice({ metadata: { name: 'a' } }, ['team', 'another'])).toEqual([]);
  });

  test('is refused without a namespace, wherever its chart has none', () => {
    const problems = problemsIn((app) => {
      const chart = new Chart(app, 'types');
      new CustomResourceType(chart, 'foo', foo()).instance(chart, 'mine', { spec: GOOD });
    });

    expect(problems).toMatchObject([{ id: 'TC-CRD-INSTANCE-NAME', text: expect.stringContaining('metadata.namespace') }]);
  });

  test('is held to its schema with its patches', () => {
    expect(instance({ spec: { deploymentName: 'a' } }, {}, [JsonPatch.add('/spec/replicas', 'two')]).problems)
      .toMatchObject([{ id: 'TC-CRD-INSTANCE', text: expect.stringContaining('spec.replicas: "two" is not a whole number') }]);
    expect(instance({ spec: { deploymentName: 'a', replicas: 0 } }, {}, [JsonPatch.replace('/spec/replicas', 2)]).problems).toEqual([]);
  });

  test('keeps the rules in CEL of its schema, with the defaults', () => {
    const limits = Schema.object({
      properties: { least: Schema.integer({ default: 2 }), most: Schema.integer() },
      validations: [
        { rule: 'self.least <= self.most', messageExpression: '"most must be at least " + string(self.least)' },
        { rule: 'self.most >= oldSelf.most' }, { rule: 'self.most < 9', message: 'at most 8' },
      ],
    });
    const versions = [versionWith(Schema.object({ properties: { spec: limits } }))];

    expect(instance({ spec: { most: 3 } }, { versions }).problems).toEqual([]);
    expect(instance({ spec: { most: 1 } }, { versions }).problems)
      .toMatchObject([{ id: 'TC-CRD-INSTANCE', text: expect.stringContaining('spec: a rule of the schema is broken: most must be at least 2') }]);
    expect(instance({ spec: { most: 9 } }, { versions }).problems).toMatchObject([{ text: expect.stringContaining('at most 8') }]);
  });

  test('is looked at again when it is patched after a synthesis', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'things', { namespace: 'team' });
    const object = new CustomResourceType(chart, 'foo', foo()).instance(chart, 'mine', { spec: GOOD });
    app.synthYaml();
    object.addJsonPatch(JsonPatch.replace('/spec/color', 'green'));

    expect(() => app.synthYaml()).toThrow('TC-CRD-INSTANCE spec.color');
  });

  test('of a type that is refused is not held against its faults', () => {
    const spec = Schema.object({ properties: { size: Schema.string({ pattern: '(' }) } });
    const versions = [versionWith(Schema.object({ properties: { spec } }))];

    expect(instance({ spec: { size: 'a' } }, { versions }).problems.map(({ id }) => id)).toEqual(['TC-CRD-PATTERN']);
    expect(instance({ spec: GOOD }, { versions: [] }).problems.map(({ id }) => id).sort()).toEqual(['TC-ADMIT-KUBERNETES-CRD-VERSIONS', 'TC-CRD-INSTANCE-VERSION']);
  });

  test('that is accepted is accepted by the schema of the definition as it is written', () => {
    const { spec: { versions: [{ schema }] } } = definition();
    const { manifest } = instance({ spec: { ...GOOD, replicas: 2 } });

    expect(structuralErrors(manifest, schema.openAPIV3Schema as JsonSchema as StructuralSchema, { scope: 'Namespaced' })).toEqual([]);
    expect(structuralErrors({ ...manifest, spec: { ...GOOD, replicas: 11 } } as Json, schema.openAPIV3Schema, { scope: 'Namespaced' })).toHaveLength(1);
  });
});
