import * as fs from 'node:fs';
import * as path from 'node:path';
import { NOW } from './changes';
import { planFaults, PlanJson } from './compare-plan';
import { PairOutcome, readOutcomes } from './outcome';
import { pairLine, PlanPair, PlanPairOptions, planPairs } from './plan-pairs';
import { PrintedPlan, printedPlan } from './printed-plan';

/** Pairs of manifests, what the plan says of each, and what controllers make of it. */
export class PlanProof {
  private readonly pairs: readonly PlanPair[];

  public constructor(private readonly folder: string, private readonly options: PlanPairOptions) {
    this.pairs = planPairs(options);
  }

  /** Arguments of the program in conformance/, after the pairs are written for it. */
  public args(): string[] {
    fs.writeFileSync(this.file('pairs.jsonl'), this.pairs.map((pair) => pairLine(pair, NOW)).join(''));
    return ['--pairs', this.file('pairs.jsonl'), '--outcomes', this.file('outcomes.jsonl')];
  }

  /** Compares what was planned with what happened, and prints each disagreement. Returns whether there is none. */
  public async report(): Promise<boolean> {
    const outcomes = readOutcomes(fs.readFileSync(this.file('outcomes.jsonl'), 'utf8'), this.pairs.map(({ id }) => id));
    let wrong = 0;
    for (const [index, pair] of this.pairs.entries()) {
      const plan = await this.planOf(pair);
      const faults = planFaults(JSON.parse(plan.json) as PlanJson, outcomes[index]);
      if (faults.length === 0) continue;
      wrong++;
      console.log(this.disagreement(pair, faults, plan.text, outcomes[index]));
    }
    const sets = outcomes.flatMap(({ pools, controlPlane }) => [controlPlane, ...Object.values(pools ?? {})]);
    const gone = sets.reduce((sum, { before, kept }) => sum + before - kept, 0);
    const verdict = wrong === 0 ? 'agree' : `do not agree on ${wrong} of them`;
    console.log(`Of ${this.pairs.length} pairs of pages (seed ${this.options.seed}) with ${gone} replaced or deleted machines, plan and controllers ${verdict}.`);
    return wrong === 0;
  }

  private disagreement({ id, words }: PlanPair, faults: readonly string[], plan: string, { pools, controlPlane }: PairOutcome): string {
    const { seed, planPairs: count } = this.options;
    const found = { controlPlane, ...pools };
    return [
      `${id}: ${words}`,
      ...faults.map((fault) => `  - ${fault.replaceAll('\n', '\n    ')}`),
      `  plan: ${plan.trim().replaceAll('\n', '\n        ')}`,
      ...Object.entries(found).map(([name, outcome]) => `  controllers: ${name} ${JSON.stringify(outcome)}`),
      `  replay: npm run conformance -- --seed ${seed} --plan-pairs ${count} --only ${id}`,
      '',
    ].join('\n');
  }

  /** Output of `plan OLD NEW`. */
  private async planOf(pair: PlanPair): Promise<PrintedPlan> {
    return printedPlan(this.folder, (['old', 'new'] as const).map((state) => {
      const file = this.file(`${state}.yaml`);
      fs.writeFileSync(file, pair[state].map((object) => JSON.stringify(object)).join('\n---\n'));
      return file;
    }));
  }

  private file(name: string): string {
    return path.join(this.folder, name);
  }
}
