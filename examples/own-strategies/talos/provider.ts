/** Rules of this example for manifests of Talos' providers. The library knows the effects of their changes. */
import { type ManifestRule, numberAt, type Provider } from 'cdk8s-cluster-api/manifests';

const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/TalosControlPlane';

const REPLICAS: ManifestRule = {
  id: 'ACME-TALOS-REPLICAS',
  title: 'A control plane must have an odd number of machines: they are the members of etcd.',
  source: 'siderolabs/cluster-api-control-plane-provider-talos api/v1alpha3/taloscontrolplane_types.go (replicas)',
  kinds: [CONTROL_PLANE],
  trap: true,
  example: { failing: controlPlane(2), corrected: controlPlane(3) },
  check: (object) => {
    const replicas = numberAt(object, 'spec', 'replicas') ?? 1;
    return replicas % 2 !== 0 || !Number.isInteger(replicas) ? [] : [{ path: ['spec', 'replicas'], message: `${replicas} is not odd`, fix: `write ${replicas + 1}` }];
  },
};

/** Cluster API's providers for Talos Linux. */
export const TALOS: Provider = { name: 'talos', title: 'Talos Linux', kinds: [], rules: [REPLICAS] };

function controlPlane(replicas: number): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
kind: TalosControlPlane
metadata:
  name: acme
  namespace: tenant-acme
spec:
  version: v1.35.4
  replicas: ${replicas}
  infrastructureTemplate: {}
  controlPlaneConfig:
    controlplane:
      generateType: controlplane
`;
}
