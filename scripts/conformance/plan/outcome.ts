/** What became of the machines of a pool, or of a control plane, as the program in conformance/ writes it. */
export interface MachineOutcome {
  /** How many machines there were. */
  readonly before: number;

  /** How many there are. */
  readonly after: number;

  /** How many are the same. */
  readonly kept: number;

  /** How many MachineSets were created. */
  readonly newSets: number;

  /** The fields in which machines differ that are the same. */
  readonly changed: readonly string[];
}

/** What became of the machines of a cluster. */
export interface PairOutcome {
  readonly id: string;

  /** Why there is no outcome: a state was refused, or not reached. */
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
