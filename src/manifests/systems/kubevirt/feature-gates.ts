/** Feature gates that machines may need. In 1.6 to 1.9 all three are off by default. */
export const KUBEVIRT_GATES = {
  hotplugVolumes: 'HotplugVolumes',
  cpuManager: 'CPUManager',
  hostDevices: 'HostDevices',
};

// kubevirt/kubevirt pkg/virt-config/featuregate/active.go and inactive.go: gates at general availability, and beta gates, which are on by
// default since 1.9.
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
 * Gates that are on by default.
 *
 * @param minor minor release of KubeVirt, e.g. 9
 */
export function openGates(minor: number): string[] {
  return OPEN.filter(({ since }) => since <= minor).map(({ gate }) => gate);
}

/** Minor release of Cluster API, whose feature gates the provider has, by minor release of the provider (its go.mod). */
export const CLUSTER_API_OF_PROVIDER: Readonly<Record<number, number | undefined>> = { 11: 11 };
