import { compareReleases, Component, FlagFact, flagFact, flagNames, flagReleases, knownReleases } from './component-facts';
import { Finding } from './finding';
import { acceptedFlagValues, checkFeatureGatesText, isRepeatable } from './flag-values';
import { checkKubeletLabelKey, checkLabelValue } from './labels';
import { nearestName } from './nearest-name';

/** One command-line flag of a Kubernetes component. */
export interface ComponentArgument {
  /** Name of the flag without leading hyphens, e.g. `audit-log-maxage`, as in `extraArgs` of kubeadm v1beta4 and Cluster API v1beta2. */
  readonly name: string;

  /** Value of the flag, as text: `true`, `30`, `5m0s`. */
  readonly value: string;
}

/** Checks of an argument list beside the component's own rules. */
export interface CheckArgumentsOptions {
  /**
   * Flags that users cannot set: name to a reason that completes "…, because <reason>", e.g. `Kamaji sets it itself`.
   *
   * @default - none
   */
  readonly managed?: Readonly<Record<string, string>>;

  /**
   * True if a name must be unique regardless of its type, as in `extraArgs` of Cluster API v1beta2 (CEL "extraArgs name must be
   * unique").
   *
   * @default false
   */
  readonly unique?: boolean;
}

type Said = Omit<Finding, 'path'>;

/** Flags that no known minor has, by the first one without them (k8s.io/kubernetes cmd/{kubelet,kube-*}/app/options, v1.20 to v1.32). */
const REMOVED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kube-apiserver': {
    1.25: 'service-account-api-audiences',
    1.26: 'identity-lease-duration-seconds identity-lease-renew-interval-seconds',
    1.31: 'cloud-provider-gce-lb-src-cidrs',
    1.33: 'cloud-config cloud-provider',
  },
  'kube-controller-manager': {
    1.24: 'address deployment-controller-sync-period horizontal-pod-autoscaler-use-rest-clients port',
    1.25: 'deleting-pods-burst deleting-pods-qps experimental-cluster-signing-duration register-retry-count',
    1.27: 'enable-taint-manager pod-eviction-timeout',
    1.31: 'horizontal-pod-autoscaler-downscale-delay horizontal-pod-autoscaler-upscale-delay volume-host-allow-local-loopback volume-host-cidr-denylist',
  },
  'kube-scheduler': {
    1.23: 'policy-config-file policy-configmap policy-configmap-namespace use-legacy-policy-config',
    1.24: 'address port',
    1.28: 'lock-object-name lock-object-namespace',
  },
  'kubelet': {
    1.23: 'experimental-bootstrap-kubeconfig seccomp-profile-root',
    1.24: 'cni-bin-dir cni-cache-dir cni-conf-dir docker-endpoint dynamic-config-dir experimental-check-node-capabilities-before-mount '
      + 'experimental-dockershim-root-directory image-pull-progress-deadline network-plugin network-plugin-mtu non-masquerade-cidr',
    1.25: 'experimental-kernel-memcg-notification',
    1.27: 'container-runtime master-service-namespace',
    1.31: 'iptables-drop-bit iptables-masquerade-bit keep-terminated-pod-volumes',
  },
};

/** Flags of the builds for Windows, which the tables lack (kubernetes/kubernetes cmd/kubelet/app/options/osflags_windows.go). */
const ON_WINDOWS: Readonly<Record<string, readonly string[]>> = { kubelet: ['windows-priorityclass', 'windows-service'] };

const ONE_OF: Readonly<Record<string, readonly string[]>> = { 'kubelet/cloud-provider': ['external', ''] };

/**
 * Checks the arguments of a component.
 *
 * Every component exits on a flag that it does not know, so that a wrong name costs the control plane or the node. Underscores in
 * names count as hyphens, as the components take them.
 *
 * @param component whose arguments they are
 * @param release the component's minor, e.g. `1.35`; of one that the tables do not know (and where it is left out) every flag is
 *   accepted that some known release has, of a newer one every name, and feature gates are not looked at
 * @param args the arguments, in order
 * @param options who else sets flags
 * @returns findings in the order of the arguments
 */
export function checkArguments(
  component: Component, release: string | undefined, args: readonly ComponentArgument[], options: CheckArgumentsOptions = {},
): Finding[] {
  const firstAt = new Map<string, number>();
  return args.flatMap((argument, index) => {
    const name = `${argument.name}`.replaceAll('_', '-');
    const first = firstAt.get(name);
    if (first === undefined) {
      firstAt.set(name, index);
    }
    return say(component, release, { name, value: argument.value }, argument.name, first, options).map((said) => ({ path: [index], ...said }));
  });
}

/**
 * Reads an argument as command lines and Kamaji's `extraArgs` write it: `--name=value`, or `--name` for `true`.
 *
 * @returns the argument, or undefined if the text is not of that form
 */
export function parseArgument(text: string): ComponentArgument | undefined {
  const match = /^--([^=\s-][^=\s]*)(?:=([^]*))?$/.exec(text);
  return match ? { name: match[1], value: match[2] ?? 'true' } : undefined;
}

/** Checks for flags that users cannot set, each with a reason that completes "…, because <reason>". */
export function checkManagedFlags(
  component: Component, args: readonly ComponentArgument[], managed: Readonly<Partial<Record<string, string>>>,
): Finding[] {
  return args.flatMap((argument, index) => {
    const reason = managed[flagName(argument)];
    return reason === undefined ? [] : [{
      path: [index], message: `${component} cannot be given --${flagName(argument)}, because ${reason}`, fix: `remove ${argument.name}`,
    }];
  });
}

