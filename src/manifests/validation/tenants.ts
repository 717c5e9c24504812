import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { ControlPlaneFacts } from '../rules/cluster-facts';
import { isEmptySelector, SelectedObjects } from '../rules/label-selectors';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { partOf, partReference } from '../rules/references/object-references';
import { ReleaseValues } from '../rules/tenant-charts';
import { deliveryFacts, providers } from '../systems/providers';
import { Cidr, DNS_SERVICE_INDEX } from '../values/cidr';
import { fieldAt, isFields, isFilled, numberAt, stringAt, stringsAt } from '../values/fields';

/** A tenant cluster, as the manifests of its management cluster state it. */
export interface Tenant {
  readonly name: string;
  readonly namespace?: string;

  /** The Cluster, or a control plane that has none. */
  readonly object: ManifestObject;
  readonly controlPlane?: ManifestObject;
  readonly facts: ControlPlaneFacts;

  /** Ranges of pods and of Services; empty if they are not known. */
  readonly podCidrs: readonly Cidr[];
  readonly serviceCidrs: readonly Cidr[];

  /** Addresses at which kubelets look for the DNS server; empty if they are not known. */
  readonly dnsAddresses: readonly string[];

  /** Host and port of the API server, as far as they are stated. */
  readonly endpoint: { readonly host?: string; readonly port?: number };

  /** True if its machines are pods of the management cluster. */
  readonly isNested: boolean;

  /** Objects of its management cluster. */
  readonly management: ManifestIndex;
}

/** A chart, as it is installed in a tenant or in the management cluster. */
export interface InstalledRelease {
  readonly chart: string;
  readonly version?: string;
  readonly values: ReleaseValues;

  /** Undefined for the management cluster. */
  readonly tenant?: Tenant;
}

