import * as fs from 'node:fs';
import * as path from 'node:path';
import { Verdict } from './verdict';
import { jsonTable } from '../../../generated-files';

const FOLDER = path.resolve(__dirname, '..', '..', '..', '..', 'conformance', 'plan');
const TABLE = path.join(FOLDER, 'pairs.json');

/** A row of `conformance/plan/pairs.json`: two states of manifests, in the folder of its name, and what the real controllers made of them. */
export interface CorpusPair {
  readonly name: string;

  /** Systems that the change is one of. */
  readonly origin: string;

  /** The change, in words. */
  readonly change: string;

  /**
   * Folders that are applied, each to a management cluster of its own.
   *
   * @default - the whole
   */
  readonly targets?: readonly string[];

  /**
   * True if Flux applies them, from a repository with these files.
   *
   * @default false
   */
  readonly flux?: boolean;

  /**
   * True if Cluster API's add-on provider for Helm installs the charts of their HelmChartProxies.
   *
   * @default false
   */
  readonly helmProvider?: boolean;

  /**
   * True if Argo CD applies them, from a repository with these files, after the first Application in `root.yaml`.
   *
   * @default false
   */
  readonly argoCd?: boolean;

  /**
   * Program that the plan builds the manifests with: kustomize, or kubectl in its place.
   *
   * @default - none
   */
  readonly needs?: 'kustomize';

  /**
   * The reason why the plan does not say what happens. A test fails when it does.
   *
   * @default - it does
   */
  readonly open?: string;
  readonly verdict: Verdict;
}

/** All pairs. */
export function corpusPairs(): CorpusPair[] {
  return JSON.parse(fs.readFileSync(TABLE, 'utf8')) as CorpusPair[];
}

/** Writes the table. */
export function writeCorpus(pairs: readonly CorpusPair[]): void {
  fs.writeFileSync(TABLE, jsonTable(pairs, 1));
}

/** The paths of both states, each a file or a folder. */
export function statesOf({ name }: CorpusPair): [before: string, after: string] {
  const [before, after] = ['old', 'new'].map((state) => {
    const file = path.join(FOLDER, name, `${state}.yaml`);
    return fs.existsSync(file) ? file : path.join(FOLDER, name, state);
  });
  return [before, after];
}

/** The names of the folders with pairs. */
export function corpusFolders(): string[] {
  return fs.readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
}
