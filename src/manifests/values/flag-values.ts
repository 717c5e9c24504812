import { gateFact, gateMinors, gateNames, isKnownMinor, minorAfter } from './component-facts';
import { Finding } from './finding';
import { parseGoDuration } from './go-duration';
import { checkIp } from './ip-address';
import { SUPPORTED_MINORS } from './kubernetes-releases';
import { nearestName } from './nearest-name';
import { checkQuantity } from './quantity';

const TRUE: readonly string[] = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE: readonly string[] = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

// Go's strconv.ParseInt with base 0, which allows "_" between digits.
const GO_INTEGER = /^[+-]?(0[xX](_?[\da-fA-F])+|0[oO]?(_?[0-7])+|0[bB](_?[01])+|[1-9](_?\d)*|0)$/;
const GO_FLOAT = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

const INTEGER_RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int: [-(2n ** 63n), 2n ** 63n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint: [0n, 2n ** 64n - 1n],
};

// Given twice, these flags add up; of all others the last one wins.
const REPEATABLE: readonly string[] = [
  'colonSeparatedMultimapStringString', 'int32Slice', 'mapStringBool', 'mapStringString', 'multi-string', 'namedCertKey', 'reserved-memory',
  'stringArray', 'stringToString', 'strings',
];

/**
 * Reads a boolean as Go's `strconv.ParseBool` does.
 *
 * @returns undefined if the text is none
 */
export function parseGoBool(text: string): boolean | undefined {
  return TRUE.includes(text) ? true : (FALSE.includes(text) ? false : undefined);
}

/** True if a flag of this type may be given more than once, every value counting. */
export function isRepeatable(type: string): boolean {
  return REPEATABLE.includes(type);
}

/**
 * The form that values of a flag type must have, or undefined if the value has it. Types whose form is the program's own
 * affair accept everything.
 *
 * @param type the type as the flag library (`github.com/spf13/pflag`, `k8s.io/component-base/cli/flag`) names it
 */
export function acceptedFlagValues(type: string, value: string): string | undefined {
  const form = FORMS[type];
  return form === undefined || form.fits(value) ? undefined : form.accepted;
}

interface Form {
  readonly accepted: string;
  readonly fits: (value: string) => boolean;
}

const FLOAT: Form = { accepted: 'numbers such as 0.5', fits: (value) => GO_FLOAT.test(value) };

const FORMS: Readonly<Record<string, Form>> = {
  bool: { accepted: 'true, false', fits: (value) => parseGoBool(value) !== undefined },
  duration: { accepted: 'durations such as 30s, 5m, 1h30m', fits: (value) => parseGoDuration(value) !== undefined },
  float32: FLOAT,
  float64: FLOAT,
  int: integerForm('int'),
  int32: integerForm('int32'),
  int32Slice: { accepted: 'whole numbers joined by commas', fits: (value) => value.split(',').every((item) => isInteger('int32', item)) },
  int64: integerForm('int64'),
  ip: { accepted: 'an IP address', fits: (value) => checkIp(value.trim()) === undefined },
  portRange: { accepted: 'a range of ports such as 30000-32767', fits: isPortRange },
  quantity: { accepted: 'quantities such as 512Ki', fits: (value) => checkQuantity(value) === undefined },
  stringToString: { accepted: 'key=value, joined by commas', fits: (value) => value === '' || value.split(',').every((item) => item.includes('=')) },
  uint: integerForm('uint'),
};

function integerForm(type: string): Form {
  const [smallest, largest] = INTEGER_RANGES[type];
  return { accepted: `whole numbers from ${smallest} to ${largest}`, fits: (value) => isInteger(type, value) };
}

function isInteger(type: string, text: string): boolean {
  if (!GO_INTEGER.test(text)) {
    return false;
  }
  const digits = text.replace(/^[+-]/, '').replaceAll('_', '');
  const size = BigInt(/^0\d/.test(digits) ? `0o${digits}` : digits);
  const [smallest, largest] = INTEGER_RANGES[type];
  const value = text.startsWith('-') ? -size : size;
  return value >= smallest && value <= largest && !(type === 'uint' && /^[+-]/.test(text));
}

