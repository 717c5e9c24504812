import { objectName } from '../objects/manifest-object';
import { formatProblem, Rule } from '../values/problem';
import { RuleFinding } from '../rules/manifest-rule';
import { fieldText, stringAt } from '../values/fields';

/** What becomes of an object that breaks a rule. */
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

  /** What becomes of it. */
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

/** Result of the validation of objects. */
export class ManifestReport {
  /** @internal */
  public static _of(findings: ReportedFinding[], silenced: ReportedFinding[], objectCount: number, unknownKinds: string[]): ManifestReport {
    return new ManifestReport(findings, silenced, objectCount, unknownKinds);
  }

  /** Everything that was found and not silenced, in the order of the objects. */
  public readonly findings: ReportedFinding[];

  /** What was found and silenced. */
  public readonly silenced: ReportedFinding[];

  /** Number of objects. */
  public readonly objectCount: number;

  /** Kinds whose fields were not looked at, because nothing is known of them, e.g. `example.com/v1 Widget`. */
  public readonly unknownKinds: string[];

  private constructor(findings: ReportedFinding[], silenced: ReportedFinding[], objectCount: number, unknownKinds: string[]) {
    this.findings = findings;
    this.silenced = silenced;
    this.objectCount = objectCount;
    this.unknownKinds = unknownKinds;
  }

  /** Findings that make the objects useless: errors and traps. Empty when all is well; made for `expect(report.refused).toEqual([])`. */
  public get refused(): ReportedFinding[] {
    return this.findings.filter(({ severity }) => severity !== ManifestSeverity.WARNING);
  }

  /** Findings that may be meant. */
  public get warnings(): ReportedFinding[] {
    return this.findings.filter(({ severity }) => severity === ManifestSeverity.WARNING);
  }

  /** Every finding on a line of its own; empty when there is none. */
  public toString(): string {
    return this.findings.map((finding) => `${finding.severity} ${lineOf(finding)}\n`).join('');
  }
}

/** What becomes of an object that breaks a rule. */
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

function lineOf(finding: ReportedFinding): string {
  const { rule: id, kind, namespace, name, field, constructPath } = finding;
  const object = kind === undefined ? '' : objectName({ kind, metadata: { namespace, name } });
  const where = [object, field, constructPath === undefined ? '' : `(${constructPath})`].filter((part) => part !== '').join(' ');
  return formatProblem({ ...finding, rule: { id, title: '' }, property: where });
}
