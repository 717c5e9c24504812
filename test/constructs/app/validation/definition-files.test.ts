import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { ManifestValidation } from '../../../../src/constructs/app/validation/manifest-validation';
import { problemsOf } from '../../../support/problems';

let folder: string;
beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'crds-')); });
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** A definition of widgets as JSON, with the schema of its spec. */
function definition(spec: object, group = 'example.com'): string {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: { group, scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions: [version] },
  });
}

const SPEC = {
  'type': 'object',
  'properties': { size: { type: 'integer', maximum: 3 }, zone: { type: 'string' } },
  'x-kubernetes-validations': [{ rule: 'self.zone == oldSelf.zone', message: 'zone is immutable' }],
};

function widget(spec: object) {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'a' }, spec };
}

describe('crds', () => {
  test('of files and folders say what objects may have', () => {
    fs.mkdirSync(path.join(folder, 'crds/sub'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'crds/sub/widgets.json'), definition(SPEC));
    fs.writeFileSync(path.join(folder, 'crds/chart.yaml'), '{{ if x }}\n');
    const crds = [path.join(folder, 'crds')];

    expect(ManifestValidation.check([widget({ size: 4 })], { crds }).refused.map(({ field }) => field)).toEqual(['spec.size']);
    expect(ManifestValidation.check([widget({ size: 3 })], { crds, strict: true }).findings).toEqual([]);
    const change = ManifestValidation.checkChange([widget({ zone: 'a' })], [widget({ zone: 'b' })], { crds });
    expect(change.refused.map(({ rule }) => rule)).toEqual(['TC-CHANGE-FIELD-RULE']);

    const app = new App();
    new ApiObject(new Chart(app, 'c'), 'w', widget({ colour: 'red' }));
    ManifestValidation.attach(app, { crds });
    expect(problemsOf(app)).toMatchObject([{ id: 'TC-ADMIT-FIELD-UNKNOWN', text: expect.stringContaining('spec.colour of c/w') }]);
  });

  test('that servers refuse are named where they are needed', () => {
    const file = path.join(folder, 'widgets.json');
    fs.writeFileSync(file, definition({ type: 'text' }));
    const app = new App();
    new ApiObject(new Chart(app, 'c'), 'w', widget({}));
    ManifestValidation.attach(app, { crds: [file] });
    expect(problemsOf(app)).toMatchObject([{ id: 'TC-VALIDATION-CRDS', text: expect.stringContaining('API servers refuse the definition widgets.example.com') }]);
  });

  test.each([['nowhere', undefined], ['empty.yaml', 'a: b\n'], ['broken.yaml', 'a: [\n']])('that cannot be read are an error: %s', (name, content) => {
    const file = path.join(folder, name);
    if (content !== undefined) fs.writeFileSync(file, content);
    expect(() => ManifestValidation.check([], { crds: [file] })).toThrow('TC-VALIDATION-CRDS');
  });
});
