import { FEATURE_GATES, FLAGS, MINORS, RELEASES } from './component-facts.generated';

/** A program whose flags the tables list. */
export type Component =
  'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kubelet' | 'konnectivity-server' | 'konnectivity-agent'
  | 'cluster-autoscaler' | 'kubevirt-cloud-controller-manager' | 'vultr-cloud-controller-manager'
  | 'kubevirt-csi-driver' | 'csi-provisioner' | 'csi-attacher' | 'csi-resizer' | 'csi-snapshotter' | 'livenessprobe' | 'csi-node-driver-registrar';

/** One flag over all releases. */
export interface FlagFact {
  /** Name without leading hyphens. */
  readonly name: string;

  /** Type as the flag library names it: `bool`, `int32`, `duration`, `strings` (comma-separated or repeated), `stringArray` (repeated). */
  readonly type: string;

  /** First release that has it, if some known release before does not. */
  readonly since?: string;

  /** First release that no longer has it. */
  readonly goneSince?: string;

  /** First release that calls it deprecated. */
  readonly deprecatedSince?: string;
}

/** A feature gate in one minor. */
export interface GateFact {
  /** How far the feature is. */
  readonly stage: 'alpha' | 'beta' | 'GA' | 'deprecated';

  /** Whether it is on where nobody says otherwise. */
  readonly enabledByDefault: boolean;

  /** Whether the other setting is refused. */
  readonly locked: boolean;
}

const FLAG = /^(.+?)(?:!(\d+\.\d+)?)?(?:\+(\d+\.\d+))?(?:-(\d+\.\d+))?$/;
const STAGES: Readonly<Record<string, GateFact['stage']>> = { A: 'alpha', B: 'beta', G: 'GA', D: 'deprecated' };

const minors = MINORS.split(' ');
const flags = new Map<Component, ReadonlyMap<string, FlagFact>>();
let gates: ReadonlyMap<string, readonly string[]> | undefined;

/** Releases of a component that the tables know, oldest first: Kubernetes minors, or konnectivity's own. */
export function knownReleases(component: Component): readonly string[] {
  return RELEASES[component].split(' ');
}

/** Flags of a component by name, over all known releases. */
export function flagsOf(component: Component): ReadonlyMap<string, FlagFact> {
  let table = flags.get(component);
  if (!table) {
    table = new Map(Object.entries(FLAGS[component]).flatMap(([type, names]) => names.split(' ').map((word) => {
      const fact = flagFact(component, type, word);
      return [fact.name, fact] as const;
    })));
    flags.set(component, table);
  }
  return table;
}

/** Whether a flag exists in a release. */
export function flagExists(flag: FlagFact, release: string): boolean {
  return (flag.since === undefined || compareReleases(release, flag.since) >= 0)
    && (flag.goneSince === undefined || compareReleases(release, flag.goneSince) < 0);
}

/** Names of all feature gates that some known minor has. */
export function gateNames(): Iterable<string> {
  return gateTable().keys();
}

/** Minors that have a feature gate, oldest first. */
export function gateMinors(name: string): readonly string[] {
  const words = gateTable().get(name) ?? [];
  return minors.filter((_, index) => words[index] !== undefined && words[index] !== '.');
}

/** A feature gate in one minor, or undefined where that minor does not have it. */
export function gateFact(name: string, minor: string): GateFact | undefined {
  const word = gateTable().get(name)?.[minors.indexOf(minor)];
  if (word === undefined || word === '.') {
    return undefined;
  }
  return { stage: STAGES[word[0]], enabledByDefault: word[1] === '+', locked: word.endsWith('!') };
}

/** Whether the tables know a Kubernetes minor. */
export function isKnownMinor(minor: string): boolean {
  return minors.includes(minor);
}

/** The known minor after the last one of a list, if there is one. */
export function minorAfter(list: readonly string[]): string | undefined {
  return minors[minors.indexOf(list[list.length - 1]) + 1];
}

/** Orders two releases such as `1.9` and `1.10` by their numbers. */
export function compareReleases(one: string, other: string): number {
  const [oneMajor, oneMinor] = one.split('.').map(Number);
  const [otherMajor, otherMinor] = other.split('.').map(Number);
  return oneMajor - otherMajor || oneMinor - otherMinor;
}

function flagFact(component: Component, type: string, word: string): FlagFact {
  const [, name, deprecatedFrom, since, goneSince] = FLAG.exec(word)!;
  const deprecated = word.includes('!');
  return { name, type, since, goneSince, deprecatedSince: deprecated ? deprecatedFrom ?? since ?? knownReleases(component)[0] : undefined };
}

function gateTable(): ReadonlyMap<string, readonly string[]> {
  gates ??= new Map(FEATURE_GATES.trim().split('\n').map((line) => {
    const [name, ...words] = line.split(' ');
    return [name, words.length === 1 ? minors.map(() => words[0]) : words] as const;
  }));
  return gates;
}
