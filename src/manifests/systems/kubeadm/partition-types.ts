const GUID = /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;
const NAMES: readonly string[] = ['Linux', 'LinuxSwap', 'LinuxRAID', 'LVM', 'Fat32', 'NTFS', 'LinuxExtended'];

/** True if a type of a partition is a GUID, for disks with a GPT. */
export function isPartitionGuid(type: string): boolean {
  return GUID.test(type);
}

/** True if Cluster API knows a type of a partition (bootstrap/kubeadm/config/crd/bases/bootstrap.cluster.x-k8s.io_kubeadmconfigtemplates.yaml). */
export function isPartitionType(type: string): boolean {
  return isPartitionGuid(type) || NAMES.includes(type);
}
