import { Effect } from './changes/effects';
import { TransitionRule } from './changes/transition-rule';
import { ManifestIndex } from './manifest-index';
import { ManifestRule } from './manifest-rule';
import { FieldPath } from '../values/fields';
import { Finding } from '../values/finding';
import { ProviderRelease } from '../values/provider-release';
import { parseSemanticVersion } from '../values/semantic-version';

/** An upgrade, or downgrade, of a component. */
export interface ComponentUpgrade {
  readonly from: string;
  readonly to: string;
}

/** An effect of an upgrade on what is running. */
export interface UpgradeEffect {
  readonly effect: Effect;

  /**
   * Number of pods that are replaced.
   *
   * @default - none, or it is not known
   */
  readonly pods?: number;

  /** Sentences without a full stop, each a line of the plan. */
  readonly notes: readonly string[];
}

/** A rule for upgrades of a component: as `TransitionRule`, whose kinds and check follow from where the component is installed. */
export interface UpgradeRule extends Pick<TransitionRule, 'id' | 'title' | 'source' | 'warning' | 'trap' | 'example'> {
  /** Describes the fault of an upgrade, and what to do instead; undefined if there is none. */
  readonly faultOf: (upgrade: ComponentUpgrade) => { readonly message: string; readonly fix: string } | undefined;
}

/** A rule for changes of the values of a chart: as `TransitionRule`, whose kinds and check follow from what installs the chart. */
export interface ValueRule extends Pick<TransitionRule, 'id' | 'title' | 'source' | 'warning' | 'trap' | 'example'> {
  /** Finds faults of the later values, at paths below them. */
  readonly faultsOf: (former: unknown, later: unknown) => readonly Finding[];
}

/** Minor releases of Kubernetes that tenants may have from a release of a component on. */
export interface TenantMinors {
  /** The first release of the component that it holds for, as its project writes it. */
  readonly since: string;

  /**
   * The oldest minor release, e.g. 31 for Kubernetes 1.31.
   *
   * @default - any
   */
  readonly oldest?: number;

  /** The newest minor release. */
  readonly newest: number;
}

/** Releases of Kubernetes of tenants that releases of a component work with. */
export interface TenantKubernetes {
  /** By release of the component, newest first. */
  readonly releases: readonly TenantMinors[];

  /** Orders two releases as `Array.sort` has it; undefined where one of them is no release of the component. */
  readonly compare: (one: string, other: string) => number | undefined;

  /** The newest release that the table was read from: what a newer one works with is not known. */
  readonly lastRead: string;

  /** Kinds of the objects that are wrong where a tenant has another one: control planes, or the Cluster. */
  readonly kinds: readonly string[];

  /** The rule for these objects. Its kinds and check follow. */
  readonly rule: Pick<ManifestRule, 'id' | 'title' | 'source' | 'warning' | 'example'>;
}

/** A component of a management cluster, and where manifests state its version. */
export interface ComponentFacts {
  /** Its name in messages and plans. */
  readonly title: string;

  /**
   * Providers of the Cluster API Operator whose version it is, and images of their managers.
   *
   * @default - none
   */
  readonly providers?: readonly ProviderRelease[];

  /**
   * Fields of objects that state its version, by kind.
   *
   * @default - none
   */
  readonly fields?: Readonly<Record<string, FieldPath>>;

  /**
   * Charts that install it, by name: the path of the value that overrides the version of the chart, or undefined.
   *
   * @default - no chart
   */
  readonly charts?: Readonly<Record<string, FieldPath | undefined>>;

  /**
   * Images of its controllers: the end of the repository's path, such as `kubevirt/virt-operator`.
   *
   * @default - those of its providers
   */
  readonly images?: readonly string[];

  /**
   * Starts of the addresses of its releases, which the version follows.
   *
   * @default - none
   */
  readonly releases?: readonly string[];

  /**
   * Rule for its upgrades. Without a statement of its project there is none.
   *
   * @default - none
   */
  readonly upgrades?: UpgradeRule;

  /**
   * Releases of Kubernetes that tenants may have with it.
   *
   * @default - it does not depend on them, or that is not known
   */
  readonly tenants?: TenantKubernetes;

  /**
   * Rules for changes of the values of its charts.
   *
   * @default - none
   */
  readonly valueChanges?: readonly ValueRule[];

  /**
   * Effects of an upgrade on what is running.
   *
   * @default - not known
   */
  readonly effects?: (upgrade: ComponentUpgrade, now: ManifestIndex) => UpgradeEffect;
}

/** Limits of the change of a component's minor version in one step, by the statement of its project. */
export interface StepLimits {
  /**
   * The largest number of minor releases at a time.
   *
   * @default - any number
   */
  readonly most?: number;

  /**
   * The largest number of minor releases back at a time.
   *
   * @default - any number, unless there is an action instead
   */
  readonly mostBack?: number;

  /** Action instead of an older minor release; undefined if going back is not known to fail. */
  readonly insteadOfOlder?: string;
}

/** Describes the fault of an upgrade that skips minor releases, or goes back. Versions that are no semantic ones have none. */
export function stepFault(title: string, upgrade: ComponentUpgrade, { most = Infinity, mostBack = Infinity, insteadOfOlder }: StepLimits): ReturnType<UpgradeRule['faultOf']> {
  const [from, to] = [upgrade.from, upgrade.to].map(parseSemanticVersion);
  if (!from || !to) return undefined;
  const isOlder = to.major < from.major || (to.major === from.major && to.minor < from.minor);
  if (isOlder && to.major === from.major && from.minor - to.minor > mostBack) {
    return {
      message: `${upgradeText(title, upgrade)} goes back ${from.minor - to.minor} minor releases at a time, and at most ${mostBack} ${mostBack === 1 ? 'is' : 'are'} supported`,
      fix: `go to the newest patch of ${from.major}.${from.minor - mostBack} first, and wait until it runs`,
    };
  }
  if (isOlder) {
    return insteadOfOlder === undefined ? undefined : { message: `${upgradeText(title, upgrade)} goes back to an older minor release`, fix: insteadOfOlder };
  }
  if (to.major !== from.major || to.minor - from.minor <= most) return undefined;
  const next = `${from.major}.${from.minor + most}`;
  return {
    message: `${upgradeText(title, upgrade)} is ${to.minor - from.minor} minor releases at a time, and at most ${most} ${most === 1 ? 'is' : 'are'} supported`,
    fix: `go to the newest patch of ${next} first, and wait until it runs`,
  };
}

/** An upgrade in words. */
export function upgradeText(title: string, { from, to }: ComponentUpgrade): string {
  return `${title} ${from} -> ${to}`;
}
