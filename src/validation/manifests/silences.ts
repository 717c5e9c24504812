import { fieldText } from './field-text';
import { FieldPath, RuleFinding } from './manifest-rule';
import { VALIDATION_RULES } from './validation-rules';
import { fieldAt, ManifestObject } from '../../images/manifest-object';
import { nearestName } from '../../kubernetes/nearest-name';

/**
 * Annotation that silences rules for the object that carries it. Its value has a line for each rule: `ID: reason`.
 *
 * Its prefix is the name of this package, which is a whole DNS name by itself: no owner of a domain can claim it.
 */
export const SILENCE_ANNOTATION = 'cdk8s-cluster-api/silence';

const PATH: FieldPath = ['metadata', 'annotations', SILENCE_ANNOTATION];

/** A rule that somebody does not want to hear of, and why. */
export interface ManifestSilence {
  /** Id of the rule, e.g. `TC-ADMIT-CLUSTER-NETWORK` (`TC-SILENCE-RULE`). */
  readonly rule: string;

  /** Why it does not matter here, for those who come later; not empty (`TC-SILENCE-REASON`). */
  readonly reason: string;
}

/** A finding that somebody has silenced. */
interface SilencedFinding {
  readonly finding: RuleFinding;
  readonly reason: string;

  /** Whether the object itself says so. */
  readonly byObject: boolean;
}

/** Findings that are left, and those that somebody has silenced, with the reason. */
export interface Silenced {
  readonly left: readonly RuleFinding[];
  readonly silenced: readonly SilencedFinding[];
}

/** Silences of a whole run, and those that objects carry. Those that are wrong silence nothing, and are findings themselves. */
export class Silences {
  private readonly ofRun: ReadonlyMap<string, string>;
  private readonly used = new Set<string>();

  /**
   * @param given silences of the run
   * @param ids ids of all rules that can be silenced
   */
  public constructor(private readonly given: readonly ManifestSilence[], private readonly ids: ReadonlySet<string>) {
    this.ofRun = new Map(given.filter((silence) => this.fault(silence, []) === undefined).map(({ rule, reason }) => [rule, reason.trim()]));
  }

  /** Sorts the findings of an object, and adds those of its silences. */
  public apply(object: ManifestObject, findings: readonly RuleFinding[]): Silenced {
    const own = silencesOf(object);
    // Most objects have neither.
    if (own.length === 0 && findings.length === 0) return { left: [], silenced: [] };

    const faults = own.flatMap((silence) => this.fault(silence, PATH) ?? []);
    const reasons = new Map(own.filter((silence) => this.fault(silence, PATH) === undefined).map(({ rule, reason }) => [rule, reason]));
    const unused = new Set(reasons.keys());
    const left: RuleFinding[] = [];
    const silenced: SilencedFinding[] = [];
    for (const finding of findings) {
      const { id } = finding.rule;
      const [ofObject, ofRun] = [reasons.get(id), this.ofRun.get(id)];
      if (ofObject !== undefined) unused.delete(id);
      else if (ofRun !== undefined) this.used.add(id);
      const reason = ofObject ?? ofRun;
      if (reason === undefined) left.push(finding);
      else silenced.push({ finding, reason, byObject: ofObject !== undefined });
    }
    return { left: [...left, ...faults, ...[...unused].map((rule) => useless(rule, PATH))], silenced };
  }

  /** What is wrong with the silences of the run, when all objects have been looked at. */
  public get ofRunFindings(): RuleFinding[] {
    const faults = this.given.flatMap((silence) => this.fault(silence, []) ?? []);
    return [...faults, ...[...this.ofRun.keys()].filter((rule) => !this.used.has(rule)).map((rule) => useless(rule, []))];
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

/** What the annotation of an object says; a value that is no text is a matter of the API server. */
function silencesOf(object: ManifestObject): ManifestSilence[] {
  const text = fieldAt(object, ...PATH.map(String));
  if (typeof text !== 'string') return [];
  return text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '').map((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? { rule: line, reason: '' } : { rule: line.slice(0, colon).trim(), reason: line.slice(colon + 1).trim() };
  });
}

function useless(rule: string, path: FieldPath): RuleFinding {
  const where = path.length === 0 ? 'anything here' : 'this object';
  return {
    rule: VALIDATION_RULES.silenceUnused,
    path,
    message: `${rule} is silenced, and does not find ${where} wrong`,
    fix: path.length === 0 ? 'remove the silence' : `remove the line from ${fieldText(path)}`,
  };
}
