import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { VSPHERE_API_VERSION } from '../../../manifests/systems/vsphere/vsphere-objects';
import { validateApp } from '../../app/validation/attached-validation';
import { FieldSources, setFields, TypedApiObject } from '../contract';

/** The part of a vCenter that a region or zone is. */
export enum VSpherePlace {
  /** A data center. */
  DATACENTER = 'Datacenter',

  /** A compute cluster. */
  COMPUTE_CLUSTER = 'ComputeCluster',

  /** A group of hosts in a compute cluster. A zone only. */
  HOST_GROUP = 'HostGroup',
}

/** A tag of vCenter that a region or zone has. */
export interface VSphereTag {
  /** Name of the tag. */
  readonly name: string;

  /** Category of the tag, e.g. `k8s-zone`. */
  readonly category: string;

  /** The part of the vCenter that has the tag (`TC-ADMIT-VSPHERE-FAILURE-DOMAIN`). */
  readonly place: VSpherePlace;
}

/** Groups of a compute cluster, between which an affinity rule exists. */
export interface VSphereHosts {
  /** Name of the group of hosts. */
  readonly hostGroup: string;

  /** Name of the group of virtual machines. */
  readonly vmGroup: string;
}

/** A zone of a vCenter. Its place cannot be changed: another place is another zone. */
export interface VSphereZoneProps {
  /** Name of the zone, unique in the management cluster: pools name it as their failure domain. */
  readonly name: string;

  /** Host name or address of the vCenter, as in the infrastructure of the clusters. */
  readonly server: string;

  /** Tag of the region. */
  readonly region: VSphereTag;

  /** Tag of the zone. */
  readonly zone: VSphereTag;

  /** Data center that machines are in. */
  readonly datacenter: string;

  /**
   * Compute cluster that machines are in (`TC-ADMIT-VSPHERE-FAILURE-DOMAIN`).
   *
   * @default - none
   */
  readonly computeCluster?: string;

  /**
   * Groups of the compute cluster that machines and their hosts are in (`TC-ADMIT-VSPHERE-FAILURE-DOMAIN`).
   *
   * @default - none
   */
  readonly hosts?: VSphereHosts;

  /**
   * Datastore of machines.
   *
   * @default - that of the machine
   */
  readonly datastore?: string;

  /**
   * Networks of machines, in the order of their network devices.
   *
   * @default - those of the machine
   */
  readonly networks?: string[];

  /**
   * Folder of machines.
   *
   * @default - that of the machine
   */
  readonly folder?: string;

  /**
   * Resource pool of machines.
   *
   * @default - that of the machine
   */
  readonly resourcePool?: string;

  /**
   * True if machines of control planes may be in it.
   *
   * @default true
   */
  readonly controlPlane?: boolean;

  /**
   * Labels by which clusters select their zones.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };
}

/**
 * A zone of a vCenter, for clusters of all namespaces: a `VSphereFailureDomain` with the tags of its region and zone, and a
 * `VSphereDeploymentZone` of the same name, which says where its machines are. Both exist once in a management cluster.
 *
 * Source: kubernetes-sigs/cluster-api-provider-vsphere api/govmomi/v1beta2/vspherefailuredomain_types.go, vspheredeploymentzone_types.go.
 *
 * @example
 * new vsphere.VSphereZone(chart, 'room-1', {
 *   name: 'room-1',
 *   server: 'vcenter.example.com',
 *   region: { name: 'dc1', category: 'k8s-region', place: vsphere.VSpherePlace.DATACENTER },
 *   zone: { name: 'room-1', category: 'k8s-zone', place: vsphere.VSpherePlace.COMPUTE_CLUSTER },
 *   datacenter: 'dc1',
 *   computeCluster: 'cluster-1',
 * });
 */
export class VSphereZone extends Construct {
  /** Name of the zone. */
  public readonly name: string;

  /** The object with the place of the zone. */
  public readonly failureDomain: ApiObject;

  /** The object that clusters select. */
  public readonly deploymentZone: ApiObject;

  public constructor(scope: Construct, id: string, props: VSphereZoneProps) {
    super(scope, id);
    const { name, server, region, zone, controlPlane = true, labels, folder, resourcePool } = props;
    const { datacenter, computeCluster, hosts, datastore, networks } = props;
    validateApp(this);
    const annotations = keepOnPrune();
    this.name = name;
    this.failureDomain = new TypedApiObject(this, 'FailureDomain', { apiVersion: VSPHERE_API_VERSION, kind: 'VSphereFailureDomain', clusterScoped: true }, {
      metadata: { name, annotations },
      spec: {
        region: tagFields(region),
        zone: tagFields(zone),
        topology: setFields({
          datacenter, computeCluster, hosts: hosts && { hostGroupName: hosts.hostGroup, vmGroupName: hosts.vmGroup }, datastore, networks,
        }),
      },
    });
    this.deploymentZone = new TypedApiObject(this, 'DeploymentZone', { apiVersion: VSPHERE_API_VERSION, kind: 'VSphereDeploymentZone', clusterScoped: true }, {
      metadata: { name, annotations, ...(labels && { labels }) },
      spec: {
        server,
        failureDomain: name,
        controlPlane,
        ...((folder !== undefined || resourcePool !== undefined) && { placementConstraint: { folder, resourcePool } }),
      },
    });
    FieldSources.record(this.failureDomain, this, {
      'metadata.name': 'name',
      'spec.region.type': 'region.place',
      'spec.zone.type': 'zone.place',
      ...Object.fromEntries(['datacenter', 'computeCluster', 'hosts', 'datastore', 'networks'].map((field) => [`spec.topology.${field}`, field])),
    });
    FieldSources.record(this.deploymentZone, this, { 'metadata.name': 'name', 'spec.server': 'server', 'spec.placementConstraint.folder': 'folder', 'spec.placementConstraint.resourcePool': 'resourcePool' });
  }
}

function tagFields({ name, category, place }: VSphereTag): object {
  return { name, tagCategory: category, type: place };
}
