import { InterfaceType, isEnumType, isInterfaceType, isNamedTypeReference, isPrimitiveTypeReference, PrimitiveType, Property } from '@jsii/spec';
import { Hibernation } from '../../src/constructs/contracts/cluster-context';
import { LABELS } from '../../src/constructs/repository/fleet/listed-cluster';
import { CATALOGS } from '../../src/manifests/values/catalog';
import { DNS_1035_LABEL, DNS_1123_LABEL, DNS_1123_SUBDOMAIN, DNS_LABEL_MAX_LENGTH, DNS_SUBDOMAIN_MAX_LENGTH } from '../../src/manifests/values/dns';
import { SUPPORTED_MINORS } from '../../src/manifests/values/kubernetes-releases';
import { LABEL_MAX_LENGTH, LABEL_NAME } from '../../src/manifests/values/labels';
import { Library } from '../api-reference/library';

/** A JSON Schema, with the keyword by which editors explain a pattern. */
interface Schema {
  readonly [keyword: string]: unknown;
}

const ENTRY = 'cdk8s-cluster-api.ClusterEntry';

/** The default namespace of a cluster. */
const NAMESPACE_PREFIX = 'tenant-';

/** Further constraints of strings, by field. */
const GRAMMARS: { readonly [field: string]: Schema } = {
  name: { pattern: DNS_1035_LABEL.source, maxLength: DNS_LABEL_MAX_LENGTH, patternErrorMessage: 'Lower-case letters, digits and "-", starting with a letter.' },
  namespace: { pattern: DNS_1123_LABEL.source, maxLength: DNS_LABEL_MAX_LENGTH, patternErrorMessage: 'Lower-case letters, digits and "-".' },
  kubernetesVersion: { pattern: versionsFrom(SUPPORTED_MINORS[0]), patternErrorMessage: `A full version from ${SUPPORTED_MINORS[0]} on, such as "${SUPPORTED_MINORS[0]}.1".` },
  versions: { enum: [...CATALOGS, null] },
};

const LABEL_VALUE: Schema = {
  type: ['string', 'null'],
  pattern: `^$|${LABEL_NAME.source}`,
  maxLength: LABEL_MAX_LENGTH,
  patternErrorMessage: 'Letters, digits, "-", "_" and ".", starting and ending with a letter or digit.',
};

/** Editors read no further than this keyword of a schema of 2019 and later. */
const DIALECT = 'http://json-schema.org/draft-07/schema#';

/** Describes the YAML and JSON files that `ClusterList.fromFile` reads. Profiles read further keys, so every key is accepted. */
export function clusterListSchema(library: Library): Schema {
  const entry = library.types.get(ENTRY);
  if (!entry || !isInterfaceType(entry)) throw new Error(`${ENTRY} is not in the assembly`);
  return {
    $schema: DIALECT,
    title: 'Clusters of a fleet',
    description: 'Entries that `ClusterList.fromFile` reads from YAML and JSON. Synthesis checks further: names of profiles and rings, values of profiles, and what clusters have in common.',
    type: 'array',
    items: entrySchema(entry, library),
  };
}

function entrySchema({ docs, properties = [] }: InterfaceType, library: Library): Schema {
  const fields = properties.filter(({ name }) => name !== 'values');
  return {
    type: 'object',
    description: `${docs?.summary} Every other key is a value for profiles: a string, number, boolean, a list of strings, or an object of these.`,
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, library)])),
    patternProperties: { [`^${LABELS.replace('.', '\\.')}`]: LABEL_VALUE },
    if: { required: ['namespace'], properties: { namespace: { type: 'string' } } },
    else: { properties: { name: { maxLength: DNS_LABEL_MAX_LENGTH - NAMESPACE_PREFIX.length } } },
  };
}

function fieldSchema({ name, type, optional = false, docs = {} }: Property, library: Library): Schema {
  const byDefault = docs.default === undefined ? '' : ` Default: ${docs.default.replace(/^- /, '')}.`;
  const description = `${[docs.summary, docs.remarks].filter((text) => text !== undefined).join(' ').replace(/\s+/g, ' ')}${byDefault}`;
  const none = optional ? ['null'] : [];
  if (name === 'labels') {
    return {
      description,
      type: ['object', ...none],
      propertyNames: { pattern: labelKeys(), maxLength: DNS_SUBDOMAIN_MAX_LENGTH + 1 + LABEL_MAX_LENGTH },
      additionalProperties: LABEL_VALUE,
    };
  }
  if (isPrimitiveTypeReference(type) && type.primitive === PrimitiveType.Boolean) {
    // Spreadsheets write TRUE and FALSE.
    return { description, anyOf: [{ type: ['boolean', ...none] }, { type: 'string', pattern: '^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$' }] };
  }
  if (isPrimitiveTypeReference(type) && type.primitive === PrimitiveType.String) return { description, type: ['string', ...none], ...GRAMMARS[name] };
  const named = isNamedTypeReference(type) ? library.types.get(type.fqn) : undefined;
  if (named && isEnumType(named) && named.name === 'Hibernation') return { description, enum: [...Object.values(Hibernation), null] };
  throw new Error(`${ENTRY}.${name} has a type that the schema of lists does not know`);
}

/** Exact releases from a minor on, as a pattern. */
function versionsFrom(minor: string): string {
  const [tens, ones] = minor.replace('1.', '');
  return `^v?(1\\.(${tens}[${ones}-9]|[${Number(tens) + 1}-9]\\d|[1-9]\\d{2,})|[2-9]\\.(0|[1-9]\\d*))\\.(0|[1-9]\\d*)$`;
}

/** A qualified name: a domain and a slash, which are optional, and a name. */
function labelKeys(): string {
  const [domain, name] = [DNS_1123_SUBDOMAIN, LABEL_NAME].map(({ source }) => source.slice(1, -1));
  return `^(${domain}/)?(?=.{1,${LABEL_MAX_LENGTH}}$)${name}$`;
}
