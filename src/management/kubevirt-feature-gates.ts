/** Gates of KubeVirt that what this library can do needs. All three are off unless they are listed, in 1.6 to 1.9. */
export const KUBEVIRT_GATES = {
  hotplugVolumes: 'HotplugVolumes',
  cpuManager: 'CPUManager',
  hostDevices: 'HostDevices',
};

// kubevirt/kubevirt pkg/virt-config/featuregate/active.go and inactive.go: general availability, and beta, which is on as well from 1.9 on.
const OPEN: readonly { readonly gate: string; readonly since: number }[] = [
  { gate: 'AutoResourceLimitsGate', since: 5 },
  { gate: 'DeclarativeHotplugVolumes', since: 9 },
  { gate: 'ExpandDisks', since: 8 },
  { gate: 'GPU', since: 7 },
  { gate: 'LiveMigration', since: 7 },
  { gate: 'NUMA', since: 7 },
  { gate: 'NetworkBindingPlugins', since: 5 },
  { gate: 'Snapshot', since: 9 },
  { gate: 'VMExport', since: 9 },
];

/**
 * Gates that nobody has to list, because what they stand for is always there.
 *
 * @param minor minor release of KubeVirt, e.g. 9
 */
export function openGates(minor: number): string[] {
  return OPEN.filter(({ since }) => since <= minor).map(({ gate }) => gate);
}
