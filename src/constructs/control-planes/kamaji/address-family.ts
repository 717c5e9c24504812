import { KamajiComponent, hasArgument } from './components';
import { KamajiExposure } from './exposure';
import { KAMAJI_RULES } from './rules';
import { Cidr } from '../../../manifests/values/cidr';
import { parseIp } from '../../../manifests/values/ip-address';
import { Problem } from '../../../manifests/values/problem';
import { ClusterNetwork } from '../../contracts/cluster-context';

/**
 * Checks that the address that the API server advertises is of the family of the Service range: the API server writes it behind the
 * Service `kubernetes`, and exits where the two differ.
 *
 * Sources: kubernetes/kubernetes cmd/kube-apiserver/app/options/validation.go (`validatePublicIPServiceClusterIPRangeIPFamilies`),
 * clastix/kamaji internal/builders/controlplane/deployment.go (`--advertise-address`).
 */
export function checkAddressFamily(exposure: KamajiExposure, network: ClusterNetwork, apiServer: KamajiComponent): Problem[] {
  const { loadBalancer, nodePort, clusterIp, ingress, gateway } = exposure._choice;
  const advertised = (loadBalancer ?? nodePort ?? clusterIp ?? ingress ?? gateway)?.advertiseAddress;
  const address = advertised ?? (loadBalancer ?? nodePort ?? clusterIp)?.address ?? '';
  const [own, services] = [parseIp(address)?.family, Cidr.parse(network.serviceCidrs[0] ?? '')?.family];
  if (own === undefined || services === undefined || own === services || hasArgument(apiServer, 'endpoint-reconciler-type')) return [];
  return [{
    rule: KAMAJI_RULES.address,
    property: `controlPlane.exposure.${advertised === undefined ? 'address' : 'advertiseAddress'}`,
    message: `"${address}" is an ${own} address, the range of Services is ${services}, and the API server exits where the two differ`,
    accepted: `${services} addresses`,
    fix: `give an ${services} address in ${advertised === undefined ? 'advertiseAddress' : 'its place'}, or choose serviceCidrs of ${own}`,
  }];
}
