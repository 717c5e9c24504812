import { DATA_TEXT, machineTemplateText, METAL3_DATA_TEMPLATE, METAL3_MACHINE_TEMPLATE } from './metal3-kinds';
import {
  checkRequirements, clusterOfOwner, documents, fieldAt, FieldPath, Fields, Finding, isFields, isSet, isV1beta1, machineOwners, ManifestRule, missing,
  namespaceOf, objectsAt, objectsInLists, replaced, stringAt, stringsAt, TEMPLATE_FIELDS,
} from '../../rules/contract';
import { checkDnsSubdomain } from '../../values/dns';

// The metadata and the network data of machines, as the provider and cloud-init read them.

const DATA_MANAGER = 'metal3-io/cluster-api-provider-metal3 baremetal/metal3data_manager.go';
const LINKS: readonly string[] = ['spec', 'networkData', 'links'];
const NETWORKS: readonly string[] = ['spec', 'networkData', 'networks'];
const GATEWAYS: readonly string[] = ['string', 'fromIPPool', 'fromPoolRef', 'fromPoolAnnotation'];
const MAC = /^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$/;

const NETWORK_DATA: ManifestRule = {
  id: 'TC-TRAP-METAL3-NETWORK-DATA',
  title: 'Links must have a MAC address, routes a gateway, and networks, bonds and VLANs must name a link that exists: machines are not deployed, or come up without the network.',
  source: `${DATA_MANAGER} (getLinkMacAddress, getRoutesv4), canonical/cloud-init cloudinit/sources/helpers/openstack.py (convert_net_json)`,
  trap: true,
  kinds: [METAL3_DATA_TEMPLATE],
  example: replaced(DATA_TEXT, 'id: nodes, link: eno1', 'id: nodes, link: eno2'),
  check: (object) => {
    const links = objectsInLists(object, LINKS, 'ethernets', 'bonds', 'vlans');
    const ids = links.flatMap(({ fields }) => stringAt(fields, 'id') ?? []);
    const checkLink = (path: FieldPath, id: string | undefined): Finding[] => (id === undefined || ids.includes(id) ? [] : [{
      path, message: `there is no link "${id}"`, ...(ids.length > 0 && { accepted: ids.join(', ') }), fix: ids.length > 0 ? 'name one of the links' : 'add the link',
    }]);
    return [
      ...links.flatMap(({ fields, path }) => [
        ...checkMac(fields, path),
        ...checkLink([...path, 'vlanLink'], stringAt(fields, 'vlanLink')),
        ...stringsAt(fields, 'bondLinks').flatMap(([id, index]) => checkLink([...path, 'bondLinks', index], id)),
      ]),
      ...objectsInLists(object, NETWORKS, 'ipv4', 'ipv6', 'ipv4DHCP', 'ipv6DHCP', 'ipv6SLAAC').flatMap(({ fields, path }) => [
        ...checkLink([...path, 'link'], stringAt(fields, 'link')),
        ...objectsAt(fields, 'routes').flatMap(([route, index]): Finding[] => (!isFields(route.gateway) || GATEWAYS.some((field) => isSet(route.gateway, field)) ? [] : [{
          path: [...path, 'routes', index, 'gateway'], message: 'the route has no gateway', fix: 'state the address of the gateway, or a pool that has one',
        }])),
      ]),
    ];
  },
};

function checkMac(link: Fields, path: FieldPath): Finding[] {
  const given = fieldAt(link, 'macAddress');
  if (!isFields(given)) return [];
  const text = stringAt(given, 'string');
  const at = [...path, 'macAddress'];
  if (text !== undefined) return MAC.test(text) ? [] : [{ path: [...at, 'string'], message: `${JSON.stringify(text)} is not a MAC address`, accepted: 'addresses such as 52:54:00:12:34:56', fix: 'write the MAC address' }];
  const isGiven = stringAt(given, 'fromHostInterface') !== undefined || isSet(given, 'fromAnnotation', 'annotation');
  return isGiven ? [] : [{ path: at, message: 'the MAC address comes from nowhere', fix: 'name the interface of the host in fromHostInterface' }];
}

const METADATA_POOLS: readonly string[] = ['ipAddressesFromPool', 'prefixesFromPool', 'gatewaysFromPool', 'dnsServersFromPool'];
const IPAM = 'ipam.metal3.io';

