import { textsOf } from './hosts-file';
import { MachineOwner } from './machine-owner';
import { clusterNamedBy } from '../landscape/known-clusters';
import { compareTexts } from '../landscape/place';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { HostMachine, MachineHostFacts } from '../rules/machine-hosts';
import { ManifestIndex } from '../rules/manifest-index';
import { providers } from '../systems/providers';
import { fieldAt, isSet, objectsAt, stringAt } from '../values/fields';

/** Machines of a pool or control plane that are hosts. */
export interface HostGroup {
  readonly what: string;
  readonly use: 'machine';
  readonly cluster?: string;
  readonly namespace: string;
  readonly minimum: number;
  readonly maximum: number;

  /** Further machines in a rollout. */
  readonly surge: number;

  /** Indices of the hosts that its machines can be made on. */
  readonly hosts: readonly number[];
}

/** A host that takes a machine. */
export interface MachineHost {
  /** `namespace/name`. */
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;

  /**
   * Its failure domain.
   *
   * @default - none
   */
  readonly zone?: string;
}

/** A host that takes no machine of these clusters, and the reason, in words that follow its name. */
export interface UnusableHost {
  readonly name: string;
  readonly reason: string;

  /** True if it has a machine that may be of these clusters. */
  readonly isUnknown?: true;
}

/** Machines that are hosts, and the hosts. */
export interface MachinesOnHosts {
  readonly groups: readonly HostGroup[];
  readonly hosts: readonly MachineHost[];
  readonly unusable: readonly UnusableHost[];

  /** Objects of all hosts. */
  readonly objects: readonly ManifestObject[];

  /**
   * The same with hosts that have a machine of an unknown cluster.
   *
   * @default - there are no such hosts
   */
  readonly atMost?: MachinesOnHosts;

  /** Pools and control planes of the groups. */
  readonly owners: ReadonlySet<MachineOwner>;
}

/**
 * Finds machines that are made on hosts among the manifests. Hosts of their kind must be there: without any, they are not known.
 *
 * @param owners pools and control planes
 * @param countsUnknown true if hosts count that have a machine of an unknown cluster
 */
export function machinesOnHosts(owners: readonly MachineOwner[], index: ManifestIndex, countsUnknown = false): MachinesOnHosts | undefined {
  const kinds = providers().flatMap(({ machineHosts = {} }) => Object.entries(machineHosts));
  const found = owners.flatMap((owner) => kinds.filter(([kind, facts]) => owner.template && kind === owner.kind && index.all(facts.kind).length > 0)
    .map(([, facts]) => ({ owner, template: owner.template!, facts })));
  if (found.length === 0) return undefined;
  const [usable, unusable]: [{ object: ManifestObject; facts: MachineHostFacts }[], UnusableHost[]] = [[], []];
  for (const facts of new Set(found.map((one) => one.facts))) {
    for (const object of distinctHosts(index.all(facts.kind))) {
      const reason = facts.unusable(object);
      const why = reason === undefined ? taken(object, facts, owners, index) : { reason };
      if (why) unusable.push({ name: hostName(object), ...why });
      if (!why || (why.isUnknown && countsUnknown)) usable.push({ object, facts });
    }
  }
  const groups = found.map(({ owner, template, facts }): HostGroup => ({
    what: owner.name,
    use: 'machine',
    ...(owner.cluster !== undefined && { cluster: owner.cluster }),
    namespace: owner.namespace,
    minimum: owner.minimum,
    maximum: owner.machines.size,
    surge: owner.machines.surge,
    hosts: usable.flatMap((host, at) => (
      host.facts === facts && namespaceIn(host.object) === owner.namespace && facts.selects(template, host.object, owner.object) ? [at] : [])),
  }));
  return {
    groups: groups.filter(({ maximum, surge }) => maximum + surge > 0)
      .sort((one, other) => compareTexts(one.cluster ?? '', other.cluster ?? '') || compareTexts(one.what, other.what)),
    hosts: usable.map(({ object, facts }): MachineHost => {
      const labels = textsOf(fieldAt(object, 'metadata', 'labels'));
      const zone = labels[facts.zoneLabel];
      return { name: hostName(object), namespace: namespaceIn(object), labels, ...(zone !== undefined && { zone }) };
    }),
    unusable,
    objects: [...new Set(found.map(({ facts }) => facts.kind))].flatMap((kind) => index.all(kind)),
    ...(!countsUnknown && unusable.some(({ isUnknown }) => isUnknown) && { atMost: machinesOnHosts(owners, index, true)! }),
    owners: new Set(found.map(({ owner }) => owner)),
  };
}

function namespaceIn(object: ManifestObject): string {
  return namespaceOf(object) ?? 'default';
}

function hostName(object: ManifestObject): string {
  return `${namespaceIn(object)}/${nameOf(object) ?? '-'}`;
}

/** Hosts in the order of their names. Of one that is there twice, as it is declared and as it is in the cluster, the latter counts. */
function distinctHosts(objects: readonly ManifestObject[]): ManifestObject[] {
  const hosts = new Map<string, ManifestObject>();
  for (const object of objects) {
    const name = hostName(object);
    if (!hosts.has(name) || isSet(object, 'status')) hosts.set(name, object);
  }
  return [...hosts].sort(([one], [other]) => compareTexts(one, other)).map(([, object]) => object);
}

/** The reason that a host with a machine of another cluster stays with it, or that its cluster is not known. */
function taken(host: ManifestObject, { machineOn }: MachineHostFacts, owners: readonly MachineOwner[], index: ManifestIndex): Omit<UnusableHost, 'name'> | undefined {
  const machine = machineOn(host);
  if (machine === undefined) return undefined;
  const cluster = machine.cluster ?? clusterOfMachine(machine, host, index);
  if (cluster === undefined) return { reason: `has the machine ${machine.name}, whose cluster neither a label nor an owner among the manifests names`, isUnknown: true };
  const isOwn = owners.some((owner) => owner.namespace === namespaceIn(host) && owner.cluster?.split('/').at(-1) === cluster);
  return isOwn ? undefined : { reason: `has the machine ${machine.name} of the cluster ${cluster}, which has no pool among these manifests` };
}

/** The cluster that a machine among the manifests, or the Machine that owns it, names. */
function clusterOfMachine({ kind, name, namespace }: HostMachine, host: ManifestObject, index: ManifestIndex): string | undefined {
  const machine = index.find(kind, namespace ?? namespaceIn(host), name);
  const named = machine && clusterNamedBy(machine);
  if (!machine || named) return named?.name;
  for (const [reference] of objectsAt(machine, 'metadata', 'ownerReferences')) {
    const owner = index.find(`${stringAt(reference, 'apiVersion')?.split('/')[0]}/${stringAt(reference, 'kind')}`, namespaceIn(machine), stringAt(reference, 'name'));
    const cluster = owner && clusterNamedBy(owner);
    if (cluster) return cluster.name;
  }
  return undefined;
}
