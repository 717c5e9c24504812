import { groupOf, ManifestObject } from '../objects/manifest-object';
import { ManifestChange } from '../rules/changes/transition-rule';
import { RuleFinding } from '../rules/manifest-rule';
import { DefinedKind } from '../rules/structure/defined-kind';
import { STRUCTURE_RULES } from '../rules/structure/structure-rules';
import { structureOf } from '../rules/structure/structures';
import { ManifestSeverity, severityOf } from '../validation/reported-finding';
import { ManifestValidator } from '../validation/validate-manifests';

/** Another release of a provider may serve another version of a kind. */
const ABOUT_RELEASES: readonly string[] = [STRUCTURE_RULES.version.id];

/** Findings about a change: what a server refuses, and what it accepts and fails on later. */
export interface ChangeFindings {
  readonly refused: readonly RuleFinding[];
  readonly failing: readonly RuleFinding[];
}

/** Faults of a change. An object that is only missing among the manifests may be in the cluster. */
export function changeFindings(validator: ManifestValidator, change: ManifestChange): ChangeFindings {
  const isCertain = isDefined(change.after ?? change.before);
  const found = validator.checkChange(change).filter(({ rule }) => !rule.elsewhere && (isCertain || !ABOUT_RELEASES.includes(rule.id)));
  const ofSeverity = (severity: ManifestSeverity) => found.filter(({ rule }) => severityOf(rule) === severity);
  const traps = change.before ? ofSeverity(ManifestSeverity.TRAP) : [];
  return { refused: ofSeverity(ManifestSeverity.ERROR), failing: traps.filter(({ rule }) => (change.after ? !rule.ineffective : rule.stranding)) };
}

/** True if the definition of an object's kind is that of the user. */
function isDefined(object: ManifestObject | undefined): boolean {
  const structure = object && structureOf(groupOf(object), String(object.kind));
  return structure instanceof DefinedKind && structure.packaged === undefined;
}

/** Refusals of a change by the server. */
export function refusalFindings(validator: ManifestValidator, change: ManifestChange): readonly RuleFinding[] {
  return changeFindings(validator, change).refused;
}
