import { parseArgs } from 'node:util';
import { CORPUS_PREFIX } from './plan/corpus/corpus-proof';
import { Part, PLAN_PREFIX } from './plan/plan-pairs';

/** Options of a run. */
export interface RunOptions {
  /** Seed of the mutations. */
  readonly seed: number;

  /** Number of mutations of each golden file. */
  readonly mutations: number;

  /** Number of pairs of manifests that are drawn for the plan. */
  readonly planPairs: number;

  /** Part of the changes that are tried alone; all if it is undefined. */
  readonly planPart?: Part;

  /** True if the plan is compared with what controllers do. */
  readonly plan: boolean;

  /** True if the pairs of `conformance/plan` are played. */
  readonly corpus: boolean;

  /** Number of them that are played; all if it is undefined. */
  readonly corpusPairs?: number;

  /** True if the table of these pairs is written. */
  readonly record: boolean;

  /** True if the plan is compared with Kamaji's own code. */
  readonly kamaji: boolean;

  /** True if the Cluster API Operator installs providers, in place of all other checks. */
  readonly operator: boolean;

  /** True if rules and manifests are compared with the server. */
  readonly cases: boolean;

  /** Id of the one case or pair that is run. */
  readonly only?: string;

  /** True if tenants live, in place of all other checks. */
  readonly live: boolean;

  /** Examples that live; all that can if it is empty. */
  readonly examples: readonly string[];

  /** Words in the names of mistakes that a living tenant must show; empty for all, undefined for none. */
  readonly mutants?: string;

  /** True if kubeadm and kubelets check machines, in place of all other checks. */
  readonly nodes: boolean;

  /** Minors of Kubernetes whose kubeadm and kubelets are asked; all if it is empty. */
  readonly minors: readonly string[];

  /** Page that gets a table of what the containers of living tenants take. */
  readonly usage?: string;

  /** True if the controllers are watched, too. */
  readonly progress: boolean;

  /** Arguments for the program in conformance/. */
  readonly passedOn: readonly string[];

  /** True if the server belongs to the user: nothing is stored there. */
  readonly ownServer: boolean;
}

export const DEFAULT_SEED = 20_260;
export const DEFAULT_MUTATIONS = 250;
export const DEFAULT_PLAN_PAIRS = 200;

export const HELP = `Asks a real API server about every rule's examples and about thousands of broken objects, and compares its verdicts with those of the rules.

Usage: npm run conformance -- [OPTION…]

  --seed N           other mutations (default: ${DEFAULT_SEED})
  --mutations N      how many there are of each golden file (default: ${DEFAULT_MUTATIONS})
  --only ID          one case, e.g. example-vultr:17 or TC-ADMIT-CLUSTER-NETWORK:failing, or all of TC-ADMIT-CLUSTER-NETWORK; of mutations, with their seed

  --no-plan          do not compare plans with what the controllers make of pairs of pages, which takes most of the time
  --plan-pairs N     how many pairs are drawn, beside each change alone (default: ${DEFAULT_PLAN_PAIRS})
  --plan-part K/N    of the changes that are tried alone, the K-th of N parts (default: all)
  --corpus N         how many of the pairs of conformance/plan are played (default: all)
  --corpus-only      do nothing else
  --record           write what the controllers make of them into conformance/plan/pairs.json, in place of comparing it
  --kamaji           compare plans with what Kamaji's own code makes of control planes, too; the first build takes some minutes

  --no-progress      do not wait for what the controllers make of tenants

  --live [EXAMPLE…]  in place of all that: let the tenants of examples live, with the real controllers, in namespaces of the kernel (Linux, root);
                     the first build takes many minutes
  --live --if-built  do nothing where a program would have to be built first; the same with --nodes, and for pairs of
                     conformance/plan that Flux, Argo CD or the add-on provider for Helm apply
  --live --mutants [WORDS]
                     make mistakes in what is written, one at a time, and want each to be seen: one to five minutes for each; those with the words in their name
  --live [EXAMPLE…] --usage FILE
                     write what the containers of the tenants take into a page, between <!-- npm run conformance: usage --> and <!-- end of usage -->

  --nodes [MINOR…]   in place of all that: ask kubeadm and kubelets of each minor of Kubernetes, such as 1.36, whether they accept what machines are
                     given, in namespaces of the kernel, too; the first build takes some minutes for each minor
  --operator         in place of all that: let the real Cluster API Operator install providers, in namespaces of the kernel, too; its first build takes
                     some minutes

  --kubeconfig FILE  ask this cluster, in dry runs; what takes stored objects is left out (default: servers of our own; KUBECONFIG is not read)
  --context NAME     context in the file
  --namespace NAME   namespace to try things in
  --keep             keep the logs of the servers

Ends with 0 when the rules and the server agree, 1 when they do not or the run fails. With --live, --nodes and --operator, 3 says that namespaces cannot be made,
and 4 that a tenant is not as its page says, or that a machine would not become a node.
`;

