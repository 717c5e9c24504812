import * as path from 'node:path';
import { ControlPlanePair, controlPlanePairs, objectOf } from './control-plane-pairs';
import { Plan } from '../../../src/constructs/testing/plan';
import { GoProgram } from '../go-program';
import { PlanJson } from '../plan/compare-plan';
import { prepareUpstream } from '../upstream';

const MODULE = path.resolve(__dirname, '..', '..', '..', 'conformance', 'kamaji');

/** Sources that the module is built with; they bring Kamaji's. */
const SOURCES = 'cluster-api-control-plane-provider-kamaji';

/** Builds the program with Kamaji's code. */
export async function kamajiProgram(): Promise<GoProgram> {
  await prepareUpstream(SOURCES);
  const program = new GoProgram(MODULE, 'kamaji');
  program.build();
  return program;
}

/** Changes that Kamaji makes for a control plane. */
export interface KamajiOutcome {
  readonly id: string;

  /** True if the template of its pods changes. */
  readonly pods: boolean;

  /** True if the certificate of the API server is issued again, for which pods are replaced, too. */
  readonly certificate: boolean;
}

/**
 * Disagreement between the plan of a pair and Kamaji, in words; undefined if they agree.
 *
 * @param plan the plan
 * @param outcome what Kamaji does
 */
export function kamajiFault(plan: PlanJson, { pods, certificate }: KamajiOutcome): string | undefined {
  const parts = plan.clusters.flatMap((cluster) => cluster.parts).filter(({ part }) => part === 'control plane');
  const effects = parts.flatMap((part) => part.effects.map(({ effect }) => effect));
  if (effects.includes('unknown')) return 'planned as unknown';
  const isPlanned = effects.includes('pods replaced');
  if (isPlanned === (pods || certificate)) return undefined;
  return isPlanned ? 'planned pods replaced, and they stay' : `not planned: pods replaced${pods ? '' : ' for a certificate'}`;
}

/**
 * Compares plans with what Kamaji's own code makes of control planes. Prints each disagreement.
 *
 * @param seed makes other pairs
 * @param count how many are drawn at random
 * @returns whether there is none
 */
export async function proveKamaji(seed: number, count: number): Promise<boolean> {
  const program = await kamajiProgram();
  const pairs = controlPlanePairs(seed, count);
  const outcomes = new Map(program.ask<KamajiOutcome>(pairs.map(lineOf)).map((outcome) => [outcome.id, outcome]));
  let wrong = 0;
  for (const pair of pairs) {
    const plan = Plan.between([...pair.old], [...pair.new]);
    const fault = kamajiFault(plan.toJson() as PlanJson, outcomes.get(pair.id)!);
    if (fault === undefined) continue;
    wrong++;
    console.log(`${pair.id}: ${pair.words}\n  - ${fault}\n  plan: ${plan.toString().trim().replaceAll('\n', '\n        ')}\n`);
  }
  const replaced = [...outcomes.values()].filter(({ pods, certificate }) => pods || certificate).length;
  const verdict = wrong === 0 ? 'agree' : `do not agree on ${wrong} of them`;
  console.log(`Of ${pairs.length} pairs of control planes (seed ${seed}), ${replaced} with replaced pods, plan and Kamaji ${verdict}.`);
  return wrong === 0;
}

/** A pair as the program reads it. */
function lineOf({ id, old, new: later }: ControlPlanePair): object {
  const [before, after] = [old, later].map((objects) => ({ cluster: objectOf(objects, 'Cluster'), controlPlane: objectOf(objects, 'KamajiControlPlane') }));
  return { id, old: before, new: after };
}