/** The name of a flag as the components read it. */
export function flagName(argument: { readonly name: string }): string {
  return argument.name.replaceAll('_', '-');
}

/** An argument as command lines and Kamaji's `extraArgs` write it: `--name=value`. */
export function formatArgument(argument: ComponentArgument): string {
  return `--${argument.name}=${argument.value}`;
}

function say(
  component: Component, release: string | undefined, argument: ComponentArgument, given: string, first: number | undefined,
  options: CheckArgumentsOptions,
): Said[] {
  const misspelt = checkSpelling(given);
  if (misspelt) {
    return [misspelt];
  }
  const reason = options.managed?.[argument.name];
  if (reason !== undefined) {
    return [{ message: `${component} cannot be given --${argument.name}, because ${reason}`, fix: `remove ${given}` }];
  }
  const flag = flagFact(component, argument.name, knownRelease(component, release));
  if (!flag && ON_WINDOWS[component]?.includes(argument.name)) return [];
  if (!flag) return mayBeNew(component, release) ? [] : [unknownFlag(component, release, argument.name)];
  return [
    ...checkRepetition(flag, first, options.unique ?? false),
    ...checkValue(component, release, flag, argument.value),
  ];
}

function checkSpelling(name: string): Said | undefined {
  const bare = name.replace(/^-+/, '').replace(/=[^]*$/, '').trim();
  if (name !== '' && name === bare && !/\s/.test(name)) {
    return undefined;
  }
  const fix = bare === '' ? 'give the name of a flag' : (name.includes('=') ? `write the name "${bare}" and put the rest into the value` : `write "${bare}"`);
  return { message: `"${name}" is not the name of a flag`, accepted: 'names without leading hyphens, spaces and "="', fix };
}

// A release behind the newest known one may have flags that no table lists.
function mayBeNew(component: Component, release: string | undefined): boolean {
  const releases = knownReleases(component);
  return release !== undefined && compareReleases(release, releases[releases.length - 1]) > 0;
}

function unknownFlag(component: Component, release: string | undefined, name: string): Said {
  const program = release === undefined ? component : `${component} ${release}`;
  const having = flagReleases(component, name);
  if (having.length > 0 && release !== undefined) {
    const releases = knownReleases(component);
    const when = compareReleases(release, having[0]) < 0 ? `exists from ${having[0]}` : `removed in ${releases[releases.indexOf(having.at(-1)!) + 1]}`;
    return { message: `${program} has no flag --${name} (${when}) and exits on it`, fix: `remove ${name}` };
  }
  const [removed] = Object.entries(REMOVED[component] ?? {}).find(([, names]) => names.split(' ').includes(name)) ?? [];
  if (removed !== undefined) return { message: `${program} has no flag --${name} (removed in ${removed}) and exits on it`, fix: `remove ${name}` };
  const near = nearestName(name, flagNames(component, knownRelease(component, release)));
  return { message: `${program} has no flag --${name} and exits on it`, fix: near ? `did you mean ${near}?` : `remove ${name}` };
}

function knownRelease(component: Component, release: string | undefined): string | undefined {
  return release !== undefined && knownReleases(component).includes(release) ? release : undefined;
}

function checkRepetition(flag: FlagFact, first: number | undefined, unique: boolean): Said[] {
  if (first === undefined || (!unique && isRepeatable(flag.type))) {
    return [];
  }
  const joins = ['colonSeparatedMultimapStringString', 'mapStringBool', 'mapStringString', 'stringToString', 'strings'].includes(flag.type);
  return [{
    message: `--${flag.name} is there twice, first at position ${first}${isRepeatable(flag.type) ? '' : '; the component takes the last one'}`,
    fix: joins ? 'join the values with commas in one argument' : 'keep one of them',
  }];
}

function checkValue(component: Component, release: string | undefined, flag: FlagFact, value: string): Said[] {
  if (flag.type === 'version') {
    return [{ message: `--${flag.name} makes ${component} print its version and exit`, fix: `remove ${flag.name}` }];
  }
  if (flag.name === 'feature-gates') {
    return checkFeatureGatesText(release, value, component !== 'kubelet').map(({ message, fix }) => ({ message, fix }));
  }
  const accepted = acceptedFlagValues(flag.type, value);
  if (accepted !== undefined) {
    return [{ message: `--${flag.name} is of type ${flag.type}, and "${value}" is not`, accepted, fix: 'correct the value' }];
  }
  const choices = ONE_OF[`${component}/${flag.name}`];
  if (choices && !choices.includes(value)) {
    return [{ message: `${component} does not take "${value}" for --${flag.name}`, accepted: choices.map((one) => `"${one}"`).join(', '), fix: 'correct the value' }];
  }
  return component === 'kubelet' && flag.name === 'node-labels' ? checkNodeLabels(value) : [];
}

function checkNodeLabels(value: string): Said[] {
  return value.split(',').filter((item) => item !== '').flatMap((item) => {
    const [key, ...rest] = item.split('=');
    const message = checkKubeletLabelKey(key.trim()) ?? checkLabelValue(rest.join('=').trim());
    return message === undefined ? [] : [{ message, fix: `remove ${item.trim()} from the value` }];
  });
}
