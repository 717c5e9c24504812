import { checkAppliedMetadata, checkKubernetesFinalizers, checkTimes } from './check-applied-metadata';
import { checkCount, checkReadNumber, checkScalar, checkType, checkWholeNumber } from './check-limits';
import { checkMetadata, checkTemplateMetadata } from './check-metadata';
import { KindStructure, StructureNode } from './kind-structure';
import { NameGrammar, namesOf, needsName } from './object-names';
import { StructureFindings } from './structure-findings';
import { STRUCTURE_RULES } from './structure-rules';
import { unknownField } from './unknown-field';
import { acceptedWords, nameWords, shownValue, typeWords } from './value-words';
import { isRead, isReadFirst, isWrittenOver } from './webhook-reads';
import { Fields, isFields, ManifestObject } from '../../../images/manifest-object';
import { KUBERNETES_GROUPS } from '../kubernetes-groups';
import { ManifestFinding, RuleFinding } from '../manifest-rule';

/** Fields that every object of Kubernetes has, whatever its schema says. */
const OBJECT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Checks the fields of an object as an API server does on server-side apply, rules in CEL aside. Fields that it would fill in by default count as
 * written. Null counts as not written in Kubernetes' own kinds, which Go reads, and where there is a default; elsewhere only the other ways of
 * writing an object drop it (kubernetes/kubernetes
 * staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/{algorithm,prunenulls}.go). The status is left alone where it is a
 * subresource.
 *
 * Required fields that a webhook fills in need not be written, and what it writes over may be anything.
 *
 * The time it takes grows with the object, and it goes only as deep as the schema.
 *
 * @param object an object of the kind; its fields may be of any type
 * @param structure what the objects of the kind look like
 * @returns everything that is wrong (`TC-ADMIT-FIELD-…`), in the order of the object
 */
export function checkStructure(object: ManifestObject, structure: KindStructure): readonly RuleFinding[] {
  const findings = new StructureFindings();
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const root = structure.versions.get(version);
  if (root) {
    new Check(findings, version, structure, traitsOf(structure, object)).resource(root, object);
  } else {
    findings.at('apiVersion', () => findings.add('version', wrongVersion(version, structure)));
  }
  if (findings.found.length === 0) return findings.found;
  return findings.found.filter(({ rule, path }) => rule === STRUCTURE_RULES.unknown || !isWrittenOver(object, path));
}

/** What is said of all objects of a kind. */
interface KindTraits {
  readonly needsName: boolean;
  readonly names: NameGrammar;

  /** Whether the kind is one of Kubernetes' own, whose objects Go reads into types. */
  readonly isKubernetes: boolean;

  /** Whether a webhook does so with an object of another kind, and whether before the server has looked at it. */
  readonly isRead: boolean;
  readonly isReadFirst: boolean;
}

const TRAITS = new WeakMap<KindStructure, KindTraits>();

function traitsOf(structure: KindStructure, object: ManifestObject): KindTraits {
  let traits = TRAITS.get(structure);
  if (!traits) {
    traits = {
      needsName: needsName(object),
      names: namesOf(object),
      isKubernetes: KUBERNETES_GROUPS.has(structure.group),
      isRead: isRead(object),
      isReadFirst: isReadFirst(object),
    };
    TRAITS.set(structure, traits);
  }
  return traits;
}

function wrongVersion(version: string, { group, kind, release, versions }: KindStructure): Omit<ManifestFinding, 'path'> {
  const served = [...versions.keys()].map((name) => (group === '' ? name : `${group}/${name}`));
  return {
    message: `${shownValue(version)} of ${kind} is not served by ${release}`,
    accepted: nameWords(served),
    fix: `write ${served.at(-1)}, and the fields as that version has them`,
  };
}

const NO_FIELDS: ReadonlySet<string> = new Set();

/** One object that is looked at. */
class Check {
  private readonly isKubernetes: boolean;

  public constructor(
    private readonly findings: StructureFindings, private readonly version: string, private readonly structure: KindStructure,
    private readonly traits: KindTraits,
  ) {
    this.isKubernetes = traits.isKubernetes;
  }

