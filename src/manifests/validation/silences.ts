import { VALIDATION_RULES } from './validation-rules';
import { ManifestObject } from '../objects/manifest-object';
import { RuleFinding } from '../rules/manifest-rule';
import { fieldAt, FieldPath, fieldText } from '../values/fields';
import { nearestName } from '../values/nearest-name';

/**
 * Annotation that silences rules for the object that carries it. Its value has a line for each rule: `ID: reason`.
 *
 * Its prefix is the name of this package, which is a whole DNS name by itself: no owner of a domain can claim it.
 */
export const SILENCE_ANNOTATION = 'cdk8s-cluster-api/silence';

const PATH: FieldPath = ['metadata', 'annotations', SILENCE_ANNOTATION];

/** A silenced rule, and the reason. */
export interface ManifestSilence {
  /** Id of the rule, e.g. `TC-ADMIT-CLUSTER-NETWORK` (`TC-SILENCE-RULE`). */
  readonly rule: string;

  /** Reason that the finding does not matter here, for later readers; not empty (`TC-SILENCE-REASON`). */
  readonly reason: string;
}

/** A silenced finding. */
interface SilencedFinding {
  readonly finding: RuleFinding;
  readonly reason: string;

  /** True if an annotation of the object sets it. */
  readonly byObject: boolean;
}

/** Findings that are left, and the silenced ones, with the reason. */
export interface Silenced {
  readonly left: readonly RuleFinding[];
  readonly silenced: readonly SilencedFinding[];
}

const NOTHING: Silenced = { left: [], silenced: [] };

/** Silences for some of the objects. */
export interface SilencedPart {
  /** Common property of the objects, in words. */
  readonly name: string;
  readonly silences: readonly ManifestSilence[];

  /** True if an object is one of them. */
  holds(object: ManifestObject): boolean;
}

/** Silences for several objects, and those that objects carry. Those that are wrong silence nothing, and are findings themselves. */
export class Silences {
  private readonly parts: readonly SilencedPart[];
  private readonly used = new Set<ManifestSilence>();

  /**
   * @param ofRun silences of the whole run
   * @param ids ids of all rules that can be silenced
   * @param parts silences for some of the objects; of several that hold an object the first one counts
   * @param asleep ids of rules that this run does not ask: a silence of theirs may be of use to another one
   */
  public constructor(
    ofRun: readonly ManifestSilence[], private readonly ids: ReadonlySet<string>, parts: readonly SilencedPart[] = [],
    private readonly asleep: ReadonlySet<string> = new Set(),
  ) {
    this.parts = [...parts, { name: 'anything here', silences: ofRun, holds: () => true }];
  }

  /** Sorts the findings of an object, and adds those of its silences. */
  public apply(object: ManifestObject, findings: readonly RuleFinding[]): Silenced {
    const own = silencesOf(object);
    // Most objects have neither.
    if (own.length === 0 && findings.length === 0) return NOTHING;

    const faults = own.flatMap((silence) => this.fault(silence, PATH) ?? []);
    const reasons = new Map(own.filter((silence) => this.fault(silence, PATH) === undefined).map(({ rule, reason }) => [rule, reason]));
    const unused = new Set(reasons.keys());
    const left: RuleFinding[] = [];
    const silenced: SilencedFinding[] = [];
    for (const finding of findings) {
      const { id } = finding.rule;
      const ofObject = reasons.get(id);
      if (ofObject !== undefined) unused.delete(id);
      const reason = ofObject ?? this.reasonAround(object, id);
      if (reason === undefined) left.push(finding);
      else silenced.push({ finding, reason, byObject: ofObject !== undefined });
    }
    return { left: [...left, ...faults, ...[...unused].flatMap((rule) => this.useless(rule, 'this object', PATH))], silenced };
  }

  /** Sorts the findings of an object that is not written any more: faults of its silences are not reported. */
  public applyToGone(object: ManifestObject, findings: readonly RuleFinding[]): Silenced {
    const { left, silenced } = this.apply(object, findings);
    return { left: left.filter((finding) => findings.includes(finding)), silenced };
  }

  /** Faults of the silences for several objects, when all objects have been checked. */
  public get sharedFindings(): RuleFinding[] {
    return this.parts.flatMap(({ name, silences }) => silences.flatMap((silence) => (
      this.fault(silence, []) ?? (this.used.has(silence) ? [] : this.useless(silence.rule, name, [])))));
  }

  private useless(rule: string, where: string, path: FieldPath): RuleFinding[] {
    return this.asleep.has(rule) ? [] : [useless(rule, where, path)];
  }

  private reasonAround(object: ManifestObject, id: string): string | undefined {
    for (const { silences, holds } of this.parts) {
      const found = silences.find((silence) => silence.rule === id && this.fault(silence, []) === undefined);
      if (found === undefined || !holds(object)) continue;
      this.used.add(found);
      return found.reason.trim();
    }
    return undefined;
  }

  private fault({ rule, reason }: ManifestSilence, path: FieldPath): RuleFinding | undefined {
    if (!this.ids.has(rule)) {
      const nearest = nearestName(rule, this.ids);
      return {
        rule: VALIDATION_RULES.silenceRule,
        path,
        message: `${JSON.stringify(rule)} is silenced, and is not the id of a rule that can be silenced`,
        accepted: 'ids that "npx cdk8s-cluster-api validate --list-rules" prints',
        fix: nearest === undefined ? 'correct the id, or remove the silence' : `write ${nearest}, or remove the silence`,
      };
    }
    return reason.trim() !== '' ? undefined : {
      rule: VALIDATION_RULES.silenceReason,
      path,
      message: `${rule} is silenced without a reason`,
      fix: path.length === 0 ? 'say why' : `write "${rule}: reason"`,
    };
  }
}

/** The silences in the annotation of an object; the API server rejects a value that is no string. */
function silencesOf(object: ManifestObject): ManifestSilence[] {
  const text = fieldAt(object, 'metadata', 'annotations', SILENCE_ANNOTATION);
  if (typeof text !== 'string') return [];
  return text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '').map((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? { rule: line, reason: '' } : { rule: line.slice(0, colon).trim(), reason: line.slice(colon + 1).trim() };
  });
}

function useless(rule: string, where: string, path: FieldPath): RuleFinding {
  return {
    rule: VALIDATION_RULES.silenceUnused,
    path,
    message: `${rule} is silenced, and does not find ${where} wrong`,
    fix: path.length === 0 ? 'remove the silence' : `remove the line from ${fieldText(path)}`,
  };
}
