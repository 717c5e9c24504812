import { IConstruct } from 'constructs';
import { attachValidation, withoutAttachedValidation } from './attached-validation';
import { constructGroups, refusals, written } from './construct-manifests';
import { definitionsIn } from './definition-files';
import { silenceBelow, validateConstructs } from './validate-constructs';
import { objectName } from '../../../manifests/objects/manifest-object';
import { ManifestSeverity, ReportedFinding } from '../../../manifests/validation/reported-finding';
import { ManifestSilence } from '../../../manifests/validation/silences';
import { ValidationOptions } from '../../../manifests/validation/validate-manifests';
import { reportOf, validate, ValidationReport } from '../../../manifests/validation/validation-report';
import { VALIDATION_RULES } from '../../../manifests/validation/validation-rules';
import { formatProblem } from '../../../manifests/values/problem';
import { Problems } from '../problems/problems';
import { prepare } from '../synth/synthesis';
import { appOf } from '../tenant-trees';

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

/** Options of the validation of objects. */
export interface ManifestValidationOptions {
  /**
   * Rules to silence, in any object. For one object there is the annotation `cdk8s-cluster-api/silence`, with a line
   * `ID: reason` for each rule; for what is below one construct `ManifestValidation.silence`. One that silences nothing is warned of
   * (`TC-SILENCE-UNUSED`).
   *
   * @default - none
   */
  readonly silences?: ManifestSilence[];

  /**
   * Files and folders with CustomResourceDefinitions, of other providers and operators: objects of their kinds are checked against them, too.
   * Definitions that the app writes are used anyway. Relative paths start where the program is run.
   *
   * Rule: `TC-VALIDATION-CRDS`.
   *
   * @default - definitions that the app writes
   */
  readonly crds?: string[];

  /**
   * True if kinds whose fields are not known are errors (`TC-VALIDATE-KIND`).
   *
   * @default false
   */
  readonly strict?: boolean;
}

/**
 * Checks final objects against the rules of the API servers and webhooks: the fields of each kind, admission, references between objects,
 * and traps, which a server accepts and which fail later. No cluster is asked.
 *
 * `npx cdk8s-cluster-api validate` does the same with files, and `ManifestValidationPlugin` in `cdk8s synth`.
 *
 * @example
 * validation.ManifestValidation.silence(acme, [{ rule: 'TC-ADMIT-FIELD-UNKNOWN', reason: 'our build of the provider has more fields' }]);
 */
export class ManifestValidation {
  /**
   * Validation of an app at synthesis (`GitOpsApp`).
   *
   * ```ts
   * new GitOpsApp({
   *   validation: ManifestValidation.of({ silences: [{ rule: 'TC-ADMIT-FIELD-UNKNOWN', reason: 'our build of the provider has more fields' }] }),
   * });
   * ```
   *
   * @param options what is silenced, and how strict it is
   */
  public static of(options: ManifestValidationOptions = {}): ManifestValidation {
    return new ManifestValidation(options);
  }

  /**
   * No validation at synthesis. Problems stay unknown until a server reports them, or stay unknown: rather silence the
   * rules that do not fit.
   *
   * @param reason why, for those who come later; not empty (`TC-SILENCE-REASON`)
   */
  public static none(reason: string): ManifestValidation {
    return new ManifestValidation({}, reason);
  }

  /**
   * Validates objects, e.g. those of `Testing.synth(chart)` in a test: `expect(ManifestValidation.check(objects).refused).toEqual([])`.
   *
   * @param objects all objects of one cluster, or lists of them: references between them are followed
   * @param options how to validate them
   */
  public static check(objects: any[], options: ManifestValidationOptions = {}): ManifestReport {
    return ManifestReport._of(validate(objects, filled(options)));
  }

  /**
   * Validates objects, and what becomes of those that were written before: fields that a server does not allow to change, and changes that
   * it accepts and that break running workloads. E.g. with what the last release wrote:
   *
   * ```ts
   * const released = Yaml.load('released/acme.k8s.yaml');
   * expect(ManifestValidation.checkChange(released, Testing.synth(chart)).refused).toEqual([]);
   * ```
   *
   * A finding about an object that is gone names it as it was.
   *
   * @param before all objects of the cluster as they were written before, or lists of them; what is wrong with them is not reported
   * @param after all objects of the cluster as they are written now, or lists of them
   * @param options how to validate them
   */
  public static checkChange(before: any[], after: any[], options: ManifestValidationOptions = {}): ManifestReport {
    return ManifestReport._of(validate(after, { ...filled(options), before }));
  }