  /** The object itself: its name is needed, and what its schema says of `metadata` adds nothing. */
  public resource(root: StructureNode, object: Fields): void {
    const { findings, traits } = this;
    findings.enter('metadata');
    checkMetadata(object.metadata, traits.needsName, findings, traits.names);
    checkAppliedMetadata(object.metadata, findings);
    if (traits.isKubernetes || traits.isReadFirst) checkTimes(object.metadata, findings);
    if (traits.isKubernetes) checkKubernetesFinalizers(object, findings);
    findings.leave();
    this.fields(root, object, undefined, OBJECT_FIELDS);
  }

  private value(node: StructureNode, value: unknown, parent: StructureNode | undefined): void {
    if (value === null && node.nullable) return;
    if (!checkType(node, value, this.findings)) return;
    if (Array.isArray(value)) this.list(node, value);
    else if (isFields(value)) this.map(node, value, parent);
    else this.scalar(node, value);
  }

  private scalar(node: StructureNode, value: unknown): void {
    checkScalar(node, value, this.findings);
    if (!this.isKubernetes) checkWholeNumber(node, value, this.findings);
    if (this.traits.isRead) checkReadNumber(node, value, this.findings);
  }

  private map(node: StructureNode, map: Fields, parent: StructureNode | undefined): void {
    if (node.metadata) return checkTemplateMetadata(map, this.findings);
    if (!node.embedded) return this.fields(node, map, parent, NO_FIELDS);
    for (const name of ['apiVersion', 'kind']) {
      if (typeof map[name] !== 'string' || map[name] === '') this.missing(name, { type: 'string' });
    }
    this.findings.at('metadata', () => checkMetadata(map.metadata, false, this.findings));
    this.fields(node, map, parent, OBJECT_FIELDS);
  }

  /** @param own fields that are looked at elsewhere */
  private fields(node: StructureNode, map: Fields, parent: StructureNode | undefined, own: ReadonlySet<string>): void {
    const { findings } = this;
    for (const name of Object.keys(map)) {
      const value = map[name];
      if (value === undefined || own.has(name)) continue;
      const inside = node.fields?.get(name) ?? node.values;
      if (inside) {
        // Most values: nothing more is asked of them, so that nothing has to be known of where they are.
        if (inside.anyOf !== undefined && typeof value === inside.anyOf) continue;
        if (value === null && this.isUnwritten(node, name)) continue;
        findings.enter(name);
        if (value === null && inside.type !== undefined && !inside.nullable) findings.add('type', nullFinding(inside));
        else this.value(inside, value, node);
        findings.leave();
      } else if (!node.open) {
        this.unknown(name, node, map, parent);
      }
    }
    if (node.required || node.minProperties !== undefined || node.maxProperties !== undefined) this.completeness(node, map);
  }

  private unknown(name: string, node: StructureNode, map: Fields, parent: StructureNode | undefined): void {
    const { findings, version, structure } = this;
    const { path } = findings;
    const otherVersions = [...structure.versions].filter(([other]) => other !== version).map(([other, root]) => ({ name: other, root }));
    findings.at(name, () => findings.add('unknown', unknownField({ name, node, map, path, parent, version, otherVersions })));
  }

  private completeness(node: StructureNode, map: Fields): void {
    let isComplete = true;
    for (const name of node.required ?? []) {
      const field = node.fields?.get(name);
      if (isWritten(node, map, name) || field?.default !== undefined) continue;
      this.missing(name, field ?? {});
      isComplete = false;
    }
    if (!isComplete || (node.minProperties === undefined && node.maxProperties === undefined)) return;
    const added = [...node.fields ?? []].filter(([name, child]) => child.default !== undefined && !isWritten(node, map, name)).length;
    const written = Object.keys(map).filter((name) => isWritten(node, map, name)).length;
    checkCount(node.minProperties, node.maxProperties, written + added, 'field', this.findings);
  }