// k8s.io/apimachinery pkg/util/net PortRange: "base-last", "base+size" or one port.
function isPortRange(text: string): boolean {
  const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim());
  if (!match) {
    return false;
  }
  const first = Number(match[1]);
  const second = match[3] === undefined ? first : Number(match[3]);
  const last = match[2] === '+' ? first + second : second;
  return first <= last && last <= 65535;
}

// Every component brings these along with its logging flags, in all known minors (k8s.io/component-base/logs/api/v1/kube_features.go).
// The tables do not list them, as they are read from the components' own registries.
const LOGGING_GATES: readonly string[] = ['ContextualLogging', 'LoggingAlphaOptions', 'LoggingBetaOptions'];

/**
 * Checks one feature gate in one minor. A component that is given a gate it does not know, or the other setting of a locked one,
 * does not start (`k8s.io/component-base/featuregate` `SetFromMap`).
 *
 * The components share one list: a gate that only the scheduler looks at is accepted by the kubelet too.
 *
 * @param minor Kubernetes minor, e.g. `1.35`; nothing is found in one that the tables do not know, and where it is left out, only gates that
 *   none of them has
 * @param name the gate
 * @param enabled the setting
 * @returns what is wrong with it, or undefined
 */
function checkFeatureGate(minor: string | undefined, name: string, enabled: boolean): Finding | undefined {
  if (LOGGING_GATES.includes(name)) return undefined;
  if (minor === undefined) return gateMinors(name).length > 0 ? undefined : unknownGate(minor, name);
  if (!isKnownMinor(minor)) return undefined;
  const gate = gateFact(name, minor);
  if (!gate) {
    return unknownGate(minor, name);
  }
  if (gate.locked && gate.enabledByDefault !== enabled) {
    return {
      path: [name],
      message: `the feature gate ${name} is locked to ${gate.enabledByDefault} in ${minor}`,
      fix: `remove ${name}=${enabled}`,
    };
  }
  return undefined;
}

/**
 * Checks feature gates given as a map, as in `featureGates` of KubeletConfiguration.
 *
 * @returns one finding for every problem, in the order of the map
 */
export function checkFeatureGates(minor: string | undefined, gates: Readonly<Record<string, boolean>>): Finding[] {
  return Object.entries(gates).flatMap(([name, enabled]) => checkFeatureGate(minor, name, enabled) ?? []);
}

/**
 * Checks feature gates given as the value of `--feature-gates`: `Name=true,Other=false`.
 *
 * @param minor Kubernetes minor, e.g. `1.35`
 * @param text the value
 * @param prefixed whether `kube:Name=true` is accepted too: by the control plane's components, not by the kubelet
 * @returns one finding for every problem, in the order of the text
 */
export function checkFeatureGatesText(minor: string | undefined, text: string, prefixed = false): Finding[] {
  return text.split(',').map((item) => item.trim()).filter((item) => item !== '').flatMap((item): Finding | Finding[] => {
    const [left, right, ...more] = item.split('=');
    const name = prefixed ? left.trim().replace(/^kube:/, '') : left.trim();
    const enabled = right === undefined ? undefined : parseGoBool(right.trim());
    if (enabled === undefined || more.length > 0) {
      return [{ path: [item], message: `"${item}" is not the setting of a feature gate`, fix: `write ${name || 'Name'}=true or ${name || 'Name'}=false` }];
    }
    return checkFeatureGate(minor, name, enabled) ?? [];
  });
}

/** Feature gates as the value of `--feature-gates`, by name. */
export function formatFeatureGates(gates: Readonly<Record<string, boolean>>): string {
  return Object.entries(gates).sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, enabled]) => `${name}=${enabled}`).join(',');
}

function unknownGate(minor: string | undefined, name: string): Finding {
  const known = gateMinors(name);
  if (minor !== undefined && known.length > 0) {
    const isNew = known[0].localeCompare(minor, 'en', { numeric: true }) > 0;
    const when = isNew ? `exists from ${known[0]}` : `removed in ${minorAfter(known)}`;
    return { path: [name], message: `Kubernetes ${minor} has no feature gate ${name} (${when}) and does not start with it`, fix: `remove ${name}` };
  }
  const near = nearestName(name, gateNames());
  return {
    path: [name],
    message: `Kubernetes ${minor ?? `from ${SUPPORTED_MINORS[0]} on`} has no feature gate "${name}" and does not start with it`,
    fix: near ? `did you mean ${near}?` : 'remove it',
  };
}
