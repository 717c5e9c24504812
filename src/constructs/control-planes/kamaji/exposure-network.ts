import { INGRESS_PORT, KamajiExposure, KamajiServiceOptions } from './exposure';
import {
  KamajiControlPlaneSpecNetwork as NetworkSpec, KamajiControlPlaneSpecNetworkServiceType as ServiceType,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { formatHostPort } from '../../../manifests/values/dns';

const API_LISTENER = 'kube-apiserver';

/** The part of `spec.network` that follows from the exposure. */
export function exposureSpec(exposure: KamajiExposure): NetworkSpec {
  const { loadBalancer, nodePort, clusterIp, ingress, gateway } = exposure._choice;
  const { advertiseAddress, serviceLabels, serviceAnnotations } = serviceOptions(exposure);
  return {
    serviceType: serviceType(exposure),
    serviceAddress: (loadBalancer ?? nodePort ?? clusterIp)?.address,
    advertiseAddress,
    serviceLabels,
    serviceAnnotations,
    // The provider takes ranges over only where the list is there: without it, ranges that were removed would stay in force.
    loadBalancerConfig: loadBalancer && {
      loadBalancerClass: loadBalancer.loadBalancerClass,
      loadBalancerSourceRanges: loadBalancer.sourceRanges ?? [],
    },
    ingress: ingress && {
      className: ingress.className,
      hostname: formatHostPort(ingress.hostname, ingress.port ?? INGRESS_PORT),
      extraLabels: ingress.labels,
      extraAnnotations: ingress.annotations,
    },
    gateway: gateway && {
      name: gateway.name,
      namespace: gateway.namespace,
      sectionName: gateway.sectionName ?? API_LISTENER,
      port: exposure.apiServerPort,
      hostname: formatHostPort(gateway.hostname, exposure.apiServerPort),
      extraLabels: gateway.labels,
      extraAnnotations: gateway.annotations,
    },
  };
}

/** The property that gives the port of the API server. */
export function apiPortProperty(exposure: KamajiExposure): string {
  return `controlPlane.exposure.${exposure._choice.ingress ? 'servicePort' : 'port'}`;
}

/** The options that all ways have. */
export function serviceOptions(exposure: KamajiExposure): KamajiServiceOptions {
  const { loadBalancer, nodePort, clusterIp, ingress, gateway } = exposure._choice;
  return (loadBalancer ?? nodePort ?? clusterIp ?? ingress ?? gateway)!;
}

function serviceType(exposure: KamajiExposure): ServiceType {
  const { loadBalancer, nodePort, ingress, gateway } = exposure._choice;
  if (nodePort) {
    return ServiceType.NODE_PORT;
  }
  const chosen = (ingress ?? gateway)?.serviceType;
  return loadBalancer || chosen === ServiceType.LOAD_BALANCER.valueOf() ? ServiceType.LOAD_BALANCER : ServiceType.CLUSTER_IP;
}
