import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { written } from './tenant-pages';
import { MetricsServer } from '../../../src/constructs/addons/catalog/metrics-server';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { Plan } from '../../../src/constructs/testing/plan';
import { PartKind } from '../../../src/manifests/plan/plan-model';
import { Effect } from '../../../src/manifests/rules/changes/effects';

/** The keywords that the schema uses. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const SCHEMA = JSON.parse(readFileSync(path.join(__dirname, '../../../docs/plan.schema.json'), 'utf8')) as Schema;

function faults(value: unknown, schema: Schema, at = ''): string[] {
  if (schema.$ref) return faults(value, SCHEMA.$defs![schema.$ref.replace('#/$defs/', '')], at);
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  if (schema.type !== undefined && type !== schema.type) return [`${at} is of type ${type}`];
  if (schema.const !== undefined && value !== schema.const) return [`${at} is not ${String(schema.const)}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${String(value)}`];
  if (schema.minimum !== undefined && (value as number) < schema.minimum) return [`${at} is too small`];
  if (Array.isArray(value)) return value.flatMap((item, index) => faults(item, schema.items ?? {}, `${at}[${index}]`));
  if (type !== 'object' || !schema.properties) return [];
  const fields = value as Record<string, unknown>;
  return [
    ...(schema.required ?? []).filter((name) => fields[name] === undefined).map((name) => `${at}.${name} is missing`),
    ...Object.entries(fields).flatMap(([name, field]) => (schema.properties![name] ? faults(field, schema.properties![name], `${at}.${name}`) : [`${at}.${name} is not described`])),
  ];
}

const plain = (plan: Plan): unknown => JSON.parse(JSON.stringify(plan.toJson()));

test('plans are as the schema describes them', () => {
  const [old, now] = [
    [...written({ more: (acme) => acme.addAddon(new MetricsServer()) }), ...written({}, 'beta')],
    [...written({ machine: { cpu: 8 }, pool: { size: PoolSize.between(1, 4) } }), ...written({}, 'gamma')],
  ];
  const widget = (size: number) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'web' }, spec: { size } });
  expect(faults(plain(Plan.between([...old, widget(1)], [...now, widget(2)])), SCHEMA, 'plan')).toEqual([]);
  expect(faults(plain(Plan.between(old, old)), SCHEMA, 'plan')).toEqual([]);
  expect(faults({ version: 2, totals: {}, clusters: [{}], shared: [] }, SCHEMA, 'plan')).toContain('plan.clusters[0].name is missing');
});

test('the schema has every effect and every part', () => {
  const { effect, part } = SCHEMA.$defs!;
  expect(effect.properties!.effect.enum).toEqual(expect.arrayContaining(Object.values(Effect)));
  expect(part.properties!.part.enum).toEqual(Object.values(PartKind));
});
