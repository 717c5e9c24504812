/**
 * Compares the tables of providers with the providers' definitions, and writes the defaults that the definitions have for fields that servers refuse
 * to change, where the definitions are not part of the package.
 *
 * `PROVIDER_CRDS_DIR` names a folder of definitions; without it, `../shared/provider-crds` is read, and `../shared/crds`. With `--check`, nothing
 * is written, and it fails if something differs.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { structureOf } from '../../src/manifests/rules/structure/structures';
import { isRefusal, KindTable, ProviderTable, TableEffect } from '../../src/manifests/rules/tables/provider-table';
import { PROVIDER_TABLES } from '../../src/manifests/systems/tables';
import { providerFiles } from '../crds/provider-folders';

const ROOT = path.join(__dirname, '../..');
const DEFAULTS = /,\n {2}"defaults": \{[\s\S]*\n {2}\}\n\}\n$/;
const KEPT = /^self == oldSelf$/;

interface Schema {
  readonly 'default'?: unknown;
  readonly 'properties'?: Readonly<Record<string, Schema>>;
  readonly 'items'?: Schema;
  readonly 'additionalProperties'?: Schema | boolean;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string }[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly storage: boolean; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

function definitions(): Map<string, Definition> {
  const all = providerFiles().flatMap((file) => parseAllDocuments(fs.readFileSync(file, 'utf8')).map((document) => document.toJSON() as Definition | null))
    .filter((one): one is Definition => one?.spec?.versions !== undefined);
  return new Map(all.map((one) => [`${one.spec.group}/${one.spec.names.kind}`, one]));
}

/** Fields of a schema with what stands at them, each by its path, in which `*` is an item or an entry. */
function fieldsOf(schema: Schema, at: readonly string[]): { readonly key: string; readonly schema: Schema }[] {
  const { properties = {}, items, additionalProperties } = schema;
  const entries = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const inner = [...Object.entries(properties), ...[items, entries].flatMap((one) => (one ? [['*', one] as const] : []))];
  return [{ key: at.join('.'), schema }, ...inner.flatMap(([name, one]) => fieldsOf(one, [...at, name]))];
}

function defaultsOf(table: KindTable, schema: Schema): Record<string, unknown> {
  const refused = (table.changes ?? []).filter(({ effect }) => isRefusal(effect)).flatMap(({ fields }) => fields);
  const found = fieldsOf(schema, []).filter(({ key, schema: field }) => field.default !== undefined && refused.some((one) => key === one || key.startsWith(`${one}.`)));
  return Object.fromEntries(found.map(({ key, schema: field }) => [key, field.default]));
}

/** Effects of fields that a definition keeps. */
const KEPT_BY: readonly TableEffect[] = ['refused', 'refused once set', 'refused while set'];

function withoutItems(field: string): string {
  return field.replaceAll('.*', '');
}

function problemsOf(kind: string, table: KindTable, { spec }: Definition): string[] {
  const versions = spec.versions.map(({ schema }) => fieldsOf(schema.openAPIV3Schema, []));
  const known = new Set(versions.flat().map(({ key }) => withoutItems(key)));
  const fields = [...(table.changes ?? []).flatMap((change) => change.fields), ...table.defaulted ?? []]
    .filter((field) => !/^(?:machinePool|metadata)\./.test(field)).map(withoutItems);
  const open = versions.flat().filter(({ schema }) => schema['x-kubernetes-preserve-unknown-fields']).map(({ key }) => withoutItems(key));
  const refused = (table.changes ?? []).filter(({ effect }) => KEPT_BY.includes(effect)).flatMap((change) => change.fields);
  const kept = versions.flat().filter(({ schema }) => schema['x-kubernetes-validations']?.some(({ rule }) => KEPT.test(rule))).map(({ key }) => key);
  return [
    ...fields.filter((field) => !known.has(field) && !open.some((key) => field.startsWith(`${key}.`))).map((field) => `${kind} has no ${field}`),
    ...[...new Set(kept)].filter((key) => !key.includes('*') && !refused.some((field) => key === field || key.startsWith(`${field}.`))).map((key) => `${kind} keeps ${key}, by its definition`),
  ];
}

function withDefaults(text: string, defaults: Readonly<Record<string, unknown>>): string {
  const bare = text.replace(DEFAULTS, '\n}\n');
  if (Object.keys(defaults).length === 0) return bare;
  const rows = Object.entries(defaults).map(([kind, values]) => `    ${JSON.stringify(kind)}: ${JSON.stringify(values).replaceAll('":', '": ').replaceAll(',"', ', "')}`);
  return `${bare.slice(0, -'\n}\n'.length)},\n  "defaults": {\n${rows.join(',\n')}\n  }\n}\n`;
}

function main(isCheck: boolean): number {
  const known = definitions();
  if (known.size === 0) {
    console.log('NOT PROVED: there are no definitions of providers to compare their tables with');
    return 0;
  }
  const problems: string[] = [];
  for (const table of PROVIDER_TABLES) problems.push(...compare(table, known, isCheck));
  problems.forEach((problem) => console.error(problem));
  return problems.length === 0 ? 0 : 1;
}

function compare(table: ProviderTable, known: ReadonlyMap<string, Definition>, isCheck: boolean): string[] {
  const defaults: Record<string, unknown> = {};
  const problems = Object.entries(table.kinds).flatMap(([kind, facts]) => {
    const definition = known.get(kind);
    // Not every project publishes all of its definitions. Defaults of one that is not there stay.
    const former = table.defaults?.[kind];
    if (!definition && former) defaults[kind] = former as Record<string, unknown>;
    if (!definition) return [];
    const stored = definition.spec.versions.find(({ storage }) => storage) ?? definition.spec.versions[0];
    // Kinds with a definition in the package are compared with its defaults.
    const values = structureOf(...kind.split('/') as [string, string]) ? {} : defaultsOf(facts, stored.schema.openAPIV3Schema);
    if (Object.keys(values).length > 0) defaults[kind] = values;
    return problemsOf(`${table.name}: ${kind}`, facts, definition);
  });
  const file = path.join(ROOT, 'src/manifests/systems', table.name, 'provider.json');
  const text = fs.readFileSync(file, 'utf8');
  const next = withDefaults(text, defaults);
  if (next === text) return problems;
  if (isCheck) return [...problems, `${path.relative(ROOT, file)} is not up to date: run "npm run providers"`];
  fs.writeFileSync(file, next);
  return problems;
}

process.exitCode = main(process.argv.includes('--check'));
