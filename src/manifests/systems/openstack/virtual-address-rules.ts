import { clusterText, machineTemplateText, OPENSTACK_CLUSTER, OPENSTACK_MACHINE_TEMPLATE } from './openstack-objects';
import {
  clusterOf, documents, fieldAt, Fields, groupKind, isFields, isSet, KUBEADM_CONTROL_PLANE, kubeadmPlaneYaml, listAt, machineOwnersOf, ManifestIndex,
  ManifestObject, ManifestRule, objectsAt, partOf, partsYaml, replaced, stringAt, TEMPLATE_FIELDS,
} from '../../rules/contract';
import { AddressRange, parseAddressRange, rangeCovers } from '../../values/address-ranges';
import { announcedAddresses, kubeVipFile } from '../kube-vip/rules/static-pods';

const ADDRESS = '10.6.0.9';
const PAIR = `allowedAddressPairs: [{ipAddress: ${ADDRESS}}]`;

const VIRTUAL_ADDRESS: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-VIRTUAL-ADDRESS',
  title: 'A port with port security must have the address that a machine announces by ARP in allowedAddressPairs: OpenStack drops its packets otherwise.',
  source: 'kubernetes-sigs/cluster-api-provider-openstack v0.14.7 pkg/cloud/services/networking/port.go (EnsurePort), api/v1beta1/types.go (allowedAddressPairs, '
    + 'disablePortSecurity); issue 1755',
  trap: true,
  kinds: [OPENSTACK_MACHINE_TEMPLATE],
  example: replaced(documents(
    partsYaml('KubeadmControlPlane', 'OpenStackCluster'),
    kubeadmPlaneYaml(`preKubeadmCommands: [/opt/use-super-admin.conf.sh]\n${kubeVipFile(ADDRESS)}`, 'OpenStackMachineTemplate'),
    clusterText(`managedSubnets: [{cidr: 10.6.0.0/24}]\ndisableAPIServerFloatingIP: true\ncontrolPlaneEndpoint: {host: ${ADDRESS}, port: 6443}\n`),
    machineTemplateText(`ports: [{description: nodes, ${PAIR}}]\n`, 'acme-control-plane'),
  ), `, ${PAIR}`, ''),
  check: (object, index) => {
    const spec = fieldAt(object, ...TEMPLATE_FIELDS);
    if (!isFields(spec)) return [];
    const ports = objectsAt(spec, 'ports').map(([port]) => port);
    const planes = machineOwnersOf(object, index).filter((owner) => groupKind(owner) === KUBEADM_CONTROL_PLANE);
    const dropped = planes.filter((plane) => hasPortSecurity(spec, ports, plane, index)).flatMap(announcedAddresses).filter((address) => {
      const range = parseAddressRange(address);
      return range && !ports.some((port) => lets(port, range));
    });
    return [...new Set(dropped)].map((address) => ({
      path: [...TEMPLATE_FIELDS, 'ports'],
      message: `the machines announce ${address}, and ${ports.length === 0 ? 'their port does not allow' : 'none of their ports allows'} it: nothing that is sent from this address leaves them`,
      fix: `write allowedAddressPairs: [{ipAddress: ${address}}] for the port on the network of the address`,
    }));
  },
};

/** True if a port lets packets of an address out. */
function lets(port: Fields, address: AddressRange): boolean {
  return port.disablePortSecurity === true || objectsAt(port, 'allowedAddressPairs').some(([pair]) => {
    const range = parseAddressRange(stringAt(pair, 'ipAddress') ?? '');
    // A string that is no address may be a variable.
    return range === undefined || rangeCovers(range, address);
  });
}

/**
 * True if the manifests decide that ports of machines have port security: the provider makes the network and leaves it on, or gives the ports security
 * groups, which need it. An existing network may have it off.
 */
function hasPortSecurity(spec: unknown, ports: readonly Fields[], owner: ManifestObject, index: ManifestIndex): boolean {
  const cluster = clusterOf(owner, index);
  const network = cluster && partOf(cluster, 'infrastructureRef', index);
  if (!network || groupKind(network) !== OPENSTACK_CLUSTER || fieldAt(network, 'spec', 'disablePortSecurity') === true) return false;
  // Ports on further networks, which have settings of their own.
  const elsewhere = ports.length > 0 && ports.every((port) => isSet(port, 'network'));
  const grouped = [spec, ...ports].some((one) => listAt(one, 'securityGroups').length > 0) || isSet(network, 'spec', 'managedSecurityGroups');
  return grouped || (!elsewhere && listAt(fieldAt(network, 'spec'), 'managedSubnets').length > 0);
}

/** Rules over addresses that machines announce. */
export const VIRTUAL_ADDRESS_RULES: readonly ManifestRule[] = [VIRTUAL_ADDRESS];
