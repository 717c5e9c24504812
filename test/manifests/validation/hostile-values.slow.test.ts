import { groupKind, ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { readText } from '../../../src/manifests/objects/manifest-text';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { ManifestRule } from '../../../src/manifests/rules/manifest-rule';
import { explainedRules, manifestRules } from '../../../src/manifests/validation/manifest-rules';
import { transitionRules } from '../../../src/manifests/validation/transition-rules';

const RULES = manifestRules();

/** True if a rule looks at a kind, by its name or by its end. */
function looksAt({ kinds, kindSuffix }: Pick<ManifestRule, 'kinds' | 'kindSuffix'>, kind: string): boolean {
  return kinds.includes(kind) || (kindSuffix !== undefined && kind.endsWith(kindSuffix));
}

function rulesOf(kind: string): readonly ManifestRule[] {
  return RULES.filter((rule) => looksAt(rule, kind));
}

function objectsIn(text: string): ManifestObject[] {
  return readText(text).documents.map(({ value }) => value as ManifestObject).filter(({ apiVersion, kind }) => typeof apiVersion === 'string' && typeof kind === 'string');
}

test('the rules for ends of kinds are among those that are tried', () => {
  expect(rulesOf('infrastructure.cluster.x-k8s.io/DockerMachineTemplate').map(({ id }) => id)).toContain('TC-TRAP-FLUX-FORCE-OBJECT');
});

/** Values of other types, among them maps that JavaScript can make no text of. */
const HOSTILE: readonly unknown[] = [
  { toString: null }, { toString: 'a', valueOf: null }, { constructor: null }, { length: 1 }, [{ toString: null }], [[]], [null], {}, [], 1, -1.5, 'x', '', null, true,
];

/** A kind of a provider that no rule names: only rules for ends of kinds look at it. */
const OTHER_TEMPLATE = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: DockerMachineTemplate
metadata:
  name: acme-general
  namespace: tenant-acme
  labels: {kustomize.toolkit.fluxcd.io/force: Enabled}
  annotations: {argocd.argoproj.io/sync-options: Force=true, kustomize.toolkit.fluxcd.io/force: Enabled}
spec: {template: {spec: {}}}
`;

/** Puts each of the values into each place of an object, one at a time, its kind aside. */
function spoil(part: unknown, look: () => void, skipped: readonly string[] = []): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, before] of Object.entries(part).filter(([name]) => !skipped.includes(name))) {
    for (const value of HOSTILE) {
      Reflect.set(part, key, value);
      look();
    }
    Reflect.set(part, key, before);
    spoil(before, look);
  }
}

function noted(thrown: Set<string>, id: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    thrown.add(`${id}: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`);
  }
}

test('no rule throws, whichever value stands in whichever field of the examples of its kind', () => {
  const thrown = new Set<string>();
  for (const text of [OTHER_TEMPLATE, ...explainedRules().flatMap(({ example }) => [example.failing, example.corrected])]) {
    const objects = objectsIn(text);
    for (const object of objects) {
      const rules = rulesOf(groupKind(object));
      spoil(object, () => {
        const index = new ManifestIndex(objects);
        for (const rule of rules) {
          noted(thrown, rule.id, () => rule.check(object, index));
        }
      }, ['apiVersion', 'kind']);
    }
  }
  expect([...thrown]).toEqual([]);
}, 600_000);

test('no rule throws, whichever value stands in another object of its example', () => {
  const thrown = new Set<string>();
  for (const rule of RULES) {
    for (const objects of [rule.example.failing, rule.example.corrected].map(objectsIn)) {
      for (const spoiled of objects) {
        spoil(spoiled, () => {
          const index = new ManifestIndex(objects);
          const others = objects.filter((one) => one !== spoiled && looksAt(rule, groupKind(one)));
          for (const object of others) noted(thrown, rule.id, () => rule.check(object, index));
        }, ['apiVersion', 'kind']);
      }
    }
  }
  expect([...thrown]).toEqual([]);
}, 600_000);

test('no rule over changes throws, whichever value stands in an object of either state', () => {
  const thrown = new Set<string>();
  const keyOf = (object: ManifestObject) => JSON.stringify([groupKind(object), object.metadata]);
  for (const rule of transitionRules()) {
    for (const later of [rule.example.failing, rule.example.corrected]) {
      const [earlier, objects] = [objectsIn(rule.example.before), objectsIn(later)];
      // Pairs as they are before an object is spoiled.
      const pairs = objects.map((after) => ({ before: earlier.find((one) => keyOf(one) === keyOf(after)), after }));
      const changes = [...pairs, ...earlier.map((before) => ({ before, after: undefined }))]
        .filter(({ before, after }) => looksAt(rule, groupKind((after ?? before)!)));
      for (const spoiled of [...earlier, ...objects]) {
        spoil(spoiled, () => {
          const [old, now] = [new ManifestIndex(earlier), new ManifestIndex(objects)];
          for (const change of changes) noted(thrown, rule.id, () => rule.check({ ...change, old, now }));
        }, ['apiVersion', 'kind']);
      }
    }
  }
  expect([...thrown]).toEqual([]);
}, 600_000);
