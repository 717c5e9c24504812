import { ApiObject, ApiObjectMetadata, ApiObjectMetadataDefinition, GroupVersionKind, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { apiFields, FieldNames, misspelledFields, resolveFields, setField, sortedFields } from './api-fields';
import { markRewriting, rewritten } from './manifest-rewrite';
import { isShared, writtenManifest } from './synthesis';
import { Fields, isFields } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../problems/problems';
import { isInTenantChart } from '../tenant-trees';

/** The description of a kind, for its class. */
export interface ApiKind extends GroupVersionKind {
  /**
   * True if objects of this kind belong to no namespace.
   *
   * @default false
   */
  readonly clusterScoped?: boolean;

  /**
   * Fields whose TypeScript name differs from the API's.
   *
   * @default - all names are the API's
   */
  readonly names?: FieldNames;
}

/** The parts of the props that are not fields of their own, and any field. */
interface ObjectFields {
  readonly metadata?: ApiObjectMetadata;
  readonly [field: string]: unknown;
}

const PATCH_RULE: Rule = {
  id: 'TC-OBJECT-PATCH',
  title: 'A patch must apply to its object, and use the API\'s names of fields.',
  source: 'datatracker.ietf.org/doc/html/rfc6902',
};

/**
 * An object of a kind whose fields have types.
 *
 * No field is lost: fields that the types do not know stay in the manifest, whether they come from the props or from a patch,
 * and a patch that would not have the intended effect is an error. Patches use the API's names.
 *
 * @internal a hidden base class: to jsii, kinds extend `ApiObject`
 */
export class TypedApiObject extends ApiObject {
  /**
   * Restores the meaning of `instanceof`, which `ApiObject` widens to every API object.
   *
   * @internal
   */
  public static [Symbol.hasInstance](o: unknown): o is ApiObject {
    return Function.prototype[Symbol.hasInstance].call(this, o);
  }

  readonly #kind: ApiKind;
  readonly #fields: ObjectFields;
  readonly #patches: JsonPatch[] = [];

  /**
   * @param scope the construct to define the object in
   * @param id a name that is unique within the scope
   * @param kind the description of the kind
   * @param props metadata and fields of the object
   */
  public constructor(scope: Construct, id: string, kind: ApiKind, props: object = {}) {
    const { metadata, ...fields } = fieldsOf(kind, props);
    super(scope, id, { apiVersion: kind.apiVersion, kind: kind.kind, metadata });
    this.#kind = kind;
    this.#fields = apiFields(fields, kind.names) as ObjectFields;
    markRewriting(this);
    if (kind.clusterScoped) {
      // The chart's namespace has arrived here by now.
      Object.assign(this.metadata, { namespace: undefined });
    }
  }

  /**
   * Applies RFC 6902 operations to the manifest when it is written. Paths and values use the API's field names.
   *
   * @param ops the operations, in the order in which they apply
   */
  public override addJsonPatch(...ops: JsonPatch[]): void {
    // Before anything is written, since what is written by then would stay.
    if (this.#patches.length === 0) Problems.of(this)._addCheck(() => this.checkPatches());
    this.#patches.push(...ops);
  }

  /** Renders the manifest, patches applied. */
  public override toJson(): any {
    try {
      const fields = { apiVersion: this.apiVersion, kind: this.kind, metadata: metadataFields(this.metadata), ...this.#fields };
      const resolved = resolveFields(fields, this) as typeof fields;
      const manifest = { ...resolved, metadata: writtenMetadata(resolved.metadata) };
      // Patches change what they are applied to.
      const patchable = this.#patches.length === 0 ? manifest : copied(manifest);
      const patched = applyPatches(patchable, this.#patches, (value) => resolveFields(apiFields(value), this));
      const misspelled = misspelledFields(patched, this.#kind.names);
      if (misspelled.length > 0) {
        throw new Error(`fields have other names in the API: ${misspelled.map(([found, right]) => `'${found}' is '${right}'`).join(', ')}`);
      }
      const final = rewritten(this, patched);
      const written = this.#patches.length === 0 && final === manifest ? manifest : ordered(final);
      // A caller may change what it is given, but not the fields of the object.
      return isShared(this) ? written : copied(written);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${this.kind} '${this.name}' at '${this.node.path}' cannot be written: ${reason}`, { cause: error });
    }
  }

  /** The problems that keep the manifest from being written. A delivery that copies the manifest reports them itself. */
  private checkPatches(): Problem[] {
    if (isInTenantChart(this)) return [];
    try {
      writtenManifest(this);
      return [];
    } catch (error) {
      const { cause = error } = error as Error;
      return [{
        rule: PATCH_RULE,
        message: `${this.kind}: ${cause instanceof Error ? cause.message : String(cause)}`,
        fix: 'correct the patch, with the API\'s names of fields, or remove it',
      }];
    }
  }
}

/**
 * Renders a manifest of a kind without adding an object to a tree.
 *
 * @param kind the description of the kind
 * @param props metadata and fields of the object
 */
export function manifestOf(kind: ApiKind, props: object = {}): any {
  const { metadata, ...fields } = fieldsOf(kind, props);
  const { apiVersion, kind: name } = kind;
  return { apiVersion, kind: name, ...apiFields({ metadata, ...fields }, kind.names) as object };
}

/** Props without the type, which the kind decides; refuses what would get lost. */
function fieldsOf(kind: ApiKind, props: unknown): ObjectFields {
  if (!isFields(props)) throw new Error(`the props of ${kind.kind} are ${Array.isArray(props) ? 'a list' : String(props)}; write metadata and fields in braces`);
  const { apiVersion, kind: name, ...fields } = props as ObjectFields;
  if ((apiVersion ?? kind.apiVersion) !== kind.apiVersion || (name ?? kind.kind) !== kind.kind) {
    throw new Error(`the props describe ${String(apiVersion)} ${String(name)}, but the object is ${kind.apiVersion} ${kind.kind}; use the class of that kind`);
  }
  if (kind.clusterScoped && fields.metadata?.namespace !== undefined) {
    throw new Error(`${kind.kind} objects belong to no namespace, but metadata.namespace is '${fields.metadata.namespace}'; leave it out`);
  }
  return fields;
}

function copied(manifest: object): object {
  return JSON.parse(JSON.stringify(manifest)) as object;
}

/** The manifest with type and metadata first, as cdk8s writes it. */
function ordered(manifest: object): object {
  const fields = sortedFields(manifest) as Readonly<Record<string, unknown>>;
  const first = ['apiVersion', 'kind', 'metadata'].filter((key) => key in fields);
  return Object.fromEntries([...first, ...Object.keys(fields)].map((key) => [key, fields[key]]));
}

/** An operation as RFC 6902 describes it. */
interface Operation {
  readonly op: 'add' | 'copy' | 'move' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/**
 * Applies patches one after the other. A patch that has no effect is an error: cdk8s skips it.
 *
 * @param manifest the object to patch
 * @param patches the patches in their order
 * @param writeValue how the value of a patch is written for the API
 */
function applyPatches(manifest: object, patches: readonly JsonPatch[], writeValue: (value: unknown) => unknown): object {
  return patches.reduce((document, patch) => {
    // `JsonPatch` has no public way to read its operation.
    const { operation } = patch as unknown as { readonly operation: Operation };
    try {
      return JsonPatch.apply(document, checked(operation, patch, document, writeValue));
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      throw new Error(`the patch '${operation.op} ${operation.path}' cannot be applied: ${reason}`, { cause: error });
    }
  }, manifest);
}

function checked({ op, path, from, value }: Operation, patch: JsonPatch, document: object, writeValue: (value: unknown) => unknown): JsonPatch {
  if (op === 'remove') requireField(document, path);
  else requirePlace(document, path);
  if (op === 'copy' || op === 'move') requireField(document, from ?? '');
  if (op !== 'add' && op !== 'replace' && op !== 'test') return patch;
  // cdk8s copies values as JSON, which would keep the shell of an int-or-string object.
  const written = writeValue(value);
  if (written === undefined) throw new Error('it has no value; use JsonPatch.remove() to remove a field');
  return JsonPatch[op](path, written);
}

/** Requires that a value can be set at a pointer. */
function requirePlace(document: object, pointer: string): void {
  if (pointer === '') return;
  const end = pointer.lastIndexOf('/');
  if (end < 0) throw new Error(`'${pointer}' must begin with '/'`);
  const [parent, key] = [pointer.slice(0, end), pointer.slice(end + 1)];
  const holder = requireField(document, parent);
  if (typeof holder !== 'object' || holder === null) throw new Error(`'${parent}' is neither an object nor a list`);
  if (Array.isArray(holder) && key !== '-' && !(/^\d+$/.test(key) && Number(key) <= holder.length)) {
    throw new Error(`'${parent}' is a list of ${holder.length}; '${key}' is neither an index in it nor '-', its end`);
  }
}

/** Requires that a field exists, and returns its value. */
function requireField(document: object, pointer: string): unknown {
  if (pointer !== '' && !pointer.startsWith('/')) throw new Error(`'${pointer}' must begin with '/'`);
  let place: unknown = document;
  let found = '';
  for (const segment of pointer.split('/').slice(1).map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))) {
    const fields = typeof place === 'object' && place !== null ? Object.keys(place) : [];
    if (!fields.includes(segment)) {
      throw new Error(`'${pointer}' does not exist; ${found === '' ? 'the manifest' : `'${found}'`} has ${fields.length > 0 ? fields.join(', ') : 'no fields'}`);
    }
    place = (place as Record<string, unknown>)[segment];
    found += `/${segment}`;
  }
  return place;
}

/** Private properties in which cdk8s keeps metadata; it has no getters for them. */
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
function metadataFields(metadata: ApiObjectMetadataDefinition): unknown {
  const { name, namespace } = metadata;
  const { _additionalAttributes: more, annotations, finalizers, labels, ownerReferences } = metadata as unknown as Kept;
  if (!more || !annotations || !finalizers || !labels || !ownerReferences) return metadata.toJson() as unknown;
  return { ...more, name, namespace, annotations, finalizers, ownerReferences, labels };
}

/** Metadata as they are written: sorted, and without what is empty. */
function writtenMetadata(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(writtenMetadata);
  let fields: Record<string, unknown> | undefined;
  for (const key of Object.keys(value).sort()) {
    const child = writtenMetadata((value as Fields)[key]);
    if (child !== undefined) setField(fields ??= {}, key, child);
  }
  return fields;
}
