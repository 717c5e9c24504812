import { DefinedKinds, KindScope, KindStructure, KUBERNETES_GROUPS } from './kind-structure';
import { UnjudgedRule } from '../../cel/broken-rules';
import { groupKind, isManifestObject, ManifestObject } from '../../objects/manifest-object';
import { checkKeywords } from '../../schema/check-keywords';
import { compileSchema, JsonSchema, SchemaNode } from '../../schema/schema-node';
import { checkStructuralSchema, isTooDeep } from '../../schema/structural-schema';
import { fieldAt, Fields, fieldText, isFields, objectsAt, stringAt } from '../../values/fields';

/** The kind of definitions of kinds. */
export const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';

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

/** A definition that objects are not checked against, and the reason. */
export interface UnusedDefinition {
  readonly definition: ManifestObject;

  /** Its fault. No full stop at the end. */
  readonly reason: string;
}

/** A rule in CEL of a definition that only a server can judge. */
export interface UnjudgedDefinition {
  readonly definition: ManifestObject;
  readonly rule: string;

  /** Why. No full stop at the end. */
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

  public constructor(public readonly group: string, public readonly kind: string, public readonly definition: ManifestObject) {
    this.plural = stringAt(definition, 'spec', 'names', 'plural') ?? '';
    this.release = `the definition ${stringAt(definition, 'metadata', 'name') ?? `of ${kind}`}`;
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

/** The kinds of definitions among objects. */
export class KindDefinitions implements DefinedKinds {
  private readonly byGroup = new Map<string, Map<string, DefinedKind>>();
  private readonly refused = new Set<DefinedKind>();

  /** @param levels objects, with or without definitions among them: the first that have definitions of a kind count alone for it */
  public constructor(...levels: readonly (readonly unknown[])[]) {
    for (const objects of levels) {
      const known = new Set([...this.all()].map(({ group, kind }) => `${group}/${kind}`));
      this.addAll(objects, (name) => !known.has(name));
    }
  }

  public get groups(): readonly string[] {
    return [...this.byGroup.keys()];
  }

  /** Definitions of kinds that were looked up, and that API servers refuse. */
  public get unused(): readonly UnusedDefinition[] {
    return [...this.refused].map(({ definition, fault }) => ({ definition, reason: fault! }));
  }

  /** Rules in CEL that objects were not checked against. */
  public get unjudged(): readonly UnjudgedDefinition[] {
    return [...this.all()].flatMap(({ unjudged }) => unjudged);
  }

  public find(group: string, kind: string): DefinedKind | undefined {
    const found = this.byGroup.get(group)?.get(kind);
    if (found?.fault === undefined) return found;
    this.refused.add(found);
    return found.others.find(({ fault }) => fault === undefined);
  }

  public ofGroup(group: string): ReadonlyMap<string, DefinedKind> | undefined {
    return this.byGroup.get(group);
  }

  private* all(): Iterable<DefinedKind> {
    for (const kinds of this.byGroup.values()) {
      for (const kind of kinds.values()) {
        yield kind;
        yield* kind.others;
      }
    }
  }

  private addAll(objects: readonly unknown[], isWanted: (name: string) => boolean): void {
    const texts = new Map<string, Set<string>>();
    for (const definition of objects.filter(isDefinition)) {
      const [group, kind] = [stringAt(definition, 'spec', 'group'), stringAt(definition, 'spec', 'names', 'kind')];
      const name = `${group}/${kind}`;
      if (group === undefined || kind === undefined || KUBERNETES_GROUPS.has(group) || !isWanted(name)) continue;
      const kinds = this.byGroup.get(group) ?? new Map<string, DefinedKind>();
      this.byGroup.set(group, kinds);
      const known = kinds.get(kind);
      if (!known) {
        kinds.set(kind, new DefinedKind(group, kind, definition));
        continue;
      }
      // Clusters of a repository have the same definition each, or differ in releases.
      const same = texts.get(name) ?? new Set([JSON.stringify(known.definition.spec)]);
      texts.set(name, same);
      const text = JSON.stringify(definition.spec);
      if (!same.has(text)) known.others.push(new DefinedKind(group, kind, definition));
      same.add(text);
    }
  }
}

/** True of a definition, but for patches of one, which have no versions. */
export function isDefinition(object: unknown): object is ManifestObject {
  return isManifestObject(object) && groupKind(object) === DEFINITION && objectsAt(object, 'spec', 'versions').length > 0;
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
