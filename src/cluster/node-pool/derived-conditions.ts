/** Conditions of a machine that follow from its health check. */
export const DERIVED_CONDITIONS: readonly string[] = ['Ready', 'Available', 'HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated'];
