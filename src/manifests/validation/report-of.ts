import { ManifestReport, reportedFinding } from './manifest-report';
import { ValidationResult } from './validate-manifests';
import { ManifestObject } from '../objects/manifest-object';

/**
 * The report of a validation, for users.
 *
 * @param groups the objects that were validated
 * @param result what was found
 * @param pathOf the path of the construct that writes an object
 */
export function reportOf(
  groups: readonly (readonly unknown[])[], result: ValidationResult, pathOf: (object: unknown) => string | undefined = () => undefined,
): ManifestReport {
  const { found, silenced, unknown } = result;
  return ManifestReport._of(
    found.map(({ finding, object }) => reportedFinding(finding, object, { constructPath: pathOf(object) })),
    silenced.map(({ finding, object, reason }) => reportedFinding(finding, object, { constructPath: pathOf(object), silencedBecause: reason })),
    groups.reduce((sum, group) => sum + group.length, 0),
    [...new Set(unknown.map(kindText))].sort(),
  );
}

/** A kind and its version, e.g. `example.com/v1 Widget`. */
export function kindText({ apiVersion, kind }: ManifestObject): string {
  return `${String(apiVersion)} ${String(kind)}`;
}
