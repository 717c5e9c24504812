import * as fc from 'fast-check';
import { RULE_TOPICS } from '../../../src/cli/explain/rule-text';
import { readText } from '../../../src/manifests/objects/manifest-text';
import { explainedRules, manifestRules } from '../../../src/manifests/validation/manifest-rules';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';
import { VALIDATION_RULES } from '../../../src/manifests/validation/validation-rules';
import { parse } from '../../support/outputs';
import { amount } from '../../support/sample';

const VALIDATOR = new ManifestValidator();
const RULES = explainedRules().map((rule) => [rule.id, rule] as const);

/** Ids of the rules that an example breaks, with the objects of its management cluster if it is in a tenant. */
function broken(text: string, management: string | undefined, strict: boolean): string[] {
  if (readText(text).faults.length > 0) return [VALIDATION_RULES.file.id];
  const [cluster, ...parts] = management === undefined ? [] : parse(management);
  const target = cluster && { management: 1, namespace: cluster.metadata!.namespace as string, name: cluster.metadata!.name as string };
  const groups = cluster ? [parse(text), [cluster, ...parts]] : [parse(text)];
  return VALIDATOR.validate(groups, { silences: [], strict, targets: [target] }).found.map(({ finding }) => finding.rule.id);
}

test('no two rules have one id', () => {
  const ids = [...explainedRules(), ...RULE_TOPICS.flatMap(({ rules }) => rules)].map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

describe.each(RULES)('%s', (id, { title, source, warning, trap, example }) => {
  const strict = id === VALIDATION_RULES.kind.id;

  test('has an id that says what becomes of the object, and says what it demands and who says so', () => {
    expect(id).toMatch(/^TC-(ADMIT|TRAP|SILENCE|VALIDATE)(-[A-Z0-9]+)+$/);
    expect(title).toMatch(/^[A-Za-z].{10,}\.$/);
    expect(source).not.toBe('');
    if (id.startsWith('TC-ADMIT-')) expect(trap ?? false).toBe(false);
    if (id.startsWith('TC-TRAP-')) expect(trap ?? warning).toBe(true);
  });

  test('is broken by its failing example, and by nothing in the corrected one', () => {
    expect(broken(example.failing, example.management, strict)).toContain(id);
    expect(broken(example.corrected, example.management, strict)).toEqual([]);
  });
});

test('no rule throws, whatever stands in the fields of its kind', () => {
  const kinds = [...new Set(manifestRules().flatMap((rule) => rule.kinds))];
  const failing = explainedRules().filter(({ id }) => id !== VALIDATION_RULES.file.id).flatMap(({ example }) => parse(example.failing));
  const samples = new Map(kinds.map((kind) => [kind, failing.filter((object) => typeof object.kind === 'string' && kind.endsWith(`/${object.kind}`))]));
  // Maps that JavaScript can make no text of, and others whose fields have names that mean something to it.
  const hostile = [{ toString: null }, { toString: 'a', valueOf: null }, { constructor: null }, { length: 1 }, JSON.parse('{"__proto__":null}'), [{ toString: null }], [[]]];
  const values = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...hostile));
  fc.assert(fc.property(fc.constantFrom(...kinds), fc.nat(), fc.nat(), values, (kind, which, where, value) => {
    const [group, name] = kind.split('/');
    const candidates = samples.get(kind)!;
    const { apiVersion = group === '' ? 'v1' : `${group}/v1`, ...sample }: { apiVersion?: string } = candidates.length === 0 ? {}
      : structuredClone(candidates[which % candidates.length]);
    const object = { ...spoiled(sample, where, value) as object, apiVersion, kind: name };
    VALIDATOR.validate([[object]], { silences: [], strict: true });
  }), { numRuns: amount(1000, 250) });
});

/** A copy with another value in one of its places. */
function spoiled(sample: unknown, where: number, value: unknown): unknown {
  const holders: object[] = [];
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    holders.push(part);
    Object.values(part).forEach(walk);
  };
  walk(sample);
  const holder = holders[where % holders.length];
  const keys = Object.keys(holder ?? {});
  if (keys.length > 0) Reflect.set(holder, keys[Math.floor(where / holders.length) % keys.length], value);
  return sample;
}
