import { TypeGenerator } from 'json2jsii';
import { typeSchema, TypeSchema } from './schema';
import { CrdSource } from '../crds/crd-source';
import { CustomResourceDefinition, OpenApiSchema } from '../crds/definition';

/** The metadata type of cdk8s, which replaces the empty one of the definitions. */
export const METADATA = 'ApiObjectMetadata';

/** A kind that gets a class. */
export interface Kind {
  /** Source of its definition. */
  readonly source: CrdSource;
  readonly group: string;
  readonly version: string;
  /** Name in the API. */
  readonly kind: string;
  readonly clusterScoped: boolean;
  /** Name of the class. */
  readonly className: string;
  /** Everything but the type, the metadata and the status of the object. */
  readonly fields: OpenApiSchema;
}

/**
 * Reads a kind from its definition.
 *
 * @param crd the definition
 * @param wanted the version that is wanted
 * @param source where the definition comes from
 */
export function readKind(crd: CustomResourceDefinition, wanted: string, source: CrdSource): Kind {
  const version = crd.spec.versions.find(candidate => candidate.name === wanted);
  if (!version?.served) {
    throw new Error(`${crd.metadata.name} serves no version ${wanted}; it has ${crd.spec.versions.map(candidate => candidate.name).join(', ')}`);
  }
  const { kind } = crd.spec.names;
  const { apiVersion, kind: _kind, metadata, status, ...fields } = version.schema.openAPIV3Schema.properties ?? {};
  const required = version.schema.openAPIV3Schema.required?.filter(name => name in fields);
  return {
    source,
    group: crd.spec.group,
    version: wanted,
    kind,
    clusterScoped: crd.spec.scope === 'Cluster',
    className: TypeGenerator.normalizeTypeName(kind),
    fields: { type: 'object', required, properties: fields },
  };
}

/**
 * The type of the props.
 *
 * @param fields fields of a kind
 * @param place name of the kind, or of those that have these fields
 */
export function propsSchema(fields: OpenApiSchema, place: string): TypeSchema {
  const schema = typeSchema(fields, place);
  return { ...schema, required: schema.required ?? [], properties: { metadata: { $ref: `#/definitions/${METADATA}` }, ...schema.properties } };
}
