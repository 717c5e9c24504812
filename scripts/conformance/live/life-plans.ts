import * as fs from 'node:fs';
import * as path from 'node:path';
import { kamajiFault, KamajiOutcome } from '../kamaji/kamaji-proof';
import { PlanJson, planFaults } from '../plan/compare-plan';
import { PairOutcome } from '../plan/outcome';
import { printedPlan } from '../plan/printed-plan';

/**
 * Compares what became of the machines and of the control plane in each state of a page with the plan of its change. Prints each disagreement.
 *
 * @param pages the folders of each page, one for each state
 * @param file the outcomes, one on each line, with the folder of the state as their id
 * @returns whether there is none
 */
export async function plansAgree(pages: readonly (readonly string[])[], file: string): Promise<boolean> {
  // With --if-built, nothing may have run.
  if (!fs.existsSync(file)) return true;
  const outcomes = fs.readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as PairOutcome & KamajiOutcome);
  let wrong = 0;
  for (const outcome of outcomes) {
    const states = pages.find((page) => page.includes(outcome.id))!;
    const former = states[states.indexOf(outcome.id) - 1];
    const plan = await printedPlan(path.dirname(outcome.id), [former, outcome.id]);
    const json = JSON.parse(plan.json) as PlanJson;
    const faults = [...planFaults(json, outcome), ...[kamajiFault(json, { ...outcome, certificate: false })].filter((fault) => fault !== undefined)];
    if (faults.length === 0) continue;
    wrong++;
    console.log([`${path.basename(outcome.id)}:`, ...faults, plan.text, JSON.stringify(outcome)].join('\n  '));
  }
  if (outcomes.length > 0) console.log(`Of ${outcomes.length} changes of a page, plan and controllers ${wrong === 0 ? 'agree' : `do not agree on ${wrong}`}.`);
  return wrong === 0;
}
