import { Chart } from 'cdk8s';
import { CERTIFICATE, crdProblems, foo, FOO_SCHEMA, versionWith } from './definitions';
import { SCHEMA_CASES } from './schema/cases';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { CrdConversion } from '../../../src/constructs/operators/custom-resource/crd-conversion';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { CustomResourceTypeProps } from '../../../src/constructs/operators/custom-resource/custom-resource-type-props';
import { CustomResourceVersion, PrinterColumnType } from '../../../src/constructs/operators/custom-resource/custom-resource-version';
import { Schema } from '../../../src/constructs/operators/schema/schema';
import { problemsIn } from '../../support/problems';
import { rulesOfTopic } from '../../support/topic-rules';

const version = (props: Partial<CustomResourceVersion>, schema = FOO_SCHEMA) => ({ versions: [versionWith(schema, props)] });
const column = (jsonPath: string, name = 'A') => ({ name, jsonPath, type: PrinterColumnType.STRING });
const scale = (specReplicasPath: string, statusReplicasPath = '.status.availableReplicas', labelSelectorPath?: string) => version({ scaleSubresource: { specReplicasPath, statusReplicasPath, labelSelectorPath } });
const service = (props = {}) => ({ conversion: CrdConversion.service({ name: 'a', namespace: 'b', caFromElsewhere: true, ...props }) });

