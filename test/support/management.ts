import { IsolationPeer, IsolationPort } from '../../src/constructs/contracts/capabilities/isolation-peer';
import { ImportedManagementCluster, ManagementCapabilities, ManagementNetworkPlugin } from '../../src/constructs/contracts/capabilities/management-cluster';

/** Facts that the isolation of a tenant needs. */
export const KNOWN_CAPABILITIES: ManagementCapabilities = {
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
};

/** A management cluster that states it. */
export function knownManagementCluster(): ImportedManagementCluster {
  return new ImportedManagementCluster(KNOWN_CAPABILITIES);
}
