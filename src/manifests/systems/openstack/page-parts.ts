import { OPENSTACK_CLUSTER, OPENSTACK_MACHINE_TEMPLATE } from './openstack-objects';
import {
  call, EXTERNAL_PROGRAMS, fieldAt, FieldReader, fieldsOf, instance, isFields, listAt, listOf, PageCall, PageFields, PageParts, PartOf, stringAt,
  TEMPLATE_FIELDS,
} from '../../rules/contract';

/** Reads a machine template; undefined if it has no flavor or no image. */
const machine: PartOf = (object) => {
  const fields = new FieldReader(object, TEMPLATE_FIELDS);
  // v1beta2 names the flavor by a filter.
  const flavor = fields.text('flavor') ?? fields.text('flavor', 'filter', 'name');
  const image = resource(fields.value('image'));
  if (flavor === undefined || !image) return undefined;
  const size = fields.gibibytes('rootVolume', 'sizeGiB');
  return instance('openstack.OpenStackMachine', {
    flavor,
    image,
    sshKeyName: fields.text('sshKeyName'),
    rootVolume: size && { size, type: fields.text('rootVolume', 'type') },
    serverGroup: resource(fields.value('serverGroup')),
    securityGroups: resources(fields.value(), 'securityGroups'),
    tags: fields.texts('tags'),
  });
};

/** Reads a cluster; undefined without an identity or a network. What the tenant gets beside it is that of the input. */
const infrastructure: PartOf = (object) => {
  const spec = new FieldReader(object, ['spec']);
  const [name, cloudName] = [spec.text('identityRef', 'name'), spec.text('identityRef', 'cloudName')];
  const net = network(spec);
  if (name === undefined || cloudName === undefined || !net) return undefined;
  const kind = spec.text('identityRef', 'type') === 'ClusterIdentity' ? 'clusterIdentity' : 'secret';
  const groups = spec.below('managedSecurityGroups');
  return instance('openstack.OpenStackInfrastructure', {
    identity: call(`openstack.OpenStackIdentity.${kind}`, { name, cloudName, region: spec.text('identityRef', 'region') }),
    network: net,
    externalNetwork: resource(spec.value('externalNetwork')),
    apiServer: apiServer(spec),
    securityGroups: groups
      ? call('openstack.OpenStackSecurityGroups.managed', groups.value('allowAllInClusterTraffic') === true ? {} : { allowAllInClusterTraffic: false })
      : call('openstack.OpenStackSecurityGroups.unmanaged'),
    controlPlaneAvailabilityZones: spec.texts('controlPlaneAvailabilityZones'),
    tags: spec.texts('tags'),
    ...EXTERNAL_PROGRAMS,
  });
};

function network(spec: FieldReader): PageCall | undefined {
  const [managed] = spec.each('managedSubnets');
  if (managed) {
    return call('openstack.OpenStackNetwork.managed', {
      cidr: managed.text('cidr'), dnsNameservers: managed.texts('dnsNameservers') ?? [], router: resource(spec.value('router')),
    });
  }
  const [existing, subnets] = [resource(spec.value('network')), resources(spec.value(), 'subnets')];
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
      internal: spec.unless(false, 'disableAPIServerFloatingIP'),
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

function resources(object: unknown, list: string): readonly PageCall[] | undefined {
  return listOf(listAt(object, list).flatMap((item) => resource(item) ?? []));
}

/** The classes of pages that make OpenStack's objects. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [OPENSTACK_CLUSTER]: infrastructure },
  machines: { [OPENSTACK_MACHINE_TEMPLATE]: machine },
};
