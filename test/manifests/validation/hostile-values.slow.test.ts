import { groupKind, ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { readText } from '../../../src/manifests/objects/manifest-text';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { ManifestRule } from '../../../src/manifests/rules/manifest-rule';
import { explainedRules, manifestRules } from '../../../src/manifests/validation/manifest-rules';

const RULES = manifestRules();

/** The rules for a kind, by its name or by its end. */
function rulesOf(kind: string): readonly ManifestRule[] {
  return RULES.filter(({ kinds, kindSuffix }) => kinds.includes(kind) || (kindSuffix !== undefined && kind.endsWith(kindSuffix)));
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

test('no rule throws, whichever value stands in whichever field of the examples of its kind', () => {
  const thrown = new Set<string>();
  for (const text of [OTHER_TEMPLATE, ...explainedRules().flatMap(({ example }) => [example.failing, example.corrected])]) {
    const objects = readText(text).documents.map(({ value }) => value as ManifestObject).filter(({ apiVersion, kind }) => typeof apiVersion === 'string' && typeof kind === 'string');
    for (const object of objects) {
      const rules = rulesOf(groupKind(object));
      spoil(object, () => {
        const index = new ManifestIndex(objects);
        for (const rule of rules) {
          try {
            rule.check(object, index);
          } catch (error) {
            thrown.add(`${rule.id}: ${(error as Error).stack?.split('\n').slice(0, 2).join(' ')}`);
          }
        }
      }, ['apiVersion', 'kind']);
    }
  }
  expect([...thrown]).toEqual([]);
}, 600_000);
