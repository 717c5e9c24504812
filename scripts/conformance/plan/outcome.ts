/** Outcome for the machines of a pool, or of a control plane, as the program in conformance/ writes it. */
export interface MachineOutcome {
  /** Number of machines before the change. */
  readonly before: number;

  /** Number of machines after it. */
  readonly after: number;

  /** Number of machines that were kept. */
  readonly kept: number;

  /** Number of MachineSets that were created. */
  readonly newSets: number;

  /** The fields in which machines differ that are the same. */
  readonly changed: readonly string[];
}

/** Outcome for the machines of a cluster. */
export interface PairOutcome {
  readonly id: string;

  /** Reason for a missing outcome: a state was refused, or not reached. */
  readonly error?: string;
  readonly pools: Readonly<Record<string, MachineOutcome>>;
  readonly controlPlane: MachineOutcome;
  readonly seconds: number;
}

/**
 * Reads outcomes, one on each line, in any order.
 *
 * @param text the file
 * @param ids those of the pairs
 * @returns the outcomes in the order of the pairs
 */
export function readOutcomes(text: string, ids: readonly string[]): PairOutcome[] {
  const outcomes = new Map(text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as PairOutcome).map((outcome) => [outcome.id, outcome]));
  return ids.map((id) => {
    const found = outcomes.get(id);
    if (!found) throw new Error(`the controllers' program did not finish with ${id}`);
    return found;
  });
}