const CASES: [id: string, props: Partial<CustomResourceTypeProps>, texts: string[]][] = [
  ['TC-ADMIT-KUBERNETES-CRD-NAMES', { group: 'example' }, ['group: "example" has no dot']],
  ['TC-ADMIT-KUBERNETES-CRD-NAMES', { group: 'foo.k8s.io' }, ['apiApproved: the group foo.k8s.io belongs to the Kubernetes community', 'nothing says']],
  ['TC-ADMIT-KUBERNETES-CRD-NAMES', { kind: 'My_Foo' }, ['kind: "my_foo"']],
  ['TC-ADMIT-FIELD-METADATA', { plural: 'f'.repeat(40), group: Array(7).fill('g'.repeat(30)).join('.') }, ['plural: "ffffffff', 'has 257 characters']],
  ['TC-ADMIT-KUBERNETES-CRD-NAMES', { plural: 'Foos' }, ['plural: "Foos"']],
  ['TC-ADMIT-KUBERNETES-CRD-NAMES', { singular: '1foo' }, ['singular: "1foo"']],
  ['TC-ADMIT-KUBERNETES-CRD-NAMES', { listKind: 'Foo' }, ['listKind: "Foo" is the kind of one object too']],
  ['TC-ADMIT-KUBERNETES-CRD-NAMES', { shortNames: ['f', 'F'] }, ['shortNames[1]: "F"']],
  ['TC-ADMIT-KUBERNETES-CRD-NAMES', { categories: ['a b'] }, ['categories[0]: "a b"']],
  ['TC-ADMIT-KUBERNETES-CRD-VERSIONS', { versions: [] }, ['versions: it is empty']],
  ['TC-ADMIT-KUBERNETES-CRD-RULE', version({}, Schema.object({ properties: { spec: Schema.object({ properties: { size: Schema.integer() }, validations: [{ rule: 'self.sise > 1' }] }) } })),
    ['versions[0].schema.properties.spec.x-kubernetes-validations[0].rule: there is no field sise']],
  ['TC-CRD-VERSION', version({ served: false }), ['versions: no version is served']],
  ['TC-ADMIT-KUBERNETES-CRD-VERSIONS', version({ name: '1' }), ['versions[0].name: "1"']],
  ['TC-ADMIT-KUBERNETES-CRD-VERSIONS', version({ storage: false }), ['no version is the one']],
  ['TC-CRD-DEPRECATION', version({ deprecationWarning: 'old' }), ['deprecationWarning: the version is not deprecated']],
  ['TC-CRD-DEPRECATION', version({ deprecated: true, deprecationWarning: '' }), ['the warning is empty']],
  ['TC-CRD-DEPRECATION', version({ deprecated: true, deprecationWarning: 'é'.repeat(129) }), ['258 bytes']],
  ['TC-CRD-DEPRECATION', version({ deprecated: true, deprecationWarning: 'a\nb' }), ['cannot be printed']],
  ['TC-CRD-DEPRECATION', version({ deprecated: true, deprecationWarning: 'a\u00a0b' }), ['cannot be printed']],
  ['TC-CRD-CONVERSION', { conversion: CrdConversion.url('http://example.com') }, ['conversion.url']],
  ['TC-CRD-CONVERSION', { conversion: CrdConversion.url('https://example.com/a?b=c') }, ['conversion.url']],
  ['TC-CRD-CONVERSION', service({ name: 'A' }), ['conversion.name: "A"']],
  ['TC-CRD-CONVERSION', service({ namespace: 'a.b' }), ['conversion.namespace: "a.b"']],
  ['TC-CRD-CONVERSION', service({ path: 'convert' }), ['conversion.path: "convert" does not start with "/"']],
  ['TC-CRD-CONVERSION', service({ path: '/a//b' }), ['conversion.path: "/a//b" has a part']],
  ['TC-CRD-CONVERSION', service({ port: 0 }), ['conversion.port: 0']],
  ['TC-CRD-CONVERSION', service({ caFromElsewhere: false }), ['conversion.caBundle: nothing says whose certificate the Service has', 'give caBundle or injectCaFrom']],
  ['TC-CRD-CONVERSION', service({ caBundle: 'ca.crt' }), ['conversion.caBundle: there is no certificate']],
  ['TC-CRD-CONVERSION', service({ caBundle: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }), ['certificate 1 of 1 cannot be read']],
  ['TC-CRD-CONVERSION', service({ caBundle: `-----BEGIN PRIVATE KEY-----\n${CERTIFICATE}` }), ['private key']],
  ['TC-CRD-CONVERSION', service({ injectCaFrom: 'convert' }), ['conversion.injectCaFrom: "convert" names no certificate']],
  ['TC-CRD-CONVERSION', service({ injectCaFrom: 'a/b', caBundle: CERTIFICATE }), ['given beside injectCaFrom']],
  ['TC-CRD-CONVERSION', service({ reviewVersions: [] }), ['has none that the API server knows']],
  ['TC-CRD-CONVERSION', service({ reviewVersions: ['v1', 'v1'] }), ['there twice']],
  ['TC-CRD-COLUMN', version({ printerColumns: [column('spec.replicas')] }), ['printerColumns[0].jsonPath: "spec.replicas" does not start with a dot']],
  ['TC-CRD-COLUMN', version({ printerColumns: [column('.spec.replica')] }), ['".spec.replica" leads to no field']],
  ['TC-ADMIT-FIELD-VALUE', version({ printerColumns: [column('.spec.color', '')] }), ['versions[0].printerColumns[0].name: it is empty']],
  ['TC-CRD-COLUMN', version({ printerColumns: [{ ...column('.spec.color'), format: 'text' }] }), ['"text" is no format']],
  ['TC-CRD-COLUMN', version({ printerColumns: [{ ...column('.spec.color'), priority: -1 }] }), ['-1 is no priority']],
  ['TC-CRD-SUBRESOURCE', version({}, Schema.of({ type: 'object', properties: { status: { type: 'object' } }, minProperties: 1 })), ['minProperties at the top']],
  ['TC-ADMIT-KUBERNETES-CRD-VERSIONS', scale('.status.availableReplicas'), ['specReplicasPath', 'no path below .spec']],
  ['TC-CRD-SUBRESOURCE', scale('.spec.size'), ['".spec.size" leads to no field']],
  ['TC-CRD-SUBRESOURCE', scale('.spec.color'), ['type string, and integer is wanted']],
  ['TC-ADMIT-KUBERNETES-CRD-VERSIONS', scale('.spec.replicas', '.spec.replicas'), ['statusReplicasPath', 'no path below .status']],
  ['TC-ADMIT-KUBERNETES-CRD-VERSIONS', scale('.spec.replicas', undefined, '.metadata.labels'), ['labelSelectorPath', 'no path below .spec or .status']],
  ['TC-CRD-SELECTABLE-FIELD', version({ selectableFields: ['.metadata.labels'] }), ['a field of metadata']],
  ['TC-CRD-SELECTABLE-FIELD', version({ selectableFields: ['.spec.size'] }), ['leads to no field']],
  ['TC-CRD-SELECTABLE-FIELD', version({ selectableFields: ['.spec'] }), ['type object, and string, boolean or integer is wanted']],
  ['TC-CRD-SELECTABLE-FIELD', version({ selectableFields: ['.spec.color', '.spec.color'] }), ['selectableFields[1]: ".spec.color" is there already']],
  ['TC-CRD-SELECTABLE-FIELD', version({ selectableFields: [...'abcdefghi'].map((name) => `.${name}`) }, Schema.object({
    properties: Object.fromEntries([...'abcdefghi'].map((name) => [name, Schema.string()])),
  })), ['there are 9']],
  ['TC-CRD-USER-ROLES', { userRoles: { namePrefix: 'Shoes-' } }, ['userRoles.namePrefix: "Shoes-foo-viewer-role"']],
  ['TC-CRD-USER-ROLES', { userRoles: { namePrefix: 'a'.repeat(240) } }, ['userRoles.namePrefix', 'at most 253']],
  ['TC-ADMIT-FIELD-METADATA', { labels: { 'a b': 'c' } }, ['labels["a b"]']],
  ['TC-ADMIT-FIELD-METADATA', { annotations: { '/': 'c' } }, ['annotations["/"]']],
  ['TC-CRD-METADATA', { apiApproved: 'unapproved', annotations: { 'api-approved.kubernetes.io': 'https://a' } }, ['another property writes it']],
];

