import { Sources } from '../../values/field-sources';

/** Properties of a cluster by the fields of its KamajiControlPlane that each page has. */
export const CONTROL_PLANE_PROPERTIES: Sources = {
  'spec.replicas': 'controlPlane.replicas',
  'spec.dataStoreName': 'controlPlane.dataStore',
  'spec.dataStoreSchema': 'controlPlane.dataStoreSchema',
  'spec.dataStoreUsername': 'controlPlane.dataStoreUsername',
  'spec.dataStoreOverrides.**': 'controlPlane.dataStoreOverrides.**',
  'spec.network.certSANs.**': 'controlPlane.certSans.**',
  'spec.network.serviceAddress': 'controlPlane.exposure.address',
  'spec.network.advertiseAddress': 'controlPlane.exposure.advertiseAddress',
  'spec.network.loadBalancerConfig.loadBalancerSourceRanges.**': 'controlPlane.exposure.sourceRanges.**',
  'spec.network.additionalServicePorts.**': 'controlPlane.additionalServicePorts.**',
  'spec.addons.coreDNS.imageTag': 'controlPlane.coreDns.imageTag',
  'spec.addons.kubeProxy.imageTag': 'controlPlane.kubeProxy.imageTag',
  'spec.addons.konnectivity.agent.replicas': 'controlPlane.konnectivity.agentReplicas',
  'spec.kubelet.preferredAddressTypes.**': 'controlPlane.kubelet.preferredAddressTypes.**',
};
