import { MachineOwner } from './machine-owner';
import { compareTexts } from '../landscape/place';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { MachineHostFacts } from '../rules/machine-hosts';
import { ManifestIndex } from '../rules/manifest-index';
import { providers } from '../systems/providers';
import { isSet, stringAt } from '../values/fields';

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
}

/** Machines that are hosts, and the hosts. */
export interface MachinesOnHosts {
  readonly groups: readonly HostGroup[];
  readonly hosts: readonly MachineHost[];
  readonly unusable: readonly UnusableHost[];

  /** Pools and control planes of the groups. */
  readonly owners: ReadonlySet<MachineOwner>;
}

/**
 * Finds machines that are made on hosts among the manifests. Hosts of their kind must be there: without any, they are not known.
 *
 * @param owners pools and control planes
 */
export function machinesOnHosts(owners: readonly MachineOwner[], index: ManifestIndex): MachinesOnHosts | undefined {
  const kinds = providers().flatMap(({ machineHosts = {} }) => Object.entries(machineHosts));
  const found = owners.flatMap((owner) => kinds.filter(([kind, facts]) => owner.template && kind === owner.kind && index.all(facts.kind).length > 0)
    .map(([, facts]) => ({ owner, template: owner.template!, facts })));
  if (found.length === 0) return undefined;
  const [usable, unusable]: [{ object: ManifestObject; facts: MachineHostFacts }[], UnusableHost[]] = [[], []];
  for (const facts of new Set(found.map((one) => one.facts))) {
    for (const object of distinctHosts(index.all(facts.kind))) {
      const reason = facts.unusable(object) ?? takenWords(object, facts, owners);
      if (reason === undefined) usable.push({ object, facts });
      else unusable.push({ name: hostName(object), reason });
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
      const zone = stringAt(object, 'metadata', 'labels', facts.zoneLabel);
      return { name: hostName(object), namespace: namespaceIn(object), ...(zone !== undefined && { zone }) };
    }),
    unusable,
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

/** The reason that a host with a machine of no pool of these stays with it. Machines begin with the name of their pool, control plane or cluster. */
function takenWords(host: ManifestObject, { machineOn }: MachineHostFacts, owners: readonly MachineOwner[]): string | undefined {
  const machine = machineOn(host);
  if (machine === undefined) return undefined;
  const own = owners.filter(({ namespace }) => namespace === namespaceIn(host));
  const isOwn = own.flatMap(({ object, cluster }) => [nameOf(object), cluster?.split('/').at(-1)]).some((name) => name !== undefined && machine.startsWith(`${name}-`));
  return isOwn ? undefined : `has the machine ${machine}, which is of no pool of these manifests`;
}
