import { ApiObject } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { AddressPool, MachineAddressPool } from './address-pool';
import { keptAnnotations } from '../../../manifests/objects/prune-annotations';
import { userKinds } from '../../../manifests/validation/address-pools/pool-index';
import { AddressDemand, addressShortage, totalDemand } from '../../../manifests/values/address-demand';
import { isCount } from '../../../manifests/values/counts';
import { Problem, Rule } from '../../../manifests/values/problem';
import { AppSlot, ConstructSlot } from '../../app/app-state';
import { Problems } from '../../app/problems/problems';
import { claimsPlace } from '../../app/synth/claims';
import { FieldSources } from '../../app/synth/field-sources';
import { placePart } from '../../app/synth/output-place';
import { Machine } from '../machine';
import { PoolContext } from '../node-pool/pool-context';

/** The property of pools and control planes that a machine is given in. */
const MACHINE = 'machine';

/** Machines of a group. */
export interface MachineNumbers {
  /** The template that they are cloned from. */
  readonly template: ApiObject;

  /** Largest number. */
  readonly machines: number;

  /** Machines beyond it during a rollout. */
  readonly surge: number;
}

/** A pool in one namespace, or for all of them, and those who take addresses from it. */
interface UsedPool {
  readonly pool: AddressPool;
  readonly demands: AddressDemand[];

  /** True as long as the manifests show the pool, and that all these machines take addresses from it: a rule over manifests counts them. */
  isWritten: boolean;

  /** True if the app makes the pool. */
  readonly isMade: boolean;
}

const USED = new AppSlot('AddressPools', () => new Map<string, UsedPool>());
const POOL_SCOPE = new ConstructSlot<Construct>('AddressPoolScope');

/** Gives a cluster a place for the objects of its pools, in a file of their own. */
export function addAddressPoolScope(cluster: Construct): void {
  POOL_SCOPE.set(cluster, placePart(new Construct(cluster, 'AddressPools'), 'address-pools'));
}

/**
 * Makes the pools that machines take addresses from, each once, and checks that they have enough for all machines of the app.
 *
 * @param scope the scope that the machine was bound in
 * @param machine the machine
 * @param context the group of machines
 * @param numbers their template and number
 */
export function takeAddresses(scope: Construct, machine: Machine, context: PoolContext, { template, machines, surge }: MachineNumbers): void {
  for (const use of machine.addressPools(context)) {
    const used = usedPool(scope, use, context);
    const { pool, addresses = 1 } = use;
    const property = `${MACHINE}.${use.property ?? 'addressPools'}`;
    const problems = Problems.of(scope);
    [...checkNumber(addresses, pool, property), ...checkSamePool(pool, used.pool, property)].forEach((problem) => problems.add(problem));
    const before = used.demands.length;
    used.demands.push({ name: context.name, machines, surge, each: addresses });
    used.isWritten &&= userKinds().includes(`${template.apiGroup}/${template.kind}`);
    // The group with which the addresses are no longer enough reports it.
    problems._addCheck(() => checkSupply(used, before, property));
  }
}

function usedPool(scope: Construct, { pool, property = 'addressPools' }: MachineAddressPool, { cluster }: PoolContext): UsedPool {
  const pools = USED.of(scope);
  const { apiGroup, kind, name } = pool.reference;
  const key = JSON.stringify([claimsPlace(scope), pool.global ? undefined : cluster.namespace, apiGroup, kind, name]);
  const known = pools.get(key);
  if (known) return known;
  const object = pool.bind(new Construct(POOL_SCOPE.nearest(scope) ?? scope, `${kind} ${name}`), cluster);
  const isMade = object !== undefined;
  const used = { pool, demands: [], isWritten: isMade || pool.stated, isMade };
  pools.set(key, used);
  if (object) adopt(object, scope, `${MACHINE}.${property}`, cluster.decommission ?? false);
  return used;
}

/** Living machines keep their addresses when the object leaves the source. Without machines, it may go with the rest of its folder. */
function adopt(object: ApiObject, scope: IConstruct, property: string, decommission: boolean): void {
  const marks = decommission ? {} : keptAnnotations(object.toJson() as never);
  Object.entries(marks).forEach(([key, value]) => object.metadata.addAnnotation(key, value));
  FieldSources.record(object, scope, {
    'spec': property,
    'metadata.name': `${property}.name`,
    'spec.addresses': `${property}.addresses`,
    'spec.addresses[*]': `${property}.addresses[*]`,
    'spec.excludedAddresses[*]': `${property}.excluded[*]`,
    'spec.prefix': `${property}.prefix`,
    'spec.gateway': `${property}.gateway`,
  });
}

const NUMBER_RULE: Rule = {
  id: 'TC-ADDRESS-POOL-NUMBER',
  title: 'The number of addresses that a machine takes from a pool, or that are left in an existing one, must be a whole number.',
};

function checkNumber(addresses: number, { available }: AddressPool, property: string): Problem[] {
  const wrong = !isCount(addresses, 1) ? `${addresses} is not a number of addresses that a machine takes`
    : available !== undefined && !(Number.isInteger(available) && available >= 0) ? `${available} is not a number of addresses` : undefined;
  return wrong === undefined ? [] : [{ rule: NUMBER_RULE, property, message: wrong, accepted: 'whole numbers', fix: 'write a whole number' }];
}

const NAME_RULE: Rule = {
  id: 'TC-ADDRESS-POOL-NAME',
  title: 'Pools of addresses with one name in a namespace must be the same.',
};

function checkSamePool(pool: AddressPool, known: AddressPool, property: string): Problem[] {
  return pool === known || JSON.stringify(pool) === JSON.stringify(known) ? [] : [{
    rule: NAME_RULE,
    property,
    message: `there is another pool "${pool.reference.name}" with other addresses in the namespace, and one object cannot be both`,
    fix: 'give one of them another name, or use one constant for all machines',
  }];
}

const EXHAUSTED_RULE: Rule = {
  id: 'TC-ADDRESS-POOL-EXHAUSTED',
  title: 'A pool must have an address for each machine at the largest sizes of its groups, and for those that a rollout adds.',
  source: 'kubernetes-sigs/cluster-api-ipam-provider-in-cluster internal/poolutil/pool.go (FindFreeAddress), internal/controllers/ipaddressclaim.go',
};

function checkSupply({ pool, demands, isWritten, isMade }: UsedPool, before: number, property: string): Problem[] {
  const { available, reference } = pool;
  if (isWritten || available === undefined || !(available >= 0) || (isMade && available === 0)) return [];
  if (totalDemand(demands.slice(0, before)) > available) return [];
  if (totalDemand(demands.slice(0, before + 1)) <= available) return [];
  const message = addressShortage(reference.name, BigInt(Math.floor(Math.min(available, Number.MAX_SAFE_INTEGER))), demands);
  return message === undefined ? [] : [{
    rule: EXHAUSTED_RULE,
    property,
    message,
    fix: 'give the pool more addresses, or the groups of machines smaller maximum sizes or a rollout without surge',
  }];
}
