import { ManifestObject } from '../../objects/manifest-object';
import { call, fieldsOf, instance, listOf, PageCall, PageFields, sizeOf } from '../../rules/page-expression';
import { PageParts } from '../../rules/page-parts';
import { fieldAt, isFields, isSet, listAt, numberAt, objectsAt, stringAt, stringsAt } from '../../values/fields';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const MACHINE = ['spec', 'template', 'spec'];
const GIBIBYTE = 1024 ** 3;

/** Reads a machine template; undefined if it has no flavor or no image. */
function machine(object: ManifestObject): PageCall | undefined {
  // v1beta2 names the flavor by a filter.
  const flavor = stringAt(object, ...MACHINE, 'flavor') ?? stringAt(object, ...MACHINE, 'flavor', 'filter', 'name');
  const image = resource(fieldAt(object, ...MACHINE, 'image'));
  if (flavor === undefined || !image) return undefined;
  const volume = fieldAt(object, ...MACHINE, 'rootVolume');
  const size = numberAt(volume, 'sizeGiB');
  return instance('openstack.OpenStackMachine', {
    flavor,
    image,
    sshKeyName: stringAt(object, ...MACHINE, 'sshKeyName'),
    rootVolume: size === undefined ? undefined : { size: sizeOf(size * GIBIBYTE), type: stringAt(volume, 'type') },
    serverGroup: resource(fieldAt(object, ...MACHINE, 'serverGroup')),
    securityGroups: resources(object, ...MACHINE, 'securityGroups'),
    tags: texts(object, ...MACHINE, 'tags'),
  });
}

/** Reads a cluster; undefined without an identity or a network. What the tenant gets beside it is that of the input. */
function infrastructure(object: ManifestObject): PageCall | undefined {
  const at = (...path: readonly string[]) => fieldAt(object, 'spec', ...path);
  const [name, cloudName] = ['name', 'cloudName'].map((field) => stringAt(object, 'spec', 'identityRef', field));
  const net = network(object);
  if (name === undefined || cloudName === undefined || !net) return undefined;
  const kind = at('identityRef', 'type') === 'ClusterIdentity' ? 'clusterIdentity' : 'secret';
  const groups = at('managedSecurityGroups');
  return instance('openstack.OpenStackInfrastructure', {
    identity: call(`openstack.OpenStackIdentity.${kind}`, { name, cloudName, region: stringAt(object, 'spec', 'identityRef', 'region') }),
    network: net,
    externalNetwork: resource(at('externalNetwork')),
    apiServer: apiServer(object),
    securityGroups: isFields(groups)
      ? call('openstack.OpenStackSecurityGroups.managed', groups.allowAllInClusterTraffic === true ? {} : { allowAllInClusterTraffic: false })
      : call('openstack.OpenStackSecurityGroups.unmanaged'),
    controlPlaneAvailabilityZones: texts(object, 'spec', 'controlPlaneAvailabilityZones'),
    tags: texts(object, 'spec', 'tags'),
    cloudControllerManager: call('ProviderChart.external'),
    csiDriver: call('ProviderChart.external'),
  });
}

function network(object: ManifestObject): PageCall | undefined {
  const [managed] = objectsAt(object, 'spec', 'managedSubnets').map(([subnet]) => subnet);
  if (managed) {
    return call('openstack.OpenStackNetwork.managed', {
      cidr: stringAt(managed, 'cidr'),
      dnsNameservers: stringsAt(managed, 'dnsNameservers').map(([server]) => server),
      router: resource(fieldAt(object, 'spec', 'router')),
    });
  }
  const [existing, subnets] = [resource(fieldAt(object, 'spec', 'network')), resources(object, 'spec', 'subnets')];
  return existing || subnets ? call('openstack.OpenStackNetwork.existing', { network: existing, subnets }) : undefined;
}

/** The way to the API server; undefined for a load balancer with the defaults. */
function apiServer(object: ManifestObject): PageCall | undefined {
  // The load balancer of v1beta2, whose fields become patches.
  if (fieldAt(object, 'spec', 'apiServer', 'managedLoadBalancer', 'enabled') === true) return undefined;
  const floatingIp = stringAt(object, 'spec', 'apiServerFloatingIP');
  if (fieldAt(object, 'spec', 'apiServerLoadBalancer', 'enabled') === true) {
    const options = fieldsOf({
      floatingIp,
      internal: fieldAt(object, 'spec', 'disableAPIServerFloatingIP') === true ? true : undefined,
      allowedCidrs: texts(object, 'spec', 'apiServerLoadBalancer', 'allowedCIDRs'),
      octaviaProvider: stringAt(object, 'spec', 'apiServerLoadBalancer', 'provider'),
    });
    return options && call('openstack.OpenStackApiServer.loadBalancer', options);
  }
  if (isSet(object, 'spec', 'disableAPIServerFloatingIP')) return undefined;
  return floatingIp === undefined ? call('openstack.OpenStackApiServer.floatingIp') : call('openstack.OpenStackApiServer.floatingIp', floatingIp);
}

/** Something of OpenStack, as an object names it. */
function resource(given: unknown): PageCall | undefined {
  const [id, reference, name] = [stringAt(given, 'id'), stringAt(given, 'imageRef', 'name'), stringAt(given, 'filter', 'name')];
  if (id !== undefined) return call('openstack.OpenStackResource.id', id);
  if (reference !== undefined) return call('openstack.OpenStackResource.imageRef', reference);
  const filter = fieldAt(given, 'filter');
  if (name !== undefined && isFields(filter) && Object.keys(filter).length === 1) return call('openstack.OpenStackResource.named', name);
  return isFields(filter) ? call('openstack.OpenStackResource.filter', filter as PageFields) : undefined;
}

function resources(object: ManifestObject, ...path: readonly string[]): readonly PageCall[] | undefined {
  const found = listAt(object, ...path).flatMap((item) => resource(item) ?? []);
  return found.length === 0 ? undefined : found;
}

function texts(object: ManifestObject, ...path: readonly string[]) {
  return listOf(stringsAt(object, ...path).map(([text]) => text));
}

/** The classes of pages that make OpenStack's objects. */
export const PAGE_PARTS: PageParts = {
  infrastructures: { [`${GROUP}/OpenStackCluster`]: infrastructure },
  machines: { [`${GROUP}/OpenStackMachineTemplate`]: machine },
};
