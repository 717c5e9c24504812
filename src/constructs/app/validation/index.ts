// Checks of manifests, their reports and silences.

export { ManifestReport } from './manifest-report';
export { ManifestSeverity, ReportedFinding } from '../../../manifests/validation/reported-finding';
export { ManifestValidation, ManifestValidationOptions } from './manifest-validation';
export { ManifestSilence } from '../../../manifests/validation/silences';
