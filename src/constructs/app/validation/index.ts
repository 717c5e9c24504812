// Checks of manifests, their reports and silences.

export { ManifestReport, ManifestSeverity, ReportedFinding } from '../../../manifests/validation/manifest-report';
export { ManifestValidation, ManifestValidationOptions } from './manifest-validation';
export { ManifestSilence } from '../../../manifests/validation/silences';
