/** The parts of an OpenAPI v3 schema that custom resource definitions use. */
export interface OpenApiSchema {
  readonly 'type'?: string;
  readonly 'description'?: string;
  readonly 'default'?: unknown;
  readonly 'enum'?: readonly unknown[];
  readonly 'format'?: string;
  readonly 'nullable'?: boolean;
  readonly 'pattern'?: string;
  readonly 'required'?: readonly string[];
  readonly 'properties'?: Readonly<Record<string, OpenApiSchema>>;
  readonly 'items'?: OpenApiSchema;
  readonly 'additionalProperties'?: OpenApiSchema | boolean;
  readonly 'anyOf'?: readonly OpenApiSchema[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly [key: string]: unknown;
}

/** One version of a custom resource. */
export interface CrdVersion {
  /** Version in the API, for example `v1beta2`. */
  readonly name: string;
  /** True if the API server accepts it. */
  readonly served: boolean;
  /** True if objects are stored in it. */
  readonly storage: boolean;
  /** Schema of its objects. */
  readonly schema: { readonly openAPIV3Schema: OpenApiSchema };
  readonly [key: string]: unknown;
}

/** A definition of `apiextensions.k8s.io/v1`, as far as it is read here. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: { readonly kind: string; readonly plural: string; readonly [key: string]: unknown };
    readonly versions: readonly CrdVersion[];
    readonly [key: string]: unknown;
  };
}
