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

  /** Where. */
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
