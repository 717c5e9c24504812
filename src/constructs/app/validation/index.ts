// Checks of manifests, their reports and silences.

export { ManifestReport, ManifestValidation, ManifestValidationOptions } from './manifest-validation';
export { ManifestSeverity, ReportedFinding } from '../../../manifests/validation/reported-finding';
export { ManifestSilence } from '../../../manifests/validation/silences';
