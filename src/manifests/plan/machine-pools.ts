import { groupKind, ManifestObject, namespaceOf } from '../objects/manifest-object';
import { ChangeEffect, Effect, ObjectUpdate, reason } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { MachinePoolFacts, MachinePoolField } from '../rules/cluster-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { objectReference, referrersOf } from '../rules/references/object-references';
import { providers } from '../systems/providers';
import { fieldAt, sameValue } from '../values/fields';

const MACHINE = ['spec', 'template', 'spec'];
const CONFIG = [...MACHINE, 'bootstrap', 'configRef'];
const INFRASTRUCTURE = [...MACHINE, 'infrastructureRef'];
const FAILURE_DOMAINS = ['spec', 'failureDomains'];

/** Object of the infrastructure that has the machines of a pool, and what is known of its kind. */
interface PoolInfrastructure {
  readonly object: ManifestObject;
  readonly facts: MachinePoolFacts;
}

/**
 * Effects of a changed MachinePool on its machines: its infrastructure decides.
 *
 * @param update the MachinePool
 */
export function machinePoolReplacements(update: ObjectUpdate): ChangeEffect[] {
  const { before, after, now, templateReasons } = update;
  const infrastructure = infrastructureOf(after, now);
  const told = (field: MachinePoolField, reasons: readonly string[], otherwise = Effect.UNKNOWN) => (
    effectOn(infrastructure, field, reasons, otherwise));
  const changed = (...path: readonly string[]) => {
    const [old, is] = [before, after].map((pool) => fieldAt(pool, ...path));
    return sameValue(old, is) ? [] : [{ path: path.slice(-1), before: old, after: is }];
  };
  const references = (path: readonly string[]) => {
    const [old, is] = [before, after].map((pool) => objectReference(fieldAt(pool, ...path)));
    return old?.kind === is?.kind && old?.name === is?.name ? [] : templateReasons(old, is);
  };
  const configuration = [
    ...references(CONFIG), ...changed(...MACHINE, 'bootstrap', 'dataSecretName').map((change) => reason(change, { word: 'bootstrap Secret' })),
  ];
  const infrastructures = references(INFRASTRUCTURE);
  return [
    ...changed(...MACHINE, 'version').flatMap((change) => told('version', [reason(change)])),
    ...configuration.length === 0 ? [] : told('bootstrap', configuration),
    ...infrastructures.length === 0 ? [] : [{ effect: Effect.UNKNOWN, reasons: infrastructures }],
    ...changed(...FAILURE_DOMAINS).flatMap((change) => told('failureDomains', [reason(change)], Effect.IN_PLACE)),
    ...changed(...MACHINE, 'failureDomain').map((change) => ({ effect: Effect.UNKNOWN, reasons: [reason(change)] })),
  ];
}

/**
 * Effects of a MachinePool's bootstrap configuration that changes under its name; undefined if it is of no MachinePool.
 *
 * Source: kubernetes-sigs/cluster-api bootstrap/kubeadm/reconcilers/kubeadmconfig (rotateMachinePoolBootstrapToken renders it again), v1.14.2.
 */
export function poolConfigurationEffects({ before, after, now }: ObjectUpdate): ChangeEffect[] | undefined {
  if (referrersOf(after, now, MACHINE_POOL).length === 0) return undefined;
  const changes = fieldChanges(before, after);
  const [spec, others] = [true, false].map((isSpec) => changes.filter(({ path }) => (path[0] === 'spec') === isSpec).map((change) => reason(change)));
  return [
    ...spec.length === 0 ? [] : effectOn(infrastructureOf(after, now), 'bootstrapContent', spec, Effect.UNKNOWN),
    ...others.length === 0 ? [] : [{ effect: Effect.IN_PLACE, reasons: others }],
  ];
}

/**
 * Number of machines that a MachinePool replaces at a time; undefined if it cannot be told.
 *
 * @param object the MachinePool, its infrastructure, or its bootstrap configuration
 * @param index all objects
 * @param size how many machines there are
 */
export function poolMachinesAtATime(object: ManifestObject, index: ManifestIndex, size: number | undefined): number | undefined {
  const infrastructure = infrastructureOf(object, index);
  return size === undefined ? undefined : infrastructure?.facts.atATime(infrastructure.object, size);
}

function effectOn(
  infrastructure: PoolInfrastructure | undefined, field: MachinePoolField, reasons: readonly string[], otherwise: Effect,
): ChangeEffect[] {
  const { effect = otherwise, says } = infrastructure?.facts.effectOf(field, infrastructure.object) ?? {};
  return [{ effect, reasons: says === undefined ? reasons : reasons.map((text) => `${text} (${says})`) }];
}

function infrastructureOf(object: ManifestObject, index: ManifestIndex): PoolInfrastructure | undefined {
  const kind = groupKind(object);
  const own = factsOf(kind);
  if (own) return { object, facts: own };
  const pool = kind === MACHINE_POOL ? object : referrersOf(object, index, MACHINE_POOL).at(0)?.object;
  const reference = objectReference(fieldAt(pool, ...INFRASTRUCTURE));
  const found = reference && index.find(reference.kind, namespaceOf(object), reference.name);
  const facts = reference && factsOf(reference.kind);
  return found && facts && { object: found, facts };
}

function factsOf(kind: string): MachinePoolFacts | undefined {
  return providers().map(({ machinePools }) => machinePools?.[kind]).find((facts) => facts !== undefined);
}
