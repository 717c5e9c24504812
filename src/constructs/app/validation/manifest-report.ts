import { objectName } from '../../../manifests/objects/manifest-object';
import { ManifestSeverity, ReportedFinding } from '../../../manifests/validation/reported-finding';
import { ValidationReport } from '../../../manifests/validation/validation-report';
import { formatProblem } from '../../../manifests/values/problem';

/** Result of the validation of objects. */
export class ManifestReport {
  /** @internal */
  public static _of(report: ValidationReport): ManifestReport {
    return new ManifestReport(report);
  }

  /** Everything that was found and not silenced, in the order of the objects. */
  public readonly findings: ReportedFinding[];

  /** Silenced findings. */
  public readonly silenced: ReportedFinding[];

  /** Number of objects. */
  public readonly objectCount: number;

  /** Kinds whose fields were not looked at, because nothing is known of them, e.g. `example.com/v1 Widget`. */
  public readonly unknownKinds: string[];

  private constructor({ findings, silenced, objectCount, unknownKinds }: ValidationReport) {
    this.findings = [...findings];
    this.silenced = [...silenced];
    this.objectCount = objectCount;
    this.unknownKinds = [...unknownKinds];
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

function lineOf(finding: ReportedFinding): string {
  const { rule: id, kind, namespace, name, field, constructPath } = finding;
  const object = kind === undefined ? '' : objectName({ kind, metadata: { namespace, name } });
  const where = [object, field, constructPath === undefined ? '' : `(${constructPath})`].filter((part) => part !== '').join(' ');
  return formatProblem({ ...finding, rule: { id, title: '' }, property: where });
}