  /**
   * Validates everything that constructs write: to the management cluster, and to the tenant of each cluster. Throws an error if
   * synthesis would.
   *
   * @param scope an app, a chart, or any other construct
   * @param options how to validate it
   */
  public static checkConstructs(scope: IConstruct, options: ManifestValidationOptions = {}): ManifestReport {
    prepare(scope.node.root);
    const found = withoutAttachedValidation(appOf(scope), () => refusals(scope.node.findAll()));
    const errors = [...found].flatMap(([{ node }, lines]) => lines.map((line) => `[${node.path}] ${line}`));
    if (errors.length > 0) throw new Error(`Validation failed with the following errors:\n  ${errors.join('\n  ')}`);
    const all = constructGroups(scope).map((objects) => objects.flatMap(({ owner, object }) => written(object, owner)));
    const { groups, result, writerOf } = validateConstructs(scope, all, filled(options));
    return ManifestReport._of(reportOf(groups, result, (object) => writerOf(object)?.path));
  }

  /**
   * Has synthesis refuse what breaks a rule, in one error with everything else that it refuses. Rules that are warnings, and missing objects,
   * which may come from elsewhere, are warnings.
   *
   * A `GitOpsApp` does so by itself, and so does each `App` that holds a construct of this library, such as a `TenantCluster`: for these it
   * sets how. Attached to one construct twice, the later options count; what is below another construct with an attached validation is left
   * to that one.
   *
   * Of constructs that report problems themselves, only fields whose property is known are reported until these are solved.
   *
   * @param scope an app, a chart, or any other construct
   * @param options how to validate what it writes
   */
  public static attach(scope: IConstruct, options: ManifestValidationOptions = {}): void {
    ManifestValidation.of(options)._attach(scope);
  }

  /**
   * Has synthesis not validate what a construct writes. Problems stay unknown until a server reports them, or stay unknown: silence the
   * rules that do not fit instead.
   *
   * @param scope an app, a chart, or any other construct
   * @param reason the reason, for readers of the code; not empty (`TC-SILENCE-REASON`)
   */
  public static skip(scope: IConstruct, reason: string): void {
    ManifestValidation.none(reason)._attach(scope);
  }

  /**
   * Silences rules for everything below a construct, wherever that is validated: the objects of a chart, of one tenant cluster, or what goes to
   * a tenant.
   *
   * ```ts
   * ManifestValidation.silence(acme.workloads, [{ rule: 'TC-ADMIT-FIELD-UNKNOWN', reason: 'our build of the operator has more fields' }]);
   * ```
   *
   * Changes are acknowledged in the same way (`TC-CHANGE-*`). Objects that are not written any more are silenced by the chart of their
   * folder, or the app.
   *
   * An object's own annotation goes first, then the innermost construct, then the app.
   *
   * @param scope the construct
   * @param silences rules, each with the reason (`TC-SILENCE-RULE`, `TC-SILENCE-REASON`, `TC-SILENCE-UNUSED`)
   */
  public static silence(scope: IConstruct, silences: ManifestSilence[]): void {
    silenceBelow(scope, silences);
  }

  private constructor(private readonly options: ManifestValidationOptions, private readonly noneBecause?: string) {}

  /**
   * Has synthesis validate what a construct writes.
   *
   * @param scope the construct
   *
   * @internal
   */
  public _attach(scope: IConstruct): void {
    attachValidation(scope, this.noneBecause === undefined ? filled(this.options) : undefined);
    if (this.noneBecause?.trim() === '') {
      const { id, title } = VALIDATION_RULES.silenceReason;
      Problems.of(scope).add({ rule: { id, title }, property: 'validation', message: 'validation is switched off without a reason', fix: 'say why' });
    }
  }
}

function filled({ silences = [], strict = false, crds = [] }: ManifestValidationOptions): ValidationOptions {
  return { silences, strict, definitions: definitionsIn(crds) };
}
