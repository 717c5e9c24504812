/** Rules of this example for manifests of RKE2's provider. The library knows the effects of their changes. */
import { type ManifestRule, numberAt, type Provider, providerYaml, replaced, stringAt } from 'cdk8s-cluster-api/manifests';

const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/RKE2ControlPlane';
const WEBHOOK = 'rancher/cluster-api-provider-rke2 controlplane/api/v1beta2/rke2controlplane_webhook.go';

const CONTROL_PLANE_TEXT = providerYaml('controlplane.cluster.x-k8s.io/v1beta2', 'RKE2ControlPlane', `version: v1.35.4+rke2r1
replicas: 3
registrationMethod: address
registrationAddress: 192.0.2.1
machineTemplate:
  spec:
    infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: HCloudMachineTemplate, name: acme}
rolloutStrategy: {type: RollingUpdate}
`);

const REPLICAS: ManifestRule = {
  id: 'ACME-RKE2-REPLICAS',
  title: 'A control plane must have at least one machine.',
  source: `${WEBHOOK} (validateSpec)`,
  kinds: [CONTROL_PLANE],
  example: replaced(CONTROL_PLANE_TEXT, 'replicas: 3', 'replicas: 0'),
  check: (object) => {
    const replicas = numberAt(object, 'spec', 'replicas') ?? 1;
    return replicas > 0 ? [] : [{ path: ['spec', 'replicas'], message: `${replicas} is less than 1`, fix: 'write 1, 3 or 5' }];
  },
};

const ADDRESS: ManifestRule = {
  id: 'ACME-RKE2-REGISTRATION-ADDRESS',
  title: 'Registration by address must have one.',
  source: `${WEBHOOK} (validateRegistrationMethod)`,
  kinds: [CONTROL_PLANE],
  example: replaced(CONTROL_PLANE_TEXT, '  registrationAddress: 192.0.2.1\n', ''),
  check: (object) => (stringAt(object, 'spec', 'registrationMethod') !== 'address' || (stringAt(object, 'spec', 'registrationAddress') ?? '') !== '' ? [] : [{
    path: ['spec', 'registrationMethod'], message: 'registrationAddress is not set', fix: 'choose another method, or set the address by a patch',
  }]),
};

/** Cluster API's provider for RKE2. */
export const RKE2: Provider = {
  name: 'rke2',
  title: 'RKE2',
  kinds: [],
  rules: [REPLICAS, ADDRESS],
  controlPlanes: {
    [CONTROL_PLANE]: (object) => ({
      network: {
        dns: true,
        ...(stringAt(object, 'spec', 'serverConfig', 'clusterDNS') !== undefined && {
          dnsAddresses: [stringAt(object, 'spec', 'serverConfig', 'clusterDNS')!],
        }),
      },
    }),
  },
};
