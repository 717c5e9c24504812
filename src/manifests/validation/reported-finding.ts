import { ManifestObject } from '../objects/manifest-object';
import { RuleFinding } from '../rules/manifest-rule';
import { fieldText, stringAt } from '../values/fields';
import { Rule } from '../values/problem';

/** Consequence for an object that breaks a rule. */
export enum ManifestSeverity {
  /** A server refuses it. */
  ERROR = 'error',

  /** The server accepts it, and it fails later: on the machine, at the next upgrade, when the cluster is deleted. */
  TRAP = 'trap',

  /** It works, and may be intended. */
  WARNING = 'warning',
}

/** Something that is wrong with an object. */
export interface ReportedFinding {
  /** Id of the rule that is broken. */
  readonly rule: string;

  /** Consequence for the object. */
  readonly severity: ManifestSeverity;

  /**
   * The object's `apiVersion`.
   *
   * @default - the finding is about no object
   */
  readonly apiVersion?: string;

  /**
   * The object's `kind`.
   *
   * @default - the finding is about no object
   */
  readonly kind?: string;

  /**
   * The object's namespace.
   *
   * @default - it names none
   */
  readonly namespace?: string;

  /**
   * The object's name.
   *
   * @default - it has none
   */
  readonly name?: string;

  /**
   * Path of the construct that writes the object.
   *
   * @default - what was validated were objects, not constructs
   */
  readonly constructPath?: string;

  /** The field that is wrong or missing, e.g. `spec.pools[0].size`; empty for the object as a whole. */
  readonly field: string;

  /** Message, with the value. */
  readonly message: string;

  /**
   * Accepted values.
   *
   * @default - the fix names it
   */
  readonly accepted?: string;

  /** Fix. */
  readonly fix: string;

  /**
   * The upstream source: project and file.
   *
   * @default - a rule of this library's own
   */
  readonly source?: string;

  /**
   * The reason of its silence.
   *
   * @default - it is not silenced
   */
  readonly silencedBecause?: string;
}

/** Severity of a finding, by its rule. */
export function severityOf({ warning, trap }: Rule & { readonly trap?: boolean }): ManifestSeverity {
  if (warning) return ManifestSeverity.WARNING;
  return trap ? ManifestSeverity.TRAP : ManifestSeverity.ERROR;
}

/** A finding as it is reported. */
export function reportedFinding(finding: RuleFinding, object: unknown, more: Partial<ReportedFinding> = {}): ReportedFinding {
  const { rule, path, message, accepted, fix } = finding;
  return {
    rule: rule.id,
    severity: severityOf(rule),
    apiVersion: stringAt(object, 'apiVersion'),
    kind: stringAt(object, 'kind'),
    namespace: stringAt(object, 'metadata', 'namespace'),
    name: stringAt(object, 'metadata', 'name'),
    field: fieldText(path),
    message,
    accepted,
    fix,
    source: rule.source,
    ...more,
  };
}

/** A kind and its version, e.g. `example.com/v1 Widget`. */
export function kindText({ apiVersion, kind }: ManifestObject): string {
  return `${String(apiVersion)} ${String(kind)}`;
}
