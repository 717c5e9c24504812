import { processSurroundings } from '../../cli/surroundings';
import { checkFiles, FileReport, isRefused, LocatedFinding } from '../../cli/validate/check-files';
import { faultWords } from '../../cli/validate/finding-words';
import { ManifestValidationOptions } from '../app/validation/manifest-validation';

/** A resource that breaks a rule, as a report of cdk8s-cli has it. */
export interface ManifestViolatingResource {
  /** Name of the resource. */
  readonly resourceName: string;

  /** The fields. */
  readonly locations: string[];

  /** The file that it stands in. */
  readonly manifestPath: string;
}

/** A broken rule, as a report of cdk8s-cli has it. */
export interface ManifestViolation {
  /** Id of the rule. */
  readonly ruleName: string;

  /** The message of the finding. */
  readonly recommendation: string;

  /** Fix. */
  readonly fix: string;

  /** Objects that break the rule. */
  readonly violatingResources: ManifestViolatingResource[];
}

/** The report that a validation plug-in of cdk8s-cli writes to (cdk8s-team/cdk8s-cli src/plugins/validation.ts, `ValidationReport`). */
export interface IManifestValidationReport {
  /**
   * Records a broken rule.
   *
   * @param violation the rule, and what breaks it
   */
  addViolation(violation: ManifestViolation): void;

  /**
   * Closes the report.
   *
   * @param status `success` or `failure`
   * @param metadata shown beside the status
   */
  submit(status: string, metadata?: { [key: string]: string }): void;
}

/** The context that cdk8s-cli gives a validation plug-in (cdk8s-team/cdk8s-cli src/plugins/validation.ts, `ValidationContext`). */
export interface IManifestValidationContext {
  /** The files that synthesis wrote. */
  readonly manifests: string[];

  /** The report of the findings. */
  readonly report: IManifestValidationReport;
}

/** Options of the plug-in, which are the `properties` of its entry in `cdk8s.yaml`. */
export interface ManifestValidationPluginProps extends ManifestValidationOptions {
  /**
   * True if warnings fail, too.
   *
   * @default false
   */
  readonly warningsAsErrors?: boolean;
}

/**
 * Validates what `cdk8s synth` wrote, as `npx cdk8s-cluster-api validate` does. In `cdk8s.yaml`:
 *
 * ```yaml
 * validations:
 *   - package: ./node_modules/cdk8s-cluster-api
 *     version: 0.0.0
 *     class: ManifestValidationPlugin
 *     properties:
 *       silences:
 *         - rule: TC-ADMIT-FIELD-UNKNOWN
 *           reason: our build of the provider has more fields
 * ```
 *
 * The version is that of the package; of a package that is given by its folder, cdk8s-cli only prints it.
 */
export class ManifestValidationPlugin {
  private readonly props: ManifestValidationPluginProps;

  public constructor(props: ManifestValidationPluginProps = {}) {
    this.props = props;
  }

  /**
   * Validates manifests; called by cdk8s-cli. Throws an error for those that cannot be read.
   *
   * @param context the manifests to validate, and where findings are reported
   */
  public async validate(context: IManifestValidationContext): Promise<void> {
    const { silences = [], strict = false, crds = [], warningsAsErrors = false } = this.props;
    const { manifests, report: target } = context;
    const report = await checkFiles(manifests, { silences, strict, crds, warningsAsErrors }, processSurroundings());
    for (const [first, ...others] of sameFaults(report)) {
      target.addViolation({
        ruleName: `${first.rule} (${first.severity})`,
        recommendation: faultWords(first),
        fix: first.fix,
        violatingResources: [first, ...others].map(resourceOf),
      });
    }
    target.submit(isRefused(report) ? 'failure' : 'success', metadataOf(report));
  }
}

/** Findings that differ in their place only, together. */
function sameFaults({ findings }: FileReport): LocatedFinding[][] {
  const groups = new Map<string, LocatedFinding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.rule, finding.message, finding.accepted, finding.fix]);
    const same = groups.get(key);
    if (same) same.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

function resourceOf({ name, field, place }: LocatedFinding): ManifestViolatingResource {
  const line = place?.line === undefined ? [] : [`line ${place.line}`];
  const inside = place?.inside === undefined ? [] : [place.inside];
  return {
    resourceName: name ?? '',
    locations: [[...(field === '' ? [] : [field]), ...line, ...inside].join(', ')],
    manifestPath: place?.file ?? '',
  };
}

function metadataOf({ objectCount, silenced, unknownKinds }: FileReport): { [key: string]: string } {
  return {
    Objects: `${objectCount}`,
    Silenced: `${silenced.length}`,
    ...(unknownKinds.size === 0 ? {} : { 'Kinds not known': [...unknownKinds.keys()].join(', ') }),
  };
}
