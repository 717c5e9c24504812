import { ChangeCheck, FoundChanges, withoutSecretValues } from './change-check';
import { manifestRules, STRUCTURE_CHECK } from './manifest-rules';
import { ManifestSilence, Silenced, SilencedPart, Silences } from './silences';
import { checkPatch, StructureCheck, withPartOnce } from './structure-check';
import { VALIDATION_RULES } from './validation-rules';
import { withoutVariables } from './variables';
import { groupKind, groupOf, isManifestObject, ManifestObject, nameOf } from '../objects/manifest-object';
import { ManifestChange } from '../rules/changes/transition-rule';
import { ManifestIndex } from '../rules/manifest-index';
import { ExplainedRule, ManifestRule, RuleFinding } from '../rules/manifest-rule';
import { whileUnchanged } from '../rules/of-one-object';
import { UnjudgedDefinition } from '../rules/structure/defined-kind';
import { KindDefinitions, UnusedDefinition } from '../rules/structure/kind-definitions';
import { STRUCTURE_RULES, withoutRepeatedRules } from '../rules/structure/structure-rules';
import { withDefinedKinds } from '../rules/structure/structures';
import { fieldAt, fieldText, stringAt } from '../values/fields';

/**
 * Removes findings about values that SOPS has encrypted, and about the field that it adds: Flux and others decrypt before they apply.
 *
 * Source: getsops/sops aes/cipher.go, stores/stores.go (MetadataKey); fluxcd/kustomize-controller internal/decryptor.
 */
function withoutEncrypted(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  if (findings.length === 0 || stringAt(object, 'sops', 'mac') === undefined) return findings;
  return findings.filter(({ path, rule }) => {
    if (rule.id === STRUCTURE_RULES.rule.id) return false;
    const value = fieldAt(object, ...path);
    return path[0] !== 'sops' && !(typeof value === 'string' && /^ENC\[.*\]$/.test(value));
  });
}

/**
 * Findings without that of fields about the version of an object, where a rule of its system says the same; in a version that is not served, also without
 * traps about missing fields, which may have other names there.
 */
function withVersionOnce(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const isOfVersion = ({ path }: RuleFinding) => path.length === 1 && path[0] === 'apiVersion';
  const ids: readonly string[] = [STRUCTURE_RULES.version.id, STRUCTURE_RULES.release.id];
  const general = findings.find((finding) => ids.includes(finding.rule.id) && isOfVersion(finding));
  if (!general) return findings;
  const others = findings.filter((finding) => finding !== general && (!finding.rule.trap || fieldAt(object, ...finding.path) !== undefined));
  return others.some(isOfVersion) ? others : [general, ...others];
}

/** Something that was found, and in which object. */
export interface FoundProblem {
  readonly finding: RuleFinding;

  /** Value with the fault, which may be no object at all; undefined where the finding is about the call of the validation. */
  readonly object?: unknown;
}

/** A silenced finding. */
export interface SilencedProblem extends FoundProblem {
  readonly reason: string;

  /** True if an annotation of the object silences it. */
  readonly byObject: boolean;
}

/** Findings in manifests. */
export interface ValidationResult {
  /** In the order of the objects, and for each of them in that of the rules. */
  readonly found: readonly FoundProblem[];
  readonly silenced: readonly SilencedProblem[];

  /** Objects whose fields were not looked at, because nothing is known of their kind. */
  readonly unknown: readonly ManifestObject[];

  /** Definitions of kinds of objects that were not used, because servers refuse them. */
  readonly unused: readonly UnusedDefinition[];

  /** Rules in CEL of definitions that objects were not checked against, because only a server can judge them. */
  readonly unjudged: readonly UnjudgedDefinition[];
}

/** The cluster that a group of objects is applied to. */
export interface GroupTarget {
  /** Place of the group with the objects of its management cluster. */
  readonly management: number;
  readonly namespace?: string;
  readonly name: string;
}

/** Options of the validation of manifests. */
export interface ValidationOptions {
  readonly silences: readonly ManifestSilence[];

  /** Silences for some of the objects; of several that hold an object the first one counts. */
  readonly parts?: readonly SilencedPart[];

  /** True if kinds that are not known are findings. */
  readonly strict: boolean;

  /**
   * CustomResourceDefinitions of kinds, beside those among the objects, before which they go.
   *
   * @default - none
   */
  readonly definitions?: readonly unknown[];

  /**
   * Patches of kustomize: only fields that they have are checked.
   *
   * @default - none
   */
  readonly patches?: readonly ManifestObject[];

  /**
   * The former objects, by place as those that are validated: their changes are checked, too.
   *
   * @default - changes are not checked
   */
  readonly before?: readonly (readonly unknown[])[];

