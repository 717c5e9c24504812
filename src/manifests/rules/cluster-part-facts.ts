import { AddressPoolsOf, AddressUsesOf } from './address-pools';
import { AuthorityFacts } from './changes/authority-changes';
import {
  ControlPlaneFacts, ControlPlanePods, EncryptionFile, MachinePod, MachinePoolFacts, MachineSize, MachineSurroundings, PodSizing, PublishedService,
  ServiceAccountSecret,
} from './cluster-facts';
import { MachineHostFacts } from './machine-hosts';
import { ManifestIndex, TargetCluster } from './manifest-index';
import { ManifestObject } from '../objects/manifest-object';
import { FieldPath } from '../values/fields';

/** Knowledge about the machines and control planes of a system, by the kinds of their objects. */
export interface ClusterPartFacts {
  /**
   * Effects on the machines of MachinePools, by the kind of the object of the infrastructure.
   *
   * @default - it cannot be told
   */
  readonly machinePools?: Readonly<Record<string, MachinePoolFacts>>;

  /**
   * Words for fields of its templates in the reasons for replaced machines, by the kind of the template: path below `spec` to the
   * name of the property, such as `cpu`.
   *
   * @default - their paths
   */
  readonly templateWords?: Readonly<Record<string, Readonly<Record<string, string>>>>;

  /**
   * The size of a machine that is made from a template, by the kind of the template.
   *
   * @default - not known
   */
  readonly machineSizes?: Readonly<Record<string, (template: ManifestObject, index: ManifestIndex) => MachineSize>>;

  /**
   * The disks that machines have and take along when they go, in words, by the kind of their template.
   *
   * @default - not known
   */
  readonly machineDisks?: Readonly<Record<string, (template: ManifestObject) => readonly string[]>>;

  /**
   * Facts that control planes state, by their kind.
   *
   * @default - nothing beyond the contract of Cluster API
   */
  readonly controlPlanes?: Readonly<Record<string, (controlPlane: ManifestObject) => ControlPlaneFacts>>;

  /**
   * The Secrets with certificate authorities and keys, by the kind of the control plane.
   *
   * @default - not known
   */
  readonly authorities?: Readonly<Record<string, AuthorityFacts>>;

  /**
   * The Secret with the keys for tokens of ServiceAccounts, by the kind of the control plane; undefined where its name depends on an object
   * that is not among the manifests.
   *
   * @default - not known
   */
  readonly serviceAccountKeys?: Readonly<Record<string, (controlPlane: ManifestObject, index: ManifestIndex) => ServiceAccountSecret | undefined>>;

  /**
   * The Secret with the API server's configuration of encryption at rest, by the kind of the control plane; undefined without one.
   *
   * @default - not known
   */
  readonly encryptionFiles?: Readonly<Record<string, (controlPlane: ManifestObject) => EncryptionFile | undefined>>;

  /**
   * The pods that machines are in the management cluster, by the kind of their template. The template is the object that will be written.
   *
   * @default - its machines are no pods
   */
  readonly machinePods?: Readonly<Record<string, (template: ManifestObject, surroundings: MachineSurroundings) => MachinePod>>;

  /**
   * Machines that no pool makes, by their kind: true if one runs, or can be started without a change of its manifest. `machinePods` and
   * `machineSizes` read them, too.
   *
   * @default - all machines are made by pools and control planes
   */
  readonly singleMachines?: Readonly<Record<string, (object: ManifestObject) => boolean>>;

  /**
   * Hosts that machines are made on, which are objects in the namespace of the machines, by the kind of the template.
   *
   * @default - its machines are made on no such hosts
   */
  readonly machineHosts?: Readonly<Record<string, MachineHostFacts>>;

  /**
   * Kinds of further objects that make machines which are pods, and whose number or size is not read.
   *
   * @default - none
   */
  readonly machineSets?: readonly string[];

  /**
   * The ratios between machines and their pods that its configuration among the objects states; undefined if it is not among them.
   *
   * @default - none
   */
  readonly podSizing?: (index: ManifestIndex) => PodSizing | undefined;

  /**
   * True if the machines of a template are made in another cluster than the one that has the template, by the kind of the template.
   *
   * @default - they are made in the same cluster, or none of its machines are pods
   */
  readonly machinesElsewhere?: Readonly<Record<string, (template: ManifestObject, index: ManifestIndex) => boolean>>;

  /**
   * Templates with everything that their instance types add, such as devices, by the kind of the template. An instance type that is not among
   * the manifests adds nothing.
   *
   * @default - instance types add nothing but CPUs and memory
   */
  readonly templatesWithTypes?: Readonly<Record<string, (template: ManifestObject, index: ManifestIndex) => ManifestObject>>;

  /**
   * Machines that keep their connection to the pod network of the management cluster when they move to another host, by kind: the field that
   * has them move; undefined of others.
   *
   * @default - its machines do not move
   */
  readonly movingMachines?: Readonly<Record<string, (object: ManifestObject, index: ManifestIndex) => FieldPath | undefined>>;

  /**
   * Pools of addresses that objects are, or that a controller makes of them, by their kind.
   *
   * @default - none
   */
  readonly addressPools?: Readonly<Record<string, AddressPoolsOf>>;

  /**
   * The pools that machines take addresses from, by the kind of their template.
   *
   * @default - none
   */
  readonly addressUses?: Readonly<Record<string, AddressUsesOf>>;

  /**
   * Annotations that Services of type LoadBalancer of a tenant may bring into its management cluster; undefined where none are refused.
   *
   * @default - Services bring none, or all are accepted
   */
  readonly acceptedAnnotations?: (tenant: TargetCluster) => readonly string[] | undefined;

  /**
   * The pods of control planes that are hosted in the management cluster, by their kind.
   *
   * @default - its control planes are no pods
   */
  readonly controlPlanePods?: Readonly<Record<string, (controlPlane: ManifestObject) => ControlPlanePods>>;

  /**
   * The Service of the API server that a controller makes of an object, by its kind; undefined where it makes none.
   *
   * @default - it makes none
   */
  readonly apiServerServices?: Readonly<Record<string, (object: ManifestObject) => PublishedService | undefined>>;
}
