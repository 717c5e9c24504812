import { MetadataRules } from './object-metadata';
import { JsonObject, StructuralSchema } from './structural-schema';

/** Schema and checks of a kind that Kubernetes brings itself. */
export interface BuiltInKind {
  readonly schema: StructuralSchema;
  readonly metadata: MetadataRules;
  /** Rules of the kind that a schema cannot hold. */
  readonly check?: (object: JsonObject) => string[];
}
