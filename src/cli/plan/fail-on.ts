import { PlannedChanges } from '../../manifests/plan/plan-objects';
import { PlanTotals, planTotals } from '../../manifests/plan/plan-totals';
import { PlanVerdict, planVerdict } from '../../manifests/plan/verdict';
import { CommandError } from '../command';

/** Numbers that conditions count. Parts whose number of machines is not known count as more than any number. */
const COUNTS: Readonly<Record<string, (totals: PlanTotals, verdict: PlanVerdict) => number>> = {
  refused: (_, { refused }) => refused.length,
  lost: (_, { lost }) => lost.length,
  down: (_, { down }) => down.length,
  removed: ({ removed, moved }) => removed + moved,
  deleted: ({ machinesDeleted, uncountedParts }) => (uncountedParts > 0 ? Infinity : machinesDeleted.maximum),
  replaced: ({ machinesReplaced, uncountedParts }) => (uncountedParts > 0 ? Infinity : machinesReplaced.maximum),
  unknown: ({ unknownEffects }) => unknownEffects,
};

const CONDITION = /^([a-z]+)(?:>(\d+))?$/;

/** The part of `plan --help` about conditions. */
export const FAIL_ON_HELP = `  --fail-on CONDITIONS  end with 3 when one of these is true, a list with commas: refused (changes that a server refuses), lost (a cluster
                        or data that a revert does not bring back), down (something is not available), removed (clusters, also those that
                        may be deleted on the way to another owner), deleted and replaced (machines), unknown (effects, and files that are
                        not read). Each may have a number: deleted>10`;

/** Conditions under which a plan fails. */
export class FailOn {
  private readonly conditions: readonly { readonly text: string; readonly name: string; readonly most: number }[];

  /**
   * @param given the conditions, as the user wrote them
   * @throws CommandError for a condition that does not exist
   */
  public constructor(given: string) {
    this.conditions = given.split(',').map((text) => text.trim()).filter((text) => text !== '').map((text) => {
      const [, name, most = '0'] = CONDITION.exec(text) ?? [];
      if (name === undefined || !Object.hasOwn(COUNTS, name)) {
        throw new CommandError([`--fail-on has no condition "${text}"`], `choose among ${Object.keys(COUNTS).join(', ')}, each with >NUMBER if you like`);
      }
      return { text, name, most: Number(most) };
    });
  }

  /** The conditions that are true of a plan. */
  public met(plan: PlannedChanges): string[] {
    const [totals, verdict] = [planTotals(plan), planVerdict(plan)];
    return this.conditions.filter(({ name, most }) => COUNTS[name](totals, verdict) > most).map(({ text }) => text);
  }
}
