// Kamaji writes the defaults of the kubelet that it is built with, 1.35 or newer. Both fields belong to feature gates that are off in
// kubelets up to 1.34 (KubeletCrashLoopBackOffMax, KubeletEnsureSecretPulledImages), which refuse to start with them.
const REMOVED = ['/crashLoopBackOff/maxContainerRestartPeriod', '/imagePullCredentialsVerificationPolicy'];

/**
 * The patches of the kubelet's configuration that kubelets before 1.35 need. `failCgroupV1` defaults to true since 1.35
 * (kubernetes/kubernetes pkg/kubelet/apis/config/v1beta1/defaults.go, v1.34.9 and v1.36.3).
 */
export const VERSION_PATCHES: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[] = [
  ...REMOVED.map((path) => ({ op: 'remove', path })), { op: 'add', path: '/failCgroupV1', value: false },
];
