import { CHANGES, FIRST_POOL, PageChange } from './changes';
import { objectsOf, Page } from './page';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { ManifestObject, nameOf } from '../../../src/manifests/objects/manifest-object';
import { isKept } from '../../../src/manifests/objects/prune-annotations';
import { Random } from '../random';

/** Ids of pairs begin so. */
export const PLAN_PREFIX = 'plan:';

/** One of several parts of equal size, counted from 1. */
export interface Part {
  readonly number: number;
  readonly of: number;
}

/** Options for the choice of pairs. */
export interface PlanPairOptions {
  readonly seed: number;

  /** Number of pairs that are drawn at random. */
  readonly planPairs: number;

  /**
   * The part of the changes that are tried alone.
   *
   * @default - all
   */
  readonly planPart?: Part;

  /** Id of the one pair that is wanted. */
  readonly only?: string;
}

/** Two states of the manifests of one cluster. */
export interface PlanPair {
  readonly id: string;
  readonly namespace: string;

  /** The changes that lead from one to the other. */
  readonly words: string;
  readonly old: readonly ManifestObject[];
  readonly new: readonly ManifestObject[];
}

const BASES: Readonly<Record<Page['kind'], Page>> = {
  kamaji: { kind: 'kamaji', pools: { [FIRST_POOL]: { pool: { size: PoolSize.fixed(2) } }, second: {} } },
  kubeadm: { kind: 'kubeadm', kubeadm: { replicas: 3 }, pools: { [FIRST_POOL]: {} } },
};

/** Each change of the part alone, and pages that some changes led to, with some more changes. */
export function planPairs({ seed, planPairs: count, planPart: part, only }: PlanPairOptions): PlanPair[] {
  const isWanted = (name: string): boolean => only === undefined || only === `${PLAN_PREFIX}${name}`;
  const tried = part === undefined ? CHANGES : CHANGES.filter((_, place) => place % part.of === part.number - 1);
  const fixed = tried.filter(({ name }) => isWanted(name)).map((change) => pairOf(change.name, BASES[change.only ?? 'kamaji'], [change], new Random(change.name)));
  const drawn = Array.from({ length: count }, (_, number) => number).filter((number) => isWanted(`random-${number}`)).map((number) => {
    const random = new Random(`${seed}/plan/${number}`);
    const kind = random.chance(0.7) ? 'kamaji' : 'kubeadm';
    const first: Page = random.chance(0.5) ? BASES[kind] : { kind, pools: { [FIRST_POOL]: {} } };
    const base = someChanges(random, kind, 4).filter(({ isOnce }) => !isOnce).reduce((page, change) => change.make(page, random), first);
    return pairOf(`random-${number}`, base, someChanges(random, kind, 3), random);
  });
  return [...fixed, ...drawn];
}

function someChanges(random: Random, kind: Page['kind'], most: number): PageChange[] {
  const possible = CHANGES.filter(({ only }) => only === undefined || only === kind);
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(possible));
}

function pairOf(name: string, base: Page, changes: readonly PageChange[], random: Random): PlanPair {
  const namespace = `plan-${name}`;
  const later = changes.reduce((page, change) => change.make(page, random), base);
  return {
    id: `${PLAN_PREFIX}${name}`, namespace, words: changes.map((change) => change.name).join(', '), old: objectsOf(base, namespace), new: objectsOf(later, namespace),
  };
}

/**
 * A pair as the program in conformance/ reads it: what the controllers there work on, and what a tool prunes.
 *
 * @param pair the pair
 * @param now what stands for the time at which the new state is applied
 */
export function pairLine({ id, namespace, old, new: later }: PlanPair, now: string): string {
  const [before, after] = [old, later].map((objects) => objects.filter(({ apiVersion }) => String(apiVersion).includes('cluster.x-k8s.io/')));
  const keys = new Set(after.map(keyOf));
  return `${JSON.stringify({ id, namespace, old: before, new: after, removed: before.filter((object) => !keys.has(keyOf(object)) && !isKept(object)), now })}\n`;
}

function keyOf(object: ManifestObject): string {
  return `${String(object.kind)}/${nameOf(object)}`;
}
