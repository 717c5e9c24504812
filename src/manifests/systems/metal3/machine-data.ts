import { EXAMPLES, METAL3_DATA_TEMPLATE, METAL3_MACHINE_TEMPLATE } from './metal3-kinds';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { missing } from '../../rules/references/missing-references';
import { clusterOfOwner, machineOwners } from '../../rules/references/object-references';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';

// The metadata and the network data of machines, as the provider and cloud-init read them.

const DATA_MANAGER = 'metal3-io/cluster-api-provider-metal3 baremetal/metal3data_manager.go';
const LINKS: readonly string[] = ['spec', 'networkData', 'links'];
const NETWORKS: readonly string[] = ['spec', 'networkData', 'networks'];
const LINK_LISTS: readonly string[] = ['ethernets', 'bonds', 'vlans'];
const NETWORK_LISTS: readonly string[] = ['ipv4', 'ipv6', 'ipv4DHCP', 'ipv6DHCP', 'ipv6SLAAC'];
const GATEWAYS: readonly string[] = ['string', 'fromIPPool', 'fromPoolRef', 'fromPoolAnnotation'];
const MAC = /^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$/;

/** Something in one of the lists below a path, and its place. */
interface Entry {
  readonly entry: Fields;
  readonly path: FieldPath;
}

function entriesOf(object: ManifestObject, start: readonly string[], lists: readonly string[]): Entry[] {
  return lists.flatMap((list) => objectsAt(object, ...start, list).map(([entry, index]) => ({ entry, path: [...start, list, index] })));
}

const NETWORK_DATA: ManifestRule = {
  id: 'TC-TRAP-METAL3-NETWORK-DATA',
  title: 'Links must have a MAC address, routes a gateway, and networks, bonds and VLANs must name a link that exists: machines are not deployed, or come up without the network.',
  source: `${DATA_MANAGER} (getLinkMacAddress, getRoutesv4), canonical/cloud-init cloudinit/sources/helpers/openstack.py (convert_net_json)`,
  trap: true,
  kinds: [METAL3_DATA_TEMPLATE],
  example: replaced(EXAMPLES.data, 'id: nodes, link: eno1', 'id: nodes, link: eno2'),
  check: (object) => {
    const links = entriesOf(object, LINKS, LINK_LISTS);
    const ids = links.flatMap(({ entry }) => stringAt(entry, 'id') ?? []);
    const checkLink = (path: FieldPath, id: string | undefined): Finding[] => (id === undefined || ids.includes(id) ? [] : [{
      path, message: `there is no link "${id}"`, ...(ids.length > 0 && { accepted: ids.join(', ') }), fix: ids.length > 0 ? 'name one of the links' : 'add the link',
    }]);
    return [
      ...links.flatMap(({ entry, path }) => [
        ...checkMac(entry, path),
        ...checkLink([...path, 'vlanLink'], stringAt(entry, 'vlanLink')),
        ...stringsAt(entry, 'bondLinks').flatMap(([id, index]) => checkLink([...path, 'bondLinks', index], id)),
      ]),
      ...entriesOf(object, NETWORKS, NETWORK_LISTS).flatMap(({ entry, path }) => [
        ...checkLink([...path, 'link'], stringAt(entry, 'link')),
        ...objectsAt(entry, 'routes').flatMap(([route, index]): Finding[] => (!isFields(route.gateway) || GATEWAYS.some((field) => isSet(route.gateway, field)) ? [] : [{
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
  example: replaced(EXAMPLES.data, 'key: address, name: nodes, apiGroup: ipam.metal3.io, kind: IPPool', 'key: address, name: nodes, apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool'),
  check: (object) => entriesOf(object, ['spec', 'metaData'], METADATA_POOLS).flatMap(({ entry, path }): Finding[] => {
    const [group, kind] = [stringAt(entry, 'apiGroup') ?? IPAM, stringAt(entry, 'kind') ?? 'IPPool'];
    return group === IPAM && kind === 'IPPool' ? [] : [{
      path,
      message: `the ${kind} "${stringAt(entry, 'name') ?? ''}" of ${group} is looked for as an IPPool of ${IPAM}, and the machine waits for an address`,
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
  example: replaced(documents(`${EXAMPLES.machine}      dataTemplate: {name: acme}\n`, EXAMPLES.data), 'dataTemplate: {name: acme}', 'dataTemplate: {name: amce}'),
  check: (object, index) => {
    const path = ['spec', 'template', 'spec', 'dataTemplate', 'name'];
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

const OPERATORS: readonly string[] = ['=', '==', '!=', 'in', 'notin', 'exists', '!', 'gt', 'lt'];

const HOST_SELECTOR: ManifestRule = {
  id: 'TC-TRAP-METAL3-HOST-SELECTOR',
  title: 'Expressions of a host selector must have an operator that the provider knows, and as many values as it needs: no host is chosen otherwise.',
  source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (hostLabelSelectorForMachine), kubernetes/apimachinery pkg/labels/selector.go (NewRequirement)',
  trap: true,
  kinds: [METAL3_MACHINE_TEMPLATE],
  example: replaced(EXAMPLES.machine, 'operator: in, values: [r1, r2]', 'operator: DoesNotExist, values: []'),
  check: (object) => {
    const start = ['spec', 'template', 'spec', 'hostSelector', 'matchExpressions'];
    return objectsAt(object, ...start).flatMap(([expression, index]): Finding[] => {
      const written = stringAt(expression, 'operator');
      if (written === undefined) return [];
      const [operator, values] = [written.toLowerCase(), stringsAt(expression, 'values').map(([value]) => value)];
      const fault = valuesFault(operator, values);
      if (!OPERATORS.includes(operator)) return [{ path: [...start, index, 'operator'], message: `"${written}" is no operator`, accepted: OPERATORS.join(', '), fix: operator === 'doesnotexist' ? 'write !' : 'write one of these' }];
      return fault === undefined ? [] : [{ path: [...start, index, 'values'], message: `the operator "${written}" needs ${fault}, and there are ${values.length === 0 ? 'none' : values.join(', ')}`, fix: `write ${fault}` }];
    });
  },
};

/** The values that an operator needs, if it does not have them. */
function valuesFault(operator: string, values: readonly string[]): string | undefined {
  if (operator === 'in' || operator === 'notin') return values.length > 0 ? undefined : 'one or several values';
  if (operator === 'exists' || operator === '!') return values.length === 0 ? undefined : 'no values';
  if (operator === 'gt' || operator === 'lt') return values.length === 1 && /^-?\d+$/.test(values[0]) ? undefined : 'one integer';
  return values.length === 1 ? undefined : 'one value';
}

/** Rules of the data and the hosts of machines. */
export const METAL3_MACHINES: readonly ManifestRule[] = [NETWORK_DATA, POOLS, DATA_TEMPLATE, HOST_SELECTOR];