const TENANTS = new WeakMap<ManifestIndex, Map<ManifestObject, Tenant>>();
const LABELLED = new SelectedObjects((cluster) => {
  const labels = fieldAt(cluster, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
});
const BESIDE = new Lookup([CLUSTER], (cluster) => [namespaceOf(cluster)]);
const NAMED = new Lookup([CLUSTER], (cluster) => [nameOf(cluster)]);
const WITH_NAMESPACE = new Lookup([CLUSTER], (cluster) => [`${namespaceOf(cluster)}-${nameOf(cluster)}`]);

function controlPlaneOrCluster(): string[] {
  return [CLUSTER, ...providers().flatMap(({ controlPlanes = {} }) => Object.keys(controlPlanes))];
}

/**
 * The releases of a chart that an object installs: one for each tenant that it is for. Where a tenant is not among the manifests, there is none.
 *
 * @param object an object that delivers
 * @param index the objects beside it
 * @param charts names of the charts that are asked for; undefined for any
 */
export function releasesOf(object: ManifestObject, index: ManifestIndex, charts?: readonly string[]): readonly InstalledRelease[] {
  const facts = deliveryFacts(object);
  if (!facts?.layers || !facts.read) return [];
  const { chart: stated, path, version } = facts.read(object, index);
  // A chart of a repository is a folder.
  const chart = (stated ?? path)?.split('/').at(-1);
  if (chart === undefined || charts?.includes(chart) === false) return [];
  const release = (tenant?: Tenant): InstalledRelease[] => {
    const layers = facts.layers!(object, index, tenant && groupKind(tenant.object) === CLUSTER ? tenant.object : undefined);
    return layers ? [{ chart, version, values: new ReleaseValues(layers), tenant }] : [];
  };
  const isElsewhere = facts.isForTenant(object);
  const tenants = isElsewhere ? clustersOf(object, index).map((cluster) => tenantOf(cluster, index)) : [targetTenant(index)];
  return tenants.flatMap((tenant) => (tenant || !isElsewhere ? release(tenant) : []));
}

/** The tenants among the manifests that an object delivers to, where it delivers to others than its own cluster. */
export function tenantsOf(object: ManifestObject, index: ManifestIndex): readonly Tenant[] {
  return clustersOf(object, index).map((cluster) => tenantOf(cluster, index));
}

/** The tenant that objects are applied to; undefined for a management cluster, and where it is not known. */
export function targetTenant({ target }: ManifestIndex): Tenant | undefined {
  if (!target) return undefined;
  const cluster = target.management.find(CLUSTER, target.namespace, target.name);
  return cluster && tenantOf(cluster, target.management);
}

/** The Clusters that a delivery is for, and control planes that have none. */
function clustersOf(object: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const target = deliveryFacts(object)!.target(object);
  const namespace = namespaceOf(object);
  const labelled = stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  if (target.by === 'selector') {
    if (target.emptySelectsNone && (!isFilled(target.selector) || isEmptySelector(target.selector))) return [];
    return LABELLED.of(BESIDE.find(index, namespace), target.selector);
  }
  if (target.by === 'name') return found(labelled ?? target.name, namespace, index);
  // The name under which a tool registers a cluster is anybody's choice: one that fits several is none.
  const names = [target.name, labelled].filter((name) => name !== undefined);
  const registered: readonly (readonly ManifestObject[])[] = names.flatMap((name) => [NAMED.find(index, name), WITH_NAMESPACE.find(index, name)]);
  return registered.find((clusters) => clusters.length === 1) ?? index.all(CLUSTER).filter((cluster) => {
    const { host, port } = tenantOf(cluster, index).endpoint;
    return host !== undefined && target.server === `https://${host}:${port}`;
  });
}

function found(name: string | undefined, namespace: string | undefined, index: ManifestIndex): readonly ManifestObject[] {
  return controlPlaneOrCluster().map((kind) => index.find(kind, namespace, name)).filter((object) => object !== undefined).slice(0, 1);
}

/** A tenant, by its Cluster or its control plane. */
export function tenantOf(object: ManifestObject, management: ManifestIndex): Tenant {
  let known = TENANTS.get(management);
  if (!known) TENANTS.set(management, known = new Map());
  let tenant = known.get(object);
  if (!tenant) known.set(object, tenant = readTenant(object, management));
  return tenant;
}

function readTenant(object: ManifestObject, management: ManifestIndex): Tenant {
  const isCluster = groupKind(object) === CLUSTER;
  const controlPlane = isCluster ? partOf(object, 'controlPlaneRef', management) : object;
  const facts = factsOf(controlPlane);
  const { network = {} } = facts;
  const ranges = (list: string, own: readonly string[] | undefined, usual: string | undefined): readonly Cidr[] => {
    const stated = own ?? (isCluster ? stringsAt(object, 'spec', 'clusterNetwork', list, 'cidrBlocks').map(([text]) => text) : []);
    const read = (stated.length > 0 || usual === undefined ? stated : [usual]).map((text) => Cidr.parse(text.trim()));
    return read.every((range) => range !== undefined) ? read : [];
  };
  const serviceCidrs = ranges('services', network.serviceCidrs, network.usualServiceCidr);
  const tenth = facts.network ? serviceCidrs.flatMap((range) => range.nth(DNS_SERVICE_INDEX) ?? []) : [];
  return {
    name: nameOf(object) ?? '',
    namespace: namespaceOf(object),
    object,
    controlPlane,
    facts,
    podCidrs: ranges('pods', network.podCidrs, network.usualPodCidr),
    serviceCidrs,
    dnsAddresses: network.dnsAddresses ?? tenth,
    endpoint: {
      host: stringAt(object, 'spec', 'controlPlaneEndpoint', 'host') ?? facts.endpoint, port: numberAt(object, 'spec', 'controlPlaneEndpoint', 'port'),
    },
    isNested: isNested(object),
    management,
  };
}

function factsOf(controlPlane: ManifestObject | undefined): ControlPlaneFacts {
  if (!controlPlane) return {};
  return providers().map(({ controlPlanes }) => controlPlanes?.[groupKind(controlPlane)]?.(controlPlane)).find((facts) => facts) ?? {};
}

/** True if the provider of the infrastructure makes pods of machines. */
function isNested(cluster: ManifestObject): boolean {
  const infrastructure = partReference(cluster, 'infrastructureRef')?.kind;
  return providers().some(({ kinds, machinePods }) => machinePods && kinds.some(({ kind }) => kind === infrastructure));
}