  /**
   * The clusters that groups of objects are applied to, by the place of the group.
   *
   * @default - not known
   */
  readonly targets?: readonly (GroupTarget | undefined)[];

  /**
   * Findings in changes, found before.
   *
   * @default - changes are not checked
   */
  readonly changes?: FoundChanges;

  /**
   * Called while objects are checked, with the number of those that are done and of all in their group.
   *
   * @default - not called
   */
  readonly onChecked?: (done: number, total: number) => void;
}

/** Checks objects against rules. Each object is checked once, by the rules of its kind alone. */
export class ManifestValidator {
  private readonly rules: readonly { readonly rule: ManifestRule; readonly kinds: ReadonlySet<string> }[];
  private readonly byKind = new Map<string, readonly ManifestRule[]>();
  private readonly changes = new ChangeCheck();
  private readonly ids: ReadonlySet<string>;

  /**
   * @param rules the rules
   * @param structure what compares fields with what is known of kinds
   */
  public constructor(rules: readonly ManifestRule[] = manifestRules(), private readonly structure: StructureCheck = STRUCTURE_CHECK) {
    this.rules = rules.map((rule) => ({ rule, kinds: new Set(rule.kinds) }));
    const { kind, part, variables } = VALIDATION_RULES;
    const known: readonly ExplainedRule[] = [...rules, ...structure.rules, ...this.changes.rules, kind, part, variables];
    this.ids = new Set(known.map(({ id }) => id));
  }

  /**
   * Validates objects.
   *
   * @param groups the objects of each place that things are applied to together: references are looked up among these
   */
  public validate(groups: readonly (readonly unknown[])[], options: ValidationOptions): ValidationResult {
    const definitions = new KindDefinitions(options.definitions ?? [], groups.flat(), options.before?.flat() ?? []);
    const result = withDefinedKinds(definitions, () => whileUnchanged(() => this.validateAll(groups, options, definitions)));
    return { ...result, unused: definitions.unused, unjudged: definitions.unjudged };
  }

  /**
   * Returns what is wrong with an object that was not wrong with it before, and with what became of it, apart from what the object silences.
   *
   * @param change the object before and now
   */
  public checkChange(change: ManifestChange): readonly RuleFinding[] {
    const { before, after, old, now } = change;
    const found = after ? this.check(after, now) : [];
    const known = new Set(found.length > 0 && before ? this.check(before, old).map(keyOf) : []);
    const findings = [
      ...after ? withoutSecretValues(found.filter((finding) => !known.has(keyOf(finding))), after) : [], ...this.changes.check(change),
    ];
    if (findings.length === 0) return findings;
    const silences = new Silences([], this.ids);
    return (after ? silences.apply(after, findings) : silences.applyToGone(before!, findings)).left.filter((finding) => findings.includes(finding));
  }

  private validateAll(
    groups: readonly (readonly unknown[])[], options: ValidationOptions, definitions: KindDefinitions,
  ): Omit<ValidationResult, 'unused' | 'unjudged'> {
    const { silences: given, parts, strict, before, changes, targets } = options;
    const asleep = before || changes ? [] : this.changes.rules.map(({ id }) => id);
    const silences = new Silences(given, this.ids, parts, new Set(asleep));
    const found: FoundProblem[] = [];
    const silenced: SilencedProblem[] = [];
    const unknown: ManifestObject[] = [];
    const add = (object: ManifestObject, sorted: Silenced): void => {
      for (const finding of sorted.left) found.push({ finding, object });
      for (const entry of sorted.silenced) silenced.push({ ...entry, object });
    };
    const objectsOf = groups.map((group) => group.filter(isManifestObject));
    const management = new Map<number, ManifestIndex>();
    groups.forEach((group, at) => {
      const objects = objectsOf[at];
      const index = indexOf(at, objectsOf, management, targets?.[at]);
      const compared = before && this.changes.compare(before[at]?.filter(isManifestObject) ?? [], objects, index);
      const checked = this.checkAll(group, index, options.onChecked);
      group.forEach((object, position) => {
        if (!isManifestObject(object)) {
          found.push({ finding: noObject(object), object });
          return;
        }
        const known = this.structure.knows(object);
        if (!known) unknown.push(object);
        add(object, silences.apply(object, [
          ...withoutSecretValues([...(strict && !known ? [unknownKind(object, definitions)] : []), ...checked.get(position) ?? []], object),
          ...compared?.ofNow(object) ?? [], ...changes?.ofNow.get(object) ?? [],
        ]));
      });
      for (const { object, findings } of compared?.ofGone() ?? []) add(object, silences.applyToGone(object, findings));
    });
    for (const patch of options.patches ?? []) {
      if (!this.structure.knows(patch)) unknown.push(patch);
      const findings = withoutVariables(patch, withoutEncrypted(patch, checkPatch(this.structure, patch)));
      add(patch, silences.apply(patch, withoutSecretValues(findings, patch)));
    }
    for (const { object, findings } of changes?.gone ?? []) add(object, silences.applyToGone(object, findings));
    return { found: [...toldOnce(found), ...silences.sharedFindings.map((finding) => ({ finding }))], silenced, unknown };
  }

