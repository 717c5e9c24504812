import { parseArgs } from 'node:util';

/** What a run is asked to do. */
export interface RunOptions {
  /** Seed of the mutations. */
  readonly seed: number;

  /** How many mutations there are of each golden file. */
  readonly mutations: number;

  /** Id of the one case that is run. */
  readonly only?: string;

  /** Whether the controllers are watched, too. */
  readonly progress: boolean;

  /** What is passed on to the program in conformance/. */
  readonly passedOn: readonly string[];

  /** Whether the server is somebody's own: nothing is stored there. */
  readonly ownServer: boolean;
}

export const DEFAULT_SEED = 20_260;
export const DEFAULT_MUTATIONS = 250;

export const HELP = `Asks a real API server about every rule's examples and about thousands of broken objects, and compares its verdicts with those of the rules.

Usage: npm run conformance -- [OPTION…]

  --seed N           other mutations (default: ${DEFAULT_SEED})
  --mutations N      how many there are of each golden file (default: ${DEFAULT_MUTATIONS})
  --only ID          one case, e.g. example-vultr:17 or TC-ADMIT-CLUSTER-NETWORK:failing; of mutations, with their seed

  --no-progress      do not wait for what the controllers make of two tenants, which takes most of the time

  --kubeconfig FILE  ask this cluster, in dry runs; what takes stored objects is left out (default: servers of our own; KUBECONFIG is not read)
  --context NAME     context in the file
  --namespace NAME   namespace to try things in
  --keep             keep the logs of the servers

Ends with 0 when the rules and the server agree, 1 when they do not or the run fails.
`;

/** Reads the command line. Throws an error for what it cannot make sense of. */
export function readArguments(args: readonly string[]): RunOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'seed': { type: 'string' },
      'mutations': { type: 'string' },
      'only': { type: 'string' },
      'no-progress': { type: 'boolean' },
      'kubeconfig': { type: 'string' },
      'context': { type: 'string' },
      'namespace': { type: 'string' },
      'keep': { type: 'boolean' },
      'help': { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const named = (['kubeconfig', 'context', 'namespace'] as const).flatMap((name) => (values[name] === undefined ? [] : [`--${name}=${values[name]}`]));
  return {
    seed: wholeNumber('seed', values.seed, DEFAULT_SEED),
    mutations: wholeNumber('mutations', values.mutations, DEFAULT_MUTATIONS),
    only: values.only,
    progress: !values['no-progress'] && values.only === undefined && values.kubeconfig === undefined,
    passedOn: [...named, ...values.keep ? ['--keep'] : []],
    ownServer: values.kubeconfig !== undefined,
  };
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} ${text}: write a whole number from 0`);
  return Number(text);
}
