import { KAMAJI_RULES } from '../../../constructs/control-planes/kamaji/rules';
import { Problem } from '../../values/problem';

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

/**
 * Checks that Kamaji's provider can give the endpoint of its control plane to the infrastructure, or compare it. The kind that overwrites it
 * has a rule over manifests (`TC-TRAP-VULTR-KAMAJI`).
 *
 * @param kind kind of the infrastructure object
 * @param additional kinds that the provider was told to serve beside its own
 */
export function checkInfrastructure(kind: string, additional: readonly string[]): Problem[] {
  const served = [...new Set([...OWN_KINDS, ...additional])].filter((candidate) => candidate !== OVERWRITING_KIND).sort();
  return [...served, OVERWRITING_KIND].includes(kind) ? [] : [{
    rule: KAMAJI_RULES.infrastructure,
    property: 'controlPlane',
    message: `Kamaji's provider does not know how to give an endpoint to a ${kind}, and the cluster would wait for it for ever`,
    accepted: served.join(', '),
    fix: 'choose another infrastructure, or start the provider with --dynamic-infrastructure-clusters and name the kind in additionalInfrastructureKinds',
  }];
}