  /**
   * Findings in objects, by their position, where there are any. Objects of one kind are checked one after the other: among thousands of
   * objects, a processor has to hand only what it has just used, and the rules of all kinds are too much for that.
   */
  private checkAll(group: readonly unknown[], index: ManifestIndex, onChecked?: ValidationOptions['onChecked']): ReadonlyMap<number, readonly RuleFinding[]> {
    const kinds = new Map<string, number[]>();
    group.forEach((object, position) => {
      if (!isManifestObject(object)) return;
      const same = kinds.get(groupKind(object));
      if (same) same.push(position);
      else kinds.set(groupKind(object), [position]);
    });
    const found = new Map<number, readonly RuleFinding[]>();
    let done = 0;
    for (const position of [...kinds.values()].flat()) {
      onChecked?.(++done, group.length);
      const findings = this.check(group[position] as ManifestObject, index);
      if (findings.length > 0) found.set(position, findings);
    }
    return found;
  }

  private check(object: ManifestObject, index: ManifestIndex): readonly RuleFinding[] {
    const findings = [...withPartOnce(object, this.structure.check(object))];
    for (const rule of this.rulesOf(groupKind(object))) {
      const found = rule.check(object, index);
      // Nearly always there is nothing.
      if (found.length > 0) findings.push(...found.map((finding) => ({ ...finding, rule })));
    }
    return withoutVariables(object, withoutEncrypted(object, withoutRepeatedRules(withVersionOnce(object, findings))));
  }

  private rulesOf(kind: string): readonly ManifestRule[] {
    let found = this.byKind.get(kind);
    if (!found) {
      const hasSuffix = ({ kindSuffix }: ManifestRule) => kindSuffix !== undefined && kind.endsWith(kindSuffix);
      found = this.rules.filter(({ rule, kinds }) => kinds.has(kind) || hasSuffix(rule)).map(({ rule }) => rule);
      this.byKind.set(kind, found);
    }
    return found;
  }
}

/** The objects of a group, which knows those of its management cluster. */
function indexOf(
  at: number, groups: readonly (readonly ManifestObject[])[], management: Map<number, ManifestIndex>, target: GroupTarget | undefined,
): ManifestIndex {
  if (target) return new ManifestIndex(groups[at], { ...target, management: indexOf(target.management, groups, management, undefined) });
  const index = management.get(at) ?? new ManifestIndex(groups[at]);
  management.set(at, index);
  return index;
}

/** The same for a finding in two states of an object. */
function keyOf({ rule, path }: RuleFinding): string {
  return `${rule.id} ${fieldText(path)}`;
}

/** Findings without those about an object that is gone, if a rule over changes tells of them at that object. */
function toldOnce(found: readonly FoundProblem[]): readonly FoundProblem[] {
  if (!found.some(({ finding }) => finding.rule.toldBy !== undefined)) return found;
  const told = new Set(found.map(({ finding, object }) => `${finding.rule.id} ${isManifestObject(object) ? nameOf(object) : ''}`));
  return found.filter(({ finding: { rule, path }, object }) => (
    rule.toldBy === undefined || !told.has(`${rule.toldBy} ${String(fieldAt(object, ...path))}`)));
}

function noObject(value: unknown): RuleFinding {
  return {
    rule: VALIDATION_RULES.object,
    path: [],
    message: `${(JSON.stringify(value) ?? String(value)).slice(0, 80)} is no object with apiVersion and kind`,
    fix: 'leave it out, or write both fields',
  };
}

function unknownKind(object: ManifestObject, definitions: KindDefinitions): RuleFinding {
  const { apiVersion, kind } = object;
  const reason = definitions.ofGroup(groupOf(object))?.get(String(kind))?.fault;
  return {
    rule: VALIDATION_RULES.kind,
    path: ['kind'],
    message: reason === undefined ? `nothing is known of ${String(kind)} in ${String(apiVersion)}, so that its fields are not looked at`
      : `API servers refuse the definition of ${String(kind)}, so that its fields are not looked at: ${reason}`,
    fix: reason === undefined ? 'validate it with its CustomResourceDefinition, or correct the group in apiVersion and the kind' : 'correct the definition',
  };
}
