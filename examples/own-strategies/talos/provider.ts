/** Rules of this example for manifests of Talos' providers. The library knows the effects of their changes. */
import { type ManifestRule, numberAt, type Provider, providerYaml, replaced } from 'cdk8s-cluster-api/manifests';

const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/TalosControlPlane';

const CONTROL_PLANE_TEXT = providerYaml('controlplane.cluster.x-k8s.io/v1alpha3', 'TalosControlPlane', `version: v1.35.4
replicas: 3
infrastructureTemplate: {}
controlPlaneConfig: {controlplane: {generateType: controlplane}}
`);

const REPLICAS: ManifestRule = {
  id: 'ACME-TALOS-REPLICAS',
  title: 'A control plane must have an odd number of machines: they are the members of etcd.',
  source: 'siderolabs/cluster-api-control-plane-provider-talos api/v1alpha3/taloscontrolplane_types.go (replicas)',
  kinds: [CONTROL_PLANE],
  trap: true,
  example: replaced(CONTROL_PLANE_TEXT, 'replicas: 3', 'replicas: 2'),
  check: (object) => {
    const replicas = numberAt(object, 'spec', 'replicas') ?? 1;
    return replicas % 2 !== 0 || !Number.isInteger(replicas) ? [] : [{ path: ['spec', 'replicas'], message: `${replicas} is not odd`, fix: `write ${replicas + 1}` }];
  },
};

/** Cluster API's providers for Talos Linux. */
export const TALOS: Provider = { name: 'talos', title: 'Talos Linux', kinds: [], rules: [REPLICAS] };
