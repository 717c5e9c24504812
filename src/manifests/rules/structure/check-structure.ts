import { checkAppliedMetadata, checkKubernetesFinalizers, checkTimes } from './check-applied-metadata';
import { checkMetadata, checkTemplateMetadata } from './check-metadata';
import { KindStructure } from './kind-structure';
import { NameGrammar, namesOf, needsName } from './object-names';
import { StructureFindings } from './structure-findings';
import { STRUCTURE_RULES } from './structure-rules';
import { isNullReplaced, isRead, isReadFirst, isWrittenOver } from './webhook-reads';
import { ManifestObject } from '../../objects/manifest-object';
import { Reading, ValueCheck, ValueFault } from '../../schema/check-value';
import { faultWords, FaultWords } from '../../schema/finding-words';
import { SchemaNode } from '../../schema/schema-node';
import { nameWords, shownValue } from '../../schema/value-words';
import { apiLifecycle, isServedBySome } from '../../values/component-facts';
import { FieldPath, Fields } from '../../values/fields';
import { KUBERNETES_GROUPS } from '../kubernetes-groups';
import { RuleFinding } from '../manifest-rule';

/** Findings of an object that may hold others, whose metadata is checked, too. */
class ObjectFindings extends StructureFindings {
  /** Checks the metadata of an object inside another one. */
  public checkMetadata(metadata: unknown, isTemplate: boolean): void {
    if (isTemplate) checkTemplateMetadata(metadata as Fields, this);
    else checkMetadata(metadata, false, this);
  }
}

/**
 * Checks the fields of an object as an API server does on server-side apply, rules in CEL aside. The status is left alone where it is a subresource.
 * Required fields that a webhook fills in need not be written, and what it writes over may be anything.
 *
 * @param object an object of the kind; its fields may be of any type
 * @param structure what the objects of the kind look like
 * @returns everything that is wrong (`TC-ADMIT-FIELD-…`), in the order of the object
 */
export function checkStructure(object: ManifestObject, structure: KindStructure): readonly RuleFinding[] {
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const findings = new ObjectFindings((fault, path) => versionedWords(fault, path, version, structure));
  const root = structure.versions.get(version);
  if (root) {
    checkObject(root, object, traitsOf(structure, object), findings);
  } else if (!isServedBefore(apiVersion, structure)) {
    findings.at('apiVersion', () => findings.add('version', wrongVersion(version, structure)));
  }
  if (findings.found.length === 0) return findings.found;
  return findings.found.filter(({ rule, path }) => (
    rule === STRUCTURE_RULES.unknown || !(isWrittenOver(object, path) || (rule === STRUCTURE_RULES.type && isNullReplaced(object, path)))));
}

/** The object itself needs a name, and its schema adds nothing to the limits of `metadata`. */
function checkObject(root: SchemaNode, object: ManifestObject, traits: KindTraits, findings: StructureFindings): void {
  findings.enter('metadata');
  checkMetadata(object.metadata, traits.needsName, findings, traits.names);
  checkAppliedMetadata(object.metadata, findings);
  if (traits.reading.typed || traits.isReadFirst) checkTimes(object.metadata, findings);
  if (traits.reading.typed) checkKubernetesFinalizers(object, findings);
  findings.leave();
  new ValueCheck(findings, traits.reading).resource(root, object);
}

/** What holds for all objects of a kind. */
interface KindTraits {
  readonly needsName: boolean;
  readonly names: NameGrammar;
  readonly reading: Reading;

  /** True if a webhook reads objects into Go's types before the server checks them. */
  readonly isReadFirst: boolean;
}

const TRAITS = new WeakMap<KindStructure, KindTraits>();

function traitsOf(structure: KindStructure, object: ManifestObject): KindTraits {
  let traits = TRAITS.get(structure);
  if (!traits) {
    traits = {
      needsName: needsName(object),
      names: namesOf(object),
      reading: { typed: KUBERNETES_GROUPS.has(structure.group), narrow: isRead(object) },
      isReadFirst: isReadFirst(object),
    };
    TRAITS.set(structure, traits);
  }
  return traits;
}

/** True if an older release of Kubernetes that is still supported serves a version: which of them the object goes to is not known. */
function isServedBefore(apiVersion: string, { kind }: KindStructure): boolean {
  const lifecycle = apiLifecycle(apiVersion, kind);
  return lifecycle !== undefined && isServedBySome(lifecycle);
}

function wrongVersion(version: string, { group, kind, release, versions }: KindStructure): FaultWords {
  const served = [...versions.keys()].map((name) => (group === '' ? name : `${group}/${name}`));
  return {
    message: `${shownValue(version)} of ${kind} is not served by ${release}`,
    accepted: nameWords(served),
    fix: `write ${served.at(-1)}, and the fields as that version has them`,
  };
}

/** Fields come and go with versions. */
function versionedWords(fault: ValueFault, path: FieldPath, version: string, { versions }: KindStructure): FaultWords {
  const words = faultWords(fault, path);
  if (fault.code !== 'unknown') return words;
  const [home] = [...versions].find(([other, root]) => other !== version && nodeAt(root, path.slice(0, -1))?.fields?.has(fault.name)) ?? [];
  return home === undefined ? words : {
    message: `${shownValue(fault.name)} is a field of ${home}, and ${version} has none of this name here`,
    accepted: words.accepted,
    fix: `write what ${version} has in its place, or leave it out`,
  };
}

/** The node of a path, as far as the schema describes it. */
function nodeAt(root: SchemaNode, path: FieldPath): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>(
    (node, step) => (typeof step === 'number' ? node?.items : node?.fields?.get(step) ?? node?.values),
    root,
  );
}
