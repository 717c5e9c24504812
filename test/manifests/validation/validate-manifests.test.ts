import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestRule } from '../../../src/manifests/rules/manifest-rule';
import { SILENCE_ANNOTATION } from '../../../src/manifests/validation/silences';
import { StructureCheck } from '../../../src/manifests/validation/structure-check';
import { ManifestValidator, ValidationOptions } from '../../../src/manifests/validation/validate-manifests';
import { fieldAt, stringAt } from '../../../src/manifests/values/fields';
import { Finding } from '../../../src/manifests/values/finding';

const EXAMPLE = { failing: '', corrected: '' };
const PLAIN: ValidationOptions = { silences: [], strict: false };

function rule(id: string, kinds: string[], check: ManifestRule['check']): ManifestRule {
  return { id, title: 'T.', source: 's', kinds, example: EXAMPLE, check };
}

function wrong(message: string, ...path: (string | number)[]): Finding {
  return { path, message, fix: 'mend it' };
}

/** Widgets are small, and refer to a gadget beside them. */
const SIZE = rule('XX-SIZE', ['a.io/Widget'], (object) => (Number(fieldAt(object, 'spec', 'size')) > 9 ? [wrong('it is too large', 'spec', 'size')] : []));
const REFERENCE = rule('XX-REF', ['a.io/Widget', 'a.io/Wheel'], (object, index) => {
  const name = stringAt(object, 'spec', 'gadget');
  return name === undefined || index.find('a.io/Gadget', undefined, name) ? [] : [wrong(`there is no ${name}`, 'spec', 'gadget')];
});
const FIELD = { id: 'XX-FIELD', title: 'T.', source: 's', example: EXAMPLE };
const STRUCTURE: StructureCheck = {
  rules: [FIELD],
  knows: ({ apiVersion }) => String(apiVersion).startsWith('a.io/'),
  check: (object) => (Array.isArray(object.spec) ? [{ ...wrong('it is a list', 'spec'), rule: FIELD }] : []),
};

function manifest(kind: string, name: string, spec?: unknown, silence?: string): ManifestObject {
  const annotations = silence === undefined ? {} : { annotations: { [SILENCE_ANNOTATION]: silence } };
  return { apiVersion: 'a.io/v1', kind, metadata: { name, ...annotations }, spec };
}

function validate(groups: unknown[][], options: Partial<ValidationOptions> = {}) {
  return new ManifestValidator([SIZE, REFERENCE], STRUCTURE).validate(groups, { ...PLAIN, ...options });
}

/** Name, rule and message of all findings. */
function found(groups: unknown[][], options: Partial<ValidationOptions> = {}): string[] {
  return validate(groups, options).found
    .map(({ finding, object: inside }) => [stringAt(inside, 'metadata', 'name') ?? '-', finding.rule.id, finding.message].join(' '));
}

describe('rules', () => {
  test('look at objects of their kinds alone', () => {
    expect(found([[manifest('Widget', 'w', { size: 10 }), manifest('Gadget', 'g', { size: 10 }), { ...manifest('Widget', 'x', { size: 10 }), apiVersion: 'b.io/v1' }]]))
      .toEqual(['w XX-SIZE it is too large']);
  });

  test('speak in the order of the objects, structure before the rest', () => {
    expect(found([[manifest('Wheel', 'b', { gadget: 'g' }), manifest('Widget', 'a', { size: 10, gadget: 'g' }), manifest('Widget', 'c', [])]])).toEqual([
      'b XX-REF there is no g', 'a XX-SIZE it is too large', 'a XX-REF there is no g', 'c XX-FIELD it is a list',
    ]);
  });

  test('find what objects of the same place refer to, wherever it stands', () => {
    expect(found([[manifest('Widget', 'w', { gadget: 'g' }), manifest('Gadget', 'g')]])).toEqual([]);
    expect(found([[manifest('Widget', 'w', { gadget: 'g' })], [manifest('Gadget', 'g')]])).toEqual(['w XX-REF there is no g']);
  });

  test('are run once for each object, however many objects there are', () => {
    let calls = 0;
    const counting = rule('XX-COUNT', ['a.io/Widget'], () => {
      calls++;
      return [];
    });
    const objects = Array.from({ length: 20_000 }, (_, index) => manifest(index % 2 === 0 ? 'Widget' : 'Gadget', `n${index}`));
    new ManifestValidator([counting, counting], STRUCTURE).validate([objects], PLAIN);
    expect(calls).toBe(20_000);
  });
});

describe('what is not known', () => {
  const other = { apiVersion: 'b.io/v1', kind: 'Thing', metadata: { name: 't' } };
  const ofKubernetes = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };

  test('is counted, Kubernetes or not', () => {
    const { found: findings, unknown } = validate([[other, ofKubernetes, manifest('Widget', 'w')]]);
    expect(findings).toEqual([]);
    expect(unknown).toEqual([other, ofKubernetes]);
  });

  test('is a finding in strict mode, which can be silenced', () => {
    expect(found([[other]], { strict: true })).toEqual([expect.stringMatching(/^t TC-VALIDATE-KIND nothing is known of Thing in b.io\/v1/)]);
    expect(found([[other]], { strict: true, silences: [{ rule: 'TC-VALIDATE-KIND', reason: 'ours' }] })).toEqual([]);
  });

  test.each([[null], ['text'], [[1]], [{}], [{ kind: 'A' }], [{ apiVersion: 1, kind: 'A' }], [undefined]])('%j is no object', (value) => {
    expect(found([[value]])).toEqual([expect.stringMatching(/^- TC-VALIDATE-OBJECT .* is no object with apiVersion and kind$/)]);
  });
});

