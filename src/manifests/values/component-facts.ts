import { minorOf } from './kubernetes-releases';
import kubernetes from '../../../data/kubernetes-facts.json';
import programs from '../../../data/program-flags.json';

/**
 * Words with their first release, oldest first: `['A-', '1.35:B+', '1.37:.']`. A word without a release holds in all that are known up to
 * the next word; a point means that the thing does not exist.
 */
type History = readonly string[];

const ABSENT = '.';

/** Word that holds in a release, or undefined where the thing does not exist. */
export function wordAt(history: History, release: string): string | undefined {
  const word = history.filter((one) => !one.includes(':') || compareReleases(release, one.slice(0, one.indexOf(':'))) >= 0).at(-1);
  const text = word?.slice(word.indexOf(':') + 1);
  return text === ABSENT ? undefined : text;
}

/** The history of something in releases that are given oldest first; undefined where it does not exist. */
export function historyOf(words: readonly (string | undefined)[], releases: readonly string[]): History {
  return words.flatMap((word, index) => {
    const before = index === 0 ? undefined : words[index - 1];
    if (word === before) return [];
    return [index === 0 ? word! : `${releases[index]}:${word ?? ABSENT}`];
  });
}

/** Orders two releases such as `1.9` and `1.10` by their numbers. */
export function compareReleases(one: string, other: string): number {
  const [oneMajor, oneMinor] = one.split('.').map(Number);
  const [otherMajor, otherMinor] = other.split('.').map(Number);
  return oneMajor - otherMajor || oneMinor - otherMinor;
}

/** Name of a program whose flags the tables list. Declarations of the package refer to no JSON, which compilers of users may not resolve. */
export type Component = string;

/** One flag of a program. */
export interface FlagFact {
  /** Name without leading hyphens. */
  readonly name: string;

  /** Type as the flag library names it: `bool`, `int32`, `duration`, `strings` (comma-separated or repeated), `stringArray` (repeated). */
  readonly type: string;

  /** True if the program warns of it. */
  readonly deprecated: boolean;
}

/** Since when a kind of one API version is served, and from when on no longer. */
export interface ApiLifecycle {
  readonly introduced: string;
  readonly removed?: string;
}

/** A feature gate in one minor. */
export interface GateFact {
  /** Stage of the feature. */
  readonly stage: 'alpha' | 'beta' | 'GA' | 'deprecated';

  /** True if it is on by default. */
  readonly enabledByDefault: boolean;

  /** True if the other setting is refused. */
  readonly locked: boolean;
}

const STAGES: Readonly<Record<string, GateFact['stage']>> = { A: 'alpha', B: 'beta', G: 'GA', D: 'deprecated' };

/** A table of the generated ones with a line for each thing: its name, then its history. */
class HistoryTable {
  private lines?: ReadonlyMap<string, History>;

  public constructor(private readonly rows: readonly string[]) {}

  public get(name: string): History {
    return this.all().get(name) ?? [];
  }

  public names(): Iterable<string> {
    return this.all().keys();
  }

  private all(): ReadonlyMap<string, History> {
    this.lines ??= new Map(this.rows.map((line) => {
      const [name, ...words] = line.split(' ');
      return [name, words] as const;
    }));
    return this.lines;
  }
}

const flags: ReadonlyMap<string, HistoryTable> = new Map(
  Object.entries({ ...kubernetes.flags, ...programs.flags }).map(([component, table]) => [component, new HistoryTable(table)]),
);
/** The releases of programs that are not part of Kubernetes. */
const programReleases: Readonly<Record<string, readonly string[]>> = programs.releases;
const minors = kubernetes.releases.map(minorOf);
const gates = new HistoryTable(kubernetes.featureGates);
const kubeadmGates = new HistoryTable(kubernetes.kubeadmFeatureGates);
const plugins = new HistoryTable(kubernetes.admissionPlugins);
let lifecycles: ReadonlyMap<string, ApiLifecycle> | undefined;

/** True if the tables list the flags of a program. */
export function isKnownProgram(name: string): boolean {
  return flags.has(name);
}