test.each(CASES)('%s: %j', (id, props, texts) => {
  const found = crdProblems(props);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['types/foo', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('TC-CRD-NAMES: one type twice in a chart', () => {
  const twice = (charts: readonly string[], groups: readonly string[] = []) => problemsIn((app) => charts.forEach((id, index) => {
    const chart = (app.node.tryFindChild(id) ?? new Chart(app, id)) as Chart;
    new CustomResourceType(chart, `${index}`, foo({ group: groups[index] ?? 'example.com' }));
  }));

  expect(twice(['one', 'one'])).toMatchObject([{ path: 'one/1', id: 'TC-CRD-NAMES', text: expect.stringContaining('plural: "foos.example.com" is one/0 already') }]);
  expect(twice(['one', 'one'], ['example.com', 'example.org'])).toEqual([]);
  // One of them may be for another cluster.
  expect(twice(['one', 'other'])).toEqual([]);
});

test.each<[string, Partial<CustomResourceTypeProps>]>([
  ['a Service whose authority something else writes', service()],
  ['a Service with an authority', service({ caFromElsewhere: undefined, caBundle: CERTIFICATE })],
  ['columns with filters, of metadata, of open objects', version({ printerColumns: [column('.status.conditions[?(@.type=="Ready")].status'), column('.metadata.name', 'B'), column('.spec.any.thing', 'C')] }, Schema.object({ properties: { spec: Schema.preserveUnknownFields() } }))],
  ['a status that is open', version({ statusSubresource: true }, Schema.object({ preserveUnknownFields: true }))],
  ['scaling by a field of an open object', { ...scale('.spec.replicas'), versions: [versionWith(Schema.object({ properties: { spec: Schema.preserveUnknownFields(), status: Schema.preserveUnknownFields() } }), { scaleSubresource: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } })] }],
  ['two versions', { versions: [versionWith(FOO_SCHEMA), versionWith(FOO_SCHEMA, { name: 'v2', storage: true })] }],
])('%s are accepted', (_what, props) => {
  expect(crdProblems(props)).toEqual([]);
});

describe('what the API server accepts', () => {
  const warned = (props: Partial<CustomResourceTypeProps>): string[] => {
    const emit = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
    try {
      expect(crdProblems(props)).toEqual([]);
      return emit.mock.calls.map(([text]) => String(text));
    } finally {
      emit.mockRestore();
    }
  };

  test.each<[string, Partial<CustomResourceTypeProps>, string]>([
    ['two columns of one name', version({ printerColumns: [column('.spec.color'), column('.spec.replicas')] }), 'TC-CRD-COLUMN-TWICE versions[0].printerColumns[1].name: "A" is the name of another column'],
    ['a status without fields', version({ statusSubresource: true }, Schema.object({ properties: { spec: Schema.object() } })), 'TC-CRD-STATUS-FIELDS versions[0].statusSubresource: the schema has no field status'],
  ])('is warned of: %s', (_what, props, text) => {
    expect(warned(props)).toEqual([expect.stringContaining(text)]);
  });

  test('a number or string with the type string is as good as one without', () => {
    const size = Schema.of({ 'type': 'string', 'x-kubernetes-int-or-string': true });
    expect(warned(version({}, Schema.object({ properties: { spec: Schema.object({ properties: { size } }) } })))).toEqual([]);
  });
});

test('every rule has a negative test', () => {
  const ofInstances = ['TC-CRD-DEFINITION', 'TC-CRD-COLUMN-TWICE', 'TC-CRD-STATUS-FIELDS', 'TC-CRD-INSTANCE', 'TC-CRD-INSTANCE-VERSION', 'TC-CRD-INSTANCE-NAME', 'TC-CRD-NAMES'];
  const tested = new Set([...CASES.map(([id]) => id), ...SCHEMA_CASES.map(([id]) => id), ...ofInstances]);

  expect(rulesOfTopic('Custom resources').filter((id) => !tested.has(id))).toEqual([]);
});
