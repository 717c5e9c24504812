import { ofOneObject, whileUnchanged } from '../../../src/manifests/rules/of-one-object';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';

/** A value made of an object, and the number of times that one was made. */
function counting() {
  let made = 0;
  const sizeOf = ofOneObject((object: object) => {
    made++;
    return Object.keys(object).length;
  });
  return { sizeOf, times: () => made };
}

test('while objects are validated, what is made of one is made once for all who ask in a row, or for two in turn', () => {
  const { sizeOf, times } = counting();
  const [one, other, third] = [{ a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }];
  whileUnchanged(() => expect([one, one, other, other, one, other].map(sizeOf)).toEqual([1, 1, 2, 2, 1, 2]));
  expect(times()).toBe(2);
  whileUnchanged(() => expect([one, other, third, one].map(sizeOf)).toEqual([1, 2, 3, 1]));
  expect(times()).toBe(6);
});

test('what was made in one validation is not there in the next one, nor where nobody validates', () => {
  const { sizeOf, times } = counting();
  const object: Record<string, unknown> = { a: 1 };
  const sizes = [whileUnchanged(() => sizeOf(object))];
  object.b = 2;
  sizes.push(sizeOf(object));
  object.c = 3;
  sizes.push(whileUnchanged(() => sizeOf(object)), sizeOf(object));
  expect(sizes).toEqual([1, 2, 3, 3]);
  expect(times()).toBe(4);
});

test('a validation inside another one, and one that fails, leave the one around as it was', () => {
  const { sizeOf, times } = counting();
  const object = { a: 1 };
  whileUnchanged(() => {
    sizeOf(object);
    expect(() => whileUnchanged(() => { throw new Error('no'); })).toThrow('no');
    sizeOf(object);
  });
  expect(times()).toBe(1);
  sizeOf(object);
  expect(times()).toBe(2);
});

test.each<[string, unknown, string]>([
  ['a name that is none', 'Web', 'TC-ADMIT-KUBERNETES-CONTAINER-NAME'],
  ['a string with a variable', '${WEB}', 'TC-VALIDATE-VARIABLES'],
])('an object that has changed since it was validated is looked at as it is now: %s', (_what, name, rule) => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'acme' }, spec: { containers: [{ name: 'web' as unknown, image: 'registry.example.com/web:v1' }] } };
  const ids = () => new ManifestValidator().validate([[pod]], { silences: [], strict: false }).found.map(({ finding }) => finding.rule.id);
  expect(ids()).toEqual([]);
  pod.spec.containers[0].name = name;
  expect(ids()).toContain(rule);
});

test('null that was written since the last validation is read as a server reads it', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'acme' }, spec: { containers: [{ name: 'web', image: 'registry.example.com/web:v1', ports: [{ containerPort: 80 }] as unknown[] }] } };
  const found = () => new ManifestValidator().validate([[pod]], { silences: [], strict: false }).found.map(({ finding }) => finding.path.join('.'));
  expect(found()).toEqual([]);
  pod.spec.containers[0].ports = [null];
  expect(found()).toContain('spec.containers.0.ports.0.containerPort');
});
