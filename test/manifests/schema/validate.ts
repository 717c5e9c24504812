import { BUILT_IN_KINDS } from './built-in';
import { ruleErrors } from './cel';
import { CrdSchemas } from './crd-schemas';
import { applyDefaults, defaultsMissing } from './defaults';
import { MetadataRules } from './object-metadata';
import { structuralErrors } from './structural';
import { isObject, JsonObject, shown, StructuralSchema } from './structural-schema';

interface Kind {
  readonly schema: StructuralSchema;
  readonly metadata: MetadataRules;
  readonly check?: (object: JsonObject) => string[];
}

/** Says what an API server with the pinned custom resource definitions would say to an object. */
export class SchemaValidator {
  /** Reads the schemas, once per process. */
  static load(): SchemaValidator {
    this.loaded ??= new SchemaValidator(CrdSchemas.load());
    return this.loaded;
  }

  /** Reads the schemas with those of the packages of an example. */
  static loadWithExamples(): SchemaValidator {
    return new SchemaValidator(CrdSchemas.loadWithExamples());
  }

  private static loaded?: SchemaValidator;

  private constructor(private readonly schemas: CrdSchemas) {}

  /** True if there is a schema for a kind. */
  knows(apiVersion: string, kind: string): boolean {
    return this.find(apiVersion, kind) !== undefined;
  }

  /**
   * Everything wrong in an object, as `path: what, got …`; the rules in CEL are looked at when the rest is right.
   * A kind without schema is an error.
   *
   * @param old the same object before an update, to run the transition rules too
   */
  validate(object: unknown, old?: unknown): string[] {
    const kind = this.kindOf(object);
    if (typeof kind === 'string') return [kind];

    // A server fills in the defaults before it validates, but only the manifest itself can hold unknown fields or null.
    const { object: defaulted } = applyDefaults(object as JsonObject, kind.schema);
    const errors = [...structuralErrors(defaulted, kind.schema, kind.metadata), ...kind.check?.(defaulted) ?? []];
    if (errors.length > 0) return errors;
    return ruleErrors(kind.schema, defaulted, isObject(old) ? applyDefaults(old, kind.schema).object : undefined);
  }

  /**
   * The fields that a server would add to an object by default, as `path: value`.
   *
   * @param allow paths that may be missing, `[*]` for any position of a list or any key of an object
   */
  missingDefaults(object: unknown, allow: readonly string[] = []): string[] {
    const kind = this.kindOf(object);
    return typeof kind === 'string' ? [kind] : defaultsMissing(object as JsonObject, kind.schema, allow);
  }

  private kindOf(object: unknown): Kind | string {
    if (!isObject(object)) return `object: must be an object, got ${shown(object)}`;
    const { apiVersion, kind } = object;
    return this.find(String(apiVersion), String(kind)) ?? `kind: no schema is known for ${shown(apiVersion)}, got ${shown(kind)}`;
  }

  private find(apiVersion: string, kind: string): Kind | undefined {
    const found = this.schemas.find(apiVersion, kind);
    return found ? { schema: found.schema, metadata: { scope: found.scope } } : BUILT_IN_KINDS.get(`${apiVersion}/${kind}`);
  }
}
