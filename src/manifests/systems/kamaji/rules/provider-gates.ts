import { cluster, controlPlaneExample, namedControlPlane } from './examples';
import { controlPlaneFields, KAMAJI_CONTROL_PLANE, PROVIDER_CLUSTER_PATCH, PROVIDER_KINDS } from './kamaji-objects';
import { CLUSTER } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { clusterOf, partReference } from '../../../rules/references/object-references';
import { fieldAt, isSet } from '../../../values/fields';

/** Kinds of infrastructure that the provider knows (clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go of v0.20.0). */
export const OWN_KINDS: readonly string[] = [
  'AWSCluster', 'AzureCluster', 'HetznerCluster', 'IonosCloudCluster', 'KubevirtCluster', 'Metal3Cluster', 'MetalStackCluster',
  'NutanixCluster', 'OpenStackCluster', 'PacketCluster', 'ProxmoxCluster', 'TinkerbellCluster', 'VSphereCluster',
];

/** Kinds that the provider also reports ready (patchCluster in the same file): their own controllers need not look at the object. */
export const READY_KINDS: readonly string[] = ['KubevirtCluster', 'NutanixCluster', 'PacketCluster'];

/**
 * The kind whose controller overwrites the endpoint with that of its own load balancer on every reconciliation
 * (vultr/cluster-api-provider-vultr internal/controller/vultrcluster_controller.go), so that no flag of Kamaji's provider helps.
 */
export const OVERWRITING_KIND = 'VultrCluster';

/**
 * Kinds whose controllers ignore an object with the annotation. OpenStackCluster has a rule of its own.
 *
 * Source: `WithEventFilter(predicates.ResourceIsNotExternallyManaged(…))` in controllers/awscluster_controller.go,
 * controllers/azurecluster_controller.go, controllers/hetznercluster_controller.go, controllers/metal3cluster_controller.go,
 * internal/controller/proxmoxcluster_controller.go and controllers/vspherecluster_controller.go of the kinds' providers.
 */
const IGNORING_KINDS: readonly string[] = ['AWSCluster', 'AzureCluster', 'HetznerCluster', 'Metal3Cluster', 'ProxmoxCluster', 'VSphereCluster'];

const MANAGED_BY = 'cluster.x-k8s.io/managed-by';
const CONTROL_PLANE_PROVIDER = 'operator.cluster.x-k8s.io/ControlPlaneProvider';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/';
const EXTERNAL = 'ExternalClusterReference';

/** Gates by which the provider gives endpoints to other kinds of infrastructure, or to none. */
const PATCH_GATES: readonly string[] = ['DynamicInfrastructureClusterPatch', 'SkipInfraClusterPatch'];

/** The rule for kinds that the provider must be configured for. */
export const INFRASTRUCTURE_KIND: ManifestRule = {
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

const AWS_CLUSTER = `${cluster('    serviceDomain: cluster.local\n').replace('KubevirtCluster', 'AWSCluster')}---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: AWSCluster
metadata:
  name: acme
  namespace: tenant-acme
METADATAspec:
  region: eu-central-1
  controlPlaneLoadBalancer: {loadBalancerType: disabled}
`;

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

const managedBy: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-MANAGED-BY',
  title: `The infrastructure of a KamajiControlPlane must not have the annotation ${MANAGED_BY}, unless Kamaji's provider reports it ready: its own provider leaves it alone, and the cluster waits for ever.`,
  source: `${PROVIDER_CLUSTER_PATCH}, kubernetes-sigs/cluster-api util/predicates/generic_predicates.go (ResourceIsNotExternallyManaged) in the controllers of the kinds`,
  kinds: IGNORING_KINDS.map((kind) => `${INFRASTRUCTURE}${kind}`),
  trap: true,
  example: {
    failing: namedControlPlane('') + AWS_CLUSTER.replace('METADATA', `  annotations: {${MANAGED_BY}: kamaji}\n`),
    corrected: namedControlPlane('') + AWS_CLUSTER.replace('METADATA', ''),
  },
  check: (object, index) => {
    const owner = clusterOf(object, index);
    if (!owner || partReference(owner, 'controlPlaneRef')?.kind !== KAMAJI_CONTROL_PLANE || !isSet(object, 'metadata', 'annotations', MANAGED_BY)) return [];
    return [{
      path: ['metadata', 'annotations', MANAGED_BY],
      message: 'the provider leaves the object alone, and Kamaji\'s provider gives it an endpoint but does not report it ready',
      fix: 'remove it',
    }];
  },
};

/** Rules for features of Kamaji's provider that need a gate, or that it lacks. */
export const PROVIDER_GATES: readonly ManifestRule[] = [INFRASTRUCTURE_KIND, external, managedBy];

/** True if a feature gate of Kamaji's provider is known to be on. */
function isOn(gate: string, index: ManifestIndex): boolean {
  return index.all(CONTROL_PLANE_PROVIDER).some((provider) => fieldAt(provider, 'spec', 'manager', 'featureGates', gate) === true);
}