const POOLS: ManifestRule = {
  id: 'TC-TRAP-METAL3-DATA-POOL',
  title: 'Pools in the metadata of a Metal3DataTemplate must be IPPools of Metal3: the provider takes those of other providers for an IPPool of that name.',
  source: `${DATA_MANAGER} (addFromPool, addRef)`,
  trap: true,
  kinds: [METAL3_DATA_TEMPLATE],
  example: replaced(DATA_TEXT, 'key: address, name: nodes, apiGroup: ipam.metal3.io, kind: IPPool', 'key: address, name: nodes, apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool'),
  check: (object) => objectsInLists(object, ['spec', 'metaData'], ...METADATA_POOLS).flatMap(({ fields, path }): Finding[] => {
    const [group, kind] = [stringAt(fields, 'apiGroup') ?? IPAM, stringAt(fields, 'kind') ?? 'IPPool'];
    return group === IPAM && kind === 'IPPool' ? [] : [{
      path,
      message: `the ${kind} "${stringAt(fields, 'name') ?? ''}" of ${group} is looked for as an IPPool of ${IPAM}, and the machine waits for an address`,
      fix: 'take the address from the network of the machine, or use an IPPool',
    }];
  }),
};

const DATA_TEMPLATE: ManifestRule = {
  id: 'TC-TRAP-METAL3-DATA-TEMPLATE',
  title: 'The Metal3DataTemplate of machines must exist in their namespace, and name their cluster: the machines wait for their data otherwise.',
  source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (AssociateM3Metadata), controllers/metal3datatemplate_controller.go',
  trap: true,
  elsewhere: true,
  kinds: [METAL3_MACHINE_TEMPLATE],
  example: replaced(documents(machineTemplateText('dataTemplate: {name: acme}\n'), DATA_TEXT), 'dataTemplate: {name: acme}', 'dataTemplate: {name: amce}'),
  check: (object, index) => {
    const path = [...TEMPLATE_FIELDS, 'dataTemplate', 'name'];
    const [name, namespace] = [stringAt(object, ...path), stringAt(object, ...path.slice(0, -1), 'namespace') ?? namespaceOf(object)];
    if (name === undefined) return [];
    const data = index.find(METAL3_DATA_TEMPLATE, namespace, name);
    if (!data) return missing(object, index, { kind: METAL3_DATA_TEMPLATE, name, path, namespace });
    const given = stringAt(data, 'spec', 'clusterName');
    const clusters = machineOwners(object, index).flatMap((owner) => stringAt(owner, 'spec', 'clusterName') ?? stringAt(clusterOfOwner(owner, index), 'metadata', 'name') ?? []);
    const other = clusters.find((cluster) => cluster !== given);
    return given === undefined || other === undefined ? [] : [{
      path, message: `the Metal3DataTemplate "${name}" belongs to the cluster "${given}", and the machines to "${other}"`, fix: 'write a Metal3DataTemplate for each cluster',
    }];
  },
};

const DATA_NAME: ManifestRule = {
  id: 'TC-TRAP-METAL3-DATA-NAME',
  title: 'A reference to a Metal3DataTemplate must have the name of one: the machines wait for their data otherwise.',
  source: 'metal3-io/cluster-api-provider-metal3 baremetal/utils.go (fetchM3DataTemplate), kubernetes/apimachinery pkg/api/validation/generic.go',
  trap: true,
  kinds: [METAL3_MACHINE_TEMPLATE],
  example: replaced(machineTemplateText('dataTemplate: {name: rack-1}\n'), 'name: rack-1', 'name: Rack_1'),
  check: (object) => {
    const path = [...TEMPLATE_FIELDS, 'dataTemplate'];
    const [reference, name] = [fieldAt(object, ...path), stringAt(object, ...path, 'name')];
    // The definition of v1beta2 refuses an empty name.
    if (!isFields(reference) || (isSet(reference, 'name') && name === undefined && !isV1beta1(object))) return [];
    const fault = name === undefined ? 'no Metal3DataTemplate is named' : checkDnsSubdomain(name);
    return fault === undefined ? [] : [{ path: [...path, 'name'], message: fault, fix: 'write the name of a Metal3DataTemplate, or remove dataTemplate' }];
  },
};

const HOST_SELECTOR: ManifestRule = {
  id: 'TC-TRAP-METAL3-HOST-SELECTOR',
  title: 'Expressions of a host selector must have an operator that the provider knows, and as many values as it needs: no host is chosen otherwise.',
  source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (hostLabelSelectorForMachine), kubernetes/apimachinery pkg/labels/selector.go (NewRequirement)',
  trap: true,
  kinds: [METAL3_MACHINE_TEMPLATE],
  example: replaced(machineTemplateText(), 'operator: in, values: [r1, r2]', 'operator: DoesNotExist, values: []'),
  check: (object) => checkRequirements(object, [...TEMPLATE_FIELDS, 'hostSelector', 'matchExpressions']),
};

/** Rules of the data and the hosts of machines. */
export const METAL3_MACHINES: readonly ManifestRule[] = [NETWORK_DATA, POOLS, DATA_TEMPLATE, DATA_NAME, HOST_SELECTOR];