/** Releases of a component that the tables know, oldest first: Kubernetes minors, or the program's own. */
export function knownReleases(component: Component): readonly string[] {
  return Object.hasOwn(programReleases, component) ? programReleases[component] : minors;
}

/**
 * A flag of a component.
 *
 * @param component the program
 * @param name name without leading hyphens
 * @param release in which of the known releases; where it is left out, in the newest one that has it
 */
export function flagFact(component: Component, name: string, release = flagReleases(component, name).at(-1)): FlagFact | undefined {
  const word = release === undefined ? undefined : wordAt(flags.get(component)!.get(name), release);
  return word === undefined ? undefined : { name, type: word.replace('!', ''), deprecated: word.endsWith('!') };
}

/** Names of the flags of a component in one known release; where it is left out, in any. */
export function flagNames(component: Component, release?: string): string[] {
  return [...flags.get(component)!.names()].filter((name) => release === undefined || flagFact(component, name, release));
}

/** The known releases that have a flag, oldest first. */
export function flagReleases(component: Component, name: string): readonly string[] {
  return knownReleases(component).filter((release) => wordAt(flags.get(component)!.get(name), release) !== undefined);
}

/** Names of all feature gates that some known minor has. */
export function gateNames(): Iterable<string> {
  return gates.names();
}

/** Minors that have a feature gate, oldest first. */
export function gateMinors(name: string): readonly string[] {
  return minors.filter((minor) => wordAt(gates.get(name), minor) !== undefined);
}

/** A feature gate in one minor, or undefined where that minor does not have it. */
export function gateFact(name: string, minor: string): GateFact | undefined {
  return isKnownMinor(minor) ? gateOf(wordAt(gates.get(name), minor)) : undefined;
}

/** Names of all feature gates of kubeadm itself that some known minor has. */
export function kubeadmGateNames(): Iterable<string> {
  return kubeadmGates.names();
}

/** A feature gate of kubeadm itself in one minor, or undefined where that minor does not have it. */
export function kubeadmGateFact(name: string, minor: string): GateFact | undefined {
  return isKnownMinor(minor) ? gateOf(wordAt(kubeadmGates.get(name), minor)) : undefined;
}

/** Admission plug-ins of a minor's API server, and whether each is on by default; those of the newest known minor for another. */
export function admissionPlugins(minor: string): ReadonlyMap<string, boolean> {
  const known = isKnownMinor(minor) ? minor : minors[minors.length - 1];
  return new Map([...plugins.names()].flatMap((name) => {
    const word = wordAt(plugins.get(name), known);
    return word === undefined ? [] : [[name, word === '+'] as const];
  }));
}

/** The lifecycle of a kind of Kubernetes in one API version, or undefined for what all known minors serve, and for what none of them knows. */
export function apiLifecycle(apiVersion: string, kind: string): ApiLifecycle | undefined {
  lifecycles ??= new Map(kubernetes.apiLifecycles.map((line) => {
    const [version, name, range] = line.split(' ');
    const [introduced, removed] = range.split('-');
    return [`${version} ${name}`, { introduced, removed }];
  }));
  return lifecycles.get(`${apiVersion} ${kind}`);
}

/** True if a Kubernetes minor serves what has such a lifecycle. */
export function isServed({ introduced, removed }: ApiLifecycle, minor: string): boolean {
  return compareReleases(minor, introduced) >= 0 && (removed === undefined || compareReleases(minor, removed) < 0);
}

/** True if a known Kubernetes minor serves what has such a lifecycle. */
export function isServedBySome(lifecycle: ApiLifecycle): boolean {
  return minors.some((minor) => isServed(lifecycle, minor));
}

/** True if the tables know a Kubernetes minor. */
export function isKnownMinor(minor: string): boolean {
  return minors.includes(minor);
}

/** The known minor after the last one of a list, if there is one. */
export function minorAfter(list: readonly string[]): string | undefined {
  return minors[minors.indexOf(list[list.length - 1]) + 1];
}

function gateOf(word: string | undefined): GateFact | undefined {
  return word === undefined ? undefined : { stage: STAGES[word[0]], enabledByDefault: word[1] === '+', locked: word.endsWith('!') };
}
