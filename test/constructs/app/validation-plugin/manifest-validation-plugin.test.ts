import {
  ManifestValidationPlugin, ManifestValidationPluginProps, ManifestViolation,
} from '../../../../src/constructs/validation-plugin/manifest-validation-plugin';
import { Workplace } from '../../../cli/run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** A VolumeSnapshot whose class is a number. */
function snapshot(name: string): string {
  return `apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata: {name: ${name}}\nspec:\n  source: {persistentVolumeClaimName: a}\n  volumeSnapshotClassName: 5\n`;
}

/** Runs the plug-in as cdk8s-cli does: made with what the configuration has as properties, or an empty object. */
async function validate(files: { readonly [name: string]: string }, properties: unknown = {}) {
  workplace.write(files);
  const violations: ManifestViolation[] = [];
  let submitted: { status: string; metadata?: object } | undefined;
  const plugin = new ManifestValidationPlugin(properties as ManifestValidationPluginProps);
  await plugin.validate({
    manifests: Object.keys(files).map((name) => workplace.path(name)),
    report: {
      addViolation: (violation) => {
        expect(submitted).toBeUndefined();
        violations.push(violation);
      },
      submit: (status, metadata) => { submitted = { status, metadata }; },
    },
  });
  return { violations, ...submitted };
}

test('what is right succeeds', async () => {
  expect(await validate({ 'a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n' }))
    .toEqual({ violations: [], status: 'success', metadata: { Objects: '1', Silenced: '0' } });
});

test('no file at all succeeds', async () => {
  expect(await validate({})).toMatchObject({ violations: [], status: 'success' });
});

test('a rule that is broken in several places is one violation', async () => {
  const { violations, status } = await validate({ 'a.yaml': snapshot('x'), 'd/b.yaml': `${snapshot('u')}---\n${snapshot('z')}` });

  expect(status).toBe('failure');
  expect(violations).toEqual([{
    ruleName: 'TC-ADMIT-FIELD-TYPE (error)',
    recommendation: expect.stringMatching(/^5 is /),
    fix: expect.any(String),
    violatingResources: [
      { resourceName: 'x', locations: ['spec.volumeSnapshotClassName, line 6'], manifestPath: workplace.path('a.yaml') },
      { resourceName: 'u', locations: ['spec.volumeSnapshotClassName, line 6'], manifestPath: workplace.path('d/b.yaml') },
      { resourceName: 'z', locations: ['spec.volumeSnapshotClassName, line 13'], manifestPath: workplace.path('d/b.yaml') },
    ],
  }]);
});

test('silences are properties, and warnings refuse only if they are to', async () => {
  const silences = [{ rule: 'TC-ADMIT-FIELD-TYPE', reason: 'known' }, { rule: 'TC-ADMIT-FIELD-VALUE', reason: 'old' }];
  const files = { 'a.yaml': snapshot('x') };

  expect(await validate(files, { silences })).toMatchObject({
    status: 'success', violations: [{ ruleName: 'TC-SILENCE-UNUSED (warning)' }], metadata: { Silenced: '1' },
  });
  expect(await validate(files, { silences, warningsAsErrors: true })).toMatchObject({ status: 'failure', violations: [{ ruleName: 'TC-SILENCE-UNUSED (error)' }] });
});

test('kinds that are not known are named, and refused in strict mode', async () => {
  const files = { 'a.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n' };

  expect(await validate(files)).toMatchObject({ status: 'success', metadata: { 'Kinds not known': 'example.com/v1 Widget' } });
  expect(await validate(files, { strict: true })).toMatchObject({ status: 'failure', violations: [{ ruleName: 'TC-VALIDATE-KIND (error)' }] });
});

test('a file that cannot be read is a violation', async () => {
  expect(await validate({ 'a.yaml': 'a: [' })).toMatchObject({
    status: 'failure', violations: [{ ruleName: 'TC-VALIDATE-FILE (error)', recommendation: expect.stringMatching(/^is no YAML/) }],
  });
});
