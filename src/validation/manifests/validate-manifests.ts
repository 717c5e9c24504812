import { KUBERNETES_GROUPS } from './kubernetes-groups';
import { ManifestIndex } from './manifest-index';
import { ExplainedRule, ManifestRule, RuleFinding } from './manifest-rule';
import { MANIFEST_RULES, STRUCTURE_CHECK } from './manifest-rules';
import { ManifestSilence, Silences } from './silences';
import { StructureCheck } from './structure-check';
import { VALIDATION_RULES } from './validation-rules';
import { groupKind, groupOf, isFields, ManifestObject } from '../../images/manifest-object';

/** Something that was found, and in which object. */
export interface FoundProblem {
  readonly finding: RuleFinding;

  /** What it was found in, which may be no object at all; undefined where it is about how validation was called. */
  readonly object?: unknown;
}

/** Something that was found, and that somebody does not want to hear of. */
export interface SilencedProblem extends FoundProblem {
  readonly reason: string;

  /** Whether the object itself says so. */
  readonly byObject: boolean;
}

/** What was found in manifests. */
export interface ValidationResult {
  /** In the order of the objects, and for each of them in that of the rules. */
  readonly found: readonly FoundProblem[];
  readonly silenced: readonly SilencedProblem[];

  /** Objects whose fields were not looked at, because nothing is known of their kind; those of Kubernetes itself do not count. */
  readonly unknown: readonly ManifestObject[];
}

/** How manifests are validated. */
export interface ValidationOptions {
  readonly silences: readonly ManifestSilence[];

  /** Whether kinds that are not known are findings. */
  readonly strict: boolean;
}

/** Holds objects to rules. Each object is looked at once, by the rules of its kind alone. */
export class ManifestValidator {
  private readonly byKind = new Map<string, ManifestRule[]>();
  private readonly ids: ReadonlySet<string>;

  /**
   * @param rules the rules
   * @param structure what compares fields with what is known of kinds
   */
  public constructor(rules: readonly ManifestRule[] = MANIFEST_RULES, private readonly structure: StructureCheck = STRUCTURE_CHECK) {
    for (const rule of rules) {
      for (const kind of rule.kinds) {
        const same = this.byKind.get(kind);
        if (same) same.push(rule);
        else this.byKind.set(kind, [rule]);
      }
    }
    const known: readonly ExplainedRule[] = [...rules, ...structure.rules, VALIDATION_RULES.kind];
    this.ids = new Set(known.map(({ id }) => id));
  }

  /**
   * Validates objects.
   *
   * @param groups the objects of each place that things are applied to together: references are looked up among these
   */
  public validate(groups: readonly (readonly unknown[])[], { silences: given, strict }: ValidationOptions): ValidationResult {
    const silences = new Silences(given, this.ids);
    const found: FoundProblem[] = [];
    const silenced: SilencedProblem[] = [];
    const unknown: ManifestObject[] = [];
    for (const group of groups) {
      const index = new ManifestIndex(group.filter(isObject));
      for (const object of group) {
        if (!isObject(object)) {
          found.push({ finding: noObject(object), object });
          continue;
        }
        const known = KUBERNETES_GROUPS.has(groupOf(object)) || this.structure.knows(object);
        if (!known) unknown.push(object);
        const sorted = silences.apply(object, [...(strict && !known ? [unknownKind(object)] : []), ...this.check(object, index)]);
        for (const finding of sorted.left) found.push({ finding, object });
        for (const entry of sorted.silenced) silenced.push({ ...entry, object });
      }
    }
    return { found: [...found, ...silences.ofRunFindings.map((finding) => ({ finding }))], silenced, unknown };
  }

  private check(object: ManifestObject, index: ManifestIndex): RuleFinding[] {
    const rules = this.byKind.get(groupKind(object)) ?? [];
    return [
      ...this.structure.check(object),
      ...rules.flatMap((rule) => rule.check(object, index).map((finding) => ({ ...finding, rule }))),
    ];
  }
}

function isObject(value: unknown): value is ManifestObject {
  return isFields(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string';
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
