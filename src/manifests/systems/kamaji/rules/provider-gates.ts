import { cluster, controlPlaneExample, namedControlPlane } from './examples';
import { controlPlaneFields, KAMAJI_CONTROL_PLANE, PROVIDER_CLUSTER_PATCH, PROVIDER_KINDS } from './kamaji-objects';
import { CLUSTER } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { partReference } from '../../../rules/references/object-references';
import { fieldAt, isSet } from '../../../values/fields';

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

const CONTROL_PLANE_PROVIDER = 'operator.cluster.x-k8s.io/ControlPlaneProvider';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/';
const EXTERNAL = 'ExternalClusterReference';

/** Gates by which the provider gives endpoints to other kinds of infrastructure, or to none. */
const PATCH_GATES: readonly string[] = ['DynamicInfrastructureClusterPatch', 'SkipInfraClusterPatch'];

const infrastructure: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-INFRASTRUCTURE',
  title: 'The infrastructure of a Cluster with a KamajiControlPlane must have a kind that Kamaji\'s provider supports or is configured for: other kinds get no endpoint, and the cluster waits for ever.',
  source: PROVIDER_CLUSTER_PATCH,
  kinds: [CLUSTER],
  trap: true,
  // Flags of the provider are not in any manifest.
  warning: true,
  example: {
    failing: namedControlPlane('') + cluster('    serviceDomain: cluster.local\n').replace('KubevirtCluster', 'GCPCluster'),
    corrected: namedControlPlane('') + cluster('    serviceDomain: cluster.local\n'),
  },
  check: (object, index) => {
    const [plane, place] = [partReference(object, 'controlPlaneRef'), partReference(object, 'infrastructureRef')];
    if (plane?.kind !== KAMAJI_CONTROL_PLANE || !place?.kind.startsWith(INFRASTRUCTURE)) return [];
    const kind = place.kind.slice(INFRASTRUCTURE.length);
    // No gate helps this kind, which has a rule of its own.
    if (kind === OVERWRITING_KIND) return [];
    return OWN_KINDS.includes(kind) || PATCH_GATES.some((gate) => isOn(gate, index)) ? [] : [{
      path: ['spec', 'infrastructureRef', 'kind'],
      message: `Kamaji's provider does not know how to give an endpoint to a ${kind}`,
      accepted: OWN_KINDS.join(', '),
      fix: `start the provider with the feature gate ${PATCH_GATES[0]} and --dynamic-infrastructure-clusters=${kind}, or choose another infrastructure`,
    }];
  },
};

const external: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-EXTERNAL-CLUSTER',
  title: `A control plane in another cluster requires the feature gate ${EXTERNAL} of Kamaji's provider, which is off by default.`,
  source: 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_externalreference.go',
  kinds: PROVIDER_KINDS,
  trap: true,
  warning: true,
  example: controlPlaneExample(`  deployment:
    externalClusterReference: {kubeconfigSecretName: other, kubeconfigSecretKey: value, deploymentNamespace: tenants}
`, '  deployment: {}\n'),
  check: (object, index) => {
    const { fields, path } = controlPlaneFields(object);
    return !isSet(fields, 'deployment', 'externalClusterReference') || isOn(EXTERNAL, index) ? [] : [{
      path: [...path, 'deployment', 'externalClusterReference'],
      message: `a provider without the feature gate ${EXTERNAL} does not create the control plane`,
      fix: `start the provider with --feature-gates=${EXTERNAL}=true, or remove the reference`,
    }];
  },
};

/** What Kamaji's provider does only if it is told to. */
export const PROVIDER_GATES: readonly ManifestRule[] = [infrastructure, external];

/** True if a feature gate of Kamaji's provider is known to be on. */
function isOn(gate: string, index: ManifestIndex): boolean {
  return index.all(CONTROL_PLANE_PROVIDER).some((provider) => fieldAt(provider, 'spec', 'manager', 'featureGates', gate) === true);
}
