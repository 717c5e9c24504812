import { ApiObject, ApiObjectMetadata, GroupVersionKind, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { apiFields, FieldNames, misspelledFields, resolveFields, sortedFields } from './api-fields';
import { applyPatches } from './manifest-patches';
import { markRewriting, rewritten } from './manifest-rewrite';
import { metadataFields, writtenMetadata } from './object-metadata';
import { SYNTH_RULES } from './rules';
import { isShared, writtenOnce } from './synthesis';
import { isFields } from '../../../manifests/values/fields';
import { Problem } from '../../../manifests/values/problem';
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
   * @param kind the description of the kind
   * @param props metadata and fields of the object
   */
  public constructor(scope: Construct, id: string, kind: ApiKind, props: object = {}) {
    const { metadata, ...fields } = fieldsOf(kind, props);
    super(scope, id, { apiVersion: kind.apiVersion, kind: kind.kind, metadata });
    this.#kind = kind;
    this.#fields = apiFields(fields, kind.names) as Fields;
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
      writtenOnce(this, () => this.toJson());
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
function fieldsOf(kind: ApiKind, props: unknown): Fields {
  if (!isFields(props)) throw new Error(`the props of ${kind.kind} are ${Array.isArray(props) ? 'a list' : String(props)}; write metadata and fields in braces`);
  const { apiVersion, kind: name, ...fields } = props as Fields;
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