  /** Whether nothing is to be said of null in a field: it is as if it were not written, or it is missing, which is said elsewhere. */
  private isUnwritten({ fields, values, required = [] }: StructureNode, name: string): boolean {
    const field = fields?.get(name);
    if (!field) return values !== undefined && this.isKubernetes;
    return !field.nullable && (this.isKubernetes || field.default !== undefined || required.includes(name));
  }

  private missing(name: string, node: StructureNode): void {
    const accepted = acceptedWords(node);
    this.findings.at(name, () => this.findings.add('required', { message: 'it is required, and it is not there', accepted, fix: `add ${shownValue(name)}` }));
  }

  private list(node: StructureNode, list: readonly unknown[]): void {
    const { items } = node;
    checkCount(node.minItems, node.maxItems, list.length, 'entry', this.findings);
    if (items) {
      for (let index = 0; index < list.length; index++) {
        if (items.anyOf !== undefined && typeof list[index] === items.anyOf) continue;
        this.findings.enter(index);
        this.entry(items, list[index]);
        this.findings.leave();
      }
    }
    if ((node.set || node.keys) && list.length > 1) this.duplicates(node, list);
    if (this.isKubernetes && node.keys) this.keyless(node.keys, node, list);
  }

  /** Server-side apply cannot tell entries apart that have no key. */
  private keyless(keys: readonly string[], { items }: StructureNode, list: readonly unknown[]): void {
    list.forEach((entry, index) => {
      const map = entry ?? {};
      if (!isFields(map) || keys.some((key) => map[key] !== undefined && map[key] !== null)) return;
      const isSaidElsewhere = keys.some((key) => items?.required?.includes(key) || items?.fields?.get(key)?.default !== undefined);
      if (!isSaidElsewhere) this.findings.at(index, () => this.missing(keys[0], { type: 'string' }));
    });
  }

  private entry(items: StructureNode, entry: unknown): void {
    // Go reads null into an empty map, an empty text or 0.
    if (!this.isKubernetes || entry !== null) this.value(items, entry, undefined);
    else if (items.type === 'object') this.value(items, {}, undefined);
    else if (items.enum) this.value(items, '', undefined);
  }

  private duplicates(node: StructureNode, list: readonly unknown[]): void {
    const { findings } = this;
    const first = new Map<string, number>();
    list.forEach((entry, index) => {
      const identity = identityOf(node, entry);
      if (identity === undefined) return;
      const earlier = first.get(identity);
      if (earlier === undefined) {
        first.set(identity, index);
      } else {
        findings.at(index, () => findings.add('duplicate', {
          message: node.keys ? `it has the ${node.keys.join(' and ')} of entry ${earlier}` : `${shownValue(entry)} is entry ${earlier} once more`,
          accepted: 'each one once',
          fix: node.keys ? 'remove one of them, or merge them' : 'remove it',
        }));
      }
    });
  }
}

/** Whether a server finds something in a field. */
function isWritten(node: StructureNode, map: Fields, name: string): boolean {
  if (!Object.hasOwn(map, name) || map[name] === undefined) return false;
  return map[name] !== null || (node.fields?.get(name) ?? node.values)?.nullable === true;
}

function nullFinding({ type }: StructureNode): Omit<ManifestFinding, 'path'> {
  return {
    message: 'nothing is written, which is null',
    accepted: typeWords(type!),
    fix: 'leave the field out: server-side apply stores null, and only other ways of writing an object drop it',
  };
}

/** What tells an entry from others; undefined for one that has no business in the list, which is reported as such. */
function identityOf({ keys, items }: StructureNode, entry: unknown): string | undefined {
  if (!keys) return isScalar(entry) ? JSON.stringify(entry) : undefined;
  if (!isFields(entry)) return undefined;
  const values = keys.map((key) => (Object.hasOwn(entry, key) ? entry[key] : undefined) ?? items?.fields?.get(key)?.default ?? null);
  return values.every((value) => value === null || isScalar(value)) ? JSON.stringify(values) : undefined;
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
