import { ManifestObject } from '../../src/manifests/objects/manifest-object';

/** The feature gates of the webhooks that run beside the server (conformance/internal/admission/providers.go), as the operator is told of them. */
export const SERVER_GATES: ManifestObject = {
  apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
  kind: 'CoreProvider',
  metadata: { name: 'cluster-api', namespace: 'capi-system' },
  spec: {
    manager: {
      featureGates: {
        ClusterTopology: true, KubeadmBootstrapFormatIgnition: true, MachinePool: true, MachineTaintPropagation: true, RuntimeSDK: true,
      },
    },
  },
};

/** True for the object that states which gates are on: gates of an example are not those of the server. */
export function isGate({ apiVersion, kind }: ManifestObject): boolean {
  return apiVersion === SERVER_GATES.apiVersion && kind === SERVER_GATES.kind;
}
