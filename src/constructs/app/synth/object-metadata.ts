import { ApiObjectMetadataDefinition } from 'cdk8s';
import { setField } from './api-fields';
import { Fields } from '../../../manifests/values/fields';

/** Where cdk8s keeps metadata; it has no getters for them. */
interface Kept {
  readonly _additionalAttributes?: object;
  readonly annotations?: object;
  readonly finalizers?: object;
  readonly labels?: object;
  readonly ownerReferences?: object;
}

/**
 * The metadata of an object, before tokens are replaced: what `toJson` of cdk8s would make of them, which goes up the whole tree for each
 * value. A version of cdk8s that keeps them in another way is asked for its own.
 */
export function metadataFields(metadata: ApiObjectMetadataDefinition): unknown {
  const { name, namespace } = metadata;
  const { _additionalAttributes: more, annotations, finalizers, labels, ownerReferences } = metadata as unknown as Kept;
  if (!more || !annotations || !finalizers || !labels || !ownerReferences) return metadata.toJson() as unknown;
  return { ...more, name, namespace, annotations, finalizers, ownerReferences, labels };
}

/** Metadata as they are written: sorted, and without what is empty. */
export function writtenMetadata(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(writtenMetadata);
  let fields: Record<string, unknown> | undefined;
  for (const key of Object.keys(value).sort()) {
    const child = writtenMetadata((value as Fields)[key]);
    if (child !== undefined) setField(fields ??= {}, key, child);
  }
  return fields;
}
