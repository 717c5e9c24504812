import { ApiObject, ApiObjectMetadata, GroupVersionKind, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { copyOfManifest, FieldNames, misspelledFields, orderedCopyOfFields, sortedFields, writeDetachedFields, writeFields } from './api-fields';
import { applyPatches } from './manifest-patches';
import { isTakenFromElsewhere, markRewriting, rewritten } from './manifest-rewrite';
import { writtenMetadata } from './plain-manifest';
import { SYNTH_RULES } from './rules';
import { isSettling, writtenOnce } from './synthesis';
import { Manifest } from './yaml/manifests-text';
import { Problem } from '../validation/problem';
import { Problems } from '../validation/problems';

/** What a class needs to know about the kind that it writes. */
export interface ApiKind extends GroupVersionKind {
  /**
   * Whether objects of this kind belong to no namespace.
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
interface Fields {
  readonly metadata?: ApiObjectMetadata;
  readonly [field: string]: unknown;
}

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
  readonly #fields: Fields;
  readonly #patches: JsonPatch[] = [];

  /**
   * @param scope the construct to define the object in
   * @param id a name that is unique within the scope
   * @param kind what is known about the kind
   * @param props metadata and fields of the object
   */
  public constructor(scope: Construct, id: string, kind: ApiKind, props: object = {}) {
    const { metadata, ...fields } = fieldsOf(kind, props);
    super(scope, id, { apiVersion: kind.apiVersion, kind: kind.kind, metadata });
    this.#kind = kind;
    this.#fields = orderedCopyOfFields(fields);
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
    return copyOfManifest(this._written());
  }

  /**
   * The manifest as it shares what it can with the object: not to be changed.
   *
   * @internal
   */
  public _written(): Manifest {
    try {
      const resolved = writeFields({ ...this.#fields, metadata: writtenMetadata(this) }, this.#kind.names, this, true) as object;
      const manifest = ordered({ apiVersion: this.apiVersion, kind: this.kind, ...resolved });
      const final = this.#patches.length === 0 ? manifest : ordered(this.patched(manifest));
      const result = rewritten(this, final);
      // Sorted again: fields may have been added.
      return (result === final ? final : ordered(sortedFields(result) as object)) as Manifest;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${this.kind} '${this.name}' at '${this.node.path}' cannot be written: ${reason}`, { cause: error });
    }
  }

  /** What keeps the manifest from being written; whoever takes it to another place says it there. */
  private checkPatches(): Problem[] {
    if (isSettling() || isTakenFromElsewhere(this)) return [];
    try {
      writtenOnce(this, () => this._written());
      return [];
    } catch (error) {
      const { cause = error } = error as Error;
      return [{
        rule: SYNTH_RULES.patch,
        message: `${this.kind}: ${cause instanceof Error ? cause.message : String(cause)}`,
        fix: 'correct the patch, with the API\'s names of fields, or remove it',
      }];
    }
  }

  private patched(manifest: object): object {
    // Of a copy: what patches change may be the object's own.
    const result = applyPatches(copyOfManifest(manifest) as object, this.#patches, value => writeFields(value, undefined, this));
    const misspelled = misspelledFields(result, this.#kind.names);
    if (misspelled.length > 0) {
      throw new Error(`a patch names fields that the API spells differently: ${misspelled.map(([found, right]) => `'${found}' is '${right}'`).join(', ')}`);
    }
    // Sorted again: a patch may have put its keys anywhere.
    return sortedFields(result) as object;
  }
}

/**
 * Renders a manifest of a kind without adding an object to a tree.
 *
 * @param kind what is known about the kind
 * @param props metadata and fields of the object
 */
export function manifestOf(kind: ApiKind, props: object = {}): any {
  const { metadata, ...fields } = fieldsOf(kind, props);
  const { apiVersion, kind: name } = kind;
  return { apiVersion, kind: name, ...writeDetachedFields({ metadata, ...fields }, kind.names) as object };
}

/** Props without the type, which the kind decides; refuses what would get lost. */
function fieldsOf(kind: ApiKind, props: object): Fields {
  const { apiVersion, kind: name, ...fields } = props as Fields;
  if ((apiVersion ?? kind.apiVersion) !== kind.apiVersion || (name ?? kind.kind) !== kind.kind) {
    throw new Error(`the props describe ${String(apiVersion)} ${String(name)}, but the object is ${kind.apiVersion} ${kind.kind}; use the class of that kind`);
  }
  if (kind.clusterScoped && fields.metadata?.namespace !== undefined) {
    throw new Error(`${kind.kind} objects belong to no namespace, but metadata.namespace is '${fields.metadata.namespace}'; leave it out`);
  }
  return fields;
}

/** The manifest with type and metadata first, as cdk8s writes it. */
function ordered(manifest: object): object {
  const { apiVersion, kind, metadata } = manifest as Readonly<Record<string, unknown>>;
  const first: Record<string, unknown> = {};
  if (apiVersion !== undefined) first.apiVersion = apiVersion;
  if (kind !== undefined) first.kind = kind;
  if (metadata !== undefined) first.metadata = metadata;
  return { ...first, ...manifest };
}
