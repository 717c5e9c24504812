/** Kinds of infrastructure that the provider knows (clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go of v0.20.0). */
export const OWN_KINDS: readonly string[] = [
  'AWSCluster', 'AzureCluster', 'HetznerCluster', 'IonosCloudCluster', 'KubevirtCluster', 'Metal3Cluster', 'MetalStackCluster',
  'NutanixCluster', 'OpenStackCluster', 'PacketCluster', 'ProxmoxCluster', 'TinkerbellCluster', 'VSphereCluster',
];

/**
 * The kind whose controller overwrites the endpoint with that of its own load balancer on every reconciliation
 * (vultr/cluster-api-provider-vultr internal/controller/vultrcluster_controller.go), so that no flag of Kamaji's provider helps.
 */
export const OVERWRITING_KIND = 'VultrCluster';
