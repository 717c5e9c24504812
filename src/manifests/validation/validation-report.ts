import { kindText, ReportedFinding, reportedFinding } from './reported-finding';
import { ManifestSilence } from './silences';
import { ManifestValidator, ValidationResult } from './validate-manifests';
import { listedObjects } from '../objects/manifest-list';

/** Result of the validation of objects. */
export interface ValidationReport {
  /** All findings that are not silenced, in the order of the objects. */
  readonly findings: readonly ReportedFinding[];

  /** Silenced findings. */
  readonly silenced: readonly ReportedFinding[];

  /** Number of objects. */
  readonly objectCount: number;

  /** Kinds whose fields are unknown, and were not checked, such as `example.com/v1 Widget`. */
  readonly unknownKinds: readonly string[];
}

/** Options of `validate`. */
export interface ValidateOptions {
  /**
   * Rules that are not reported, each with the reason.
   *
   * @default - none
   */
  readonly silences?: readonly ManifestSilence[];

  /**
   * True if kinds whose fields are unknown are errors.
   *
   * @default false
   */
  readonly strict?: boolean;

  /**
   * CustomResourceDefinitions of kinds, beside those among the objects.
   *
   * @default - none
   */
  readonly definitions?: readonly unknown[];

  /**
   * All objects of the former state, or lists of them: their changes are checked, too.
   *
   * @default - changes are not checked
   */
  readonly before?: readonly unknown[];
}

/**
 * Validates objects against the rules of the API servers, webhooks and controllers.
 *
 * @param objects all objects of one cluster, or lists of them: references between them are followed
 * @param options how they are validated
 */
export function validate(objects: readonly unknown[], options: ValidateOptions = {}): ValidationReport {
  const { silences = [], strict = false, definitions = [], before } = options;
  const unlisted = (list: readonly unknown[]): unknown[] => list.flatMap((item) => listedObjects(item).map(({ object }) => object));
  const group = unlisted(objects);
  const given = { silences, strict, definitions: unlisted(definitions), ...(before && { before: [unlisted(before)] }) };
  return reportOf([group], new ManifestValidator().validate([group], given));
}

/**
 * The report of a validation.
 *
 * @param groups the objects that were validated
 * @param result the findings
 * @param pathOf the path of the construct that writes an object
 */
export function reportOf(
  groups: readonly (readonly unknown[])[], result: ValidationResult, pathOf: (object: unknown) => string | undefined = () => undefined,
): ValidationReport {
  const { found, silenced, unknown } = result;
  return {
    findings: found.map(({ finding, object }) => reportedFinding(finding, object, { constructPath: pathOf(object) })),
    silenced: silenced.map(({ finding, object, reason }) => (
      reportedFinding(finding, object, { constructPath: pathOf(object), silencedBecause: reason }))),
    objectCount: groups.reduce((sum, group) => sum + group.length, 0),
    unknownKinds: [...new Set(unknown.map(kindText))].sort(),
  };
}
