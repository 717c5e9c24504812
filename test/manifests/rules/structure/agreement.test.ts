import * as fc from 'fast-check';
import { goldenManifests } from '../../../../scripts/golden/golden-manifests';
import { groupOf, ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { CLUSTER_NAME_LABEL } from '../../../../src/manifests/rules/cluster-api/cluster-api-kinds';
import { checkStructure } from '../../../../src/manifests/rules/structure/check-structure';
import { structureOf } from '../../../../src/manifests/rules/structure/kind-structure';
import { parse } from '../../../support/outputs';
import { CrdSchemas, KindSchema } from '../../schema/crd-schemas';
import { applyDefaults } from '../../schema/defaults';
import { structuralErrors } from '../../schema/structural';
import { isObject, Json, JsonObject, StructuralSchema } from '../../schema/structural-schema';

/** What stricter tests want of this library's own output, and a server does not: it takes an empty namespace for none. */
const STRICTER = /^metadata\.(namespace: (required|must be absent|.*, got ""$)|\w+: is written by the server)/;

const schemas = CrdSchemas.load();
let objects: JsonObject[];

beforeAll(() => {
  objects = goldenManifests().flatMap(([, text]) => parse(text) as unknown as JsonObject[])
    .filter((object) => schemaOf(object) !== undefined);
});

function schemaOf({ apiVersion, kind }: JsonObject): KindSchema | undefined {
  return schemas.find(String(apiVersion), String(kind));
}

/** Where the definition itself finds something. */
function placesBySchema(object: JsonObject): string[] {
  const { schema, scope } = schemaOf(object)!;
  const errors = structuralErrors(applyDefaults(afterWebhooks(object), schema).object, schema, { scope }).filter((error) => !STRICTER.test(error));
  // What is missing where there is no metadata is the name.
  const named = errors.map((error) => error.replace(/^metadata: must be an object, got undefined$/, 'metadata.name: required'));
  return sorted(named.map((error) => error.slice(0, error.indexOf(': ')).replace(/\["?([^\]"]*)"?\]/g, '.$1')));
}

/** What Cluster API's webhooks write, as far as it is not there: each value where all maps around it are some. */
const WEBHOOK_WRITES: { readonly [kind: string]: { readonly [field: string]: Json } } = {
  ClusterResourceSet: { 'spec.strategy': 'ApplyOnce' },
  KubeadmControlPlane: { 'spec.rollout.strategy.type': 'RollingUpdate', 'spec.rollout.strategy.rollingUpdate.maxSurge': 1 },
  Machine: { 'spec.deletion.nodeDeletionTimeoutSeconds': 10 },
  MachineDeployment: { 'spec.selector': {}, 'spec.template.metadata.labels': { a: 'b' }, 'spec.rollout.strategy.type': 'RollingUpdate', 'spec.rollout.strategy.rollingUpdate.maxSurge': 1 },
  MachineHealthCheck: { 'spec.checks.nodeStartupTimeoutSeconds': 600 },
  MachinePool: { 'spec.template.spec.deletion.nodeDeletionTimeoutSeconds': 10 },
  MachineSet: { 'spec.selector': {}, 'spec.template.metadata.labels': { a: 'b' } },
};

/** Kinds whose label with the name of the cluster they write over. */
const NAMED = ['Machine', 'MachineDeployment', 'MachineHealthCheck', 'MachinePool', 'MachineSet'];

/** What Cluster API's webhooks have made of an object before the server looks at it. */
function afterWebhooks(object: JsonObject): JsonObject {
  const copy = structuredClone(object);
  const labels = isObject(copy.metadata) ? copy.metadata.labels : undefined;
  if (NAMED.includes(String(object.kind)) && isObject(labels) && typeof labels[CLUSTER_NAME_LABEL] === 'string') labels[CLUSTER_NAME_LABEL] = 'acme';
  if (!isObject(copy.spec)) return copy;
  for (const [field, value] of Object.entries(WEBHOOK_WRITES[String(object.kind)] ?? {})) {
    const steps = field.split('.');
    if (steps[1] === 'template' && copy.spec.template === undefined) continue;
    // Older versions have other fields, and no conversion runs.
    if (field !== 'spec.selector' && object.apiVersion !== `${groupOf(object)}/v1beta2`) continue;
    const last = steps.pop()!;
    const holder = steps.reduce<Json | undefined>((map, step) => (isObject(map) ? map[step] ??= {} : undefined), copy);
    const isReplaced = object.kind === 'KubeadmControlPlane' && last === 'type' && isObject(holder) && typeof holder.type === 'string';
    // Go reads no empty string into a struct.
    const isUnset = isObject(holder) && (holder[last] === undefined || (holder[last] === '' && !isObject(value)));
    if (isObject(holder) && (isUnset || isReplaced)) holder[last] = value;
  }
  return copy;
}

/** Numbers beside texts, which webhooks read into 32 bits: no definition says so. */
const READ_NUMBER = /(maxInFlight|maxSurge|maxUnavailable|maxUnhealthy|unhealthyLessThanOrEqualTo)$/;

/** Where the tables find something. */
function placesByTable(object: ManifestObject): string[] {
  const found = checkStructure(object, structureOf(groupOf(object), String(object.kind))!).map(({ path: place, message }) => ({ place: place.join('.'), message }));
  return sorted(found.filter(({ place, message }) => !(READ_NUMBER.test(place) && message.endsWith('does not fit into int32'))).map(({ place }) => place));
}

function sorted(places: readonly string[]): string[] {
  return [...new Set(places)].sort();
}

test('accepts every object that the examples and scenarios write', () => {
  expect(objects.length).toBeGreaterThan(300);
  expect(new Set(objects.map(({ kind }) => kind)).size).toBeGreaterThan(15);
  expect(objects.flatMap((object) => placesByTable(object).map((place) => `${String(object.kind)} ${place}`))).toEqual([]);
});

/** Values that are wrong in most places, each in its own way. */
const ODD_VALUES: readonly Json[] = [
  '', 'x', 'A B', '1d', '7', 'a'.repeat(300), 0, 1, -1, 1.5, 65536, 2 ** 31, 2 ** 63, true, false, {}, { x: 1 }, { name: 'x' }, [], [{}], ['x', 'x'], [1],
];

const ODD_NAMES: readonly string[] = ['replica', 'name', 'spec', 'namespace', 'x', 'hasOwnProperty'];

type Place = readonly (string | number)[];

/** All places of an object, kind and version aside. */
function placesOf(value: Json, place: Place = []): Place[] {
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(isObject(value) ? value : {});
  return inside.filter(([step]) => place.length > 0 || (step !== 'apiVersion' && step !== 'kind'))
    .flatMap(([step, child]) => [[...place, step], ...placesOf(child, [...place, step])]);
}

type Change = (parent: JsonObject, step: string, value: Json, name: string) => void;

const CHANGES: { readonly [what: string]: Change } = {
  'a value replaced': (parent, step, value) => { parent[step] = value; },
  'a field taken away': (parent, step) => { delete parent[step]; },
  'a field renamed': (parent, step, _, name) => {
    parent[name] = parent[step];
    delete parent[step];
  },
  'a field added': (parent, step, value, name) => {
    const inside = parent[step];
    if (isObject(inside)) inside[name] = value;
    else if (Array.isArray(inside)) inside.push(value);
    else parent[name] = value;
  },
  'entries written twice': (parent, step) => {
    const inside = parent[step];
    if (Array.isArray(inside)) inside.push(...structuredClone(inside));
    else if (Array.isArray(parent)) parent.push(inside);
  },
};

test.each(Object.entries(CHANGES))('finds what the definitions find, at the same places: %s', (_, change) => {
  let refused = 0;
  fc.assert(fc.property(fc.nat(), fc.nat(), fc.constantFrom(...ODD_VALUES), fc.constantFrom(...ODD_NAMES), (which, where, value, name) => {
    const object = structuredClone(objects[which % objects.length]);
    const places = placesOf(object);
    const place = places[where % places.length];
    const parent = place.slice(0, -1).reduce<Json>((node, step) => (node as JsonObject)[step], object) as JsonObject;
    change(parent, String(place.at(-1)), structuredClone(value), name);
    // A list from which an entry was taken with `delete` is none of JSON.
    const changed = JSON.parse(JSON.stringify(object, (_key, child: Json) => (Array.isArray(child) ? Object.values(child) : child))) as JsonObject;

    const expected = placesBySchema(changed);
    if (expected.length > 0) refused++;
    expect(placesByTable(changed)).toEqual(expected);
  }), { seed: 20, numRuns: 1000 });
  expect(refused).toBeGreaterThan(5);
});

/** A value as a schema wants it, mostly. */
function sample(schema: StructuralSchema, random: () => number, depth: number): Json {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
  if (depth > 0 && random() < 0.02) return structuredClone(pick(ODD_VALUES));
  if (schema.enum) return pick(schema.enum);
  if (schema['x-kubernetes-int-or-string']) return pick<Json>([1, '10%', '1Gi', 'x', 1.5]);
  switch (schema.type) {
    case 'array': {
      const count = Math.max(schema.minItems ?? 0, depth > 12 ? 0 : pick([0, 1, 2]));
      return Array.from({ length: count }, () => sample(schema.items!, random, depth + 1));
    }
    case 'object': {
      const names = Object.keys(schema.properties ?? {})
        .filter((name) => random() < (schema.required?.includes(name) ? 0.97 : 3 / (depth + 4)));
      const object = Object.fromEntries(names.map((name) => [name, sample(schema.properties![name], random, depth + 1)]));
      if (typeof schema.additionalProperties === 'object' && random() < 0.5) object['some-key'] = sample(schema.additionalProperties, random, depth + 1);
      if (random() < 0.03) object[pick(ODD_NAMES)] = pick(ODD_VALUES);
      return object;
    }
    case 'integer': return pick([1, 3, schema.minimum ?? 0, schema.maximum ?? 10]);
    case 'number': return pick([1, 1.5]);
    case 'boolean': return random() < 0.5;
    case 'string': return pick(['x', 'name', '1h', '2024-05-01T10:00:00Z', 'YWJj', 'a.example/b', 'x'.repeat(schema.minLength ?? 1)]);
    default: return pick(ODD_VALUES);
  }
}

/** A number from 0 to 1 after the other, the same ones for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0; // eslint-disable-line no-bitwise
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state); // eslint-disable-line no-bitwise
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed; // eslint-disable-line no-bitwise
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32; // eslint-disable-line no-bitwise
  };
}

test('finds what the definitions find in random objects of every kind and version', () => {
  const verdicts = { accepted: 0, refused: 0 };
  for (const { apiVersion, kind, schema } of schemas.all()) {
    for (let seed = 1; seed <= 25; seed++) {
      const { status: _, ...fields } = sample({ ...schema, enum: undefined }, randomNumbers(seed), 0) as JsonObject;
      const object = { ...fields, apiVersion, kind, metadata: { name: 'some-name', namespace: 'some-namespace' } };
      const expected = placesBySchema(object);
      verdicts[expected.length > 0 ? 'refused' : 'accepted']++;
      expect({ kind, apiVersion, seed, found: placesByTable(object) }).toEqual({ kind, apiVersion, seed, found: expected });
    }
  }
  expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(100);
});
