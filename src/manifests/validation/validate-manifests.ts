import { ChangeCheck, FoundChanges, withoutSecretValues } from './change-check';
import { manifestRules, STRUCTURE_CHECK } from './manifest-rules';
import { ManifestSilence, Silenced, SilencedPart, Silences } from './silences';
import { checkPatch, StructureCheck } from './structure-check';
import { VALIDATION_RULES } from './validation-rules';
import { withoutVariables } from './variables';
import { groupKind, isManifestObject, ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { ExplainedRule, ManifestRule, RuleFinding } from '../rules/manifest-rule';
import { whileUnchanged } from '../rules/of-one-object';
import { fieldAt, stringAt } from '../values/fields';

/**
 * Removes findings about values that SOPS has encrypted, and about the field that it adds: Flux and others decrypt before they apply.
 *
 * Source: getsops/sops aes/cipher.go, stores/stores.go (MetadataKey); fluxcd/kustomize-controller internal/decryptor.
 */
function withoutEncrypted(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  if (findings.length === 0 || stringAt(object, 'sops', 'mac') === undefined) return findings;
  return findings.filter(({ path }) => {
    const value = fieldAt(object, ...path);
    return path[0] !== 'sops' && !(typeof value === 'string' && /^ENC\[.*\]$/.test(value));
  });
}

/** Something that was found, and in which object. */
export interface FoundProblem {
  readonly finding: RuleFinding;

  /** What it was found in, which may be no object at all; undefined where it is about how validation was called. */
  readonly object?: unknown;
}

/** A silenced finding. */
export interface SilencedProblem extends FoundProblem {
  readonly reason: string;

  /** True if an annotation of the object silences it. */
  readonly byObject: boolean;
}

/** What was found in manifests. */
export interface ValidationResult {
  /** In the order of the objects, and for each of them in that of the rules. */
  readonly found: readonly FoundProblem[];
  readonly silenced: readonly SilencedProblem[];

  /** Objects whose fields were not looked at, because nothing is known of their kind. */
  readonly unknown: readonly ManifestObject[];
}

/** How manifests are validated. */
export interface ValidationOptions {
  readonly silences: readonly ManifestSilence[];

  /** Silences for some of the objects; of several that hold an object the first one counts. */
  readonly parts?: readonly SilencedPart[];

  /** True if kinds that are not known are findings. */
  readonly strict: boolean;

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
   * What was found in changes already.
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
    const known: readonly ExplainedRule[] = [...rules, ...structure.rules, ...this.changes.rules, VALIDATION_RULES.kind, VALIDATION_RULES.variables];
    this.ids = new Set(known.map(({ id }) => id));
  }

  /**
   * Validates objects.
   *
   * @param groups the objects of each place that things are applied to together: references are looked up among these
   */
  public validate(groups: readonly (readonly unknown[])[], options: ValidationOptions): ValidationResult {
    return whileUnchanged(() => this.validateAll(groups, options));
  }

  private validateAll(groups: readonly (readonly unknown[])[], options: ValidationOptions): ValidationResult {
    const { silences: given, parts, strict, before, changes } = options;
    const asleep = before || changes ? [] : this.changes.rules.map(({ id }) => id);
    const silences = new Silences(given, this.ids, parts, new Set(asleep));
    const found: FoundProblem[] = [];
    const silenced: SilencedProblem[] = [];
    const unknown: ManifestObject[] = [];
    const add = (object: ManifestObject, sorted: Silenced): void => {
      for (const finding of sorted.left) found.push({ finding, object });
      for (const entry of sorted.silenced) silenced.push({ ...entry, object });
    };
    groups.forEach((group, at) => {
      const objects = group.filter(isManifestObject);
      const index = new ManifestIndex(objects);
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
          ...withoutSecretValues([...(strict && !known ? [unknownKind(object)] : []), ...checked.get(position) ?? []], object),
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
    return { found: [...found, ...silences.sharedFindings.map((finding) => ({ finding }))], silenced, unknown };
  }

  /**
   * What is found in objects, by their position, where it is anything. Those of one kind are looked at one after the other: among thousands of
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
    const findings = [...this.structure.check(object)];
    for (const rule of this.rulesOf(groupKind(object))) {
      const found = rule.check(object, index);
      // Nearly always there is nothing.
      if (found.length > 0) findings.push(...found.map((finding) => ({ ...finding, rule })));
    }
    return withoutVariables(object, withoutEncrypted(object, findings));
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

function noObject(value: unknown): RuleFinding {
  return {
    rule: VALIDATION_RULES.object,
    path: [],
    message: `${(JSON.stringify(value) ?? String(value)).slice(0, 80)} is no object with apiVersion and kind`,
    fix: 'leave it out, or write both fields',
  };
}

function unknownKind({ apiVersion, kind }: ManifestObject): RuleFinding {
  return {
    rule: VALIDATION_RULES.kind,
    path: ['kind'],
    message: `nothing is known of ${String(kind)} in ${String(apiVersion)}, so that its fields are not looked at`,
    fix: 'correct the group in apiVersion and the kind, or silence this where it is meant',
  };
}