/** Reads the command line. Throws an error for what it cannot make sense of. */
export function readArguments(args: readonly string[]): RunOptions | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'live': { type: 'boolean' },
      'nodes': { type: 'boolean' },
      'if-built': { type: 'boolean' },
      'mutants': { type: 'boolean' },
      'usage': { type: 'string' },
      'seed': { type: 'string' },
      'mutations': { type: 'string' },
      'only': { type: 'string' },
      'no-plan': { type: 'boolean' },
      'plan-pairs': { type: 'string' },
      'plan-part': { type: 'string' },
      'corpus': { type: 'string' },
      'corpus-only': { type: 'boolean' },
      'record': { type: 'boolean' },
      'kamaji': { type: 'boolean' },
      'operator': { type: 'boolean' },
      'no-progress': { type: 'boolean' },
      'kubeconfig': { type: 'string' },
      'context': { type: 'string' },
      'namespace': { type: 'string' },
      'keep': { type: 'boolean' },
      'help': { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  if ([values.live, values.nodes, values.operator].filter(Boolean).length > 1) throw new Error('--live, --nodes and --operator run alone');
  if (positionals.length > 0 && !values.live && !values.nodes) throw new Error(`${positionals[0]}: names of examples are for --live, and minors for --nodes`);
  if (values.mutants && !values.live) throw new Error('--mutants is for --live');
  if (values.usage !== undefined && (!values.live || values.mutants)) throw new Error('--usage is for --live without --mutants');
  const isAlone = [values.live, values.nodes, values.operator].some(Boolean);
  const isCorpusAlone = values['corpus-only'] ?? values.only?.startsWith(CORPUS_PREFIX) ?? false;
  const named = (['kubeconfig', 'context', 'namespace'] as const).flatMap((name) => (values[name] === undefined ? [] : [`--${name}=${values[name]}`]));
  return {
    seed: wholeNumber('seed', values.seed, DEFAULT_SEED),
    mutations: wholeNumber('mutations', values.mutations, DEFAULT_MUTATIONS),
    planPairs: wholeNumber('plan-pairs', values['plan-pairs'], DEFAULT_PLAN_PAIRS),
    planPart: partOf(values['plan-part']),
    kamaji: values.kamaji ?? false,
    operator: values.operator ?? false,
    live: values.live ?? false,
    nodes: values.nodes ?? false,
    examples: positionals,
    minors: positionals,
    mutants: values.mutants ? positionals.join(' ') : undefined,
    usage: values.usage,
    plan: values.kubeconfig === undefined && !isCorpusAlone && (values.only?.startsWith(PLAN_PREFIX) ?? !values['no-plan']),
    corpus: values.kubeconfig === undefined && !isAlone && (values.only?.startsWith(CORPUS_PREFIX) ?? (!values['no-plan'] || isCorpusAlone)),
    corpusPairs: values.corpus === undefined ? undefined : wholeNumber('corpus', values.corpus, 0),
    record: values.record ?? false,
    cases: !isCorpusAlone,
    only: values.only,
    progress: !values['no-progress'] && !isCorpusAlone && values.only === undefined && values.kubeconfig === undefined,
    passedOn: [...named, ...(['keep', 'if-built'] as const).filter((name) => values[name]).map((name) => `--${name}`)],
    ownServer: values.kubeconfig !== undefined,
  };
}

function partOf(text: string | undefined): Part | undefined {
  if (text === undefined) return undefined;
  const [number, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.slice(1).map(Number) ?? [];
  if (number === undefined || number < 1 || number > of) throw new Error(`--plan-part ${text}: write such as 2/3, the second of three parts`);
  return { number, of };
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} ${text}: write a whole number from 0`);
  return Number(text);
}
