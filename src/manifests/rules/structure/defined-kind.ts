import { KindScope, KindStructure } from './kind-structure';
import { UnjudgedRule } from '../../cel/broken-rules';
import { ManifestObject } from '../../objects/manifest-object';
import { checkKeywords } from '../../schema/check-keywords';
import { compileSchema, JsonSchema, SchemaNode } from '../../schema/schema-node';
import { checkStructuralSchema, isTooDeep } from '../../schema/structural-schema';
import { fieldAt, Fields, fieldText, isFields, objectsAt, stringAt } from '../../values/fields';

/** Objects of any kind. */
const OPEN: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

/** A version of a kind as its definition describes it. */
export interface DefinedVersion {
  /** The schema that the definition has. */
  readonly schema: JsonSchema;

  /** True if the status has an address of its own, so that servers ignore it in an object. */
  readonly hasStatus: boolean;

  readonly root: SchemaNode;
}

/** A rule in CEL of a definition that only a server can judge. */
export interface UnjudgedDefinition {
  readonly definition: ManifestObject;
  readonly rule: string;

  /** Reason that only a server can judge it. No full stop at the end. */
  readonly reason: string;
}

/** A kind as a CustomResourceDefinition defines it. Its schemas are read at first use: most definitions of a folder have no objects there. */
export class DefinedKind implements KindStructure {
  public readonly release: string;
  public readonly plural: string;
  public readonly scope: KindScope;
  public readonly others: DefinedKind[] = [];
  private readonly reasons = new Map<string, string>();
  private read?: ReadonlyMap<string, DefinedVersion> | string;
  private roots?: ReadonlyMap<string, SchemaNode>;

  /**
   * @param group the API group
   * @param kind the kind
   * @param definition the definition
   * @param packaged project and release, if the definition is part of the package: clusters may have another one
   */
  public constructor(
    public readonly group: string, public readonly kind: string, public readonly definition: ManifestObject, public readonly packaged?: string,
  ) {
    this.plural = stringAt(definition, 'spec', 'names', 'plural') ?? '';
    this.release = packaged ?? `the definition ${stringAt(definition, 'metadata', 'name') ?? `of ${kind}`}`;
    this.scope = stringAt(definition, 'spec', 'scope') === 'Cluster' ? 'Cluster' : 'Namespaced';
  }

  /** The reason that API servers refuse the definition; undefined for one that they accept. */
  public get fault(): string | undefined {
    const read = this.read ??= readVersions(this.definition);
    return typeof read === 'string' ? read : undefined;
  }

  /** The versions that are served; none of a definition that is refused. */
  public get served(): ReadonlyMap<string, DefinedVersion> {
    const read = this.read ??= readVersions(this.definition);
    return typeof read === 'string' ? new Map() : read;
  }

  /** Rules that objects were not checked against. */
  public get unjudged(): readonly UnjudgedDefinition[] {
    return [...this.reasons].map(([rule, reason]) => ({ definition: this.definition, rule, reason }));
  }

  /** Keeps in mind rules that objects were not checked against. */
  public leave(rules: readonly UnjudgedRule[]): void {
    for (const { rule, reason } of rules) if (!this.reasons.has(rule)) this.reasons.set(rule, reason);
  }

  public get versions(): ReadonlyMap<string, SchemaNode> {
    return this.roots ??= new Map([...this.served].map(([name, { root }]) => [name, root]));
  }
}

/** The versions that a definition serves, or why API servers refuse it. */
function readVersions(definition: ManifestObject): ReadonlyMap<string, DefinedVersion> | string {
  if (definition.apiVersion !== 'apiextensions.k8s.io/v1') return `API servers accept definitions of apiextensions.k8s.io/v1, and this one is ${String(definition.apiVersion)}`;
  const name = `${stringAt(definition, 'spec', 'names', 'plural')}.${stringAt(definition, 'spec', 'group')}`;
  if (stringAt(definition, 'metadata', 'name') !== name) return `its name must be ${name}`;
  const versions = new Map<string, DefinedVersion>();
  for (const [version, index] of objectsAt(definition, 'spec', 'versions')) {
    const versionName = stringAt(version, 'name');
    const schema = fieldAt(version, 'schema', 'openAPIV3Schema');
    const at = `spec.versions[${index}]`;
    if (versionName === undefined || !isFields(schema)) return `${at} has no ${versionName === undefined ? 'name' : 'schema'}`;
    const fault = schemaFault(schema);
    if (fault !== undefined) return `${at}.schema.openAPIV3Schema${fault}`;
    if (version.served === true) versions.set(versionName, definedVersion(version, schema as JsonSchema));
  }
  return versions;
}

function schemaFault(schema: Fields): string | undefined {
  if (isTooDeep(schema)) return ' is deeper than API servers accept';
  const [first] = [...checkKeywords(schema).filter(({ isRefused }) => !isRefused), ...checkStructuralSchema(schema)];
  return first && `${first.path.length === 0 ? '' : ` ${fieldText(first.path)}`}: ${first.message}`;
}

function definedVersion(version: Fields, schema: JsonSchema): DefinedVersion {
  const hasStatus = isFields(fieldAt(version, 'subresources', 'status'));
  const scaled = stringAt(version, 'subresources', 'scale', 'specReplicasPath')?.split('.').slice(1) ?? [];
  const described = hasStatus && schema.properties?.status ? { ...schema, properties: { ...schema.properties, status: OPEN } } : schema;
  return { schema, hasStatus, root: compileSchema(notNegative(described, scaled)) };
}

/**
 * A schema with a field that is not negative, as servers demand of the number that can be scaled.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go (ValidateScaleSpec).
 */
function notNegative(schema: JsonSchema, [field, ...rest]: readonly string[]): JsonSchema {
  const inside = field === undefined || !Object.hasOwn(schema.properties ?? {}, field) ? undefined : schema.properties![field];
  if (!inside) return schema;
  const limited = rest.length > 0 ? notNegative(inside, rest) : { ...inside, minimum: Math.max(0, inside.minimum ?? 0) };
  return { ...schema, properties: { ...schema.properties, [field]: limited } };
}
