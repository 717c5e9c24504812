/**
 * Compares what our rules say of manifests with what a real API server says, which the program in conformance/ starts together with the
 * webhooks and controllers of the providers: for the examples of every rule, and for thousands of broken objects.
 *
 *   node -r ./scripts/esbuild-register.js scripts/conformance/main.ts --help
 *
 * Needs Go, and the definitions as `scripts/crds` finds them.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { allCases } from './all-cases';
import { HELP, readArguments, RunOptions } from './arguments';
import { caseFile } from './case-file';
import { Compared, Comparison } from './compare';
import { ConformanceCase } from './conformance-case';
import { DEFINITION_ROW } from './definition-cases';
import { EXCEPTIONS } from './exceptions';
import { GoProgram } from './go-program';
import { proveKamaji } from './kamaji/kamaji-proof';
import { live } from './live/live';
import { nodes } from './nodes/nodes';
import { installProviders } from './operator/install-providers';
import { OwnJudge } from './own-verdict';
import { CORPUS_PREFIX, CorpusProof } from './plan/corpus/corpus-proof';
import { PLAN_PREFIX } from './plan/plan-pairs';
import { PlanProof } from './plan/plan-proof';
import { exampleDefinitions, ExampleKinds } from './provider-definitions';
import { disagreementText, exampleTable, refuserTable, ruleTable, shortfalls } from './report';
import { readVerdicts } from './server-verdict';
import { writeSleepingTenant } from './sleeping-tenant';
import { UNCORRECTED, UNENFORCED } from './unenforced-rules';
import { FIELD_RULE } from '../../src/manifests/rules/changes/definition-changes';
import { manifestRules } from '../../src/manifests/validation/manifest-rules';
import { transitionRules } from '../../src/manifests/validation/transition-rules';
import { loadCrds } from '../crds/load';
import { servedSources } from '../crds/obtainable';
import { writeSorted } from '../golden/write-sorted';

/** Tenants that the controllers work on: one with all that Kamaji, pools and deliveries bring, and one whose control plane kubeadm sets up. */
const TENANTS = ['example-diy-cloud.yaml', 'control-plane-kubeadm.yaml'];

const MODULE = path.resolve(__dirname, '..', '..', 'conformance');

async function main(options: RunOptions): Promise<number> {
  const program = new GoProgram(MODULE, 'conformance');
  program.build();
  if (options.live) return live(program, options);
  if (options.nodes) return nodes(program, options);
  if (options.operator) return installProviders(program, options.passedOn);
  // Definitions that are not found are downloaded, into a folder in which the program looks as well.
  await loadCrds({ sources: servedSources() });

  const examples = new ExampleKinds(exampleDefinitions());
  for (const words of examples.unproved) console.log(`NOT PROVED: ${words}`);
  const cases = options.cases ? casesOf(options, examples) : [];
  const judge = new OwnJudge(manifestRules(), transitionRules(), examples.definitions);
  // Providers whose definitions are tried alone have no webhooks on the server.
  const definitionJudge = new OwnJudge([], [FIELD_RULE]);
  const own = cases.map((one) => (one.row === DEFINITION_ROW ? definitionJudge : judge).judge(one));

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-cases-'));
  try {
    const [input, output] = ['cases.jsonl', 'verdicts.jsonl'].map((name) => path.join(folder, name));
    fs.writeFileSync(input, caseFile(cases));
    const whole = options.only === undefined && options.cases;
    const plan = options.plan ? new PlanProof(folder, options) : undefined;
    const corpus = options.corpus ? new CorpusProof(folder, options) : undefined;
    const golden = writeSorted(path.join(folder, 'golden'), (name) => examples.isServed(name));
    const tenants = options.progress ? [...TENANTS.map((file) => path.join(golden, file)), writeSleepingTenant(folder)] : [];
    const code = await program.run([
      '--cases', input, '--verdicts', output, ...definitionArguments(folder, examples), ...options.passedOn, ...tenants.map((files) => `--progress=${files}`),
      ...plan?.args() ?? [], ...await corpus?.args() ?? [],
      ...whole ? [golden] : [],
    ]);
    if (!fs.existsSync(output)) return code || 1;

    const verdicts = readVerdicts(fs.readFileSync(output, 'utf8'), cases.map(({ id }) => id));
    const comparison = new Comparison({ exceptions: EXCEPTIONS, unenforced: UNENFORCED, uncorrected: UNCORRECTED });
    const compared = cases.map((one, index) => comparison.compare({ case: one, own: own[index], server: verdicts.get(one.id)! }));
    // Of one case, or of somebody else's server, not every explanation is needed.
    const unused = whole && !options.ownServer ? comparison.unused : [];
    const isFine = !options.cases || report(compared, unused, options);
    const isPlanFine = await plan?.report() ?? true;
    const isCorpusFine = corpus?.report() ?? true;
    const isKamajiFine = !options.kamaji || await proveKamaji(options.seed, options.planPairs);
    return isFine && isPlanFine && isCorpusFine && isKamajiFine ? code : 1;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Arguments for the definitions of examples, which are written for the program in conformance/. */
function definitionArguments(folder: string, { definitions }: ExampleKinds): string[] {
  if (definitions.length === 0) return [];
  const directory = path.join(folder, 'definitions');
  fs.mkdirSync(directory);
  definitions.forEach((definition, number) => fs.writeFileSync(path.join(directory, `${number}.yaml`), JSON.stringify(definition)));
  return ['--definitions', directory];
}

/** The cases of a run. A server of the user stores nothing, so that there are no updates, and no objects that webhooks look up. */
function casesOf({ seed, mutations, only, ownServer }: RunOptions, examples: ExampleKinds): ConformanceCase[] {
  const all = allCases({ seed, mutations }, examples);
  const chosen = only === undefined ? all : all.filter(({ id }) => id === only || id.startsWith(`${only}:`));
  if (chosen.length === 0 && ![PLAN_PREFIX, CORPUS_PREFIX].some((prefix) => only?.startsWith(prefix))) throw new Error(`there is no case ${only}; ids are those that a run prints, of mutations with their --seed and --mutations`);
  const cases = ownServer ? chosen.filter(({ set, before }) => set.length === 0 && before === undefined) : chosen;
  if (cases.length < chosen.length) console.log(`${chosen.length - cases.length} cases are left out, which need stored objects.`);
  return cases;
}

function report(compared: readonly Compared[], unused: readonly string[], { seed, mutations }: RunOptions): boolean {
  const replay = (id: string): string => `npm run conformance -- --seed ${seed} --mutations ${mutations} --only ${id}`;
  const faults = [...shortfalls(compared), ...unused.map((words) => `nothing needs the ${words}`)];
  console.log(`\n${ruleTable(compared)}\n${exampleTable(compared)}\n${refuserTable(compared)}\n${disagreementText(compared, replay)}`);
  console.log(faults.length === 0
    ? `The rules and the server agree on ${compared.length} cases (seed ${seed}).`
    : `The rules and the server do not agree (${compared.length} cases, seed ${seed}):\n${faults.map((words) => `  - ${words}`).join('\n')}`);
  return faults.length === 0;
}

async function start(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  if (options !== 'help') return main(options);
  console.log(HELP);
  return 0;
}

start().then(
  (code) => { process.exitCode = code; },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
