import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { CorpusPair, corpusPairs, statesOf, writeCorpus } from './corpus';
import { topologyFaults } from './made-topologies';
import { FolderOutcome, isSameVerdict, verdictOf } from './verdict';
import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { fieldAt } from '../../../../src/manifests/values/fields';
import { prepareUpstream } from '../../upstream';
import { NOW } from '../changes';

/** Ids of pairs of the corpus begin so. */
export const CORPUS_PREFIX = 'corpus:';

/** Systems that deliver pairs, with the programs whose sources have their definitions and webhooks. */
const DELIVERERS: readonly { readonly name: string; readonly programs: readonly string[]; readonly delivers: (pair: CorpusPair) => boolean }[] = [
  { name: 'Flux', programs: ['source-controller', 'kustomize-controller', 'helm-controller'], delivers: ({ flux = false }) => flux },
  { name: 'the provider for Helm', programs: ['cluster-api-addon-provider-helm'], delivers: ({ helmProvider = false }) => helmProvider },
];

/** Choice of pairs. */
export interface CorpusOptions {
  /**
   * Number of pairs that are played.
   *
   * @default - all
   */
  readonly corpusPairs?: number;

  /** True if the table is written, in place of being compared. */
  readonly record: boolean;

  /** Id of the one pair that is wanted, or the beginning of several with `*` at the end. */
  readonly only?: string;
}

/** The pairs of `conformance/plan`, played by the real controllers again, and what the table says of them. */
export class CorpusProof {
  private pairs: readonly CorpusPair[];

  public constructor(private readonly folder: string, private readonly options: CorpusOptions) {
    this.pairs = chosenPairs(corpusPairs(), options);
  }

  /** Arguments of the program in conformance/. */
  public async args(): Promise<string[]> {
    await this.prepareDeliverers();
    fs.writeFileSync(this.file('folders.jsonl'), this.pairs.map((pair) => `${JSON.stringify(this.line(pair))}\n`).join(''));
    return ['--folders', this.file('folders.jsonl'), '--folder-outcomes', this.file('folder-outcomes.jsonl')];
  }

  /** Unpacks the sources of what delivers. Without them, the pairs that it delivers are left out. */
  private async prepareDeliverers(): Promise<void> {
    for (const { name, programs, delivers } of DELIVERERS.filter((deliverer) => this.pairs.some(deliverer.delivers))) {
      try {
        for (const program of programs) await prepareUpstream(program);
      } catch (error) {
        console.log(`NOT PROVED: no pair is applied by ${name}: ${error instanceof Error ? error.message : String(error)}`);
        this.pairs = this.pairs.filter((pair) => !delivers(pair));
      }
    }
  }

  /** Compares what happened with the table, or writes it there. Returns whether both are the same. */
  public report(): boolean {
    const lines = fs.readFileSync(this.file('folder-outcomes.jsonl'), 'utf8').split('\n').filter((line) => line !== '');
    const outcomes = new Map(lines.map((line) => JSON.parse(line) as FolderOutcome).map((outcome) => [outcome.id, outcome]));
    const played = this.pairs.filter(({ name }) => outcomes.has(name));
    const faults = played.flatMap((pair) => faultsOf(pair, outcomes.get(pair.name)!, this.options.record));
    if (this.options.record) {
      writeCorpus(corpusPairs().map((pair) => {
        const outcome = outcomes.get(pair.name);
        return outcome && outcome.error === undefined ? { ...pair, verdict: verdictOf(outcome) } : pair;
      }));
    }
    const topologies = this.pairs.flatMap((pair) => topologyResults(pair, outcomes.get(pair.name)));
    const wrong = topologies.flatMap(({ words }) => words);
    for (const fault of [...faults, ...wrong]) console.log(fault);
    const agreed = faults.length === 0 ? 'all' : `all but ${faults.length}`;
    console.log(`Of ${this.pairs.length} pairs of conformance/plan, controllers played ${outcomes.size}; ${agreed} went as the table says.`);
    const same = topologies.reduce((sum, result) => sum + result.same, 0);
    const differences = wrong.length === 0 ? '' : `, and ${wrong.length} fields differ`;
    console.log(`${same} objects of topologies are computed as the topology controller makes them${differences}.`);
    return faults.length === 0 && wrong.length === 0;
  }

  private line(pair: CorpusPair): object {
    const [before, after] = statesOf(pair);
    const { targets = ['.'], flux = false, helmProvider = false, argoCd = false } = pair;
    return { id: pair.name, old: before, new: after, targets, flux, helmProvider, argoCd, now: NOW };
  }

  private file(name: string): string {
    return path.join(this.folder, name);
  }
}

/** The pairs that are played: as many as are wanted, from all over the table. */
export function chosenPairs(all: readonly CorpusPair[], { corpusPairs: count = all.length, only }: CorpusOptions): CorpusPair[] {
  if (only?.endsWith('*')) return all.filter(({ name }) => `${CORPUS_PREFIX}${name}`.startsWith(only.slice(0, -1)));
  if (only !== undefined) return all.filter(({ name }) => only === `${CORPUS_PREFIX}${name}`);
  const wanted = Math.min(count, all.length);
  return Array.from({ length: wanted }, (_, number) => all[Math.floor(number * all.length / wanted)]);
}

/** Differences between what the topology controller made of a pair and what is computed of it. */
function topologyResults(pair: CorpusPair, outcome: FolderOutcome | undefined): { readonly same: number; readonly words: readonly string[] }[] {
  const { refused, waits, error, topologies = [null, null] } = outcome ?? {};
  return statesOf(pair).flatMap((file, state) => {
    const made = topologies[state] ?? [];
    // A new state that is refused, or waits, is not that of the manifests.
    if (made.length === 0 || error !== undefined || (state === 1 && (refused || waits || pair.open !== undefined))) return [];
    const objects = objectsIn(file);
    if (objects.some(({ kind, spec }) => kind === 'Cluster' && fieldAt(spec, 'paused') === true)) return [];
    const { same, faults } = topologyFaults(objects, made, state === 1 ? objectsIn(statesOf(pair)[0]) : []);
    return [{ same, words: faults.map((words) => `${CORPUS_PREFIX}${pair.name}, ${['old', 'new'][state]} state: ${words}`) }];
  });
}

function objectsIn(file: string): ManifestObject[] {
  return parseAllDocuments(fs.readFileSync(file, 'utf8')).map((document) => document.toJS() as ManifestObject);
}

function faultsOf({ name, change, verdict }: CorpusPair, outcome: FolderOutcome, isRecorded: boolean): string[] {
  const replay = `  replay: npm run conformance -- --only ${CORPUS_PREFIX}${name}`;
  if (outcome.error !== undefined) return [`${CORPUS_PREFIX}${name}: ${change}\n  - ${outcome.error.trim().replaceAll('\n', '\n    ')}\n${replay}\n`];
  const found = verdictOf(outcome);
  if (isRecorded || isSameVerdict(found, verdict)) return [];
  return [[
    `${CORPUS_PREFIX}${name}: ${change}`, `  table:       ${JSON.stringify(verdict)}`, `  controllers: ${JSON.stringify(found)}`,
    ...outcome.waits ? [`  they wait:   ${outcome.waits.trim().replaceAll('\n', '\n               ')}`] : [], replay, '',
  ].join('\n')];
}
