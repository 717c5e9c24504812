/** Plug-ins in the enumeration of Kamaji's schema, but no longer in any API server that Kamaji runs, which exits on an unknown name. */
export const REMOVED: readonly string[] = ['DenyEscalatingExec', 'DenyExecOnPrivileged', 'PersistentVolumeLabel', 'PodSecurityPolicy', 'SecurityContextDeny'];

/** Plug-ins that do not start without a configuration. */
export const CONFIGURED: readonly string[] = ['EventRateLimit', 'ImagePolicyWebhook'];

/** Flag of the API server that names the configuration of plug-ins. */
export const CONFIGURATION_FLAG = 'admission-control-config-file';
