import * as fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { groupKind, ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex, targetAmong } from '../../../src/manifests/rules/manifest-index';
import { ManifestRule } from '../../../src/manifests/rules/manifest-rule';
import { registerProviders } from '../../../src/manifests/systems/providers';
import { isFields } from '../../../src/manifests/values/fields';
import { Finding } from '../../../src/manifests/values/finding';
import { amount } from '../../support/sample';
import { BUILT_IN_KINDS } from '../schema/built-in';
import { CrdSchemas } from '../schema/crd-schemas';
import { StructuralSchema } from '../schema/structural-schema';
import { SchemaValidator } from '../schema/validate';

registerProviders();

/** The objects of a string of YAML. */
export function objectsIn(text: string): ManifestObject[] {
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJSON() as ManifestObject;
  });
}

/** True if a rule looks at objects of this kind. */
function looksAt({ kinds, kindSuffix }: ManifestRule, object: ManifestObject): boolean {
  const kind = groupKind(object);
  return kinds.includes(kind) || (kindSuffix !== undefined && kind.endsWith(kindSuffix));
}

/** Findings of rules in objects, as `id field: message`. */
export function findingsIn(rules: readonly ManifestRule[], objects: readonly ManifestObject[], management?: string): string[] {
  const index = indexOf(objects, management);
  return objects.flatMap((object) => rules.filter((rule) => looksAt(rule, object)).flatMap((rule) => (
    rule.check(object, index).map(({ path: field, message }) => `${rule.id} ${field.join('.')}: ${message}`)
  )));
}

/** The findings in a string of YAML, with their fixes. */
export function detailsIn(rules: readonly ManifestRule[], text: string): (Finding & { readonly id: string })[] {
  const objects = objectsIn(text);
  const index = new ManifestIndex(objects);
  return objects.flatMap((object) => rules.filter((rule) => looksAt(rule, object))
    .flatMap((rule) => rule.check(object, index).map((finding) => ({ ...finding, id: rule.id }))));
}

/**
 * The findings in a string of YAML.
 *
 * @param management objects of the management cluster, where those of the text are in a tenant
 */
export function findings(rules: readonly ManifestRule[], text: string, management?: string): string[] {
  return findingsIn(rules, objectsIn(text), management);
}

function indexOf(objects: readonly ManifestObject[], management: string | undefined): ManifestIndex {
  return new ManifestIndex(objects, targetAmong(objectsIn(management ?? '')));
}

/** The tests that every folder of rules has to stand. */
export function testRules(rules: readonly ManifestRule[]): void {
  const validator = SchemaValidator.load();
  const schemas = CrdSchemas.load();

  test('ids are there once, and say what breaking the rule means', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { id, trap = false } of rules) expect(id).toMatch(trap ? /^TC-TRAP-[A-Z0-9-]+$/ : /^TC-ADMIT-[A-Z0-9-]+$/);
  });

  describe.each(rules.map((rule) => ({ rule })))('$rule.id', ({ rule }) => {
    test('finds what its example shows, and nothing else', () => {
      const found = findings(rules, rule.example.failing, rule.example.management);

      expect(found.length).toBeGreaterThan(0);
      expect(found.filter((text) => !text.startsWith(`${rule.id} `))).toEqual([]);
      expect(findings(rules, rule.example.corrected, rule.example.management)).toEqual([]);
    });

    test('shows corrected objects that a server takes, and for traps failing ones too', () => {
      const shown = [...objectsIn(rule.example.corrected), ...(rule.trap ? objectsIn(rule.example.failing) : [])]
        // The schemas of Kubernetes' own kinds ask for more than a server does.
        .filter(({ apiVersion, kind }) => validator.knows(String(apiVersion), String(kind)) && !BUILT_IN_KINDS.has(`${String(apiVersion)}/${String(kind)}`));

      expect(shown.flatMap((object) => validator.validate(object))).toEqual([]);
    });

    if (!rule.trap && rule.source.includes('x-kubernetes-validations')) {
      test('finds what the definition of the kind refuses', () => {
        expect(objectsIn(rule.example.failing).flatMap((object) => validator.validate(object))).not.toEqual([]);
      });
    }

    test('says a sentence without a full stop, and a way out', () => {
      const objects = objectsIn(rule.example.failing);
      const index = indexOf(objects, rule.example.management);
      for (const finding of objects.filter((object) => looksAt(rule, object)).flatMap((object) => rule.check(object, index))) {
        expect(finding.message).toMatch(/[^.\s]$/);
        expect(finding.message).not.toContain('undefined');
        expect(finding.fix).toMatch(/[^.\s]$/);
      }
    });

    test('says nothing of what is below a field that is required and missing, which is reported as such', () => {
      const given = objectsIn(rule.example.corrected);
      const places = given.map((object) => (looksAt(rule, object) ? requiredPlaces(object, schemas) : []));
      const followUps = places.flatMap((ofObject, at) => ofObject.flatMap((place) => {
        const objects = structuredClone(given);
        const holder = place.slice(0, -1).reduce<unknown>((inner, key) => Reflect.get(inner as object, key), objects[at]);
        Reflect.deleteProperty(holder as object, place[place.length - 1]);
        return rule.check(objects[at], indexOf(objects, rule.example.management))
          .filter(({ path: field }) => place.every((part, index) => field[index] === part))
          .map(({ message }) => `${place.join('.')}: ${message}`);
      }));

      expect(followUps).toEqual([]);
    });

    test('throws at nothing that somebody may write', () => {
      const odd = fc.constantFrom<unknown>(null, undefined, '', 'x', 0, -1, 1.5, true, [], [null], [[]], ['x'], [1], {}, { name: null }, [{ name: 1 }], [{ name: 'x' }]);
      const given = objectsIn(rule.example.failing);
      const places = given.flatMap((object, index) => placesIn(object).map((place) => [index, ...place] as const));

      fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom(...places), odd), { minLength: 1, maxLength: 3 }), (changes) => {
        const objects = structuredClone(given);
        for (const [[at, ...place], value] of changes) replace(objects[at], place, structuredClone(value));
        const index = indexOf(objects, rule.example.management);
        for (const object of objects.filter((one) => looksAt(rule, one))) expect(() => rule.check(object, index)).not.toThrow();
      }), { numRuns: amount(60, 15) });
    });
  });
}

/** Places of the maps and lists in an object that its kind requires, the outermost ones that are missing with them aside. */
function requiredPlaces(object: ManifestObject, schemas: CrdSchemas): string[][] {
  const walk = (schema: StructuralSchema | undefined, value: unknown): string[][] => {
    if (!schema?.properties || !isFields(value)) return [];
    return Object.entries(value).flatMap(([key, inner]) => [
      ...(schema.required?.includes(key) && typeof inner === 'object' ? [[key]] : []),
      ...walk(schema.properties![key], inner).map((place) => [key, ...place]),
    ]);
  };
  return walk(schemas.find(String(object.apiVersion), String(object.kind))?.schema, object);
}

/** All places below an object; apiVersion and kind stay, for rules look at no others. */
export function placesIn(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value);
  return entries.filter(([key]) => key !== 'apiVersion' && key !== 'kind').flatMap(([key, item]) => [[key], ...placesIn(item).map((place) => [key, ...place])]);
}

export function replace(object: ManifestObject, place: readonly (string | number)[], value: unknown): void {
  const holder = place.slice(0, -1).reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), object);
  if (typeof holder === 'object' && holder !== null) Reflect.set(holder, place[place.length - 1], value);
}
