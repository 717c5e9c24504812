import { checkCount, checkScalar, checkType } from './check-limits';
import { checkMetadata } from './check-metadata';
import { KindStructure, StructureNode } from './kind-structure';
import { StructureFindings } from './structure-findings';
import { STRUCTURE_RULES } from './structure-rules';
import { OtherVersion, unknownField } from './unknown-field';
import { acceptedWords, nameWords, shownValue } from './value-words';
import { isFilledIn } from './webhook-defaults';
import { Fields, isFields, ManifestObject } from '../../../images/manifest-object';
import { ManifestFinding, RuleFinding } from '../manifest-rule';

/** Fields that every object of Kubernetes has, whatever its schema says. */
const OBJECT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Checks the fields of an object as an API server does, rules in CEL aside. Fields that it would fill in by default count as written, and null
 * counts as not written where it may not be null, as it does there (kubernetes/kubernetes
 * staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/prunenulls.go). The status is left alone where it is a subresource.
 *
 * Required fields that a webhook fills in need not be written.
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
    const others = [...structure.versions].filter(([name]) => name !== version).map(([name, other]) => ({ name, root: other }));
    new Check(findings, others).resource(root, object);
  } else {
    findings.at('apiVersion', () => findings.add('version', wrongVersion(version, structure)));
  }
  return findings.found.filter(({ rule, path }) => rule !== STRUCTURE_RULES.required || !isFilledIn(structure.group, structure.kind, path));
}

function wrongVersion(version: string, { group, kind, release, versions }: KindStructure): Omit<ManifestFinding, 'path'> {
  const served = [...versions.keys()].map((name) => `${group}/${name}`);
  return {
    message: `${shownValue(version)} of ${kind} is not served by ${release}`,
    accepted: nameWords(served),
    fix: `write ${served.at(-1)}, and the fields as that version has them`,
  };
}

/** One object that is looked at. */
class Check {
  public constructor(private readonly findings: StructureFindings, private readonly otherVersions: readonly OtherVersion[]) {}

  /** The object itself: its name is needed, and what its schema says of `metadata` adds nothing. */
  public resource(root: StructureNode, object: Fields): void {
    this.findings.at('metadata', () => checkMetadata(object.metadata, true, this.findings));
    this.fields(root, object, undefined, OBJECT_FIELDS);
  }

  private value(node: StructureNode, value: unknown, parent: StructureNode | undefined): void {
    if (value === null && node.nullable) return;
    if (!checkType(node, value, this.findings)) return;
    if (Array.isArray(value)) this.list(node, value);
    else if (isFields(value)) this.map(node, value, parent);
    else checkScalar(node, value, this.findings);
  }

  private map(node: StructureNode, map: Fields, parent: StructureNode | undefined): void {
    if (!node.embedded) return this.fields(node, map, parent, new Set());
    for (const name of ['apiVersion', 'kind']) {
      if (typeof map[name] !== 'string' || map[name] === '') this.missing(name, { type: 'string' });
    }
    this.findings.at('metadata', () => checkMetadata(map.metadata, false, this.findings));
    this.fields(node, map, parent, OBJECT_FIELDS);
  }

  /** @param own fields that are looked at elsewhere */
  private fields(node: StructureNode, map: Fields, parent: StructureNode | undefined, own: ReadonlySet<string>): void {
    const { findings, otherVersions } = this;
    const written = new Set<string>();
    for (const name of Object.keys(map)) {
      const value = map[name];
      if (value === undefined) continue;
      const inside = node.fields?.get(name) ?? node.values;
      if (!isDropped(inside, value)) written.add(name);
      if (own.has(name)) continue;
      if (inside) {
        if (written.has(name)) findings.at(name, () => this.value(inside, value, node));
      } else if (!node.open) {
        const { path } = findings;
        findings.at(name, () => findings.add('unknown', unknownField({ name, node, map, path, parent, otherVersions })));
      }
    }
    this.completeness(node, written);
  }

  private completeness(node: StructureNode, written: ReadonlySet<string>): void {
    const isThere = (name: string): boolean => written.has(name) || node.fields?.get(name)?.default !== undefined;
    const missing = (node.required ?? []).filter((name) => !isThere(name));
    for (const name of missing) this.missing(name, node.fields?.get(name) ?? {});
    if (missing.length > 0 || (node.minProperties === undefined && node.maxProperties === undefined)) return;
    const added = [...node.fields ?? []].filter(([name, child]) => child.default !== undefined && !written.has(name)).length;
    checkCount(node.minProperties, node.maxProperties, written.size + added, 'field', this.findings);
  }

  private missing(name: string, node: StructureNode): void {
    const accepted = acceptedWords(node);
    this.findings.at(name, () => this.findings.add('required', { message: 'it is required, and it is not there', accepted, fix: `add ${shownValue(name)}` }));
  }

  private list(node: StructureNode, list: readonly unknown[]): void {
    const { items } = node;
    checkCount(node.minItems, node.maxItems, list.length, 'entry', this.findings);
    if (items) list.forEach((entry, index) => this.findings.at(index, () => this.value(items, entry, undefined)));
    if (node.set || node.keys) this.duplicates(node, list);
  }

  private duplicates(node: StructureNode, list: readonly unknown[]): void {
    const { findings } = this;
    const first = new Map<string, number>();
    list.forEach((entry, index) => {
      const identity = identityOf(node, entry);
      if (identity === undefined) return;
      const earlier = first.get(identity);
      if (earlier === undefined) {first.set(identity, index);} else {
        findings.at(index, () => findings.add('duplicate', {
          message: node.keys ? `it has the ${node.keys.join(' and ')} of entry ${earlier}` : `${shownValue(entry)} is entry ${earlier} once more`,
          accepted: 'each one once',
          fix: node.keys ? 'remove one of them, or merge them' : 'remove it',
        }));
      }
    });
  }
}

/** Whether a server takes a value for one that was not written: with a default it takes the default. */
function isDropped(node: StructureNode | undefined, value: unknown): boolean {
  return value === null && node !== undefined && !node.nullable;
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