describe('an object silences', () => {
  test('rules for itself, each with its reason', () => {
    const spec = { size: 10, gadget: 'g' };
    const { found: findings, silenced } = validate([[manifest('Widget', 'w', spec, '\n XX-SIZE:  we have room: enough \r\nXX-REF: it comes later\n'), manifest('Widget', 'x', spec)]]);
    expect(findings.map(({ object: inside }) => stringAt(inside, 'metadata', 'name'))).toEqual(['x', 'x']);
    expect(silenced.map(({ finding, reason, byObject }) => [finding.rule.id, reason, byObject])).toEqual([
      ['XX-SIZE', 'we have room: enough', true], ['XX-REF', 'it comes later', true],
    ]);
  });

  test.each([['XX-SIZE'], ['XX-SIZE:'], ['XX-SIZE:   ']])('nothing by "%s", for there is no reason', (silence) => {
    expect(found([[manifest('Widget', 'w', { size: 10 }, silence)]])).toEqual(['w XX-SIZE it is too large', 'w TC-SILENCE-REASON XX-SIZE is silenced without a reason']);
  });

  test('no rule that there is not, and hears of the nearest one', () => {
    const [{ finding }] = validate([[manifest('Widget', 'w', {}, 'XX-SIZ: why not')]]).found;
    expect(finding).toMatchObject({ rule: { id: 'TC-SILENCE-RULE' }, path: ['metadata', 'annotations', SILENCE_ANNOTATION], fix: 'write XX-SIZE, or remove the silence' });
  });

  test('no rule about silences', () => {
    expect(found([[manifest('Widget', 'w', {}, 'TC-SILENCE-UNUSED: I like it')]])).toEqual([expect.stringContaining('TC-SILENCE-RULE')]);
  });

  test('nothing that it does not break, and is warned', () => {
    const [{ finding }, ...others] = validate([[manifest('Widget', 'w', { size: 1 }, 'XX-SIZE: we have room')]]).found;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: { id: 'TC-SILENCE-UNUSED', warning: true }, message: 'XX-SIZE is silenced, and does not find this object wrong' });
  });

  test('nothing by an annotation that is no text', () => {
    expect(found([[{ ...manifest('Widget', 'w', { size: 10 }), metadata: { name: 'w', annotations: { [SILENCE_ANNOTATION]: ['XX-SIZE: x'] } } }]])).toEqual(['w XX-SIZE it is too large']);
  });
});

describe('a run silences', () => {
  const size = { rule: 'XX-SIZE', reason: 'all have room' };

  test('rules for all objects', () => {
    const { found: findings, silenced } = validate([[manifest('Widget', 'w', { size: 10 })], [manifest('Widget', 'x', { size: 10 })]], { silences: [size] });
    expect(findings).toEqual([]);
    expect(silenced.map(({ reason, byObject }) => [reason, byObject])).toEqual([['all have room', false], ['all have room', false]]);
  });

  test('what objects do not silence themselves, and is warned if that is nothing', () => {
    const own = manifest('Widget', 'w', { size: 10 }, 'XX-SIZE: I have room');
    expect(validate([[own]], { silences: [size] }).silenced.map(({ reason }) => reason)).toEqual(['I have room']);
    expect(found([[own]], { silences: [size] })).toEqual(['- TC-SILENCE-UNUSED XX-SIZE is silenced, and does not find anything here wrong']);
    expect(found([[]], { silences: [size] })).toEqual([expect.stringContaining('TC-SILENCE-UNUSED')]);
  });

  test('nothing without a reason, and no rule that there is not', () => {
    expect(found([[manifest('Widget', 'w', { size: 10 })]], { silences: [{ rule: 'XX-SIZE', reason: ' ' }, { rule: 'YY', reason: 'y' }] })).toEqual([
      'w XX-SIZE it is too large',
      '- TC-SILENCE-REASON XX-SIZE is silenced without a reason',
      expect.stringContaining('- TC-SILENCE-RULE "YY"'),
    ]);
  });
});

test('rules look at a kind in every version, those that nobody knows among them', () => {
  const versions = ['a.io/v1', 'a.io/v2alpha7', 'a.io/', 'a.io/v1'];
  const result = validate([versions.map((apiVersion) => ({ ...manifest('Widget', 'acme', { size: 10 }), apiVersion }))]);
  expect(result.found.map(({ finding }) => finding.rule.id)).toEqual(versions.map(() => 'XX-SIZE'));
});

test('findings come in the order of the objects, however their kinds alternate', () => {
  const objects = [manifest('Wheel', 'a', { gadget: 'x' }), manifest('Widget', 'b', { size: 10 }), 7, manifest('Wheel', 'c', { gadget: 'y' }), manifest('Widget', 'd', { size: 11 })];
  const again = [...objects, objects[1]];
  expect(validate([again]).found.map(({ object }) => object)).toEqual(again);
});
