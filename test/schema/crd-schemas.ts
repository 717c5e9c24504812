import { cachedCrds } from './crd-cache';
import { StructuralSchema } from './structural-schema';

/** One version of a custom resource definition. */
export interface KindSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly schema: StructuralSchema;
}

/** The schemas of the pinned upstream releases, by API version and kind; only versions that a server serves. */
export class CrdSchemas {
  /** Reads the custom resource definitions. */
  static async load(): Promise<CrdSchemas> {
    const schemas = new CrdSchemas();
    for (const { spec } of await cachedCrds()) {
      for (const version of spec.versions.filter(({ served }) => served)) {
        schemas.add({
          apiVersion: `${spec.group}/${version.name}`,
          kind: spec.names.kind,
          scope: spec.scope,
          schema: version.schema.openAPIV3Schema as StructuralSchema,
        });
      }
    }
    return schemas;
  }

  private readonly kinds = new Map<string, KindSchema>();

  private constructor() {}

  /** The schema of a kind, if an upstream release serves it. */
  find(apiVersion: string, kind: string): KindSchema | undefined {
    return this.kinds.get(`${apiVersion}/${kind}`);
  }

  /** Every schema. */
  all(): readonly KindSchema[] {
    return [...this.kinds.values()];
  }

  private add(schema: KindSchema): void {
    const key = `${schema.apiVersion}/${schema.kind}`;
    if (this.kinds.has(key)) throw new Error(`two custom resource definitions for ${schema.apiVersion} ${schema.kind}`);
    this.kinds.set(key, schema);
  }
}
