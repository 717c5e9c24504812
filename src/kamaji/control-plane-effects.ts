import { Effect, effectsOfFields } from '../rules/changes/effects';

/**
 * What Kamaji does when a field of a KamajiControlPlane changes: what is part of the pod template of the control plane's Deployment, or of a
 * certificate whose hash is a label of it, replaces the pods.
 *
 * Sources: clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_tcp.go, v0.20.0;
 * clastix/kamaji internal/builders/controlplane/deployment.go and konnectivity_server.go, 26.8.2-edge.
 */
export const controlPlaneEffects = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec.addons': Effect.IN_PLACE,
  'spec.addons.konnectivity': { effect: Effect.PODS, word: 'konnectivity' },
  'spec.addons.konnectivity.agent': { effect: Effect.IN_PLACE, word: 'konnectivity agent' },
  'spec.addons.coreDNS.dnsServiceIPs': { effect: Effect.LATER, word: 'dnsServiceIPs' },
  'spec.admissionControllers': { effect: Effect.PODS, word: 'admissionPlugins' },
  'spec.apiServer': { effect: Effect.PODS, word: 'apiServer' },
  'spec.containerRegistry': { effect: Effect.PODS, word: 'registry' },
  'spec.controllerManager': { effect: Effect.PODS, word: 'controllerManager' },
  'spec.dataStoreName': { effect: Effect.MOVED, word: 'dataStore' },
  'spec.dataStoreOverrides': { effect: Effect.PODS, word: 'dataStoreOverrides' },
  'spec.deployment': { effect: Effect.PODS, word: 'deployment' },
  'spec.deployment.additionalMetadata': { effect: Effect.IN_PLACE, word: 'deployment metadata' },
  'spec.deployment.strategy': { effect: Effect.IN_PLACE, word: 'deployment strategy' },
  'spec.kine': { effect: Effect.PODS, word: 'kine' },
  'spec.kubelet': { effect: Effect.LATER, word: 'kubelet' },
  'spec.network.additionalServicePorts': { effect: Effect.IN_PLACE, word: 'Service ports' },
  'spec.network.advertiseAddress': { effect: Effect.PODS, word: 'advertiseAddress' },
  'spec.network.certSANs': { effect: Effect.PODS, word: 'certificate names' },
  'spec.network.dnsServiceIPs': { effect: Effect.LATER, word: 'dnsServiceIPs' },
  'spec.network.gateway': { effect: Effect.IN_PLACE, word: 'gateway' },
  'spec.network.gateway.hostname': { effect: Effect.PODS, word: 'gateway hostname' },
  'spec.network.ingress': { effect: Effect.IN_PLACE, word: 'ingress' },
  'spec.network.ingress.hostname': { effect: Effect.PODS, word: 'ingress hostname' },
  'spec.network.loadBalancerConfig': { effect: Effect.IN_PLACE, word: 'load balancer' },
  'spec.network.serviceAnnotations': { effect: Effect.IN_PLACE, word: 'Service annotations' },
  'spec.network.serviceLabels': { effect: Effect.IN_PLACE, word: 'Service labels' },
  'spec.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.scheduler': { effect: Effect.PODS, word: 'scheduler' },
  'spec.version': { effect: Effect.PODS, word: 'version' },
});
