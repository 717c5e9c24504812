import { API_VERSION, OPENSTACK_CLUSTER_KIND } from './openstack-objects';
import {
  call, EXTERNAL_PROGRAMS, fieldAt, FieldReader, fieldsOf, isFields, listOf, ObjectForm, PageCall, PageFields, stringAt,
} from '../../rules/contract';

/** Servers, and the template that makes them. */
export const MACHINE: ObjectForm = {
  apiVersion: API_VERSION,
  kind: 'OpenStackMachineTemplate',
  className: 'openstack.OpenStackMachine',
  required: ['flavor', 'image'],
  properties: {
    // v1beta2 names the flavor by a filter.
    flavor: { field: 'flavor', read: (_, fields) => fields.text('flavor') ?? fields.text('flavor', 'filter', 'name') },
    image: { field: 'image', read: resource },
    sshKeyName: 'sshKeyName',
    rootVolume: {
      field: 'rootVolume',
      of: {
        required: ['size'],
        properties: {
          size: { field: 'sizeGiB', as: 'GiB' }, type: 'type', machineZone: { field: 'availabilityZone', read: (zone) => (stringAt(zone, 'from') === 'Machine' ? true : undefined) },
        },
      },
    },
    serverGroup: { field: 'serverGroup', read: resource },
    securityGroups: { field: 'securityGroups', items: true, read: resources },
    ports: {
      field: 'ports',
      each: {
        properties: {
          network: { field: 'network', read: resource },
          securityGroups: { field: 'securityGroups', items: true, read: resources },
          allowedAddresses: { field: 'allowedAddressPairs', items: true, read: (pairs) => listOf(items(pairs).flatMap((pair) => stringAt(pair, 'ipAddress') ?? [])) },
          disablePortSecurity: 'disablePortSecurity',
        },
      },
    },
    tags: { field: 'tags', as: 'texts' },
  },
};

/** The infrastructure. What the tenant gets beside it is that of the input. */
export const CLUSTER: ObjectForm = {
  apiVersion: API_VERSION,
  kind: OPENSTACK_CLUSTER_KIND,
  className: 'openstack.OpenStackInfrastructure',
  required: ['identity', 'network'],
  properties: {
    identity: { field: 'identityRef', read: identity },
    network: { field: 'network', read: (_, spec) => network(spec) },
    externalNetwork: { field: 'externalNetwork', read: resource },
    apiServer: { field: 'apiServerLoadBalancer', read: (_, spec) => apiServer(spec) },
    securityGroups: {
      field: 'managedSecurityGroups',
      read: (groups) => (isFields(groups)
        ? call('openstack.OpenStackSecurityGroups.managed', groups.allowAllInClusterTraffic === true ? {} : { allowAllInClusterTraffic: false })
        : call('openstack.OpenStackSecurityGroups.unmanaged')),
    },
    controlPlaneAvailabilityZones: { field: 'controlPlaneAvailabilityZones', as: 'texts' },
    tags: { field: 'tags', as: 'texts' },
  },
  beside: () => EXTERNAL_PROGRAMS,
};

function identity(reference: unknown): PageCall | undefined {
  const [name, cloudName, region] = ['name', 'cloudName', 'region'].map((field) => stringAt(reference, field));
  const kind = stringAt(reference, 'type') === 'ClusterIdentity' ? 'clusterIdentity' : 'secret';
  return name === undefined || cloudName === undefined ? undefined : call(`openstack.OpenStackIdentity.${kind}`, { name, cloudName, region });
}

function network(spec: FieldReader): PageCall | undefined {
  const [managed] = spec.each('managedSubnets');
  if (managed) {
    return call('openstack.OpenStackNetwork.managed', {
      cidr: managed.text('cidr'), dnsNameservers: managed.texts('dnsNameservers') ?? [], router: resource(spec.value('router')),
    });
  }
  const [existing, subnets] = [resource(spec.value('network')), resources(spec.value('subnets'))];
  return existing || subnets ? call('openstack.OpenStackNetwork.existing', { network: existing, subnets }) : undefined;
}

/** The way to the API server; undefined for a load balancer with the defaults. */
function apiServer(spec: FieldReader): PageCall | undefined {
  // The load balancer of v1beta2, whose fields become patches.
  if (spec.value('apiServer', 'managedLoadBalancer', 'enabled') === true) return undefined;
  const floatingIp = spec.text('apiServerFloatingIP');
  if (spec.value('apiServerLoadBalancer', 'enabled') === true) {
    const options = fieldsOf({
      floatingIp,
      internal: spec.value('disableAPIServerFloatingIP') === true ? true : undefined,
      allowedCidrs: spec.texts('apiServerLoadBalancer', 'allowedCIDRs'),
      octaviaProvider: spec.text('apiServerLoadBalancer', 'provider'),
    });
    return options && call('openstack.OpenStackApiServer.loadBalancer', options);
  }
  return spec.value('disableAPIServerFloatingIP') !== undefined ? undefined
    : call('openstack.OpenStackApiServer.floatingIp', ...(floatingIp === undefined ? [] : [floatingIp]));
}

/** Something of OpenStack, as an object names it. */
function resource(given: unknown): PageCall | undefined {
  const [id, reference, name] = [stringAt(given, 'id'), stringAt(given, 'imageRef', 'name'), stringAt(given, 'filter', 'name')];
  if (id !== undefined) return call('openstack.OpenStackResource.id', id);
  if (reference !== undefined) return call('openstack.OpenStackResource.imageRef', reference);
  const filter = fieldAt(given, 'filter');
  if (!isFields(filter)) return undefined;
  return name !== undefined && Object.keys(filter).length === 1 ? call('openstack.OpenStackResource.named', name) : call('openstack.OpenStackResource.filter', filter as PageFields);
}

function resources(list: unknown): readonly PageCall[] | undefined {
  return listOf(items(list).flatMap((item) => resource(item) ?? []));
}

function items(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}
