import type { Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { celFieldName } from './values';
import { JsonSchema } from '../schema/schema-node';
import { fieldAt, isFields } from '../values/fields';

const SCALARS: Readonly<Record<string, string>> = { boolean: 'bool', integer: 'int', number: 'double', string: 'string' };
const FORMATS: Readonly<Record<string, string>> = {
  'byte': 'bytes', 'date': 'google.protobuf.Timestamp', 'date-time': 'google.protobuf.Timestamp', 'duration': 'google.protobuf.Duration',
};

/** Reserved words are names of fields, too. */
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** Fields that rules see of an object of Kubernetes without a schema of them. */
const OBJECT_FIELDS: JsonSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } },
  },
};

/** The fields of an object of Kubernetes. */
function resourceFields(properties: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  const { metadata, ...others } = OBJECT_FIELDS.properties!;
  return { ...properties, ...others, metadata: { ...metadata, properties: { ...properties.metadata?.properties, ...metadata.properties } } };
}

/**
 * Declares the types that expressions see for the values of schemas, each schema once.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/cel/common/schemas.go (SchemaDeclType).
 */
export class SchemaTypes {
  private readonly known = new Map<JsonSchema, string | undefined>();
  private count = 0;

  public constructor(private readonly env: Environment) {}

  /** The type of a schema's values; undefined if expressions do not see them. */
  public of(schema: JsonSchema, isResource = fieldAt(schema, 'x-kubernetes-embedded-resource') === true): string | undefined {
    // A definition of a stranger may have anything here.
    if (!isFields(schema)) return undefined;
    if (schema['x-kubernetes-int-or-string']) return 'dyn';
    if (!this.known.has(schema)) this.known.set(schema, this.declared(schema, isResource));
    return this.known.get(schema);
  }

  private declared(schema: JsonSchema, isResource: boolean): string | undefined {
    const { type = '', format, items, additionalProperties } = schema;
    if (type === 'array') {
      const entry = items && this.of(items);
      return entry && `list<${entry}>`;
    }
    if (typeof type !== 'string') return undefined;
    if (type !== 'object') return type === 'string' && format !== undefined && Object.hasOwn(FORMATS, format) ? FORMATS[format] : SCALARS[type];
    if (typeof additionalProperties === 'object') {
      const value = this.of(additionalProperties);
      return value && `map<string, ${value}>`;
    }
    const properties = isFields(schema.properties) ? schema.properties : {};
    return this.object(isResource ? resourceFields(properties) : properties);
  }

  private object(properties: Readonly<Record<string, JsonSchema>>): string {
    const fields = Object.entries(properties).flatMap(([name, field]) => {
      const type = this.of(field);
      return type === undefined ? [] : [...new Set([celFieldName(name), name])].filter((seen) => IDENTIFIER.test(seen)).map((seen) => [seen, type]);
    });
    this.count += 1;
    const name = `schema.Object${this.count}`;
    this.env.registerType(name, { fields: Object.fromEntries(fields) as Record<string, string> });
    return name;
  }
}
